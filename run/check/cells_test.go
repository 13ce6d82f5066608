package check

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"lbmib/io/casefile"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

func TestElasticBodiesAreJudged(t *testing.T) {
	tried := func(*casefile.Case, *setup.Problem, setup.Kernel) speeds { return speeds{mflups: 100, vertex: 1e-6} }
	r := check(setuptest.InEmptyDirectory(t, setuptest.CapsuleCase), []string{"reference.resolution=8"}, setup.Kernel{}, tried)
	if len(r.Errors) > 0 || len(r.Cells) != 2 || len(r.Bodies) != 0 {
		t.Fatalf("%d elastic and %d rigid bodies, refused for %v", len(r.Cells), len(r.Bodies), r.Errors)
	}
	c := r.Cells[0]
	for _, v := range []struct {
		name      string
		got, want float64
		within    float64
	}{
		{"nodes", float64(c.Nodes.Value), 16, 1e-12}, {"capillary number", float64(c.Capillary), 0.15, 1e-12}, {"that by E_s", float64(c.Young), 0.05, 1e-12},
		{"Reynolds number", float64(c.Reynolds), 0.05, 1e-12}, {"edge", float64(c.Edge.Value), 1, 0.1}, // a mean, of the nearest frequency
		// K of a neo-Hookean membrane is about 20 G_s whatever its mesh, and G_s = ρνU a/(Ca L) in lattice units
		// at half the range of 2 nodes (G_s + κ/d²)/d, κ = 0, of a = 8 nodes: 4 G_s/a, and μγ̇ = Ca G_s/a
		{"contact over G_s/a", float64(c.Contact.Flattens), 4, 1e-12}, {"contact over μγ̇", float64(c.Contact.Bears), 4 / 0.15, 1e-9},
		// 3 · 8 G_s/d · A/d, A = 4πa²/1002
		{"contact's stiffness", float64(c.Contact.Stiffness.Value), 6 * 4 * math.Pi * 64 / 1002 * 0.004 / 0.15, 0.02 * 6 * 0.8 * 0.004 / 0.15},
		{"stiffness", float64(c.Stiffness.Value), 20 * 0.004 / 0.15, 0.1 * 20 * 0.004 / 0.15},
	} {
		if math.Abs(v.got-v.want) > v.within {
			t.Errorf("%s is %v, want %v within %v", v.name, v.got, v.want, v.within)
		}
	}
	if want := 2 * float64(c.Vertices) * 1e-6 * float64(r.Run.Steps); math.Abs(float64(r.Estimate.BodySeconds)/want-1) > 1e-9 {
		t.Errorf("bodies take %v s, want %v", r.Estimate.BodySeconds, want)
	}
	var page bytes.Buffer
	r.Write(&page, nil)
	for _, say := range []string{"Elastic body a (sphere, neo-hookean)", "1 002", "0.15 = μγ̇a/G_s, 0.05 by E_s", "within 2 nodes, at 1 of which it bears 26.7 μγ̇ or 4 G_s/a", "1 µs a vertex"} {
		if !strings.Contains(page.String(), say) {
			t.Errorf("the report does not say %q:\n%s", say, page.String())
		}
	}
	for set, want := range map[string]Verdict{"body.0.motion.mesh=642": OK, "body.0.motion.mesh=42": Unsafe, "body.0.motion.mesh=252": Caution, "body.0.motion.mesh=5762": Caution} {
		r := check("case.toml", []string{"reference.resolution=8", set}, setup.Kernel{}, tried)
		if len(r.Errors) > 0 || r.Cells[0].Edge.Verdict != want {
			t.Errorf("%s: edges are %+v (%v), want %s", set, r.Cells[0].Edge, r.Errors, want)
		}
	}
}

func TestElasticBodiesThatCannotBeAreRefused(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.CapsuleCase)
	for _, c := range []struct {
		says string
		sets []string
	}{
		{`case.toml:18:1: body.0.motion: the membrane of body "a" has the stiffness K Δt/(ρνΔx) = `, []string{"body.0.motion.capillary=0.001"}},
		{`must be at most 6.25, or its vertices swing from step to step: use a reference.velocity of at most `, []string{"body.0.motion.capillary=0.001"}},
		{`body.1.shape.center=[3.5, 2.5, 2.5]: body "b" begins inside body "a" at x = `, []string{"body.1.shape.center=[3.5, 2.5, 2.5]"}},
		{`body.1.shape.center=[2.1, 2.5, 2.5]: body "b" begins inside body "a" at x = `, []string{"body.1.shape.center=[2.1, 2.5, 2.5]", "body.1.shape.diameter=0.8"}},     // wholly
		{`body.1.shape.center=[7.5, 2.5, 2]: body "b" begins inside body "a" at x = `, []string{"body.0.shape.center=[0.5, 2.5, 2]", "body.1.shape.center=[7.5, 2.5, 2]"}}, // across a face
		{`body.0.shape.center: body "a" begins inside body "b" at x = `, []string{"body.1.shape.center=[3.5, 2.5, 2.5]", `body.1.motion={type="fixed"}`}},
		{`body.0.shape.center=[2.0, 0.8, 2.0]: body "a": its markers need`, []string{"body.0.shape.center=[2.0, 0.8, 2.0]"}},
		{`body.0.shape: body "a" is 9 L long along x, the domain 8 L`, []string{"body.0.shape.diameter=9"}},
		{`ib.contact.distance=7: 7 nodes need a domain of at least 17.5 nodes along z, where it is periodic, it has 16: use at most 6.4`, []string{"ib.contact.distance=7"}},
		{`ib.contact.stiffness=120: contact at body "a" has the stiffness K Δt/(ρνΔx) = `, []string{"ib.contact.stiffness=120"}},
		{`backend cuda: forces of elastic bodies are spread by sort-reduce on the device, not by buffered: use ib.spread auto, or backend hybrid or cpu`, []string{"run.backend=cuda", "ib.spread=buffered"}},
	} {
		r := check(path, c.sets, setup.Kernel{}, motionless)
		if all := strings.Join(r.Errors, "\n"); !strings.Contains(all, c.says) {
			t.Errorf("%v: %q is not in %q", c.sets, c.says, all)
		}
	}
	inSolid := setuptest.InEmptyDirectory(t, setuptest.CapsuleCase+"\n[[solid]]\nshape = { type = \"box\", min = [2.5, 1.0, 1.0], max = [3.0, 4.0, 3.0] }\n")
	if r := check(inSolid, nil, setup.Kernel{}, motionless); !strings.Contains(strings.Join(r.Errors, "\n"), `the support of the markers of body "a" holds the solid node`) {
		t.Errorf("a cell in a solid: %v", r.Errors)
	}
	path = setuptest.InEmptyDirectory(t, setuptest.CapsuleCase)
	if r := check(path, []string{"body.1.shape.center=[4.1, 2.5, 2]"}, setup.Kernel{}, motionless); len(r.Errors) > 0 {
		t.Errorf("neighbours a tenth of L apart: %v", r.Errors)
	}
}

// The velocity that the refusal of a stiff membrane proposes is one that is not refused, and hardly lower
// than it must be.
func TestTheRemedyForStiffMembranesHelps(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.CapsuleCase)
	stiff := []string{"body.0.motion.capillary=0.0002", "body.1.motion.capillary=0.0002"}
	r := check(path, stiff, setup.Kernel{}, motionless)
	_, after, found := strings.Cut(strings.Join(r.Errors, "\n"), "reference.velocity of at most ")
	if !found {
		t.Fatalf("%v", r.Errors)
	}
	velocity, _, _ := strings.Cut(after, ",")
	r = check(path, append(stiff, "reference.velocity="+velocity), setup.Kernel{}, motionless)
	if len(r.Errors) > 0 || !(r.Cells[0].Stiffness.Value > 0.98*r.Cells[0].Most) {
		t.Errorf("with reference.velocity = %s: %v, %+v", velocity, r.Errors, r.Cells)
	}
}

// Stiff membranes along a periodic axis with an even number of nodes are cautioned of, whose momentum that alternates from node to node they feed.
func TestStiffMembranesWhereMomentumAlternatesAreCautionedOf(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.CapsuleCase)
	stiff := []string{"reference.resolution=8", "body.0.motion.capillary=0.05"} // K Δt/(ρνΔx) = 1.6
	for _, c := range []struct {
		sets []string
		want Verdict
	}{
		{nil, Caution},
		{[]string{"domain.size=[8.125, 5.0, 4.0]"}, Caution}, // z
		{[]string{"domain.size=[8.125, 5.0, 4.125]"}, OK},
		{[]string{"ib.delta=peskin4"}, OK},
		{[]string{"body.0.motion.capillary=0.15"}, OK},
	} {
		r := check(path, append(stiff, c.sets...), setup.Kernel{}, motionless)
		if len(r.Errors) > 0 {
			t.Fatal(r.Errors)
		}
		if j := r.Cells[0].Stiffness; j.Verdict != c.want || (c.want == Caution) != strings.Contains(j.Reason, "an even number, momentum that alternates from node to node") {
			t.Errorf("%v: a stiffness of %v is judged %s, %q", c.sets, j.Value, j.Verdict, j.Reason)
		}
	}
}

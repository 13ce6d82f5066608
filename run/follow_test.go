package run

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/run/setup/setuptest"
)

// sinkingCase is a disc that sinks between walls, 4 L apart, in a domain that is long enough, or that follows it.
const sinkingCase = `
[reference]
resolution = 10
velocity   = 0.04
reynolds   = 10

[domain]
lattice = "D2Q9"
size    = [4.0, 40.0]
gravity = [0.0, -4.0]

[domain.boundary]
left   = { type = "no-slip" }
right  = { type = "no-slip" }
bottom = { type = "no-slip" }
top    = { type = "outflow" }

[fluid]
collision = "trt"

[[body]]
name   = "disc"
shape  = { type = "circle", center = [2.0, 32.0], diameter = 1.0 }
motion = { type = "free", density = 1.3 }

[run]
time = 30.0

[output]
plots = false
checkpoint = { every = 0 }
`

// inWindow is as far as that above the disc, and 8 L below it.
var inWindow = []string{"domain.follow={}", "domain.size.1=16", "domain.origin=[0, 24]"}

// A disc that a domain follows sinks as it does in one that is as long as its way: its speed at the end differs by 0.07 % (what is left is the start,
// which sound in the long domain makes another), and moves of the domain are not felt in it: over the last third it stays within 0.03 %, with 4 L
// behind the disc in place of 8 within 0.11 %. New nodes with a density of 1 in place of that next to them made it jump by 1 % with each move.
func TestADomainFollowsASinkingDisc(t *testing.T) {
	checkingtest.NumbersAlone(t)
	sink := func(sets ...string) (speed, place, swung float64) {
		dir := t.TempDir()
		if _, err := Run(t.Context(), setuptest.Load(t, sinkingCase, sets...), Options{Out: dir, Quiet: true}); err != nil {
			t.Fatal(err)
		}
		v, y := cellsOf(t, dir, "bodies.csv", "vy"), cellsOf(t, dir, "bodies.csv", "y")
		for i := 1; i < len(y); i++ {
			if step := y[i] - y[i-1]; math.Abs(step) > 0.1 {
				t.Fatalf("%v: it jumps by %v L", sets, step)
			}
		}
		late := v[2*len(v)/3:]
		swung = slices.Max(late)/slices.Min(late) - 1
		t.Logf("%v: v = %.6f U at y = %.5f, within %.2g", sets, v[len(v)-1], y[len(y)-1], swung)
		return v[len(v)-1], y[len(y)-1], math.Abs(swung)
	}
	want, at, _ := sink()
	for swings, sets := range map[float64][]string{3e-4: inWindow, 1.5e-3: {"domain.follow={}", "domain.size.1=12", "domain.origin=[0, 24]"}} {
		if speed, place, swung := sink(sets...); at > 24 || math.Abs(speed/want-1) > 1.5e-3 || math.Abs(place-at) > 0.06 || swung > swings {
			t.Errorf("%v: its speed is %v U at %v, and swings by %v, in a long domain %v at %v", sets, speed, place, swung, want, at)
		}
	}
}

// Interrupted or not, on any number of threads: the same bits.
func TestADomainThatFollowsGoesOnAsItWas(t *testing.T) {
	sets := append([]string{"run.time=6", "domain.gravity=[0.0, -8.0]", "output.checkpoint.every=1.7", "output.fields={every=2.0}"}, inWindow...)
	whole, parted := t.TempDir(), t.TempDir()
	c := setuptest.Load(t, sinkingCase, append(sets, "run.threads=2")...)
	if _, err := Run(t.Context(), c, Options{Out: whole, Quiet: true}); err != nil {
		t.Fatal(err)
	}
	for _, time := range []string{"3.45", "6"} {
		c := setuptest.Load(t, sinkingCase, append(sets, "run.threads=1", "run.time="+time)...)
		if _, err := Run(t.Context(), c, Options{Out: parted, Quiet: true, Resume: time == "6", Progress: new(bytes.Buffer)}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(whole, "fields", "*.vtkhdf"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range append(files, filepath.Join(whole, "bodies.csv"), filepath.Join(whole, "forces.csv")) {
		name, _ := filepath.Rel(whole, file)
		a, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(parted, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s: %d bytes differ from %d", name, len(a), len(b))
		}
	}
}

// What cannot go along is refused, with the reason.
func TestWhatADomainCannotFollow(t *testing.T) {
	for want, sets := range map[string][]string{
		"no rigid body moves freely along y":   {"body.0.motion={type=\"fixed\"}"},
		"is no rigid body that moves freely":   {"domain.follow.body=other"},
		"domain.gravity is along none, or sev": {"domain.gravity=[1, -4]"},
		"has periodic faces":                   {"domain.boundary={left={type=\"no-slip\"}, right={type=\"no-slip\"}}"},
		"past face left of type \"velocity\"":  {`domain.boundary.left={type="velocity", value=[0, 0]}`},
		"cannot be with solid":                 {`solid=[{shape={type="circle", center=[1, 27], diameter=0.5}}]`},
		"cannot be with domain.force":          {"domain.force=[0, 1]"},
		"which is not the same all along it":   {`domain.initial={type="poiseuille"}`},
		"output.probes":                        {`output.probes=[{at=[1, 27]}]`},
		"cannot be with run.stop_when":         {"run.stop_when={steady=1e-5}"},
		"body \"b\" is fixed":                  {`body.1={name="b", shape={type="circle", center=[1, 28], diameter=0.5}}`},
		"face bottom has another":              {`domain.boundary.bottom={type="velocity", value=[0, 1]}`},
		"face left has another":                {`domain.boundary.left={type="moving-wall", value=[0, 1]}`},
		"use backend cpu or auto":              {"run.backend=hybrid"},
		"cannot be with refine":                {`refine=[{box={min=[1, 27], max=[2, 28]}}]`},
	} {
		c, err := casefile.Parse("case.toml", []byte(sinkingCase), append(append([]string{}, inWindow...), sets...))
		if err == nil {
			_, err = Run(t.Context(), c, Options{Out: filepath.Join(t.TempDir(), "run"), Quiet: true})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", sets, err, want)
		}
	}
}

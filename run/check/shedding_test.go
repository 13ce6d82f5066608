package check

import (
	"bytes"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// A wake that only rounding errors can begin to shed is told of before the run; one that sheds by itself, or does not shed at all, is not.
func TestFlowsThatBeginToShedLateAreTold(t *testing.T) {
	sphere := []string{
		`domain={lattice="D3Q19", size=[8.0,6.0,6.0], initial={type="uniform", velocity=[1.0,0.0,0.0]}, boundary={left={type="velocity", value=[1.0,0.0,0.0]}, right={type="outflow"}, bottom={type="free-slip"}, top={type="free-slip"}}}`,
		`body=[{shape={type="sphere", center=[3.0,3.0,3.0], diameter=1.0}}]`, "reference.resolution=10",
	}
	cylinder := append(sphere[:1:1], `body=[{shape={type="cylinder", center=[3.0,3.0,3.0], diameter=1.0, direction=[0.0,0.0,1.0], length=6.0}}]`, "reference.resolution=10")
	for _, c := range []struct {
		name string
		sets []string
		told bool
	}{
		{"a cylinder in the middle", nil, true},
		{"Re = 40", []string{"reference.reynolds=40"}, false},
		{"Re = 60, a twelfth blocked: near the onset", []string{"reference.reynolds=60"}, false},
		{"off the middle", []string{"body.0.shape.center=[5.0,6.02]"}, false},
		{"a little shear", []string{`domain.initial={type="shear", velocity=[1.0,0.0], amplitude=0.05}`}, false},
		{"sides that differ", []string{`domain.boundary.top={type="no-slip"}`}, false},
		{"an inflow askew", []string{`domain.boundary.left={type="velocity", value=[1.0,0.05]}`}, false},
		{"an inflow by an expression that is even", []string{`domain.boundary.left={type="velocity", profile="1 + 0.01*cos(2*pi*(y - 6)/12)"}`}, true},
		{"and one that is odd", []string{`domain.boundary.left={type="velocity", profile="1 + 0.01*sin(2*pi*(y - 6)/12)"}`}, false},
		{"one that turns", []string{`body.0.motion={type="prescribed", spin=0.1}`}, false},
		{"free to move", []string{`body.0.motion={type="free", density=2.0}`}, false},
		{"a force across the stream", []string{"domain.force=[0.0,0.001]"}, false},
		{"a square", []string{`body.0.shape={type="polygon", points=[[4.5,5.5],[5.5,5.5],[5.5,6.5],[4.5,6.5]]}`}, true},
		{"a triangle with its tip upwards", []string{`body.0.shape={type="polygon", points=[[4.5,5.5],[5.5,5.5],[5.0,6.5]]}`}, false},
		{"a slender ellipse along the stream", []string{`body.0.shape={type="ellipse", center=[5.0,6.0], axes=[2.0,1.0]}`}, false},
		{"a sphere at Re = 100", sphere, false},
		{"a sphere at Re = 600, whose markers lie on a spiral", append(sphere[:len(sphere):len(sphere)], "reference.reynolds=600"), false},
		{"a cylinder from face to face", cylinder, true},
	} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), c.sets)
		if r.Err() != nil || len(r.Bodies) != 1 {
			t.Errorf("%s: %v, %d bodies", c.name, r.Err(), len(r.Bodies))
			continue
		}
		if j := r.Bodies[0].Shedding; (j != nil) != c.told || j != nil && (j.Verdict != Caution || r.Verdict == OK) {
			t.Errorf("%s: %+v, want it told: %v", c.name, j, c.told)
		}
		var page bytes.Buffer
		r.Write(&page, nil)
		before := ""
		for _, m := range RemarksOn(r.problem, nil) {
			before += m.Text + "\n"
		}
		if strings.Contains(page.String(), "such wakes shed") != c.told || strings.Contains(before, "such wakes shed") != c.told || c.told && !strings.Contains(before, "shear") {
			t.Errorf("%s: told before the run\n%s\nand by check\n%s", c.name, before, page.String())
		}
	}
}

package check

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/run/setup/setuptest"
)

// Without the correction of walls a layer that the grid does not hold costs drag, too: less, and at
// thinner layers, than with it. The cylinders are those of docs/method.md, 2.
func TestDragIsEstimatedByTheLayerWithoutTheCorrectionToo(t *testing.T) {
	for _, c := range []struct {
		name       string
		resolution float64
		reynolds   float64
		least      float64 // of the estimate with ib.correction = "none"
		most       float64
		verdict    Verdict // of the layer
	}{
		{"1.2 nodes, 0.4 % low", 20, 300, 0.03, 0.08, Caution},
		{"0.6 nodes, 12 to 17 % low", 10, 300, 0.12, 0.3, Unsafe},
		{"0.6 nodes, 21 to 28 % low", 20, 1000, 0.18, 0.3, Unsafe},
		{"0.02 nodes, half", 20, 1e6, 0.4, 0.6, Unsafe},
		{"2 nodes, 3 % high", 20, 100, 0.02, 0.08, OK},
	} {
		p := setuptest.Problem(t, setuptest.StreamCase, "ib.correction=none", fmt.Sprintf("reference.resolution=%v", c.resolution), fmt.Sprintf("reference.reynolds=%v", c.reynolds))
		if e := DragError(p, 0, 0); !(e > c.least && e < c.most) {
			t.Errorf("%s: drag is off by %.3g, want %g to %g", c.name, e, c.least, c.most)
		}
		if l := LayerOf(p, 0); l == nil || l.Verdict != c.verdict {
			t.Errorf("%s: the layer is %+v, want %s", c.name, l, c.verdict)
		}
		if with := LayerOf(setuptest.Problem(t, setuptest.StreamCase, fmt.Sprintf("reference.resolution=%v", c.resolution), fmt.Sprintf("reference.reynolds=%v", c.reynolds)), 0); severity[with.Verdict] < severity[c.verdict] {
			t.Errorf("%s: with the correction the layer is %s only", c.name, with.Verdict)
		}
	}
}

// plateCase is Couette flow, exactly linear, above a plate of markers that goes on through the periodic faces.
const plateCase = `
[reference]
resolution = 20
velocity = 0.05
reynolds = 2000
[domain]
lattice = "D2Q9"
size = [2.0, 1.0]
initial = { type = "couette", velocity = [1.0, 0.0] }
[domain.boundary]
bottom = { type = "no-slip" }
top = { type = "moving-wall", value = [1.0, 0.0] }
[fluid]
collision = "regularized"
[[body]]
name = "plate"
shape = { type = "line", points = [[0.0, 0.25], [2.0, 0.25]] }
[run]
time = 1.0
`

// No boundary layer grows along a wall without a leading edge; one does where there is an edge, where the flow comes from the
// side, and where the wall swings.
func TestWallsFromEndToEndHaveNoBoundaryLayer(t *testing.T) {
	for _, c := range []struct {
		name string
		sets []string
		has  bool
	}{
		{"Couette", nil, false},
		{"moved along", []string{`body.0.motion={type="prescribed", velocity=[0.5,0]}`}, false},
		{"driven by a force", []string{`domain.initial={type="rest"}`, "domain.force=[0.1,0]", `domain.boundary.top={type="no-slip"}`}, false},
		{"with edges", []string{"body.0.shape.points=[[0.5,0.25],[1.5,0.25]]"}, true},
		{"bent", []string{"body.0.shape.points=[[0,0.25],[1,0.5],[2,0.25]]"}, true},
		{"blown at from below", []string{`domain.initial={type="uniform", velocity=[0.2,1]}`}, true},
		{"between faces that are not periodic", []string{`domain.boundary.left={type="no-slip"}`, `domain.boundary.right={type="no-slip"}`, "body.0.shape.points=[[0.1,0.25],[1.9,0.25]]"}, true},
		{"swinging", []string{`body.0.motion={type="prescribed", amplitude=[0.01,0], frequency=8}`}, true},
	} {
		l := LayerOf(setuptest.Problem(t, plateCase, c.sets...), 0)
		if (l != nil) != c.has {
			t.Errorf("%s: the layer is %+v", c.name, l)
		}
	}
	for direction, has := range map[string]bool{"[1,0,0]": false, "[0,0,1]": true} {
		p := setuptest.Problem(t, setuptest.SphereCase, "reference.reynolds=500", `body.0.shape={type="cylinder", center=[2,1.5,1.5], diameter=1.0, length=4.0, caps=false, direction=`+direction+"}", "domain.size=[4,3,4]", "body.0.fluid=inside")
		if l := LayerOf(p, 0); (l != nil) != has {
			t.Errorf("a pipe along %s beside a force along x: the layer is %+v", direction, l)
		}
	}
}

// A passage through a surface from a file that goes on through periodic faces is such a wall where it is straight, a funnel is none.
func TestAStraightPassageHasNoBoundaryLayer(t *testing.T) {
	for wide, has := range map[float64]bool{0.5: false, 0.3: true} { // half a width in the middle
		var points []geometry.Vec
		var triangles [][3]int
		for i, r := range []float64{0.5, wide, 0.5} { // square sections, beyond the faces at both ends
			for _, c := range [][2]float64{{-r, -r}, {r, -r}, {r, r}, {-r, r}} {
				points = append(points, geometry.Vec{3 * float64(i-1), c[0], c[1]})
			}
		}
		for k := range 8 {
			a, b := k, k-k%4+(k+1)%4
			triangles = append(triangles, [3]int{a, b, a + 4}, [3]int{b, b + 4, a + 4})
		}
		file := filepath.Join(t.TempDir(), "duct.stl")
		f, err := os.Create(file)
		if err == nil {
			err = errors.Join(geometry.WriteSTL(f, "a duct", points, triangles), f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		p := setuptest.Problem(t, setuptest.SphereCase, "reference.reynolds=500", fmt.Sprintf(`body.0.shape={type="stl", file=%q, center=[2,1.5,1.5], open=true}`, file), "domain.size=[4,3,3]", "body.0.fluid=inside")
		if l := LayerOf(p, 0); (l != nil) != has {
			t.Errorf("half a width of %g in the middle: the layer is %+v", wide, l)
		}
	}
}

// One run has one number for the error of a body's drag: in what is told of its layer, before and after, and in the estimate.
func TestTheLayerCostsWhatTheEstimateSays(t *testing.T) {
	for name, p := range map[string]string{"cylinder": setuptest.StreamCase, "sphere": setuptest.SphereCase} {
		p := setuptest.Problem(t, p, "reference.reynolds=1000")
		for _, granted := range []float64{0, 0.35} {
			of, slip := func(int) float64 { return granted }, granted
			if granted == 0 { // not known yet
				of, slip = nil, none
			}
			want := DragWords(DragError(p, 0, slip), granted > 0)
			found := false
			for _, m := range RemarksOn(p, of) {
				if strings.Contains(m.Text, "boundary layer") {
					found = strings.Contains(m.Text, want) && !strings.Contains(m.Text, "too low")
				}
			}
			if !found {
				t.Errorf("%s, slip %g: no remark has %q: %v", name, granted, want, RemarksOn(p, of))
			}
		}
	}
}

package layout

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/hybrid"
	"lbmib/internal/parallel"
	"lbmib/run/setup/setuptest"
)

// An ellipsoid of three axes in a box of finer nodes.
const bodyInSpace = `
[reference]
resolution = 8
velocity = 0.05
reynolds = 20
[domain]
lattice = "D3Q19"
size = [8.0, 6.0, 5.0]
origin = [-1.0, 0.0, 2.0]
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[[body]]
name  = "egg"
shape = { type = "ellipsoid", center = [2.0, 3.0, 4.0], axes = [2.0, 1.5, 1.0] }
[[refine]]
around = "egg"
margin = 0.5
[run]
steps = 10
`

// Each of the three sections has the body where it is, and the box that it cuts.
func TestSectionsGoThroughTheBody(t *testing.T) {
	p := setuptest.Problem(t, bodyInSpace)
	center, half := [3]float64{2, 3, 4}, [3]float64{1, 0.75, 0.5}
	cut := middle(p)
	for _, axes := range viewsOf(p) {
		v := view(p, axes, cut, 2)
		if len(v.Outlines) != 1 || len(v.Boxes) != 1 {
			t.Fatalf("view %v: %d outlines, %d boxes", axes, len(v.Outlines), len(v.Boxes))
		}
		for i := range 2 {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, x := range v.Outlines[0] {
				lo, hi = math.Min(lo, x[i]), math.Max(hi, x[i])
			}
			a := axes[i]
			if math.Abs(lo-center[a]+half[a]) > 0.01 || math.Abs(hi-center[a]-half[a]) > 0.01 {
				t.Errorf("view %v: along %c the body is from %g to %g, want %g ± %g", axes, "xyz"[a], lo, hi, center[a], half[a])
			}
			if b := v.Boxes[0]; b.Low[i] > center[a]-half[a]-0.5 || b.High[i] < center[a]+half[a]+0.5 || b.Low[i] < center[a]-half[a]-0.8 {
				t.Errorf("view %v: along %c the box is from %g to %g", axes, "xyz"[a], b.Low[i], b.High[i])
			}
			if v.Low[i] != p.Case.Domain.Origin[a] || v.Faces[2*i] != map[int]string{0: "periodic", 1: "no-slip", 2: "periodic"}[a] {
				t.Errorf("view %v: the domain begins at %g with %q", axes, v.Low[i], v.Faces[2*i])
			}
		}
	}
	cut[0] = p.Flow.Size[0] - 1 // beyond the box
	if v := view(p, [3]int{2, 1, 0}, cut, 2); len(v.Boxes) != 0 || len(v.Outlines) != 0 {
		t.Errorf("a section beside the box shows %d boxes and %d bodies", len(v.Boxes), len(v.Outlines))
	}
}

// A picture is drawn of one grid and of several, in the plane and in space.
func TestEveryLayoutIsDrawn(t *testing.T) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	for _, text := range []string{bodyInSpace, setuptest.StreamCase, setuptest.CavityCase, setuptest.SphereCase, setuptest.SwimmingCase} {
		path := filepath.Join(t.TempDir(), Picture)
		p := setuptest.Problem(t, text)
		if err := hybrid.CheckPlaces[float64](p.Coupling, &p.Flow, p.Bodies, pool); len(p.Bodies) > 0 && err != nil {
			t.Fatal(err)
		}
		if err := Draw(path, p, "A layout"); err != nil {
			t.Error(err)
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(f); err != nil {
			t.Error(err)
		}
		f.Close()
	}
}

// The wall of a tube that goes on through periodic faces is straight up to them.
func TestATubeIsStraightToItsEnds(t *testing.T) {
	p := setuptest.Problem(t, `
reference = { resolution = 12, velocity = 0.03, reynolds = 20 }
domain = { lattice = "D3Q19", size = [0.5, 1.25, 1.25], force = [1.6, 0.0, 0.0] }
body = [ { fluid = "inside", shape = { type = "cylinder", center = [0.25, 0.625, 0.625], diameter = 1.0, length = 0.5, direction = [1, 0, 0], caps = false } } ]
run = { time = 1.0 }
`)
	_, lines := Outlines(p, Plane(p), p.Place)
	corners := 0
	for _, line := range lines {
		for _, x := range line {
			wall, end := math.Abs(math.Abs(x[1]-0.625)-0.5) < 1e-9, math.Abs(math.Remainder(x[0], 0.5)) < 1e-9
			if !wall && !end {
				t.Fatalf("the outline passes (%g, %g) within the tube", x[0], x[1])
			}
			if wall && end && x[0] > -1e-9 && x[0] < 0.5+1e-9 {
				corners++
			}
		}
	}
	if corners < 4 {
		t.Errorf("of the four ends of its walls the outline has %d", corners)
	}
}

package hybrid

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// A wall along an axis has all of its markers at the same place between two rows of nodes,
// and is felt where that place has it, not at the mean of all places.
func TestAWallAlongAnAxisHasTheOffsetOfItsPlace(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	for _, c := range []struct {
		delta    string
		at, want float64 // behind a row of nodes; by the formula, in closed form
	}{
		{"hat2", 0, 1. / 8}, {"hat2", 0.5, 5. / 16}, {"hat2", 0.25, 1./8 + 9./64}, // 1/8 + ¾ s(1 − s)
		{"roma3", 0, 49. / 144}, {"roma3", 0.5, 5. / 16},
	} {
		d, err := ib.NewDelta[float64](c.delta)
		if err != nil {
			t.Fatal(err)
		}
		if e := ib.OffsetAt(d, lbm.MagicPoiseuille, c.at); math.Abs(e-c.want) > 1e-12 {
			t.Errorf("%s at %g: the offset is %.6f, want %.6f", c.delta, c.at, e, c.want)
		}
		if e := wallPlane(t, c.delta, "trt", 0.1, 6+c.at); math.Abs(e-c.want) > 0.002 {
			t.Errorf("%s at %g: the wall is felt %.4f nodes in front of its markers, want %.4f", c.delta, c.at, e, c.want)
		}
	}
}

// thinPlane is where the corrected upper wall of a body of two rows of markers is felt, above it, in nodes:
// a shear flow above, fluid at rest below.
func thinPlane(t *testing.T, delta string, y, thick float64) float64 {
	t.Helper()
	const nx, ny, lid, nu = 8, 24, 0.01, 0.1
	c, err := lbm.NewCollision("trt", nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ib.NewDelta[float64](delta)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{nx, ny, 1}, Collision: c}
	cfg.Faces[2].Kind = lbm.NoSlip
	cfg.Faces[3] = lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{lid} }}
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	f, err := lbm.New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	line, err := geometry.NewLine([]geometry.Vec{{-0.5, y}, {nx - 0.5, y}})
	if err != nil {
		t.Fatal(err)
	}
	body := &rigid.Body{Name: "plate", Shape: line}
	for _, row := range []float64{y, y - thick} {
		for k := range nx {
			body.Markers.X = append(body.Markers.X, geometry.Vec{float64(k) + 0.3, row})
			body.Markers.Area = append(body.Markers.Area, 1)
			body.Markers.Normal = append(body.Markers.Normal, geometry.Vec{0, 1})
		}
	}
	s, err := NewSimulation(f, CouplingConfig{Delta: delta, Transfer: "serial", Forcing: "direct", Offset: ib.Offset(d, lbm.MagicPoiseuille)}, []*rigid.Body{body}, pool)
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 { // 12 times the slowest decay
		s.Step()
	}
	u := patch.Fields[float64](2, nx*ny)
	s.Box([3]int{}, [3]int{nx, ny, 1}, nil, u)
	u1, u2 := u[0][nx*(ny-4)], u[0][nx*(ny-3)]
	return ny - 4 - u1/(u2-u1) - y
}

// A body a node thick has its walls where they are to as much as any wall has; markers in two
// layers at the same place share the force, and each grants half of what the wall would need.
func TestWallsOfThinBodiesAndOfCrowdedMarkers(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	for _, c := range []struct{ thick, mean, any, want float64 }{ // bounds of the mean of four places, and of any
		{1, 0.01, 0.03, 0},
		{0, 0.01, 0.02, 0.167}, // half of 0.329
	} {
		mean := 0.
		for k := range 4 {
			at := thinPlane(t, "roma3", 10+float64(k)/4, c.thick)
			if math.Abs(at-c.want) > c.any {
				t.Errorf("%g nodes thick, %g behind a row of nodes: the wall is felt %.4f in front of its markers, want %g within %g", c.thick, float64(k)/4, at, c.want, c.any)
			}
			mean += at / 4
		}
		if math.Abs(mean-c.want) > c.mean {
			t.Errorf("%g nodes thick: the wall is felt %.4f in front of its markers in the mean, want %g within %g", c.thick, mean, c.want, c.mean)
		}
	}
}

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

// shearAbove is a flow above a row of markers at height y, in a domain whose lid moves, and
// what couples them; offset is that of the correction, 0 for none. Below is what bounds the
// fluid under the row. The flow begins as it will be where the wall is felt at the markers.
func shearAbove(t *testing.T, delta string, c lbm.Collision, below lbm.FaceKind, size [2]int, lid, y, offset float64) *Simulation[float64] {
	t.Helper()
	nx, height := size[0], float64(size[1])
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{nx, size[1], 1}, Collision: c}
	cfg.Faces[2].Kind = below
	cfg.Faces[3] = lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{lid} }}
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	f, err := lbm.New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(func(x [3]float64) (float64, [3]float64) {
		return 1, [3]float64{lid * math.Max(0, (x[1]-y)/(height-0.5-y))}
	})
	return coupledRow(t, f, pool, delta, y, offset)
}

// coupledRow couples a flow with a row of markers at height y.
func coupledRow(t *testing.T, f lbm.Fluid[float64], pool *parallel.Pool, delta string, y, offset float64) *Simulation[float64] {
	t.Helper()
	nx := f.Config().Size[0]
	line, err := geometry.NewLine([]geometry.Vec{{-0.5, y}, {float64(nx) - 0.5, y}})
	if err != nil {
		t.Fatal(err)
	}
	wall := &rigid.Body{Name: "wall", Shape: line}
	for k := range nx { // exactly periodic
		wall.Markers.X = append(wall.Markers.X, geometry.Vec{float64(k) + 0.3, y})
		wall.Markers.Area = append(wall.Markers.Area, 1)
		wall.Markers.Normal = append(wall.Markers.Normal, geometry.Vec{0, 1})
	}
	s, err := NewSimulation(f, CouplingConfig{Delta: delta, Transfer: "serial", Forcing: "multidirect", Iterations: 20, Tolerance: 1e-13, Offset: offset}, []*rigid.Body{wall}, pool)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wallPlane is where, at a kink of unit strength, the shear flow above a row of markers at height y vanishes when
// it is continued linearly downwards: above the row, in nodes. The lid moves.
func wallPlane(t *testing.T, delta, op string, nu, y float64) float64 {
	t.Helper()
	const nx, ny = 8, 16
	c, err := lbm.NewCollision(op, nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	s := shearAbove(t, delta, c, lbm.NoSlip, [2]int{nx, ny}, 0.01, y, 0)
	for range int(120 / nu) { // 12 times the slowest decay, 9²/(π²ν)
		s.Step()
	}
	u := patch.Fields[float64](2, nx*ny)
	s.Box([3]int{}, [3]int{nx, ny, 1}, nil, u)
	u1, u2 := u[0][nx*(ny-3)], u[0][nx*(ny-2)]
	above, below := u2-u1, u[0][nx*2]-u[0][nx]
	// The fluid below is dragged backwards a little, and the kink is larger by that.
	return (ny - 3 - u1/above - y) * above / (above - below)
}

// The no-slip plane lies ib.Offset in front of the markers, whatever the delta, the
// collision and the viscosity: nothing in it is fitted. The offset is a mean over
// places between two nodes.
func TestTheWallIsFeltAnOffsetInFrontOfItsMarkers(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	for _, test := range []struct {
		delta, op string
		nu        float64
	}{{"roma3", "bgk", 0.05}, {"roma3", "bgk", 1. / 6}, {"roma3", "trt", 0.1}, {"hat2", "trt", 0.1}, {"cosine4", "bgk", 0.1}, {"bspline3", "trt", 0.3}} {
		delta, err := ib.NewDelta[float64](test.delta)
		if err != nil {
			t.Fatal(err)
		}
		c, err := lbm.NewCollision(test.op, test.nu, lbm.MagicPoiseuille)
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.
		const places = 8
		for k := range places {
			mean += wallPlane(t, test.delta, test.op, test.nu, 6+(float64(k)+0.5)/places) / places
		}
		// 8 places stand for all to 1e-3.
		if want := ib.Offset(delta, c.Magic()); math.Abs(mean-want) > 0.002 {
			t.Errorf("%s %s ν = %.3g: the wall is felt %.4f nodes in front of its markers, Offset says %.4f", test.delta, test.op, test.nu, mean, want)
		}
	}
}

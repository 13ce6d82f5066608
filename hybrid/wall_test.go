package hybrid

import (
	"math"
	"testing"

	"lbmib/hybrid/patch"
	"lbmib/ib"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

const planesHeight = 12 // of the channel below, in nodes

// correctedPlanes are where the shear flows above and below a row of markers at height y vanish
// when they are continued linearly to it, with the wall's smearing corrected: nodes above the
// row. The lid above moves at 0.1, the floor below at that speed, or, where that is 0, the fluid
// below the row is free to slip, so that the flow is on one side alone.
func correctedPlanes(t *testing.T, delta string, c lbm.Collision, y, floor float64) (above, below float64) {
	t.Helper()
	const ny, lid = planesHeight, 0.1
	d, err := ib.NewDelta[float64](delta)
	if err != nil {
		t.Fatal(err)
	}
	nx := max(4, d.Support())
	moving := func(u float64) lbm.Face {
		return lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{u} }}
	}
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{nx, ny, 1}, Collision: c}
	cfg.Faces[2], cfg.Faces[3] = lbm.Face{Kind: lbm.FreeSlip}, moving(lid)
	if floor != 0 {
		cfg.Faces[2] = moving(floor)
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	f, err := lbm.New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(func(x [3]float64) (float64, [3]float64) {
		return 1, [3]float64{lid*math.Max(0, (x[1]-y)/(ny-0.5-y)) + floor*math.Max(0, (y-x[1])/(y+0.5))}
	})
	s := coupledRow(t, f, pool, delta, y, ib.Offset(d, c.Magic()))
	u := patch.Fields[float64](2, nx*ny)
	planes := func() (above, below float64) {
		s.Box([3]int{}, [3]int{nx, ny, 1}, nil, u)
		row := func(y int) float64 { return u[0][nx*y] }
		return ny - 3 - row(ny-3)/(row(ny-2)-row(ny-3)) - y, 1 - row(1)/(row(2)-row(1)) - y
	}
	before := [2]float64{math.Inf(1), math.Inf(1)}
	for range 2000 {
		for range 200 {
			s.Step()
		}
		above, below := planes()
		if math.Abs(above-before[0]) < 1e-6 && (floor == 0 || math.Abs(below-before[1]) < 1e-6) {
			return above, below
		}
		before = [2]float64{above, below}
	}
	t.Fatalf("%s %s, C = %g: the plane still moves", delta, c.Name, c.Smagorinsky)
	return 0, 0
}

// meanPlanes are correctedPlanes as means over places between nodes, at which slopes below the
// row are −ratio of those above it; 0: the fluid below is free to slip.
func meanPlanes(t *testing.T, delta string, c lbm.Collision, ratio float64, places int) (above, below float64) {
	t.Helper()
	for k := range places {
		y := 5 + (float64(k)+0.5)/float64(places)
		a, b := correctedPlanes(t, delta, c, y, 0.1*ratio*(y+0.5)/(planesHeight-0.5-y))
		above, below = above+a/float64(places), below+b/float64(places)
	}
	return above, below
}

func collision(t *testing.T, op string, nu, les float64) lbm.Collision {
	t.Helper()
	c, err := lbm.NewCollision(op, nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	c.Smagorinsky = les
	return c
}

// With the correction the no-slip plane lies at the markers: for every collision and deltas of
// every width, without eddies, with those of large-eddy simulations, and with some that are as
// viscous as the fluid (C = 1) or some times as (ν = 0.002 with BGK, which is stable there). The
// mean over places between nodes stands for that over all to 0.005 nodes: over four with hat2, whose
// offset depends on the place most, two with others. With the molecular viscosity alone the planes of roma3
// were 0.46 (BGK, C = 1) and 0.66 nodes (ν = 0.002) behind the markers.
func TestTheCorrectedWallIsFeltAtItsMarkers(t *testing.T) {
	checkingtest.NumbersAlone(t)
	type flow struct {
		delta, op string
		nu, les   float64
	}
	flows := []flow{{"roma3", "bgk", 0.002, 0.5}, {"bspline3", "trt", 0.0125, 1}, {"m4prime", "trt", 0.0125, 1}}
	for i, delta := range []string{"hat2", "roma3", "peskin4", "ib6"} {
		constants := []float64{0, 0.17, 1}
		if delta == "roma3" {
			constants = []float64{0, 0.1, 0.17, 0.5, 1}
		}
		for j, op := range lbm.CollisionNames {
			for k, les := range constants {
				if delta != "roma3" && op != "recursive" && (i+j+k)%len(constants) != 1 && !checkingtest.Full() {
					continue // all operators with roma3; with others each constant has its turn
				}
				nu := 0.0125
				if op != "bgk" && op != "trt" && les < 0.5 {
					nu = 0.05 // below, these make noise of the scale of the grid
				}
				if delta == "hat2" && op == "mrt" && les != 1 || op == "recursive" && les != 1 {
					continue // noise here, too; regularized collision in this flow
				}
				flows = append(flows, flow{delta, op, nu, les})
			}
		}
	}
	for _, f := range flows {
		places := 2
		if f.delta == "hat2" {
			places = 4
		}
		plane, _ := meanPlanes(t, f.delta, collision(t, f.op, f.nu, f.les), 0, places)
		if !(math.Abs(plane) <= 0.005) {
			t.Errorf("%s %s ν = %g C = %g: the wall is felt %.4f nodes in front of its markers", f.delta, f.op, f.nu, f.les, plane)
		}
	}
}

// A plate that is sheared on both sides is felt at its markers from the side of the greater
// slope, and where slopes are alike from both. From the other side it is felt in front of them
// by what the change of the eddy viscosity across the delta's width makes of the velocity, which no
// force at the markers takes away: docs/method.md has the numbers, of which the last column is the bound.
// With the eddy viscosity that the markers' force alone tells it was 0.25 (BGK) and 0.21 nodes (TRT)
// for roma3, C = 1 and slopes that are alike.
func TestPlatesShearedOnBothSidesAreFeltAtTheirMarkers(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, f := range []struct {
		delta, op     string
		les           float64
		ratio         float64 // of slopes
		strong, other float64 // nodes at most, from the side of the greater slope, and of the smaller
	}{
		{"roma3", "trt", 1, 1, 0.005, 0.005},
		{"roma3", "bgk", 0.5, 1, 0.005, 0.005},
		{"roma3", "bgk", 1, 1, 0.012, 0.012},
		{"roma3", "regularized", 1, 1, 0.012, 0.012},
		{"roma3", "bgk", 0, 0.5, 0.005, 0.005},
		{"roma3", "trt", 0.17, 1, 0.005, 0.005},
		{"roma3", "trt", 0.17, 0.5, 0.005, 0.035},
		{"roma3", "trt", 0.17, 0.25, 0.005, 0.075},
		{"roma3", "bgk", 0.5, 0.25, 0.005, 0.46},
		{"roma3", "trt", 1, 0.5, 0.005, 0.45},
		{"roma3", "mrt", 0.5, -0.5, 0.005, 0.05},
		{"hat2", "trt", 0.17, 1, 0.025, 0.025},
		{"hat2", "trt", 0.5, 1, 0.08, 0.08},
		{"hat2", "bgk", 0.5, 1, 0.06, 0.06},
		{"peskin4", "bgk", 0.5, 1, 0.005, 0.005},
		{"ib6", "trt", 0.5, 1, 0.005, 0.005},
	} {
		above, below := meanPlanes(t, f.delta, collision(t, f.op, 0.0125, f.les), f.ratio, 4)
		if !(math.Abs(above) <= f.strong) || !(math.Abs(below) <= f.other) {
			t.Errorf("%s %s C = %g, slopes of 1 and %g: the plate is felt %.4f nodes in front of its markers, and %.4f behind it, at most %g", f.delta, f.op, f.les, -f.ratio, above, -below, f.other)
		}
	}
}

// The force that a marker exerts at once is that which its slip and the wall ask for.
func TestTheForceOfAMarkerMeetsItsSlipBesideEddies(t *testing.T) {
	c, err := lbm.NewCollision("trt", 0.02, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	c.Smagorinsky = 1
	w := newWallEddies[float64](ib.Roma3[float64]{}, c)
	for _, slope := range []float64{0, 1e-6, 1e-3, 0.1} {
		for _, slip := range []float64{1e-12, 1e-4, 0.01, 0.3} {
			const give = 1.3
			m := w.Slope(slope)
			d := w.OfSlip(slip, give, m)
			stress := wallStress(w, d, m)
			if left := slip - give*stress - w.Over(d, m)*stress; math.Abs(left) > 1e-9*slip {
				t.Errorf("slope %g, slip %g: %g of it is left over", slope, slip, left/slip)
			}
			if again := w.OfStress(stress, m); math.Abs(again-d) > 1e-12*(d+m) {
				t.Errorf("slope %g, slip %g: d is %g by the slip and %g by the stress", slope, slip, d, again)
			}
		}
	}
}

// wallStress is the wall's force per area over the density at d and m.
func wallStress(w *WallEddies[float64], d, m float64) float64 {
	return w.Viscosity * w.Viscosity / w.Square * 2 * d * (1 + spread(d, m))
}

// A sudden start gives a wall so much stress that its eddies are as viscous as the lattice's own
// errors (ν_w of some tenths): the force is finite, and takes away no more than the slip.
func TestSuddenStartsBesideEddiesHaveFiniteForces(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, op := range lbm.CollisionNames {
		c, err := lbm.NewCollision(op, 0.01, lbm.MagicPoiseuille)
		if err != nil {
			t.Fatal(err)
		}
		for _, c.Smagorinsky = range []float64{0.2, 0.5, 1} {
			w := newWallEddies[float64](ib.Roma3[float64]{}, c)
			for slip := 0.01; slip < 1; slip *= 1.1 {
				for _, share := range []float64{0, 0.1, 0.5, 1} {
					const give = 0.5
					m := w.Slope(share * slip)
					d := w.OfSlip(slip, give, m)
					stress := wallStress(w, d, m)
					if !(w.Over(d, m) >= 0) || !(give*stress <= slip*(1+1e-9)) || !(stress > 0) {
						t.Errorf("%s, C = %g, slip %g, slope %g: d is %g, the wall grants %g times its stress %g", op, c.Smagorinsky, slip, share*slip, d, w.Over(d, m), stress)
					}
				}
			}
		}
	}
}

// In a flow that has diverged slips and forces are infinite or not numbers: so is what walls make
// of them, and the error names the marker.
func TestWallsBesideEddiesTakeWhatIsNotFinite(t *testing.T) {
	c, err := lbm.NewCollision("bgk", 0.02, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	c.Smagorinsky = 0.2
	w := newWallEddies[float64](ib.Roma3[float64]{}, c)
	for _, v := range []float64{math.Inf(1), math.NaN()} {
		for _, got := range []float64{w.Over(w.OfSlip(v, 1, 0.3), 0.3), w.Over(w.OfStress(v, 0.3), 0.3), w.Over(w.OfSlip(0.1, 1, v), v), w.Over(w.OfStress(0.1, v), v)} {
			if !notFinite(got) {
				t.Errorf("a wall that feels %v grants %v times the force", v, got)
			}
		}
	}
}

// An eddy viscosity that vanishes is none.
func TestOffsetsWithoutEddies(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, op := range lbm.CollisionNames {
		c, err := lbm.NewCollision(op, 0.03, lbm.MagicPoiseuille)
		if err != nil {
			t.Fatal(err)
		}
		c.Smagorinsky = 1e-3
		for _, name := range ib.DeltaNames() {
			d, err := ib.NewDelta[float64](name)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := newWallEddies(d, c).offset(0, 0), ib.Offset(d, c.Magic()); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s %s: the offset is %g, without eddies %g", name, op, got, want)
			}
		}
	}
}

package hybrid

import (
	"math"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	closed "lbmib/ib/elastic/ring"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// ellipseRing is so many points on an ellipse of half axes a and b about the origin.
func ellipseRing(n int, a, b float64) (x []geometry.Vec) {
	for k := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		x = append(x, geometry.Vec{a * cos, b * sin})
	}
	return x
}

// ringAt is a ring with vertices about a node apart, drawn as an ellipse.
func ringAt(t testing.TB, at geometry.Vec, a, b float64, material closed.Material) *flexible.Cell {
	t.Helper()
	r, err := closed.New(ellipseRing(int(math.Round(math.Pi*(a+b))), a, b), material)
	if err != nil {
		t.Fatal(err)
	}
	c, err := flexible.NewRing("ring", r, at, geometry.Identity())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// plane is a simulation of cells and bodies in the plane.
func plane[T lbm.Float](t testing.TB, flow lbm.Config, nu float64, cfg CouplingConfig, bodies []*rigid.Body, workers int) *Simulation[T] {
	t.Helper()
	collision, err := lbm.NewCollision("trt", nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	collision.Smagorinsky = flow.Collision.Smagorinsky
	flow.Collision, flow.Lattice, flow.Size[2] = collision, lbm.D2Q9, 1
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	fluid, err := lbm.New[T](flow, pool)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Transfer, cfg.Forcing = "auto", "direct"
	if cfg.Delta == "" {
		cfg.Delta = "roma3"
	}
	s, err := NewSimulation(fluid, cfg, bodies, pool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// sheared is a simulation of cells in the shear of walls at y that move along x.
func sheared[T lbm.Float](t testing.TB, cells []*flexible.Cell, workers int) *Simulation[T] {
	t.Helper()
	const rate, size = 1e-3, 48
	flow := lbm.Config{Size: [3]int{64, size}}
	for side, sign := range map[int]float64{2: -1, 3: 1} {
		flow.Faces[side] = lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{sign * rate * size / 2, 0, 0} }}
	}
	s := plane[T](t, flow, 0.2, CouplingConfig{Cells: cells, Contact: usual}, nil, workers)
	s.Fluid.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{rate * (p[1] - (size-1)/2.), 0, 0} })
	return s
}

var softRing = closed.Material{Law: "skalak", Shear: 4e-3, Area: 1, Bending: 1e-2, Viscosity: 1e-3, AreaPenalty: 1e-3}

// severalRings are three of one kind and one of another.
func severalRings(t testing.TB) []*flexible.Cell {
	t.Helper()
	a := ringAt(t, geometry.Vec{12.3, 24.1}, 7, 5, softRing)
	cells := []*flexible.Cell{a}
	for _, at := range []geometry.Vec{{31.2, 25.9}, {50.4, 23.2}} {
		c, err := flexible.NewRing("ring", a.Ring, at, geometry.Rotation(geometry.Vec{0, 0, 1}, at[0]))
		if err != nil {
			t.Fatal(err)
		}
		cells = append(cells, c)
	}
	return append(cells, ringAt(t, geometry.Vec{31.7, 38.8}, 5, 5, softRing))
}

// Forces in the collision are those of a correction but for rounding, as of surfaces in space.
func TestForcesOfRingsAreThoseOfACorrection(t *testing.T) {
	one, other := severalRings(t), severalRings(t)
	a, b := sheared[float64](t, one, 1), sheared[float64](t, other, 1)
	for range 200 {
		steps(t, a, 1)
		if !b.move() {
			t.Fatal(b.Err())
		}
		b.fluid.Step()
		b.coupling.Correct(b.fluid)
	}
	if d := apart(places(one), places(other)); !(d < 1e-11) {
		t.Errorf("vertices are %g nodes apart", d)
	}
	if d := apart(places(one), places(severalRings(t))); !(d > 0.5) {
		t.Errorf("after a fifth of the time of shear vertices have moved by %g nodes at most", d)
	}
}

// Rings are the same bits for any number of workers, and when a state is continued by another simulation.
func TestRingsAreTheSameBits(t *testing.T) {
	t.Run("f64", ringBits[float64])
	t.Run("f32", ringBits[float32])
}

func ringBits[T lbm.Float](t *testing.T) {
	one, three, resumed := severalRings(t), severalRings(t), severalRings(t)
	a, b := sheared[T](t, one, 1), sheared[T](t, three, 3)
	steps(t, a, 20)
	steps(t, b, 40)
	c := sheared[T](t, resumed, 2)
	continueFrom(t, c, a)
	steps(t, a, 20)
	steps(t, c, 20)
	if !slices.Equal(places(one), places(three)) {
		t.Error("one worker and three put the vertices elsewhere")
	}
	if !slices.Equal(places(one), places(resumed)) {
		t.Error("a simulation that goes on from a state puts the vertices elsewhere")
	}
}

// drawnOut is a ring, a circle of radius 6 free of stress, that begins drawn out to an ellipse.
func drawnOut(t testing.TB, at geometry.Vec, material closed.Material) *flexible.Cell {
	t.Helper()
	c := ringAt(t, at, 6, 6, material)
	stretched, err := flexible.NewRing("ring", c.Ring, at, geometry.Mat{{1.15}, {0, 1 / 1.15}, {0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return stretched
}

// Forces of rings have no sum: at rest in a fluid at rest, drawn out by hand, one does not move it as a whole, and becomes round.
func TestRingsKeepMomentum(t *testing.T) {
	cell := drawnOut(t, geometry.Vec{15.2, 14.1}, closed.Material{Law: "skalak", Shear: 0.04, Area: 1, Bending: 0.3, Viscosity: 1e-3, AreaPenalty: 1e-3})
	s := plane[float64](t, lbm.Config{Size: [3]int{30, 30}}, 0.2, CouplingConfig{Cells: []*flexible.Cell{cell}}, nil, 1)
	before := cell.Measure()
	steps(t, s, 400)
	force := 0.
	for _, f := range cell.Force() {
		force += f.Norm()
	}
	mass, j := s.fluid.(interface {
		Momentum(lo, hi [3]int) (float64, [3]float64)
	}).Momentum([3]int{}, [3]int{30, 30, 1})
	if math.Abs(mass-900) > 1e-9 || geometry.Vec(j).Norm() > 1e-11*force*400 {
		t.Errorf("mass %v, momentum %v after 400 steps with forces whose magnitudes sum up to %g", mass, j, force)
	}
	after := cell.Measure()
	if !(after.Deformation < 0.95*before.Deformation && math.Abs(after.Volume/before.Volume-1) < 3e-3) {
		t.Errorf("D goes from %g to %g, the area by %g: the ring should relax", before.Deformation, after.Deformation, after.Volume/before.Volume-1)
	}
}

// Rings are of second order in time, as surfaces are: steps of Δt, Δt/2, Δt/4 and Δt/8 of the same time on one grid.
func TestRingsAreOfSecondOrderInTime(t *testing.T) {
	var last []geometry.Vec
	var differences []float64
	for _, refined := range []int{1, 2, 4, 8} {
		dt := 1 / float64(refined)
		cell := drawnOut(t, geometry.Vec{10.2, 10.1}, closed.Material{Law: "neo-hookean", Shear: 0.02 * dt * dt, Bending: 0.05 * dt * dt})
		s := plane[float64](t, lbm.Config{Size: [3]int{20, 20}}, 0.4*dt, CouplingConfig{Delta: "peskin4", Cells: []*flexible.Cell{cell}}, nil, 1)
		steps(t, s, 60*refined)
		now := slices.Clone(cell.Points())
		if last != nil {
			differences = append(differences, apart(last, now))
		}
		last = now
	}
	orders := [2]float64{math.Log2(differences[0] / differences[1]), math.Log2(differences[1] / differences[2])}
	t.Logf("differences %.3g, orders %.3f", differences, orders)
	if !(orders[0] > 1.8 && orders[1] > 1.8) {
		t.Errorf("orders %.3f, must be above 1.8", orders)
	}
}

// Inside a circle that is stretched the pressure is higher by T/R (Laplace): spread by the delta its forces add up to that along a radius but for parts of
// order 1/R².
func TestAStretchedCircleHoldsAPressure(t *testing.T) {
	const radius, stretch = 10., 1.2
	material := closed.Material{Law: "neo-hookean", Shear: 0.01, Prestress: stretch}
	cell := ringAt(t, geometry.Vec{19.5, 19.2}, radius, radius, material)
	s := plane[float64](t, lbm.Config{Size: [3]int{40, 40}}, 0.3, CouplingConfig{Cells: []*flexible.Cell{cell}}, nil, 1)
	steps(t, s, 3000) // sound crosses the box 40 times, and decays
	rho := make([]float64, 1600)
	s.Box([3]int{}, [3]int{40, 40, 1}, rho, nil)
	m := cell.Measure()
	inside, outside, within, beyond := 0., 0., 0, 0
	for k, r := range rho {
		switch d := math.Hypot(float64(k%40)-19.5, float64(k/40)-19.2); {
		case d < radius-3:
			inside, within = inside+r, within+1
		case d > radius+3:
			outside, beyond = outside+r, beyond+1
		}
	}
	jump := (inside/float64(within) - outside/float64(beyond)) / 3
	now := math.Sqrt(m.Volume / math.Pi)
	tension, err := material.Tension(stretch * now / radius)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("Δp = %.6g, T/R = %.6g, radius %.4f", jump, tension/now, now)
	if math.Abs(jump/(tension/now)-1) > 0.01 {
		t.Errorf("the pressure jumps by %g, want T/R = %g within 1 %%", jump, tension/now)
	}
	if m.Deformation > 1e-3 || math.Abs(m.Volume/(math.Pi*radius*radius)-1) > 0.01 {
		t.Errorf("D = %g, radius %g: the circle should stay what it is", m.Deformation, now)
	}
}

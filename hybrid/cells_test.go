package hybrid

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// capsules are so many of one membrane in simple shear between walls, and one of another membrane.
func capsules(t *testing.T, material elastic.Material, count int) []*flexible.Cell {
	t.Helper()
	var cells []*flexible.Cell
	for _, diameter := range []float64{8, 7} {
		mesh, err := elastic.NewSphere(4, geometry.Vec{}, diameter)
		if err != nil {
			t.Fatal(err)
		}
		m, err := elastic.NewMembrane(mesh, material)
		if err != nil {
			t.Fatal(err)
		}
		for i := range count {
			at := geometry.Vec{5.3 + 9*float64(i), 9.6, 5.1}
			if diameter == 7 {
				at, i = geometry.Vec{2.2, 21.7, 15.4}, count
			}
			c, err := flexible.NewCell("cell", m, at, geometry.Mat{{1}, {0, 1}, {0, 0, 1}})
			if err != nil {
				t.Fatal(err)
			}
			if cells = append(cells, c); i == count {
				break
			}
		}
	}
	return cells
}

var soft = elastic.Material{Law: "skalak", Shear: 4e-3, Area: 1, Bending: 1e-3, ShearViscosity: 1e-3}

// cellsIn is a simulation of cells in shear, whose walls at y move along x.
func cellsIn[T lbm.Float](t *testing.T, cells []*flexible.Cell, workers int) *Simulation[T] {
	t.Helper()
	return shear[T](t, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Cells: cells}, nil, workers)
}

func shear[T lbm.Float](t *testing.T, cfg CouplingConfig, bodies []*rigid.Body, workers int) *Simulation[T] {
	t.Helper()
	const rate = 2e-3
	size := [3]int{36, 32, 24}
	collision, err := lbm.NewCollision("trt", 0.2, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	flow := lbm.Config{Lattice: lbm.D3Q19, Size: size, Collision: collision}
	for side, sign := range map[int]float64{2: -1, 3: 1} {
		flow.Faces[side] = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{sign * rate * 16, 0, 0} }}
	}
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	fluid, err := lbm.New[T](flow, pool)
	if err != nil {
		t.Fatal(err)
	}
	fluid.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{rate * (p[1] - 15.5), 0, 0} })
	s, err := NewSimulation(fluid, cfg, bodies, pool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// places are those of all vertices.
func places(cells []*flexible.Cell) (all []geometry.Vec) {
	for _, c := range cells {
		all = append(all, c.Points()...)
	}
	return all
}

// apart is the largest distance between vertices.
func apart(a, b []geometry.Vec) (most float64) {
	for k := range a {
		most = math.Max(most, a[k].Sub(b[k]).Norm())
	}
	return most
}

// TestForcesInTheCollisionAreThoseOfACorrection holds the two ways to make a step against each other, which are
// equal but for rounding (Guo's forcing): over 200 steps errors of 1e-16 of a position of 10 may grow to 1e-11.
func TestForcesInTheCollisionAreThoseOfACorrection(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	one, other := capsules(t, soft, 3), capsules(t, soft, 3)
	a, b := cellsIn[float64](t, one, 1), cellsIn[float64](t, other, 1)
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
	if d := one[0].Measure().Deformation; !(d > 0.05) {
		t.Errorf("D = %g after 0.4 of the time of shear: the cell should have been deformed", d)
	}
	u, w := velocities(a), velocities(b)
	for k := range u {
		if math.Abs(u[k]-w[k]) > 1e-13 {
			t.Fatalf("velocity %d is %g and %g", k, u[k], w[k])
		}
	}
}

// velocities are those of all nodes.
func velocities(s *Simulation[float64]) (all []float64) {
	size := s.fluid.Config().Size
	n := size[0] * size[1] * size[2]
	u := [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
	s.Box([3]int{}, size, nil, u)
	return slices.Concat(u...)
}

// TestCellsKeepMomentum: forces of membranes have no sum, so that cells at rest in a fluid at rest, stretched
// by hand, do not move it as a whole.
func TestCellsKeepMomentum(t *testing.T) {
	mesh, err := elastic.NewSphere(4, geometry.Vec{}, 8)
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.NewMembrane(mesh, soft)
	if err != nil {
		t.Fatal(err)
	}
	cell, err := flexible.NewCell("cell", m, geometry.Vec{10.2, 10.1, 9.7}, geometry.Mat{{1.1}, {0, 1 / 1.1}, {0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	collision, err := lbm.NewCollision("trt", 0.2, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	size := [3]int{20, 20, 20}
	fluid, err := lbm.New[float64](lbm.Config{Lattice: lbm.D3Q19, Size: size, Collision: collision}, pool)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSimulation(fluid, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Cells: []*flexible.Cell{cell}}, nil, pool)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := cell.Measure().Deformation
	steps(t, s, 100)
	var force float64
	for _, f := range cell.Force() {
		force += f.Norm()
	}
	mass, j := fluid.(interface {
		Momentum(lo, hi [3]int) (float64, [3]float64)
	}).Momentum([3]int{}, size)
	if math.Abs(mass-8000) > 1e-9 || geometry.Vec(j).Norm() > 1e-11*force*100 {
		t.Errorf("mass %v, momentum %v after 100 steps with forces whose magnitudes sum up to %g", mass, j, force)
	}
	if after := cell.Measure().Deformation; !(after < 0.95*before) {
		t.Errorf("D goes from %g to %g: the cell should relax", before, after)
	}
}

// TestCellsAreTheSameBits for any number of workers, and when a state is continued by another simulation.
func TestCellsAreTheSameBits(t *testing.T) {
	t.Run("f64", cellBits[float64])
	t.Run("f32", cellBits[float32])
}

func cellBits[T lbm.Float](t *testing.T) {
	sameCellBits[T](t, func() []*flexible.Cell { return capsules(t, soft, 3) })
}

// sameCellBits is TestCellsAreTheSameBits, of cells that are made.
func sameCellBits[T lbm.Float](t *testing.T, made func() []*flexible.Cell) {
	t.Helper()
	one, three, resumed := made(), made(), made()
	a, b := cellsIn[T](t, one, 1), cellsIn[T](t, three, 3)
	steps(t, a, 20)
	steps(t, b, 40)
	c := cellsIn[T](t, resumed, 2)
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

// continueFrom gives a simulation the state of another.
func continueFrom[T lbm.Float](t *testing.T, to, from *Simulation[T]) {
	t.Helper()
	if err := to.Fluid.SetState(lbm.StateOf(from.Fluid)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(to.SetFlexible(from.Flexible()), to.SetHeld(from.Held())); err != nil {
		t.Fatal(err)
	}
}

// TestACellBesideABody: what slip multidirect forcing leaves on a rigid sphere after hundreds of rounds does not
// depend on a stretched cell that almost touches it, so that the slip is felt with the cell's forces in the fluid.
func TestACellBesideABody(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	mesh, err := elastic.NewSphere(4, geometry.Vec{}, 8)
	if err != nil {
		t.Fatal(err)
	}
	stiff := soft
	stiff.Shear *= 10
	m, err := elastic.NewMembrane(mesh, stiff)
	if err != nil {
		t.Fatal(err)
	}
	near, err := flexible.NewCell("near", m, geometry.Vec{9.2, 16.3, 16.1}, geometry.Mat{{1.1}, {0, 0.95}, {0, 0, 0.95}})
	if err != nil {
		t.Fatal(err)
	}
	slip := func(cells ...*flexible.Cell) float64 {
		shape, err := geometry.NewSphere(geometry.Vec{18, 16, 16}, 8)
		if err != nil {
			t.Fatal(err)
		}
		body, err := rigid.NewBody("ball", shape, 1, 0.35)
		if err != nil {
			t.Fatal(err)
		}
		s := shear[float64](t, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "multidirect", Iterations: 400, Tolerance: 1e-7, Cells: cells}, []*rigid.Body{body}, 1)
		steps(t, s, 20)
		return s.StepMeasured()[0].Slip
	}
	// The bound is a tenth: in one round a cell makes it three times as large.
	if alone, beside := slip(), slip(near); math.Abs(beside-alone) > 0.1*alone {
		t.Errorf("the largest slip is %g, %g without the cell", beside, alone)
	}
	if moved := near.Measure().Center.Sub(near.Center); !(moved.Norm() > 0.003 && moved.Norm() < 2) {
		t.Errorf("the cell has moved by %v nodes in 20 steps", moved)
	}
}

// TestACellThatHasTurnedOverStopsTheRun with its name and triangle, before the fluid has made the step.
func TestACellThatHasTurnedOverStopsTheRun(t *testing.T) {
	hard := soft
	hard.Shear = 40 // K Δt/(μ h) some thousands: no explicit step holds that
	cells := capsules(t, hard, 1)
	s := cellsIn[float64](t, cells, 1)
	for range 400 {
		if s.Step(); s.Err() != nil {
			break
		}
	}
	var m *rigid.MotionError
	if !errors.As(s.Err(), &m) || m.Body != "cell" {
		t.Fatalf("err = %v, want a MotionError of the cell", s.Err())
	}
	if s.fluid.Steps() != m.Step-1 {
		t.Errorf("the fluid has made %d steps, the cell cannot be where it would be at step %d", s.fluid.Steps(), m.Step)
	}
	// The triangle that it names is one that the step, which was taken back, turns over or flattens; of several the first.
	var first []int
	for _, c := range cells {
		x := slices.Clone(c.Points())
		for v, u := range c.Velocities() {
			x[v] = x[v].Add(u.Scale(1.5)).Sub(c.Past()[v].Scale(0.5)) // Adams & Bashforth
		}
		if k := firstBad(c.Membrane.Mesh(), x); k >= 0 {
			first = append(first, k)
		}
	}
	if len(first) == 0 || !strings.Contains(m.Error(), fmt.Sprintf("triangle %d at (", first[0])) {
		t.Errorf("%v, but the first bad triangles are %v", m, first)
	}
}

// firstBad is the first triangle with less than a twentieth of its area in the mesh, or against its neighbours; −1: none.
func firstBad(mesh *elastic.Mesh, x []geometry.Vec) int {
	normal := func(k int, at func(v int) geometry.Vec) geometry.Vec {
		v := mesh.Triangle(k)
		return at(v[1]).Sub(at(v[0])).Cross(at(v[2]).Sub(at(v[0])))
	}
	now := func(v int) geometry.Vec { return x[v] }
	for k := range mesh.Triangles() {
		own, around := normal(k, now), geometry.Vec{}
		if own.Norm() < 0.05*normal(k, mesh.Point).Norm() {
			return k
		}
		for o := range mesh.Triangles() {
			shared := 0
			for _, v := range mesh.Triangle(o) {
				if u := mesh.Triangle(k); v == u[0] || v == u[1] || v == u[2] {
					shared++
				}
			}
			if shared == 2 {
				n := normal(o, now)
				around = around.Add(n.Scale(1 / n.Norm()))
			}
		}
		if own.Dot(around) < 0 {
			return k
		}
	}
	return -1
}

// TestCellsAreOfSecondOrderInTime: a stretched sphere relaxes in a fluid at rest, on one grid, in steps of Δt, Δt/2,
// Δt/4 and Δt/8 of the same time: viscosity goes with Δt, moduli with Δt². Differences between one and the next fall fourfold;
// Euler's steps halve them.
func TestCellsAreOfSecondOrderInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	var last []geometry.Vec
	var differences []float64
	for _, refined := range []int{1, 2, 4, 8} {
		dt := 1 / float64(refined)
		mesh, err := elastic.NewSphere(4, geometry.Vec{}, 8)
		if err != nil {
			t.Fatal(err)
		}
		m, err := elastic.NewMembrane(mesh, elastic.Material{Law: "skalak", Shear: 0.02 * dt * dt, Area: 1, Bending: 0.01 * dt * dt})
		if err != nil {
			t.Fatal(err)
		}
		cell, err := flexible.NewCell("cell", m, geometry.Vec{8.2, 8.1, 7.7}, geometry.Mat{{1.1}, {0, 1 / 1.1}, {0, 0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		collision, err := lbm.NewCollision("trt", 0.4*dt, lbm.MagicPoiseuille)
		if err != nil {
			t.Fatal(err)
		}
		pool := parallel.NewPool(1)
		fluid, err := lbm.New[float64](lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{16, 16, 16}, Collision: collision}, pool)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSimulation(fluid, CouplingConfig{Delta: "peskin4", Transfer: "auto", Forcing: "direct", Cells: []*flexible.Cell{cell}}, nil, pool)
		if err != nil {
			t.Fatal(err)
		}
		steps(t, s, 60*refined)
		s.Close()
		pool.Close()
		now := slices.Clone(cell.Points())
		if last != nil {
			differences = append(differences, apart(last, now))
		}
		last = now
	}
	t.Logf("differences %.3g, orders %.3f, %.3f", differences, math.Log2(differences[0]/differences[1]), math.Log2(differences[1]/differences[2]))
	if order := math.Log2(differences[1] / differences[2]); !(order > 1.8) {
		t.Errorf("order %.3f, must be above 1.8", order)
	}
}

// TestTheFootprintOfCellsIsTheirs: nodes and markers that are told before a coupling is made are those that it has.
func TestTheFootprintOfCellsIsTheirs(t *testing.T) {
	cells := capsules(t, soft, 3)
	s := cellsIn[float64](t, cells, 1)
	f, err := FootprintOf(s.coupling.cfg, s.fluid.Config(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.Markers != s.Markers() || f.Support != s.SupportNodes() || f.Window > s.coupling.window.Grid.Nodes() || f.Window < f.Support {
		t.Errorf("told are %+v, there are %d markers, %d support nodes, a window of %d", f, s.Markers(), s.SupportNodes(), s.coupling.window.Grid.Nodes())
	}
}

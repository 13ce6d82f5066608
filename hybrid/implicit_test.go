package hybrid

import (
	"errors"
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// pulledApart is a sphere of radius 4 in a periodic box at rest, made of a material and drawn out by a factor, whose ends forces that come within ramp steps pull apart.
func pulledApart(t *testing.T, material elastic.Material, drawn, pull, ramp, nu float64, implicit bool, with ...func(c *flexible.Cell)) *Simulation[float64] {
	t.Helper()
	mesh, err := elastic.NewSphere(4, geometry.Vec{}, 8)
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.NewMembrane(mesh, material)
	if err != nil {
		t.Fatal(err)
	}
	cell, err := flexible.NewCell("capsule", m, geometry.Vec{8.3, 8.6, 8.1}, geometry.Mat{{drawn}, {0, 1 / drawn}, {0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for side, sign := range map[bool]float64{false: -1, true: 1} {
		ends := cell.Outermost(0, side, 0.05)
		cell.Loads = append(cell.Loads, flexible.Load{Points: ends, Each: geometry.Vec{sign * pull / float64(len(ends))}, Ramp: ramp})
	}
	if implicit {
		cell.SetImplicit()
	}
	for _, f := range with {
		f(cell)
	}
	collision, err := lbm.NewCollision("trt", nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	fluid, err := lbm.New[float64](lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{19, 19, 19}, Collision: collision}, pool)
	if err != nil {
		t.Fatal(err)
	}
	delta, err := ib.NewDelta[float64]("roma3")
	if err != nil {
		t.Fatal(err)
	}
	cfg := CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Cells: []*flexible.Cell{cell}, Offset: ib.Offset(delta, lbm.MagicPoiseuille)}
	s, err := NewSimulation(fluid, cfg, nil, pool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// An implicit membrane that is 15 times as stiff as explicit steps bear comes to rest in the shape of one that they bear and whose loads are as large for its moduli, an explicit one fails
// within a hundred steps. Both are still moving a little, by less than the bound of 10⁻³ of D.
func TestAStiffMembraneIsImplicit(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	stiff := func(times float64) elastic.Material {
		return elastic.Material{Law: "skalak", Shear: 0.02 * times, Area: 10, Bending: 4e-4 * times}
	}
	const times, pull, nu = 15, 0.02, 1. / 6
	soft := pulledApart(t, stiff(1), 1, pull, 200, nu, false)
	steps(t, soft, 4000)
	hard := pulledApart(t, stiff(times), 1, pull*times, 2000, nu, true)
	if k := hard.Cells[0].Membrane.Stiffness() / nu; !(k > 12*14) {
		t.Errorf("the stiffness is %g, should be more than what explicit steps bear, 12", k)
	}
	steps(t, hard, 4000)
	want, got := soft.Cells[0].Measure().Deformation, hard.Cells[0].Measure().Deformation
	if !(want > 0.04) || math.Abs(got/want-1) > 1e-3 {
		t.Errorf("D at rest is %g, explicit that of a softer one %g", got, want)
	}
	fails := pulledApart(t, stiff(times), 1, pull*times, 2000, nu, false)
	for range 100 {
		fails.Step()
	}
	if fails.Err() == nil {
		t.Error("explicit steps bear this stiffness, which shows nothing then")
	}
}

// Implicit steps have an error of first order in Δt: between explicit and implicit steps of a capsule that goes back to its shape lies, at the same time, half as much with steps half as long. The viscosity of
// the lattice goes with Δt, moduli with its square.
func TestImplicitStepsAreOfFirstOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	difference := func(dt, viscosity float64) float64 {
		m := elastic.Material{Law: "neo-hookean", Shear: 0.02 * dt * dt, Bending: 2e-4 * dt * dt, ShearViscosity: viscosity * dt}
		var d [2]float64
		for k, implicit := range []bool{false, true} {
			s := pulledApart(t, m, 1.2, 0, 0, 0.4*dt, implicit)
			steps(t, s, int(math.Round(200/dt)))
			d[k] = s.Cells[0].Measure().Deformation
		}
		return d[1] - d[0]
	}
	for _, viscosity := range []float64{0, 0.2} { // which stays explicit
		whole, half := difference(1, viscosity), difference(0.5, viscosity)
		if ratio := whole / half; !(ratio > 1.7 && ratio < 2.3) || math.Abs(whole) < 1e-5 || math.Abs(whole) > 0.01 {
			t.Errorf("viscosity %g: explicit and implicit D differ by %g, with half the step by %g: the ratio is %.3g, should be 2", viscosity, whole, half, ratio)
		}
	}
}

// Forces of implicit cells have no sum.
func TestImplicitForcesHaveNoSum(t *testing.T) {
	s := pulledApart(t, elastic.Material{Law: "skalak", Shear: 0.2, Area: 10, Bending: 4e-3, ShearViscosity: 0.1, VolumePenalty: 0.1}, 1.02, 0.01, 10, 0.2, true)
	for range 20 {
		steps(t, s, 1)
		var sum geometry.Vec
		size := 0.
		for _, f := range s.Cells[0].Force() {
			sum, size = sum.Add(f), size+f.Norm()
		}
		if !(sum.Norm() < 1e-13*size) {
			t.Fatalf("forces have the sum %v, their magnitudes %g", sum, size)
		}
	}
}

// Implicit cells are the same bits for any number of workers, beside others of the same membrane that are explicit, and when a state is continued.
func TestImplicitCellsAreTheSameBits(t *testing.T) {
	made := func() []*flexible.Cell {
		cells := capsules(t, soft, 3)
		for i, c := range cells {
			if i != 1 {
				c.SetImplicit()
			}
		}
		return cells
	}
	t.Run("f64", func(t *testing.T) { sameCellBits[float64](t, made) })
	t.Run("f32", func(t *testing.T) { sameCellBits[float32](t, made) })
}

// What a step of an implicit cell has found by conjugate gradients does not depend on which cells it is solved with.
func TestLanesOfImplicitCellsAreTheirOwn(t *testing.T) {
	far := func(cells ...int) []geometry.Vec {
		all := capsules(t, soft, 3)
		var some []*flexible.Cell
		for _, i := range cells {
			all[i].SetImplicit()
			some = append(some, all[i])
		}
		system := flexible.NewSystem(some, parallel.Loops{})
		if _, err := system.Forces(0); err != nil {
			t.Fatal(err)
		}
		for i, c := range some {
			felt, ease := c.Answers()
			for k := range felt {
				c.Velocities()[k] = geometry.Vec{1e-3 * float64(k%3)}
				felt[k], ease[k] = geometry.Vec{1e-3 * float64(k%7), 0, 1e-3 * float64(k%5)}, 0.3+0.01*float64(k%11)
			}
			if i > 0 {
				felt[0][1] = 0.1
			}
		}
		if _, err := system.Solve(0.1, nil); err != nil {
			t.Fatal(err)
		}
		return some[0].Force()
	}
	alone, beside := far(0), far(0, 1, 2)
	for k := range alone {
		if alone[k] != beside[k] {
			t.Fatalf("vertex %d has the force %v alone, %v beside others", k, alone[k], beside[k])
		}
	}
}

// Membranes as stiff as a case may have them, 100 times what explicit steps bear, go well, with slip and without, whatever is inside; they come to where ones a quarter as stiff under as much smaller loads do.
func TestImplicitMembranesAtTheirBound(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	const nu, bound = 1. / 6, 12 // of explicit steps with roma3
	for _, m := range []elastic.Material{{Law: "skalak", Shear: 1, Area: 10}, {Law: "neo-hookean", Shear: 1}} {
		soft := pulledApart(t, m, 1, 0, 0, nu, false).Cells[0].Membrane.Stiffness() / nu
		of := func(k float64, implicit bool, with ...func(c *flexible.Cell)) *Simulation[float64] {
			m := m
			m.Shear *= k / soft
			m.Bending = 3e-4 * m.Shear // which stays explicit
			return pulledApart(t, m, 1, 0.3*m.Shear, 300, nu, implicit, with...)
		}
		want := of(25*bound, true) // explicit ones creep for tens of thousands of steps
		steps(t, want, 3000)
		d := want.Cells[0].Measure().Deformation
		for _, way := range []struct {
			slip  bool
			ratio float64
		}{{true, 1}, {false, 1}, {true, 0.3}} {
			s := of(100*bound, true, func(c *flexible.Cell) { c.Lambda = way.ratio })
			if !way.slip {
				s.coupling.cells.slip = nil
			}
			steps(t, s, 1500)
			if got := s.Cells[0].Measure().Deformation; !(d > 1e-3) || math.Abs(got/d-1) > 0.01 {
				t.Errorf("%s, slip %t, λ = %g: D = %g, softer %g", m.Law, way.slip, way.ratio, got, d)
			}
		}
	}
}

// A step that implicit forces would make as no flow does ends a simulation as one whose forces are not finite: it is not a body that would be where it cannot, after which the state before is good.
func TestImplicitForcesThatCannotBeEndASimulation(t *testing.T) {
	s := pulledApart(t, elastic.Material{Law: "skalak", Shear: 0.1, Area: 1}, 1, 1e6, 0, 0.2, true)
	s.Step()
	var motion *rigid.MotionError
	if err := s.Err(); err == nil || errors.As(err, &motion) || !strings.Contains(err.Error(), `body "capsule" at step 1: vertex`) {
		t.Errorf("a pull of 1e6: error %v, should name the body, the step and a vertex, and be no error of motion", err)
	}
}

// A cell that waits outside of the fluid, at the place of another, changes nothing of that.
func TestWaitingCellsDoNotAnswer(t *testing.T) {
	after := func(waiting int) []geometry.Vec {
		var cells []*flexible.Cell
		for range 1 + waiting {
			c := capsules(t, soft, 1)[0]
			c.SetImplicit()
			if len(cells) > 0 {
				c.Leave()
			}
			cells = append(cells, c)
		}
		s := shear[float64](t, CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "direct", Cells: cells}, nil, 1)
		steps(t, s, 10)
		return places(cells[:1])
	}
	if d := apart(after(0), after(2)); d > 1e-11 { // rounding: points are sorted otherwise
		t.Errorf("two cells that wait at the place of one move it elsewhere, by %g nodes", d)
	}
}

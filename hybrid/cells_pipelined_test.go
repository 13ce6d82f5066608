package hybrid

import (
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// besideFluid is a capsule in a periodic box of so many nodes along an axis, stepped by a schedule.
func besideFluid(t *testing.T, nodes int, material elastic.Material, schedule string) (*Simulation[float64], error) {
	t.Helper()
	return besideFluidWith(t, nodes, material, 1, schedule)
}

// besideFluidWith is besideFluid, of a capsule with a ratio of viscosities.
func besideFluidWith(t *testing.T, nodes int, material elastic.Material, ratio float64, schedule string) (*Simulation[float64], error) {
	t.Helper()
	mesh, err := elastic.NewSphere(3, geometry.Vec{}, 6)
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.NewMembrane(mesh, material)
	if err != nil {
		t.Fatal(err)
	}
	cell, err := flexible.NewCell("capsule", m, geometry.Vec{8.3, 8.6, 8.1}, geometry.Mat{{1.2}, {0, 1 / 1.2}, {0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	cell.Lambda = ratio
	collision, err := lbm.NewCollision("trt", 0.1, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	pool, host := parallel.NewPool(1), parallel.NewPool(1)
	t.Cleanup(pool.Close)
	t.Cleanup(host.Close)
	fluid, err := lbm.New[float64](lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{nodes, nodes, nodes}, Collision: collision}, pool)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewScheduled(fluid, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Cells: []*flexible.Cell{cell}}, nil, host, Plan[float64]{Schedule: schedule})
	if err == nil {
		t.Cleanup(s.Close)
	}
	return s, err
}

// TestCellsAreSteppedBesideTheFluid: after the first step, which fills the pipeline, the host corrects and steps the
// nodes near cells while the fluid steps all others.
func TestCellsAreSteppedBesideTheFluid(t *testing.T) {
	s, err := besideFluid(t, 24, soft, "pipelined")
	if err != nil {
		t.Fatal(err)
	}
	p := s.schedule.(*pipelined[float64])
	for k := range 60 {
		steps(t, s, 1)
		if !p.pending || k > 0 && !p.made {
			t.Fatalf("step %d is not made in two places: made %t, correction outstanding %t", k+1, p.made, p.pending)
		}
	}
}

// TestCellsThatFillTheDomainAreSteppedSerially: nothing is left to do beside them, which auto knows, too.
func TestCellsThatFillTheDomainAreSteppedSerially(t *testing.T) {
	_, err := besideFluid(t, 14, soft, "pipelined")
	if err == nil || !strings.Contains(err.Error(), "of the domain's 2744 nodes") {
		t.Errorf("supports that fill the domain: error %v, should tell how many nodes they have", err)
	}
	s, err := besideFluid(t, 14, soft, "auto")
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Chosen(); !c.Settled || c.Schedule != "serial" || !strings.Contains(c.Reasons["pipelined"], "supports of elastic bodies") {
		t.Errorf("auto has chosen %v, settled %t", c, c.Settled)
	}
	if s, err = besideFluid(t, 24, soft, "auto"); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 80)
	if c := s.Chosen(); !c.Settled || len(c.Times) != 2 {
		t.Errorf("auto has measured %v, settled %t: serial and pipelined are possible", c.Times, c.Settled)
	}
}

// TestPipelinedCellsWithHolesStopTheRun: that nodes find no inside of a cell of another viscosity is found beside the fluid's step, which is made then; the
// next one is refused, by what the serial schedule says.
func TestPipelinedCellsWithHolesStopTheRun(t *testing.T) {
	torn := func(schedule string) *Simulation[float64] {
		s, err := besideFluidWith(t, 24, soft, 5, schedule)
		if err != nil {
			t.Fatal(err)
		}
		steps(t, s, 9)
		s.Flush()
		x, center := s.Cells[0].Points(), s.Cells[0].Measure().Center
		for k := range x { // edges of more than four nodes along x, about the middle
			if x[k][0] > center[0] {
				x[k][0] += 5
			}
		}
		if err := s.SetFlexible(s.Flexible()); err != nil {
			t.Fatal(err)
		}
		return s
	}
	serial, pipelined := torn("serial"), torn("pipelined")
	stop := func(s *Simulation[float64]) error {
		for range 6 {
			if s.Step(); s.Err() != nil {
				return s.Err()
			}
		}
		return nil
	}
	want, got := stop(serial), stop(pipelined)
	if want == nil || !strings.Contains(want.Error(), "has holes") {
		t.Fatalf("the serial schedule says %v", want)
	}
	if got == nil || got.Error() != want.Error() {
		t.Errorf("the pipelined schedule says %v, the serial %v", got, want)
	}
}

// TestPipelinedCellsThatCollapseStopTheRun, with the step and the body in the error.
func TestPipelinedCellsThatCollapseStopTheRun(t *testing.T) {
	stiff := elastic.Material{Law: "skalak", Shear: 5, Area: 1} // more than a step can follow
	s, err := besideFluid(t, 24, stiff, "pipelined")
	if err != nil {
		t.Fatal(err)
	}
	for range 400 {
		if s.Step(); s.Err() != nil {
			break
		}
	}
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), `body "capsule"`) {
		t.Errorf("error %v, should name the body", err)
	}
}

// TestAPipelinedStepInWhichACellTurnsOverIsWhole: that a triangle has turned over is found beside the fluid's step, which is made then with
// the forces of where the cell is; the next one is refused.
func TestAPipelinedStepInWhichACellTurnsOverIsWhole(t *testing.T) {
	folded := func(schedule string) *Simulation[float64] {
		s, err := besideFluid(t, 24, soft, schedule)
		if err != nil {
			t.Fatal(err)
		}
		steps(t, s, 9)
		s.Flush()
		c := s.Cells[0]
		x, corners := c.Points(), c.Membrane.Mesh().Triangle(0) // of which one goes beyond the side between the others
		x[corners[0]] = x[corners[0]].Add(x[corners[1]].Add(x[corners[2]]).Scale(0.5).Sub(x[corners[0]]).Scale(1.8))
		if err := s.SetFlexible(s.Flexible()); err != nil {
			t.Fatal(err)
		}
		steps(t, s, 6)
		return s
	}
	serial, pipelined := folded("serial"), folded("pipelined")
	if serial.Step(); serial.Err() == nil || serial.Fluid.Steps() != 15 {
		t.Fatalf("the serial schedule makes step %d: %v", serial.Fluid.Steps(), serial.Err())
	}
	whole := folded("serial")
	whole.coupling.cells.late = true // which lets the step be made
	steps(t, whole, 1)
	for range 3 {
		pipelined.Step()
	}
	if err := pipelined.Err(); err == nil || err.Error() != serial.Err().Error() || pipelined.Fluid.Steps() != 16 {
		t.Errorf("the pipelined schedule has made step %d, and stops with %v, should have made step 16 and say what the serial does: %v", pipelined.Fluid.Steps(), err, serial.Err())
	}
	if d := apart(whole.Cells[0].Points(), pipelined.Cells[0].Points()); !(d < 1e-12) {
		t.Errorf("vertices are %g nodes from where the step has put them", d)
	}
	a, b := lbm.StateOf(whole.Fluid).Populations, lbm.StateOf(pipelined.Fluid).Populations
	for q := range a {
		for k, v := range a[q] {
			if d := math.Abs(v - b[q][k]); !(d < 1e-13) {
				t.Fatalf("population %d of node %d is %v, should be %v", q, k, b[q][k], v)
			}
		}
	}
}

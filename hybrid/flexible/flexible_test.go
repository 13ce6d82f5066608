package flexible

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/rbf"
	"lbmib/internal/parallel"
)

var upright = geometry.Mat{{1}, {0, 1}, {0, 0, 1}}

func membrane(t *testing.T, diameter float64) *elastic.Membrane {
	t.Helper()
	mesh, err := elastic.NewSphere(3, geometry.Vec{1, 2, 3}, diameter)
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.NewMembrane(mesh, elastic.Material{Shear: 1, Area: 2, Bending: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func cell(t *testing.T, m *elastic.Membrane, at geometry.Vec, turn geometry.Mat) *Cell {
	t.Helper()
	c, err := NewCell("c", m, at, turn)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestVelocityIsThatOfTheCentre: of a stretched cell whose surface moves with u = U + G x, G without trace, the centre of
// volume moves with u there.
func TestVelocityIsThatOfTheCentre(t *testing.T) {
	at := geometry.Vec{5, -2, 7}
	c := cell(t, membrane(t, 4), at, geometry.Mat{{1.3, 0.2}, {0.1, 0.8}, {0, 0.3, 0.9}})
	g := geometry.Mat{{0.1, 0.5, -0.2}, {0.3, -0.4}, {0.2, 0, 0.3}}
	for k := range c.Move() {
		c.Velocities()[k] = g.Apply(c.Points()[k]).Add(geometry.Vec{1, 2, 3})
	}
	center := c.Measure().Center
	if d := center.Sub(at).Norm(); d > 1e-12 {
		t.Errorf("the centre is %g off", d)
	}
	if d := c.Velocity().Sub(g.Apply(center).Add(geometry.Vec{1, 2, 3})).Norm(); d > 1e-12 {
		t.Errorf("the velocity is %g off", d)
	}
}

// TestForcesAreThoseOfEachCellAlone, of more cells than a block has, of two kinds, on any number of workers.
func TestForcesAreThoseOfEachCellAlone(t *testing.T) {
	one, other := membrane(t, 4), membrane(t, 5)
	var all []*Cell
	for i := range elastic.Lanes + 3 {
		stretch := 1 + 0.02*float64(i)
		all = append(all, cell(t, one, geometry.Vec{float64(i)}, geometry.Mat{{stretch}, {0, 1}, {0, 0, 1 / stretch}}))
		if i%2 == 0 {
			all = append(all, cell(t, other, geometry.Vec{0, float64(i)}, geometry.Mat{{1}, {0, stretch}, {0, 0, 1}}))
		}
	}
	pool := parallel.NewPool(3)
	defer pool.Close()
	s := NewSystem(all, parallel.Loops{Pool: pool})
	if s.Vertices() != 92*len(all) {
		t.Fatalf("%d vertices of %d cells", s.Vertices(), len(all))
	}
	if c, err := s.Forces(0); err != nil {
		t.Fatal(c.Name, err)
	}
	for _, c := range all {
		together := slices.Clone(c.Force())
		alone := NewSystem([]*Cell{cell(t, c.Membrane, c.Center, c.Turn)}, parallel.Loops{})
		if _, err := alone.Forces(1); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(together, alone.Cells[0].Force()) {
			t.Fatalf("the forces on the cell at %v are others among all", c.Center)
		}
	}
}

// TestAdvanceGoesByAdamsAndBashforth: positions are exact for velocities linear in time, and Restore takes a step back.
func TestAdvanceGoesByAdamsAndBashforth(t *testing.T) {
	c := cell(t, membrane(t, 4), geometry.Vec{}, upright)
	s := NewSystem([]*Cell{c}, parallel.Loops{})
	set := func(u float64) {
		for k := range c.Move() {
			c.Velocities()[k] = geometry.Vec{u}
		}
	}
	begin := c.Points()[5]
	set(-0.5) // u = t + ½ at t = −1 and 0
	set(0.5)
	for step := 1; step <= 4; step++ {
		s.Advance()
		set(float64(step) + 0.5)
		want := float64(step*(step+1)) / 2
		if got := c.Points()[5][0] - begin[0]; math.Abs(got-want) > 1e-12 {
			t.Fatalf("after %d steps at %g, want %g", step, got, want)
		}
	}
	s.Save()
	before := slices.Clone(c.Points())
	s.Advance()
	s.Restore()
	if !slices.Equal(before, c.Points()) {
		t.Error("Restore leaves the cell elsewhere")
	}
}

// TestStates: a state is refused by other cells, and restores all.
func TestStates(t *testing.T) {
	c := cell(t, membrane(t, 4), geometry.Vec{1}, upright)
	s := NewSystem([]*Cell{c}, parallel.Loops{})
	c.Move()[3] = geometry.Vec{1, 2, 3}
	s.Start()
	state := s.State()
	d := cell(t, c.Membrane, geometry.Vec{2}, upright)
	o := NewSystem([]*Cell{d}, parallel.Loops{})
	if err := o.SetState(state[1:]); err == nil || !strings.Contains(err.Error(), "resume with the case that wrote it") {
		t.Errorf("a state that is too short: %v", err)
	}
	if err := o.SetState(state); err != nil {
		t.Fatal(err)
	}
	if !o.Started() || !slices.Equal(o.State(), state) || !slices.Equal(c.Points(), d.Points()) {
		t.Error("the state is not restored")
	}
}

// TestFaultsAreFound in the first step that forces are not finite, whatever its number, with the cell.
func TestFaultsAreFound(t *testing.T) {
	m := membrane(t, 4)
	good, bad := cell(t, m, geometry.Vec{}, upright), cell(t, m, geometry.Vec{9}, upright)
	s := NewSystem([]*Cell{good, bad}, parallel.Loops{})
	bad.Name = "bad"
	bad.Points()[7] = geometry.Vec{math.NaN()}
	for _, find := range []func() (*Cell, error){func() (*Cell, error) { return s.Forces(3) }, s.Finite} {
		if c, err := find(); err == nil || c != bad || !strings.Contains(err.Error(), `body "bad"`) {
			t.Errorf("found %v, %v", c, err)
		}
	}
	if _, err := NewCell("far", m, geometry.Vec{math.Inf(1)}, upright); err == nil {
		t.Error("a cell at infinity is taken")
	}
}

// TestASmoothCellIsMeasured: of a smooth sphere, stretched and moved by a linear flow without divergence, centre, velocity of
// the centre, area, volume and Taylor's D are those of an ellipsoid: quadrature over 864 sites is good to 1e-5.
func TestASmoothCellIsMeasured(t *testing.T) {
	surface, err := rbf.NewSphere(216, 864, 2)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbf.NewMembrane(surface, rbf.Material{Shear: 1, Area: 2})
	if err != nil {
		t.Fatal(err)
	}
	at := geometry.Vec{5, -2, 7}
	c, err := NewSmooth("c", m, at, geometry.Mat{{1.2}, {0, 1}, {0, 0, 1 / 1.2}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Points()) != 216+864 || len(c.Velocities()) != 216 {
		t.Fatalf("%d points, %d of which move", len(c.Points()), len(c.Velocities()))
	}
	for _, x := range c.Points() { // sample sites, too
		p := x.Sub(at)
		if r := math.Sqrt(p[0]*p[0]/1.44 + p[1]*p[1] + p[2]*p[2]*1.44); math.Abs(r-2) > 1e-6 {
			t.Fatalf("a site at %v is not on the ellipsoid: %g", x, r-2)
		}
	}
	shape := c.Measure()
	if d := shape.Center.Sub(at).Norm(); d > 1e-5 {
		t.Errorf("the centre is %g off", d)
	}
	if v := shape.Volume / (4. / 3 * math.Pi * 8); math.Abs(v-1) > 1e-5 {
		t.Errorf("the volume is %g of the ellipsoid's", v)
	}
	if want := (1.2 - 1/1.2) / (1.2 + 1/1.2); math.Abs(shape.Deformation-want) > 1e-5 {
		t.Errorf("D = %g, want %g", shape.Deformation, want)
	}
	g := geometry.Mat{{0.1, 0.5, -0.2}, {0.3, -0.4}, {0.2, 0, 0.3}}
	for k := range c.Move() {
		c.Velocities()[k] = g.Apply(c.Points()[k]).Add(geometry.Vec{1, 2, 3})
	}
	if d := c.Velocity().Sub(g.Apply(at).Add(geometry.Vec{1, 2, 3})).Norm(); d > 1e-5 {
		t.Errorf("the velocity of the centre is %g off", d)
	}
}

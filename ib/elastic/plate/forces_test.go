package plate

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// Forces are −∂E/∂X: by central differences, whose error is of second order in the shift.
func TestForcesAreTheGradientOfTheEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, edges := range [][4]EdgeKind{{}, {Clamped}, {Clamped, Free, Clamped, Hinged}, {Hinged, Clamped, Free, Clamped}} {
		c := Config{Nodes: [2]int{5, 6}, Spacing: [2]float64{0.25, 0.2}, Stretching: 3, Shear: 0.7, Bending: 0.02, Poisson: 0.3, Edges: edges}
		c.Step = 1
		c.X = crumpled(r, c, 0.1)
		s := mustNew(t, c)
		copy(s.now.x, crumpled(r, c, 0.1)) // tangents stay those of the start
		f := make([]geometry.Vec, s.Len())
		s.Forces(f)
		size := 0.
		for _, v := range f {
			size = math.Max(size, v.Norm())
		}
		const shift = 1e-6
		energy := func() float64 { e := s.Energy(); return e.Stretching + e.Bending }
		for k := range f {
			for a := range 3 {
				x := s.now.x[k][a]
				s.now.x[k][a] = x + shift
				up := energy()
				s.now.x[k][a] = x - shift
				down := energy()
				s.now.x[k][a] = x
				if d := (down - up) / (2 * shift); math.Abs(d-f[k][a]) > 1e-7*size {
					t.Errorf("%v: force %d of node %d is %g, by differences %g", edges, a, k, f[k][a], d)
				}
			}
		}
	}
}

// A free sheet neither moves nor turns itself.
func TestForcesOfAFreeSheetAreInBalance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := Config{Nodes: [2]int{7, 5}, Spacing: [2]float64{0.2, 0.2}, Stretching: 3, Shear: 0.7, Bending: 0.02, Poisson: 0.3, Step: 1}
	c.X = crumpled(r, c, 0.2)
	s := mustNew(t, c)
	f := make([]geometry.Vec, s.Len())
	s.Forces(f)
	var force, torque geometry.Vec
	size := 0.
	for k, v := range f {
		force, torque, size = force.Add(v), torque.Add(s.X()[k].Cross(v)), size+v.Norm()
	}
	if force.Norm() > 1e-14*size || torque.Norm() > 1e-14*size { // rounding
		t.Errorf("force %v, torque %v of forces %g", force, torque, size)
	}
}

// A sheet that was only moved and turned has no energy.
func TestMovedAndTurnedSheetsHaveNoEnergy(t *testing.T) {
	c := square(9)
	c.Stretching, c.Shear, c.Bending, c.Poisson, c.Step = 3, 1, 0.1, 0.3, 1
	turn := geometry.Rotation(unit(geometry.Vec{1, 2, -1}), 1.1)
	for _, x := range flat(c) {
		c.X = append(c.X, turn.Apply(x).Add(geometry.Vec{3, 4, 5}))
	}
	if e := mustNew(t, c).Energy().Total(); e > 1e-26 { // the square of rounding
		t.Errorf("energy %g", e)
	}
}

// The stiffness that steps take is the derivative of the forces where the sheet is not strained, and linear in
// places for bending.
func TestStiffnessIsTheDerivativeOfForces(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, edges := range [][4]EdgeKind{{}, {Clamped}, {Free, Hinged, Clamped}} {
		c := Config{Nodes: [2]int{6, 5}, Spacing: [2]float64{0.25, 0.2}, Stretching: 3, Shear: 0.7, Bending: 0.05, Poisson: 0.4, Edges: edges, Mass: 1, Step: 1, Scheme: Euler}
		s := mustNew(t, c)
		q := &s.equations
		q.fluid = medium(s.Len(), 0)
		s.predict()
		if err := q.resist(); err != nil {
			t.Fatal(err)
		}
		q.assemble()
		n := s.Len()
		v, y := make([]geometry.Vec, n+s.beyond()), make([]geometry.Vec, n+s.beyond())
		for k := range n {
			v[k] = geometry.Vec{r.Float64(), r.Float64(), r.Float64()}
		}
		q.multiply(y, v)
		const shift = 1e-6
		var f [2][]geometry.Vec
		for side, d := range [2]float64{shift, -shift} {
			f[side] = make([]geometry.Vec, n)
			x := make([]geometry.Vec, n)
			for k := range x {
				x[k] = s.now.x[k].Add(v[k].Scale(d))
			}
			s.addMembraneForces(f[side], x)
			s.bending.addForces(f[side], x)
		}
		for k := range n {
			want := f[1][k].Sub(f[0][k]).Scale(1 / (2 * shift)).Add(v[k].Scale(s.mass[k]))
			if d := y[k].Sub(want).Norm(); d > 1e-6*(1+want.Norm()) { // of differences
				t.Errorf("%v: node %d: %v, by differences %v", edges, k, y[k], want)
			}
		}
	}
}

// Bending of a cylinder of radius R has ½ D/R² per area, of a saddle z = xy/R ½ D 2(1−ν)/R², of a bowl z = (x² + y²)/2R
// ½ D 2(1+ν)/R² (Kirchhoff). Edges that may turn have their own curvature free, which takes the last two away there.
func TestBendingEnergyIsKirchhoffs(t *testing.T) {
	const nu, radius, d = 0.3, 50., 2.
	for _, shape := range []struct {
		name string
		z    func(x, y float64) float64
		want float64
		free bool
	}{
		{"cylinder along y", func(x, y float64) float64 { return x * x / 2 / radius }, 1, false},
		{"saddle", func(x, y float64) float64 { return x * y / radius }, 2 * (1 - nu), true},
		{"bowl", func(x, y float64) float64 { return (x*x + y*y) / 2 / radius }, 2 * (1 + nu), false},
	} {
		c := square(21)
		c.Stretching, c.Bending, c.Poisson, c.Step = 1, d, nu, 1
		if !shape.free { // moments across clamped edges hold the curvature there
			c.Edges = [4]EdgeKind{Clamped, Clamped, Clamped, Clamped}
		}
		for _, x := range flat(c) {
			c.X = append(c.X, geometry.Vec{x[0], x[1], shape.z(x[0], x[1])})
		}
		s := mustNew(t, c)
		b := s.bending
		for k := range c.X { // tangents of the surface, not of the first chord
			for axis := range 2 {
				i, j := s.at(k)
				h := 1e-5
				p := geometry.Vec{float64(i) * c.Spacing[0], float64(j) * c.Spacing[1]}
				up, down := p, p
				up[axis], down[axis] = up[axis]+h, down[axis]-h
				up[2], down[2] = shape.z(up[0], up[1]), shape.z(down[0], down[1])
				b.tangent[axis][k] = up.Sub(down).Scale(1 / (2 * h))
			}
		}
		near(t, shape.name, s.Energy().Bending, d/2*shape.want/radius/radius, 1e-6)
	}
}

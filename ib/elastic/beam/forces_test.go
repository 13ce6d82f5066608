package beam

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// kinds are lines of every kind whose energies are tested.
func kinds(r *rand.Rand) map[string]Config {
	const n = 17
	all := map[string]Config{}
	for dim := 2; dim <= 3; dim++ {
		for _, ends := range [][2]EndKind{{Free, Free}, {Hinged, Clamped}, {Clamped, Free}, {Clamped, Clamped}} {
			c := Config{Dim: dim, X: wiggly(r, dim, n, 0.7), Stretching: 3, Bending: 0.4, Step: 1, Mass: 1}
			c.First.Kind, c.Last.Kind = ends[0], ends[1]
			for range n - 1 {
				c.Lengths = append(c.Lengths, 0.5+0.4*r.Float64())
			}
			all[fmt.Sprintf("%dD %v–%v", dim, ends[0], ends[1])] = c
			if dim == 2 {
				for range n {
					c.Curvature = append(c.Curvature, r.NormFloat64())
				}
				all[fmt.Sprintf("%dD %v–%v, naturally curved", dim, ends[0], ends[1])] = c
			}
		}
	}
	return all
}

func TestForcesAreTheGradientOfTheEnergy(t *testing.T) {
	const h = 1e-5 // central differences: h² of the energy's third derivative, and rounding/h
	for name, c := range kinds(rand.New(rand.NewPCG(1, 2))) {
		l := mustNew(t, c)
		f := make([]geometry.Vec, l.Len())
		l.Forces(f)
		for i := range f {
			for a := range c.Dim {
				at := l.now.x[i][a]
				l.now.x[i][a] = at + h
				more := l.Energy().Total()
				l.now.x[i][a] = at - h
				less := l.Energy().Total()
				l.now.x[i][a] = at
				if want := -(more - less) / (2 * h); !(abs(f[i][a]-want) < 1e-6) { // forces are about 1
					t.Errorf("%s: force %d of node %d is %g, the energy's slope %g", name, a, i, f[i][a], want)
				}
			}
		}
	}
}

// Nothing inside a free line moves or turns it as a whole, wherever it is.
func TestInnerForcesAndTorquesCancel(t *testing.T) {
	for name, c := range kinds(rand.New(rand.NewPCG(3, 4))) {
		if c.First.Kind != Free || c.Last.Kind != Free {
			continue
		}
		l := mustNew(t, c)
		f := make([]geometry.Vec, l.Len())
		l.Forces(f)
		var force, torque geometry.Vec
		forces, torques := 0., 0.
		for i, x := range l.X() {
			force, torque = force.Add(f[i]), torque.Add(x.Cross(f[i]))
			forces += f[i].Norm()
			torques += x.Norm() * f[i].Norm()
		}
		// Rounding: 17 nodes at 10⁻¹⁶ each.
		if force.Norm() > 1e-14*forces || torque.Norm() > 1e-14*torques {
			t.Errorf("%s: net force %g of %g, net torque %g of %g", name, force, forces, torque, torques)
		}
	}
}

// A line feels nothing in its natural shape, wherever it is moved and however it is turned.
func TestTheNaturalShapeHasNoForces(t *testing.T) {
	const n = 33
	arc := make([]geometry.Vec, n) // curvature grows along, as in a spiral
	angle := 0.
	for i := 1; i < n; i++ {
		arc[i] = arc[i-1].Add(geometry.Rotation(geometry.Vec{0, 0, 1}, angle).Apply(geometry.Vec{0.25}))
		angle += 0.01 * float64(i)
	}
	curvature, err := NaturalCurvature(arc)
	if err != nil {
		t.Fatal(err)
	}
	for i := range arc {
		arc[i] = geometry.Rotation(geometry.Vec{0, 0, 1}, 2).Apply(arc[i]).Add(geometry.Vec{1000, -300})
	}
	l := mustNew(t, Config{Dim: 2, X: arc, Curvature: curvature, Stretching: 5, Bending: 2, Mass: 1, Step: 1})
	f := make([]geometry.Vec, n)
	l.Forces(f)
	for i := range f {
		if f[i].Norm() > 1e-10 { // places of 1,000 are rounded by 10⁻¹³, over l³ = 1/64, times 4 to 6
			t.Errorf("node %d feels %g", i, f[i])
		}
	}
	if e := l.Energy().Bending; e > 1e-18 {
		t.Errorf("the natural shape has a bending energy of %g", e)
	}
	got := make([]float64, n)
	l.Curvature(got)
	for i := 1; i < n-1; i++ {
		if !(got[i] > 0) {
			t.Errorf("the line turns left, at node %d its curvature is %g", i, got[i])
		}
	}
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}

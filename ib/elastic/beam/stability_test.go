package beam

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// Lines without mass, with a stiffness 10⁶ times what an explicit step could take, follow a fluid
// of random velocities for 10⁴ steps without ever moving faster than it, however weakly or
// strongly it pulls.
func TestStiffLinesWithoutMassAreStable(t *testing.T) {
	const n, noise = 33, 0.05 // of the spacing a step
	for _, a := range []float64{1e-3, 1e3} {
		for _, scheme := range []Scheme{BDF2, Euler} {
			for name, c := range map[string]Config{
				"2D, stiff in both":   {Dim: 2, Stretching: 1e6 * a / 2, Bending: 1e6 * a / 8},
				"2D, inextensible":    {Dim: 2, Inextensible: true, Bending: 1e6 * a / 8},
				"3D, a stiff string":  {Dim: 3, Stretching: 1e6 * a / 2},
				"3D, inextensible":    {Dim: 3, Inextensible: true},
				"2D, free and curved": {Dim: 2, Inextensible: true, Bending: 1e6 * a / 8, Curvature: make([]float64, n)},
			} {
				c.X, c.Step, c.Scheme = straight(n, geometry.Vec{}, geometry.Vec{1}, n-1), 1, scheme
				c.First.Kind = Clamped
				if c.Curvature != nil {
					c.First.Kind = Free
					for i := range c.Curvature {
						c.Curvature[i] = 0.1
					}
				}
				l, m, r := mustNew(t, c), medium(n, a), rand.New(rand.NewPCG(1, 2))
				fastest, fluid, strained := 0., 0., 0.
				for step := range 10000 {
					for i := range m.u {
						for d := range c.Dim {
							m.u[i][d] = noise * r.NormFloat64()
						}
						fluid = math.Max(fluid, m.u[i].Norm())
					}
					m.step(t, l)
					if step < 100 && c.Curvature != nil {
						continue // let go straight, it rolls up
					}
					strained = math.Max(strained, l.Strain())
					for _, u := range l.U() {
						fastest = math.Max(fastest, u.Norm())
					}
				}
				// BDF2 of a stiff line overshoots by up to 3/2.
				if !(fastest < 1.5*fluid) {
					t.Errorf("%s, %v, reaction %g: moves with up to %.3g in a fluid of up to %.3g", name, scheme, a, fastest, fluid)
				}
				if stiff := c.Inextensible || c.Stretching > 1e5*a; stiff && !(strained < 1e-3) {
					t.Errorf("%s, %v, reaction %g: strained by %.3g, must keep its length within 10⁻³", name, scheme, a, strained)
				}
			}
		}
	}
}

// columns is a fluid that answers: viscous layers along a hinged line that move with its shape,
// in steps as of a lattice Boltzmann fluid. A force F changes the momentum of the line's layer by
// F, of which half has acted on the velocity u = û + F/2ρ that the line is to have.
type columns struct {
	v, next []float64 // of layers, the line's in the middle
	along   float64   // squared wave number
}

func (f *columns) step(force float64) {
	const nu = 1. / 6
	v := f.v
	v[len(v)/2] += force
	for j := 1; j < len(v)-1; j++ {
		f.next[j] = v[j] + nu*(v[j+1]-2*v[j]+v[j-1]-f.along*v[j])
	}
	f.v, f.next = f.next, v
}

// Line and fluid together are stable for every stiffness and mass, none among them, and
// whatever part ε of the fluid's inertia 2ρ the step is told: nothing is ever larger than it
// was, but for the fluid that a stiff line throws back, and stiff lines come to rest.
func TestLineAndFluidTogetherAreStable(t *testing.T) {
	const n, layers, amplitude = 17, 41, 1e-4
	for _, scheme := range []Scheme{BDF2, Euler} {
		for _, mass := range []float64{0, 0.01, 100} {
			for _, epsilon := range []float64{1, 1e-3} {
				for _, stiff := range []float64{1e-6, 1, 1e6} { // Δt² of the mode's stiffness, over 2ρ
					for _, mode := range []float64{1, 8, 15} {
						q := mode * math.Pi / (n - 1)
						x := straight(n, geometry.Vec{}, geometry.Vec{1}, n-1)
						shape := make([]float64, n)
						for i := range x {
							shape[i] = math.Sin(q * float64(i))
							x[i][1] = amplitude * shape[i]
						}
						along := 4 * math.Pow(math.Sin(q/2), 2)
						c := Config{Dim: 2, X: x, Mass: mass, Bending: stiff * 2 / (along * along), Step: 1, Scheme: scheme}
						c.First.Kind, c.Last.Kind = Hinged, Hinged
						name := fmt.Sprintf("%v, mass %g, ε %g, stiffness %g, mode %g", scheme, mass, epsilon, stiff, mode)
						most, last := withFluid(t, mustNew(t, c), &columns{make([]float64, layers), make([]float64, layers), along}, shape, 2*epsilon)
						if !(most < 1.6*amplitude) {
							t.Errorf("%s: grows to %.3g of what it was", name, most/amplitude)
						}
						if stiff >= 1 && mass < 1 && !(last < 1e-6*amplitude) {
							t.Errorf("%s: %.3g of it is left", name, last/amplitude)
						}
					}
				}
			}
		}
	}
}

// withFluid makes 10⁴ steps of both, and tells the largest deflection and velocity of the mode,
// in all steps and in the last.
func withFluid(t *testing.T, l *Line, f *columns, shape []float64, a float64) (most, last float64) {
	n := l.Len()
	m, force := medium(n, a), make([]geometry.Vec, n)
	mid := 1
	for i := range shape {
		if math.Abs(shape[i]) > math.Abs(shape[mid])+1e-9 {
			mid = i
		}
	}
	for range 10000 {
		u := f.v[len(f.v)/2]
		for i := range m.u {
			m.u[i] = geometry.Vec{0, u * shape[i]}
		}
		if err := l.Step(Fluid{Velocity: m.u, Reaction: m.a}, nil, force); err != nil {
			t.Fatal(err)
		}
		f.step(force[mid][1] / shape[mid])
		last = math.Max(math.Abs(l.X()[mid][1]/shape[mid]), math.Abs(f.v[len(f.v)/2]))
		most = math.Max(most, last)
	}
	return most, last
}

package ellipsoid

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Particles is the state of ellipsoids, an array for each property.
type Particles struct {
	X    []geometry.Vec // centre, nodes; along periodic axes −½ ≤ x < size − ½
	V    []geometry.Vec // velocity, of half a step before
	Axes []Axes         // the body's principal axes in space, the last that of revolution
	L    []geometry.Vec // angular momentum in space, of half a step before

	// Turns is how often a particle has gone around each periodic axis: it has come to X + Turns·size.
	Turns [][3]int32
}

// NewParticles are n at the origin, at rest, their axes those of space.
func NewParticles(n int) Particles {
	p := Particles{make([]geometry.Vec, n), make([]geometry.Vec, n), make([]Axes, n), make([]geometry.Vec, n), make([][3]int32, n)}
	for i := range p.Axes {
		p.Axes[i] = Axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	return p
}

// Len is their number.
func (p *Particles) Len() int { return len(p.X) }

// Axis is the axis of revolution of particle i.
func (p *Particles) Axis(i int) geometry.Vec { return p.Axes[i][2] }

// Shape is an ellipsoid of revolution, in nodes.
type Shape struct {
	Equatorial float64 // semi-axis, of which there are two
	Polar      float64 // semi-axis along the axis of revolution; less: oblate
}

// Volume is 4π/3 a²c.
func (s Shape) Volume() float64 { return 4 * math.Pi / 3 * s.Equatorial * s.Equatorial * s.Polar }

// Inertia is the principal moments of a homogeneous ellipsoid of a mass.
func (s Shape) Inertia(mass float64) geometry.Vec {
	a, c := s.Equatorial*s.Equatorial, s.Polar*s.Polar
	return geometry.Vec{mass / 5 * (a + c), mass / 5 * (a + c), mass / 5 * 2 * a}
}

// check refuses what is no shape.
func (s Shape) check() error {
	for _, a := range []float64{s.Equatorial, s.Polar} {
		if !(a > 0) || math.IsInf(a, 0) {
			return fmt.Errorf("ellipsoid: semi-axes are %g and %g nodes: both must be positive and finite", s.Equatorial, s.Polar)
		}
	}
	return nil
}

// Axes are three unit vectors at right angles, right-handed.
type Axes [3]geometry.Vec

// NewAxes are axes whose last has the direction of u.
func NewAxes(u geometry.Vec) (a Axes) {
	a[2] = u.Scale(1 / u.Norm())
	least := 0
	for k := range u {
		if math.Abs(u[k]) < math.Abs(u[least]) {
			least = k
		}
	}
	var e geometry.Vec
	e[least] = 1
	a[0] = e.Sub(a[2].Scale(e.Dot(a[2])))
	a[0] = a[0].Scale(1 / a[0].Norm())
	a[1] = a[2].Cross(a[0])
	return a
}

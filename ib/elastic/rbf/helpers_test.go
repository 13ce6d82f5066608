package rbf

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"lbmib/geometry"
)

var (
	made   = map[string]*Surface{}
	making sync.Mutex
)

// surface makes a surface once for all tests.
func surface(t testing.TB, kind string, data, samples int) *Surface {
	t.Helper()
	making.Lock()
	defer making.Unlock()
	key := fmt.Sprint(kind, data, samples)
	if s := made[key]; s != nil {
		return s
	}
	var s *Surface
	var err error
	switch kind {
	case "sphere":
		s, err = NewSphere(data, samples, 1)
	case "red cell":
		s, err = NewRedCell(data, samples, 3.91)
	case "ellipsoid":
		s, err = NewSurface(data, samples, ellipsoid)
	}
	if err != nil {
		t.Fatal(err)
	}
	made[key] = s
	return s
}

// axes are an ellipsoid's half axes.
var axes = geometry.Vec{1.2, 1, 0.8}

func ellipsoid(p geometry.Vec) geometry.Vec {
	return geometry.Vec{axes[0] * p[0], axes[1] * p[1], axes[2] * p[2]}
}

// bent is a smooth map of space without any symmetry.
func bent(p geometry.Vec) geometry.Vec {
	return geometry.Vec{
		1.1*p[0] + 0.15*p[1] + 0.1*p[1]*p[2],
		0.95*p[1] - 0.1*p[0]*p[0] + 0.05*p[2],
		1.05*p[2] + 0.1*p[0]*p[1]*p[1] - 0.1*p[0],
	}
}

// flow is a smooth velocity field that strains and turns.
func flow(p geometry.Vec) geometry.Vec {
	return geometry.Vec{
		0.3*p[0] + 0.5*p[1] + 0.2*p[2]*p[2],
		-0.2*p[1] + 0.3*p[0]*p[2],
		0.4*p[0] - 0.1*p[2] + 0.2*p[0]*p[1],
	}
}

// turn is a rotation about no axis in particular.
func turn() geometry.Mat {
	rot := func(a, b int, angle float64) geometry.Mat {
		m := geometry.Identity()
		sin, cos := math.Sincos(angle)
		m[a][a], m[b][b], m[a][b], m[b][a] = cos, cos, -sin, sin
		return m
	}
	return rot(0, 1, 0.7).Mul(rot(1, 2, -1.1)).Mul(rot(0, 2, 0.4))
}

// cell is one cell of a membrane and room for its forces.
type cell struct {
	m       *Membrane
	s       *Scratch
	x, u    []geometry.Vec
	y, f    []geometry.Vec
	surface *Surface
}

func newCell(t testing.TB, s *Surface, material Material) *cell {
	t.Helper()
	m, err := NewMembrane(s, material)
	if err != nil {
		t.Fatal(err)
	}
	c := &cell{m: m, s: m.NewScratch(1), surface: s}
	c.x, c.u = make([]geometry.Vec, s.Data()), make([]geometry.Vec, s.Data())
	c.y, c.f = make([]geometry.Vec, s.Samples()), make([]geometry.Vec, s.Samples())
	copy(c.x, s.at)
	return c
}

// move maps the data sites.
func (c *cell) move(to func(geometry.Vec) geometry.Vec) *cell {
	for i, p := range c.x {
		c.x[i] = to(p)
	}
	return c
}

func (c *cell) forces() { c.m.Forces(c.s, c.x, c.u, c.y, c.f) }

func (c *cell) energy() Energy {
	var e [1]Energy
	c.m.Energies(c.s, c.x, e[:])
	return e[0]
}

// weight is the quadrature's weight of every sample site.
func (s *Surface) weight() []float64 {
	out := make([]float64, s.Samples())
	for _, numbers := range s.samples.number {
		for d, i := range numbers {
			out[i] = s.weights[d]
		}
	}
	return out
}

// slope is the order of convergence between numbers of sites n1 and n2: h ~ n^(−1/2).
func slope(e1, e2 float64, n1, n2 int) float64 {
	return math.Log(e1/e2) / math.Log(math.Sqrt(float64(n2)/float64(n1)))
}

package beam

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
)

// A line that is numbered from its other end moves as before, tensions, supports and damping
// included; what turned left turns right.
func TestBothEndsAreAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const n = 14
	c := Config{Dim: 2, X: wiggly(r, 2, n, 0.8), Mass: 0.6, Stretching: 5, Bending: 0.7, Drag: 0.05, StretchingDamping: 0.3,
		BendingDamping: 0.2, Gravity: geometry.Vec{0.01, -0.02}, First: End{Kind: Clamped}, Last: End{Kind: Hinged}, Step: 0.5}
	m := medium(n, 0)
	for i := range n {
		c.Curvature = append(c.Curvature, 0.3*r.NormFloat64())
		m.u[i], m.a[i] = geometry.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64()}, r.Float64()
		m.load[i] = geometry.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64()}
	}
	back, mirrored := c, surroundings{slices.Clone(m.u), slices.Clone(m.a), slices.Clone(m.load)}
	back.X, back.Curvature = slices.Clone(c.X), slices.Clone(c.Curvature)
	back.First, back.Last = c.Last, c.First
	slices.Reverse(back.X)
	slices.Reverse(back.Curvature)
	for i := range back.Curvature {
		back.Curvature[i] *= -1
	}
	slices.Reverse(mirrored.u)
	slices.Reverse(mirrored.a)
	slices.Reverse(mirrored.load)
	l, other := mustNew(t, c), mustNew(t, back)
	for step := range 50 {
		sin, cos := math.Sincos(0.5 * math.Sin(float64(step)/8))
		at, tangent := c.X[0].Add(geometry.Vec{sin / 3, 0}), geometry.Vec{cos, sin}
		if err := l.Hold(0, at, tangent); err != nil {
			t.Fatal(err)
		}
		if err := other.Hold(1, at, tangent.Scale(-1)); err != nil {
			t.Fatal(err)
		}
		m.step(t, l)
		mirrored.step(t, other)
	}
	same := func(what string, a, b geometry.Vec) {
		if a.Sub(b).Norm() > 1e-10 { // rounding in another order, of numbers near 1
			t.Errorf("%s: %g, from the other end %g", what, a, b)
		}
	}
	k, otherK := make([]float64, n), make([]float64, n)
	l.Curvature(k)
	other.Curvature(otherK)
	for i := range n {
		same(fmt.Sprintf("node %d", i), l.X()[i], other.X()[n-1-i])
		same(fmt.Sprintf("curvature of node %d", i), geometry.Vec{k[i]}, geometry.Vec{-otherK[n-1-i]})
		if i < n-1 {
			same(fmt.Sprintf("tension of segment %d", i), geometry.Vec{l.Tension()[i]}, geometry.Vec{other.Tension()[n-2-i]})
		}
	}
	for e := range 2 {
		force, moment := l.Support(e)
		otherForce, otherMoment := other.Support(1 - e)
		same(fmt.Sprintf("force on end %d", e), force, otherForce)
		same(fmt.Sprintf("moment on end %d", e), moment, otherMoment)
	}
}

// What holds a line that rests bears its weight, its loads and their moments.
func TestSupportsBearTheLoads(t *testing.T) {
	const n = 12
	for dim := 2; dim <= 3; dim++ {
		c := Config{Dim: dim, X: straight(n, geometry.Vec{1, 2}, geometry.Vec{0.6, 0.8}, 3), Mass: 0.2, Stretching: 50, Bending: 4,
			Gravity: geometry.Vec{0.1, -0.3}, First: End{Kind: Clamped}, Last: End{Kind: Clamped}, Step: 0.3}
		m := medium(n, 0.2)
		m.load[4], m.load[9] = geometry.Vec{0.1, 0.2}, geometry.Vec{-0.3, 0.1}
		if dim == 2 {
			c.Curvature = make([]float64, n)
			for i := range c.Curvature {
				c.Curvature[i] = 0.3 + 0.05*float64(i)
			}
		} else {
			m.load[4][2], m.load[9][2], c.Gravity[2] = -0.1, 0.2, 0.1
		}
		l := mustNew(t, c)
		settle(t, l, m, 1e-13)
		var force, moment geometry.Vec
		for i, x := range l.X() {
			f := m.load[i].Add(c.Gravity.Scale(l.mass[i]))
			force, moment = force.Add(f), moment.Add(x.Cross(f))
		}
		for e, x := range [2]geometry.Vec{c.X[0], c.X[n-1]} {
			f, couple := l.Support(e)
			if couple.Norm() < 0.01 {
				t.Errorf("%dD: end %d, which is clamped, bears no moment: %g", dim, e, couple)
			}
			force, moment = force.Sub(f), moment.Sub(x.Cross(f)).Sub(couple)
		}
		if force.Norm() > 1e-10 || moment.Norm() > 1e-10 { // of what still moves
			t.Errorf("%dD: a force %g and a moment %g are not borne", dim, force, moment)
		}
	}
}

// A column that is clamped below buckles under π² k_b/4L² (Euler), not under less.
func TestEulersColumnBuckles(t *testing.T) {
	const n, length, bending, zeta = 33, 2., 0.7, 1.
	q := math.Pi / 2 / length
	critical := bending * q * q
	for _, scheme := range []Scheme{BDF2, Euler} {
		for _, share := range []float64{0.98, 1.02} { // the discrete one is 2·10⁻⁴ less
			c := Config{Dim: 3, X: straight(n, geometry.Vec{}, geometry.Vec{0, 0, 1}, length), Inextensible: true, Bending: bending,
				First: End{Clamped, geometry.Vec{0, 0, 1}}, Scheme: scheme}
			time := 3 * zeta / (0.02 * critical * q * q) // three times that in which a wave would grow by e
			c.Step = time / 2000
			for i := range c.X {
				c.X[i][0] = 1e-4 * (1 - math.Cos(q*c.X[i][2]))
			}
			l, m := mustNew(t, c), medium(n, 0)
			for i := range m.a {
				m.a[i] = zeta * l.Share(i) * c.Step
			}
			m.load[n-1] = geometry.Vec{0, 0, -share * critical}
			for range 2000 {
				m.step(t, l)
			}
			if grown := l.Tip()[0] / 1e-4; grown > 1 != (share > 1) || math.Abs(math.Log(grown)) < 1 {
				t.Errorf("%v: under %g of Euler's load a deflection grows to %g of what it was", scheme, share, grown)
			}
		}
	}
}

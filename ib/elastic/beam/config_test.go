package beam

import (
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
)

// What no line can be made of is refused, with what is wrong, the bound and what to do.
func TestBadLinesAreRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		spoil  func(c *Config)
		phrase string
	}{
		{"no dimension", func(c *Config) { c.Dim = 0 }, "must be 2 or 3"},
		{"two nodes", func(c *Config) { c.X = c.X[:2] }, "2 nodes, a line that bends needs at least 3"},
		{"a velocity too few", func(c *Config) { c.U = make([]geometry.Vec, 4) }, "4 velocities for 5 nodes"},
		{"a length too many", func(c *Config) { c.Lengths = make([]float64, 5) }, "5 reference lengths for 4 segments"},
		{"a curvature too few", func(c *Config) { c.Curvature = make([]float64, 4) }, "4 natural curvatures for 5 nodes"},
		{"no step", func(c *Config) { c.Step = 0 }, "time step 0, must be positive"},
		{"an infinite step", func(c *Config) { c.Step = math.Inf(1) }, "time step +Inf"},
		{"no such scheme", func(c *Config) { c.Scheme = 7 }, "scheme 7, must be BDF2 (0) or Euler (1)"},
		{"negative mass", func(c *Config) { c.Mass = -1 }, "mass per length -1, must be finite and at least 0"},
		{"negative stiffness", func(c *Config) { c.Stretching = -2 }, "stretching stiffness -2"},
		{"infinite stiffness", func(c *Config) { c.Stretching = math.Inf(1) }, "set Inextensible"},
		{"negative bending", func(c *Config) { c.Bending = -3 }, "bending stiffness -3"},
		{"no number", func(c *Config) { c.Drag = math.NaN() }, "drag NaN"},
		{"both", func(c *Config) { c.Inextensible = true }, "stretching stiffness 1 of an inextensible line"},
		{"curvature in space", func(c *Config) { c.Dim, c.Curvature = 3, []float64{0, 1, 0, 0, 0} }, "natural curvature 1 of node 1 in 3D"},
		{"a curvature that is none", func(c *Config) { c.Curvature = []float64{0, 0, math.NaN(), 0, 0} }, "natural curvature of node 2"},
		{"nodes in one place", func(c *Config) { c.X[3] = c.X[2] }, "nodes 2 and 3 are 0 apart"},
		{"a node that is nowhere", func(c *Config) { c.X[1][0] = math.NaN() }, "place of node 1"},
		{"a node off the plane", func(c *Config) { c.X[1][2] = 1 }, "place of node 1 has z = 1"},
		{"a velocity off the plane", func(c *Config) { c.U = make([]geometry.Vec, 5); c.U[4][2] = 2 }, "velocity of node 4 has z = 2"},
		{"gravity off the plane", func(c *Config) { c.Gravity[2] = -1 }, "gravity has z = -1"},
		{"uneven spacing", func(c *Config) { c.X[4][0] = 20 }, "more than 4 times that: space the nodes more evenly"},
		{"a negative length", func(c *Config) { c.Lengths = []float64{1, -1, 1, 1} }, "reference length of segment 1 is -1"},
		{"a crushed segment", func(c *Config) { c.X[1][0] = 0.01; c.Lengths = []float64{1, 1, 1, 1} }, "no less than a tenth"},
		{"no such end", func(c *Config) { c.Last.Kind = 9 }, "last end is of kind 9"},
		{"a tangent that is none", func(c *Config) { c.First = End{Clamped, geometry.Vec{math.Inf(1)}} }, "first end's tangent"},
	} {
		c := Config{Dim: 2, X: straight(5, geometry.Vec{}, geometry.Vec{1}, 4), Mass: 1, Stretching: 1, Bending: 1, Step: 1}
		if _, err := New(c); err != nil {
			t.Fatal(err)
		}
		test.spoil(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), test.phrase) {
			t.Errorf("%s: %v, want an error with %q", test.name, err, test.phrase)
		}
	}
	if _, err := NaturalCurvature([]geometry.Vec{{0}, {1}, {1}}); err == nil {
		t.Error("a natural curvature is found where nodes meet")
	}
	if _, err := NaturalCurvature(nil); err == nil {
		t.Error("a natural curvature is found of no nodes")
	}
}

// A step that cannot be made leaves the line where it is.
func TestBadStepsAreRefused(t *testing.T) {
	const n = 5
	l := mustNew(t, Config{Dim: 2, X: straight(n, geometry.Vec{}, geometry.Vec{1}, 4), Stretching: 1, Bending: 1, First: End{Kind: Hinged}, Step: 1})
	good := medium(n, 1)
	good.load[n-1] = geometry.Vec{0, 0.1}
	good.step(t, l)
	before := l.Save()
	for name, test := range map[string]struct {
		spoil  func(m *surroundings)
		phrase string
	}{
		"neither mass nor reaction":        {func(m *surroundings) { m.a[2] = 0 }, "node 2 has mass 0, drag 0 and the fluid's reaction 0"},
		"a negative reaction":              {func(m *surroundings) { m.a[3] = -1 }, "node 3"},
		"a reaction that is none":          {func(m *surroundings) { m.a[3] = math.NaN() }, "node 3"},
		"a velocity that is none":          {func(m *surroundings) { m.u[1][0] = math.NaN() }, "not finite"},
		"an infinite load":                 {func(m *surroundings) { m.load[4][1] = math.Inf(-1) }, "not finite"},
		"a velocity that is none, at last": {func(m *surroundings) { m.u[n-1][1] = math.NaN() }, "not finite"},
	} {
		m := medium(n, 1)
		test.spoil(&m)
		if err := l.Step(Fluid{Velocity: m.u, Reaction: m.a}, m.load, nil); err == nil || !strings.Contains(err.Error(), test.phrase) {
			t.Errorf("%s: %v, want an error with %q", name, err, test.phrase)
		}
		for i, x := range l.X() {
			if x != before.X[i] {
				t.Errorf("%s: node %d is moved", name, i)
			}
		}
	}
	good.step(t, l)
	want := mustNew(t, Config{Dim: 2, X: straight(n, geometry.Vec{}, geometry.Vec{1}, 4), Stretching: 1, Bending: 1, First: End{Kind: Hinged}, Step: 1})
	if err := want.Restore(before); err != nil {
		t.Fatal(err)
	}
	good.step(t, want)
	for i, x := range l.X() {
		if x != want.X()[i] {
			t.Errorf("node %d goes to %v after steps that were refused, want %v", i, x, want.X()[i])
		}
	}
	for name, err := range map[string]error{
		"a free end":     l.Hold(1, geometry.Vec{}, geometry.Vec{1}),
		"nowhere":        l.Hold(0, geometry.Vec{math.NaN()}, geometry.Vec{1}),
		"off the plane":  l.Hold(0, geometry.Vec{0, 0, 1}, geometry.Vec{1}),
		"without a line": (&Line{ends: [2]support{{kind: Clamped}}}).Hold(0, geometry.Vec{}, geometry.Vec{}),
	} {
		if err == nil {
			t.Errorf("%s is held", name)
		}
	}
}

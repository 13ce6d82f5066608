package beam

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/geometry"
)

// faces are markers on both sides of n nodes, and three on the section at the last.
func faces(n int, thickness float64) (m []Marker) {
	for i := range n {
		m = append(m, Marker{i, thickness / 2, Across}, Marker{i, -thickness / 2, Across})
	}
	return append(m, Marker{n - 1, thickness / 5, Along}, Marker{n - 1, 0, Along}, Marker{n - 1, -thickness / 5, NoWay})
}

// TestMarkersTurnWithTheirSections: their velocities are the rates at which their places change, and the
// fluid's forces at them do the work on nodes that they do at markers (virtual displacements w of nodes): they change the
// nodes' momenta and nothing else, of a line without stiffness. The velocities are linear in the nodes', so that central
// differences of places over ±ε err by ε²; 1e-7 is 1e3 times that of ε = 1e-5.
func TestMarkersTurnWithTheirSections(t *testing.T) {
	const n, mass = 7, 3.
	r := rand.New(rand.NewPCG(7, 1))
	for k, first := range []EndKind{Free, Clamped, Free, Clamped} {
		x := wiggly(r, 2, n, 1)
		u := make([]geometry.Vec, n)
		for i := range u {
			u[i] = geometry.Vec{0.01 * r.NormFloat64(), 0.01 * r.NormFloat64()}
		}
		u[0] = geometry.Vec{}
		m := faces(n, 2.5)
		l := mustNew(t, Config{Dim: 2, X: x, U: u, Mass: mass, Step: 1, Markers: m, First: End{Kind: first}, Scheme: Euler})
		fluid, a, force := make([]geometry.Vec, len(m)), make([]float64, len(m)), make([]geometry.Vec, len(m))
		for k := range m {
			fluid[k] = geometry.Vec{0.05 * r.NormFloat64(), 0.05 * r.NormFloat64()}
			a[k] = 0.5 + r.Float64()
		}
		around := Fluid{Velocity: fluid, Reaction: a}
		if k >= 2 {
			around.Share = make([]float64, len(m))
			for k := range m {
				around.Share[k] = r.Float64()
			}
		}
		if err := l.Step(around, nil, force); err != nil {
			t.Fatal(err)
		}
		moved := func(w []geometry.Vec, by float64) (to []geometry.Vec) { // places where nodes, which the step was made at, are moved
			at := make([]geometry.Vec, n)
			for i := range at {
				at[i] = l.equations.at[i].Add(w[i].Scale(by))
			}
			to = make([]geometry.Vec, len(m))
			l.placesAt(to, at)
			return to
		}
		rates := func(w []geometry.Vec) (v []geometry.Vec) {
			const eps = 1e-5
			above, below := moved(w, eps), moved(w, -eps)
			for k := range above {
				v = append(v, above[k].Sub(below[k]).Scale(1/(2*eps)))
			}
			return v
		}
		normal := make([]geometry.Vec, len(m))
		l.normalsAt(normal, l.equations.at)
		v := make([]geometry.Vec, len(m))
		l.Velocities(v)
		for k, rate := range rates(l.U()) {
			if d := v[k].Sub(rate).Norm(); d > 1e-7 {
				t.Errorf("%v end: marker %d of node %d moves with %v, its place changes by %v", first, k, m[k].Node, v[k], rate)
			}
			slip, share := v[k].Sub(fluid[k]), 1.
			if around.Share != nil && m[k].Facing != NoWay {
				share = around.Share[k]
			}
			want := slip.Scale(share).Add(normal[k].Scale((1 - share) * normal[k].Dot(slip))).Scale(a[k])
			if d := force[k].Sub(want).Norm(); d > 1e-14 {
				t.Errorf("%v end: the force at marker %d is off by %g", first, k, d)
			}
		}
		for range 5 {
			w := make([]geometry.Vec, n)
			for i := range w {
				if first == Free || i > 0 {
					w[i] = geometry.Vec{r.NormFloat64(), r.NormFloat64()}
				}
			}
			work := 0.
			for k, rate := range rates(w) {
				work += force[k].Dot(rate)
			}
			for i := range w {
				work += mass * l.Share(i) * l.U()[i].Sub(u[i]).Dot(w[i])
			}
			if math.Abs(work) > 1e-7 {
				t.Errorf("%v end: forces at markers and the change of momenta differ by %g in their work", first, work)
			}
		}
	}
}

// TestSectionsTurnWithARigidFluid: a straight line that turns with the fluid around it feels nothing but what bends its path:
// forces on the fluid stay below ω² times reaction and length, and on both faces they are the same.
func TestSectionsTurnWithARigidFluid(t *testing.T) {
	const n, omega = 11, 1e-4
	x := straight(n, geometry.Vec{-5}, geometry.Vec{1}, 10)
	u := make([]geometry.Vec, n)
	for i := range u {
		u[i] = geometry.Vec{0, omega * x[i][0]}
	}
	m := faces(n, 3)
	l := mustNew(t, Config{Dim: 2, X: x, U: u, Inextensible: true, Bending: 10, Step: 1, Markers: m})
	at, fluid, a, force := make([]geometry.Vec, len(m)), make([]geometry.Vec, len(m)), make([]float64, len(m)), make([]geometry.Vec, len(m))
	for range 20 {
		l.Predict(at)
		for k := range m {
			fluid[k], a[k] = geometry.Vec{-omega * at[k][1], omega * at[k][0]}, 1
		}
		if err := l.Step(Fluid{Velocity: fluid, Reaction: a}, nil, force); err != nil {
			t.Fatal(err)
		}
		for k := range m {
			if f := force[k].Norm(); f > 10*omega*omega*10 {
				t.Fatalf("marker %d gives %g", k, f)
			}
		}
	}
	turned := math.Atan2(l.Tip()[1], l.Tip()[0])
	near(t, "angle", turned, 20*omega, 1e-6)
}

// TestClampedSectionsFeelMoments: the moment on what clamps a line is that of the fluid's forces on all markers, one at each
// section's faces pulling along the line included, once the line is at rest.
func TestClampedSectionsFeelMoments(t *testing.T) {
	const n = 9
	m := faces(n, 2)
	l := mustNew(t, Config{Dim: 2, X: straight(n, geometry.Vec{}, geometry.Vec{1}, 8), Inextensible: true, Bending: 1e4, Step: 1, Markers: m, First: End{Kind: Clamped}})
	at, fluid, a, force := make([]geometry.Vec, len(m)), make([]geometry.Vec, len(m)), make([]float64, len(m)), make([]geometry.Vec, len(m))
	for k := range m {
		fluid[k], a[k] = geometry.Vec{0.001 * m[k].Across, 0.002}, 1
	}
	for range 200 {
		if err := l.Step(Fluid{Velocity: fluid, Reaction: a}, nil, force); err != nil {
			t.Fatal(err)
		}
	}
	l.Places(at)
	var moment, pull geometry.Vec
	for k := range m {
		pull = pull.Sub(force[k])
		moment = moment.Add(at[k].Cross(force[k].Scale(-1)))
	}
	f, got := l.Support(0)
	if d := f.Sub(pull).Norm(); d > 1e-9*pull.Norm() {
		t.Errorf("the support feels %v, the markers %v", f, pull)
	}
	near(t, "moment", got[2], moment[2], 1e-6) // the line bends by 1e-3 of its length, sections turn with it
}

func TestMarkersOfOtherLinesAreRefused(t *testing.T) {
	for phrase, c := range map[string]Config{
		"marker 1 is of node 5, the line has 0 to 3": {Dim: 2, Markers: []Marker{{}, {Node: 5}}},
		"must be finite":       {Dim: 2, Markers: []Marker{{Across: math.NaN()}}},
		"across a line in 3D":  {Dim: 3, Markers: []Marker{{Across: 1}}},
		"of node -1, the line": {Dim: 3, Markers: []Marker{{Node: -1}}},
	} {
		c.X, c.Step, c.Mass = straight(4, geometry.Vec{}, geometry.Vec{1}, 3), 1, 1
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), phrase) {
			t.Errorf("%v, want %q", err, phrase)
		}
	}
}

package plate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
)

// swing lets a sheet go from a shape that is bent by 10⁻⁶ and finds the frequency of the part of that shape.
func swing(t *testing.T, c Config, shape func(x geometry.Vec) float64, omega float64, periods int) float64 {
	t.Helper()
	const steps = 100 // the scheme slows a vibration by (2π/100)²/3 = 1.3·10⁻³, which is taken off again
	c.Step = 2 * math.Pi / omega / steps
	rest := flat(c)
	c.X, c.U = slices.Clone(rest), make([]geometry.Vec, len(rest))
	for k, x := range rest {
		c.U[k][2] = 1e-6 * omega * shape(x)
	}
	s := mustNew(t, c)
	f := medium(s.Len(), 0)
	var signal []float64
	for range periods * steps {
		step(t, s, f)
		sum := 0.
		for k, x := range s.X() {
			sum += x[2] * shape(rest[k]) * s.Share(k)
		}
		signal = append(signal, sum)
	}
	return 2 * math.Pi / period(signal, c.Step) * (1 + math.Pow(2*math.Pi/steps, 2)/3)
}

// A square plate that is clamped at one edge, ν = 0.3, vibrates with λ √(D/ρ)/L²: λ = 3.471 bent along, 8.508 twisted (Leissa, Vibration of plates,
// NASA SP-160 (1969), and J. Sound Vib. 31 (1973) 257, by Ritz's method 3.4917 and 8.5246, upper bounds).
func TestASquareCantileverVibratesAsLeissas(t *testing.T) {
	lambda := func(n int, twisted bool) float64 {
		c := square(n)
		c.Mass, c.Bending, c.Poisson, c.Stretching, c.Shear = 1, 1, 0.3, 1e3, 1e3
		c.Edges[Left] = Clamped
		if twisted {
			return swing(t, c, func(x geometry.Vec) float64 { return x[0] * x[0] * (2.2 - x[0]) * (x[1] - 0.5) }, 8.508, 3)
		}
		return swing(t, c, func(x geometry.Vec) float64 { return x[0] * x[0] * (2.2 - x[0]) }, 3.471, 3)
	}
	for twisted, want := range map[bool]float64{false: 3.471, true: 8.508} {
		var off []float64
		for _, n := range []int{9, 17} {
			off = append(off, lambda(n, twisted)/want-1)
		}
		t.Logf("twisted %v: off by %+.4f", twisted, off)
		near(t, "frequency of 17 nodes a side over the exact one", 1+off[1], 1, 0.01)
		if math.Abs(off[1]) > 0.5*math.Abs(off[0])+1e-3 {
			t.Errorf("twisted %v: errors %+.4f do not fall with the spacing", twisted, off)
		}
	}
}

// A plate that is hinged all round vibrates with π²(m² + n²) √(D/ρ)/L², whatever ν; nodes h apart with 4/h² (sin² + sin²)(mπh/2).
func TestAHingedPlateVibratesAsNavier(t *testing.T) {
	for _, m := range [][2]float64{{1, 1}, {2, 1}} {
		c := square(13)
		c.Mass, c.Bending, c.Poisson, c.Stretching, c.Shear = 1, 1, 0.3, 1e3, 1e3
		c.Edges = [4]EdgeKind{Hinged, Hinged, Hinged, Hinged}
		h := c.Spacing[0]
		want := math.Pi * math.Pi * (m[0]*m[0] + m[1]*m[1])
		shape := func(x geometry.Vec) float64 {
			return math.Sin(m[0]*math.Pi*x[0]) * math.Sin(m[1]*math.Pi*x[1])
		}
		got := swing(t, c, shape, want, 3)
		near(t, fmt.Sprintf("mode %v", m), got, want, 0.02)
		// X₁₂ in cells is between the nodes: cos² (mπh/2) of it is left, O(h²).
		s1, s2 := math.Sin(m[0]*math.Pi*h/2), math.Sin(m[1]*math.Pi*h/2)
		near(t, fmt.Sprintf("mode %v of nodes that far apart", m), got, 4/(h*h)*(s1*s1+s2*s2), 5e-4)
	}
}

// A strip that is wide across, ν = 0, is a beam: 1.8751² √(D/ρ)/L².
func TestAWideStripIsABeam(t *testing.T) {
	c := Config{Nodes: [2]int{21, 7}, Spacing: [2]float64{0.05, 0.1}, Mass: 1, Bending: 1, Stretching: 1e3, Shear: 500}
	c.Edges[Left] = Clamped
	want := 1.8751041 * 1.8751041
	near(t, "frequency", swing(t, c, func(x geometry.Vec) float64 { return x[0] * x[0] * (2.2 - x[0]) }, want, 4), want, 0.003)
}

// A free sheet keeps its momentum, to what conjugate gradients leave. BDF2's momentum of a mass is M(3U − U⁻)/2 from the second
// step on.
func TestAFreeSheetKeepsItsMomentum(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	c := square(9)
	c.Mass, c.Bending, c.Poisson, c.Stretching, c.Shear, c.Step = 1, 1e-3, 0.3, 5, 2, 0.05
	c.X, c.U = crumpled(r, c, 0.05), make([]geometry.Vec, 81)
	for k := range c.U {
		c.U[k] = geometry.Vec{r.Float64(), r.Float64(), r.Float64()}
	}
	s := mustNew(t, c)
	f := medium(s.Len(), 0)
	var first geometry.Vec
	for n := range 300 {
		before := slices.Clone(s.U())
		step(t, s, f)
		var p geometry.Vec
		for k, u := range s.U() {
			p = p.Add(u.Scale(1.5).Sub(before[k].Scale(0.5)).Scale(s.mass[k]))
		}
		if n == 1 {
			first = p
		}
		if d := p.Sub(first).Norm(); n > 1 && d > 1e-11 {
			t.Fatalf("step %d: momentum %v has changed by %g", n, p, d)
		}
	}
}

// Without damping BDF2 loses energy of what Δt resolves alone: of a vibration of 200 steps π(2π/200)³ a period, and makes none.
func TestBDF2KeepsTheEnergyOfSlowVibrations(t *testing.T) {
	c := square(9)
	c.Mass, c.Bending, c.Stretching, c.Shear = 1, 1, 1e3, 1e3
	c.Edges[Left] = Clamped
	const steps = 200
	c.Step = 2 * math.Pi / 3.516 / steps
	c.U = make([]geometry.Vec, 81)
	for k, x := range flat(c) {
		c.U[k][2] = 1e-3 * x[0] * x[0] * (2.2 - x[0])
	}
	s := mustNew(t, c)
	f := medium(s.Len(), 0)
	for range 2 * steps {
		step(t, s, f)
	}
	before := s.Energy().Total()
	for range 5 * steps {
		step(t, s, f)
	}
	lost := (1 - s.Energy().Total()/before) / 5
	if want := 2 * math.Pi / 2 * math.Pow(2*math.Pi/steps, 3) * 2; !(lost > 0 && lost < 3*want) { // higher modes lose more
		t.Errorf("a period takes %g of the energy, of the mode alone %g", lost, want)
	}
}

// A sheet that hangs from an edge has the tension ρ g (L − s) there and is at rest; an edge bears its weight.
func TestAHangingSheetBearsItsWeight(t *testing.T) {
	c := square(11)
	c.Mass, c.Stretching, c.Shear, c.Gravity, c.Step, c.Drag = 2, 1e3, 300, geometry.Vec{3}, 0.05, 5
	c.Edges[Left] = Hinged
	s := mustNew(t, c)
	f := medium(s.Len(), 0)
	for range 400 {
		step(t, s, f)
	}
	if d := s.Support().Sub(geometry.Vec{6}).Norm(); d > 1e-9 {
		t.Errorf("the edge bears %v of a weight of 6", s.Support())
	}
	for k := range s.edges {
		e := &s.edges[k]
		if e.block != east {
			continue
		}
		i, _ := s.at(e.a)
		near(t, fmt.Sprintf("tension of edge %d", i), s.stress.tension[k], 6*(1-(float64(i)+0.5)*c.Spacing[0]), 1e-6)
	}
}

// Sheets of every mass, 0 among them, and of stiffnesses far beyond explicit limits stay bounded in a fluid that answers.
func TestStiffAndLightSheetsAreStable(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, scheme := range []Scheme{BDF2, Euler} {
		for _, mass := range []float64{0, 0.01, 1, 100} {
			for _, stiff := range []float64{1e-4, 1, 1e3, 1e6} {
				c := Config{Nodes: [2]int{7, 8}, Spacing: [2]float64{1, 1}, Mass: mass, Bending: stiff, Poisson: 0.4, Stretching: 10 * stiff, Shear: 3 * stiff, Step: 1, Scheme: scheme}
				c.Edges[Left] = []EdgeKind{Free, Hinged, Clamped}[r.IntN(3)]
				s := mustNew(t, c)
				f := medium(s.Len(), 2)
				f.Share = make([]float64, s.Len())
				for k := range f.Share {
					f.Share[k] = 0.2 + 0.8*r.Float64()
				}
				for n := range 150 {
					for k := range f.Velocity {
						f.Velocity[k] = geometry.Vec{}
						if n < 20 {
							f.Velocity[k] = geometry.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64(), 0.1 * r.NormFloat64()}
						}
					}
					step(t, s, f)
				}
				fast := 0.
				for _, u := range s.U() {
					fast = math.Max(fast, u.Norm())
				}
				if fast > 0.02 || s.Strain() > 0.5 && stiff > 1e-4 { // what is softer than the fluid is strained by the pushes
					t.Errorf("%v, mass %g, stiffness %g: 130 steps after the last push it moves with %g, strained by %g", scheme, mass, stiff, fast, s.Strain())
				}
			}
		}
	}
}

// Conjugate gradients by the nodes' own blocks and by the factors of the whole matrix lead to the same.
func TestBothPreconditionersLeadToTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, nodes := range [][2]int{{7, 5}, {5, 7}} {
		c := Config{Nodes: nodes, Spacing: [2]float64{0.2, 0.25}, Mass: 1, Stretching: 10, Shear: 4, Bending: 0.02, Poisson: 0.3, Step: 0.1}
		c.Edges[Bottom] = Clamped
		c.X = crumpled(r, c, 0.1)
		s := mustNew(t, c)
		step(t, s, medium(s.Len(), 0.1))
		q := &s.equations
		v := [2][]geometry.Vec{make([]geometry.Vec, len(q.rhs)), make([]geometry.Vec, len(q.rhs))}
		for k := range v {
			if !q.solveBy(k == 1, v[k], q.rhs) {
				t.Fatalf("%v, way %d: no solution", nodes, k)
			}
			t.Logf("%v: %d rounds", nodes, q.rounds)
		}
		for k := range v[0] {
			if d := v[0][k].Sub(v[1][k]).Norm(); d > 1e-12 { // of velocities about 1
				t.Errorf("node %d differs by %g", k, d)
			}
		}
	}
}

// The force on the fluid is what the sheet's momentum lacks, held edges apart.
func TestTheFluidGetsWhatTheSheetLoses(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	c := square(7)
	c.Mass, c.Bending, c.Stretching, c.Shear, c.Step = 0.7, 1e-3, 5, 2, 0.05
	c.X = crumpled(r, c, 0.05)
	c.Scheme = Euler
	s := mustNew(t, c)
	f := medium(s.Len(), 0.02)
	f.Share = make([]float64, s.Len())
	for k := range f.Velocity {
		f.Velocity[k], f.Share[k] = geometry.Vec{r.Float64(), r.Float64(), r.Float64()}, r.Float64()
	}
	force := make([]geometry.Vec, s.Len())
	for range 10 {
		before := slices.Clone(s.U())
		if err := s.Step(f, nil, force); err != nil {
			t.Fatal(err)
		}
		var sum geometry.Vec
		for k := range force {
			sum = sum.Add(force[k].Scale(c.Step)).Add(s.U()[k].Sub(before[k]).Scale(s.mass[k]))
		}
		if sum.Norm() > 1e-12 {
			t.Errorf("momentum %v comes from nowhere", sum)
		}
	}
}

func TestASheetGoesOnWhereItWasSaved(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	c := square(7)
	c.Mass, c.Bending, c.Stretching, c.Shear, c.Step = 0.7, 1e-3, 5, 2, 0.05
	c.Edges[Left] = Clamped
	c.X = crumpled(r, c, 0.02)
	a, b := mustNew(t, c), mustNew(t, c)
	f := medium(a.Len(), 0.01)
	for range 20 {
		step(t, a, f)
	}
	if err := b.Restore(a.Save()); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		step(t, a, f)
		step(t, b, f)
	}
	if !slices.Equal(a.X(), b.X()) || !slices.Equal(a.U(), b.U()) {
		t.Error("it goes elsewhere")
	}
	broken := a.Save()
	broken.X[3][1] = math.NaN()
	if b.Restore(broken) == nil {
		t.Error("a place that is no number is taken")
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	for _, stretching := range []float64{5, 5e6} {
		c := square(7)
		c.Mass, c.Bending, c.Stretching, c.Shear, c.Step = 0.7, 1e-3, stretching, 2, 0.05
		s := mustNew(t, c)
		f := medium(s.Len(), 0.01)
		step(t, s, f)
		if n := testing.AllocsPerRun(20, func() { step(t, s, f) }); n > 0 {
			t.Errorf("%v allocations a step", n)
		}
	}
}

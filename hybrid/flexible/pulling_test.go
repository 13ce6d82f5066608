package flexible

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic/beam"
)

// vacuum is bodies and lines without a fluid about them.
type vacuum struct {
	t      *testing.T
	dim    int
	system *rigid.System
	joined []*rigid.Joined
	steps  int
	undoes bool // takes every step back at first
}

func inVacuum(t *testing.T, dim int, bodies ...*rigid.Body) *vacuum {
	t.Helper()
	s, err := rigid.NewSystem(bodies, rigid.Domain{Dim: dim, Size: [3]int{1000, 1000, 1000}}, rigid.Contact{})
	if err != nil {
		t.Fatal(err)
	}
	return &vacuum{t: t, dim: dim, system: s, joined: rigid.Join(bodies)}
}

// step is one of a coupling whose markers feel nothing.
func (v *vacuum) step() {
	v.t.Helper()
	v.steps++
	at := float64(v.steps)
	for range 2 {
		v.system.Save()
		if err := v.system.Advance(at); err != nil {
			v.t.Fatal(err)
		}
		if !v.undoes {
			break
		}
		v.system.Restore()
		v.undoes = false
		defer func() { v.undoes = true }()
	}
	for _, b := range v.system.Bodies {
		b.Place()
		if b.Structure != nil {
			n := b.Markers.Len()
			if err := b.Structure.Solve(make([]geometry.Vec, n), make([]float64, n), nil, at); err != nil {
				v.t.Fatal(err)
			}
		}
	}
	for _, j := range v.joined {
		for _, b := range j.Bodies {
			j.Felt(b, &rigid.MarkerEquations{})
		}
		if err := j.Solve(at, v.dim); err != nil {
			v.t.Fatal(err)
		}
	}
}

// ball is a circle or a sphere that moves freely.
func ball(t *testing.T, dim int, at geometry.Vec, radius float64, f *rigid.Free) *rigid.Body {
	t.Helper()
	var s geometry.Shape
	var err error
	if dim == 2 {
		s, err = geometry.NewCircle(at, 2*radius)
	} else {
		s, err = geometry.NewSphere(at, 2*radius)
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := rigid.NewBody(fmt.Sprintf("ball at %g", at), s, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	b.Free = f
	return b
}

// strip is a line of n nodes from one place to another.
func strip(t *testing.T, c beam.Config, n int, from, to geometry.Vec, holds [2]Hold) *rigid.Body {
	t.Helper()
	c.Step = 1
	for i := range n {
		c.X = append(c.X, from.Add(to.Sub(from).Scale(float64(i)/float64(n-1))))
	}
	f, err := NewFilament(c, 0, 1, holds)
	if err != nil {
		t.Fatal(err)
	}
	s, err := geometry.NewLine(c.X)
	if c.Dim == 3 {
		s, err = geometry.NewFibre(c.X)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f.Body("strip", s)
}

// modes are the two frequencies of a body of mass m and moment of inertia j at the tip of a cantilever without mass, whose centre is
// an arm beyond the tip, and the ratios of its spin to its velocity. Of the tip's deflection w and slope θ the stiffness is
// EI/L³ [[12, −6L], [−6L, 4L²]], and the centre moves by w + arm θ.
func modes(ei, l, m, j, arm float64) (omega, ratio [2]float64) {
	k := ei / (l * l * l)
	a, b := 12*k, -6*l*k-12*arm*k
	c := 4*l*l*k + 12*l*arm*k + 12*arm*arm*k
	// (a − ω²m)(c − ω²j) = b²
	p, q := a/m+c/j, (a*c-b*b)/(m*j)
	for i, sign := range []float64{-1, 1} {
		square := p/2 + sign*math.Sqrt(p*p/4-q)
		omega[i], ratio[i] = math.Sqrt(square), (square*m-a)/b
	}
	return omega, ratio
}

// TestABodyOnACantileverVibratesAsOneShould: both modes of a body that is clamped to the end of a beam have their frequencies, so that the
// forces and the moments that bend it are right, and lose as little as the line's own scheme takes: πz³/2 of the amplitude in a period at a
// phase z a step. The line has 3·10⁻⁴ of the body's mass, which makes modes slower by less than 10⁻⁴, and 31 nodes, whose spacing is good for 10⁻³.
func TestABodyOnACantileverVibratesAsOneShould(t *testing.T) {
	const length, radius, density, steps = 30., 4., 3., 200
	for dim := 2; dim <= 3; dim++ {
		for mode := range 2 {
			tip := geometry.Vec{100 + length, 100, 100}
			at := tip.Add(geometry.Vec{radius})
			if dim == 2 {
				tip[2], at[2] = 0, 0
			}
			f := &rigid.Free{Density: density}
			b := ball(t, dim, at, radius, f)
			m, j := density*b.Shape.Enclosed(), density*b.Shape.Inertia()[2][2]
			omega, _ := modes(1, length, m, j, radius)
			ei := math.Pow(2*math.Pi/steps/omega[mode], 2) // a period of so many steps
			omega, ratio := modes(ei, length, m, j, radius)
			u := 1e-3 / math.Max(1, math.Abs(ratio[mode])*radius) // turning by less than 0.01, beyond which modes are not linear
			f.Velocity, f.Spin = geometry.Vec{0, u}, geometry.Vec{0, 0, u * ratio[mode]}
			line := strip(t, beam.Config{Dim: dim, Mass: 3e-4 * m / length, Stretching: 1e4 * ei, Bending: ei, First: beam.End{Kind: beam.Clamped}, Last: beam.End{Kind: beam.Clamped}},
				31, geometry.Vec{tip[0] - length, tip[1], tip[2]}, tip, [2]Hold{1: {Base: b}})
			v := inVacuum(t, dim, line, b)
			var y []float64
			for range 6 * steps {
				v.step()
				here := b.Here() // without what there is of the other mode: the two are orthogonal in the inertia
				y = append(y, m*(here.Position[1]-at[1])+j*ratio[mode]*math.Asin(here.Rotation[1][0]))
			}
			first, last, count, most := 0., 0., -1, [2]float64{}
			for i := 1; i < len(y); i++ {
				if y[i-1]*y[i] < 0 {
					last = float64(i-1) + y[i-1]/(y[i-1]-y[i])
					if count++; count == 0 {
						first = last
					}
				}
				if i < steps {
					most[0] = math.Max(most[0], math.Abs(y[i]))
				} else if i >= 5*steps {
					most[1] = math.Max(most[1], math.Abs(y[i]))
				}
			}
			period := 2 * (last - first) / float64(count)
			if d := period/steps - 1; math.Abs(d) > 3e-3 {
				t.Errorf("%dD, mode %d: period of %.5g steps, want %d", dim, mode+1, period, steps)
			}
			if loss := 1 - most[1]/most[0]; math.Abs(loss) > 5e-3 {
				t.Errorf("%dD, mode %d: %.3g of the amplitude lost in 5 periods", dim, mode+1, loss)
			}
			t.Logf("%dD, mode %d: period of %.5g steps, %d expected, amplitude %.4g, then %.4g", dim, mode+1, period, steps, most[0], most[1])
		}
	}
}

// TestTwoBodiesOnALine: a dumbbell, two bodies of different mass at the ends of a line, turns about its centre of mass, which goes on as it
// did, and the line bears m ω² r. The line is hinged to the one and clamped to the other, off their centres. The order of what is
// put into the system has no effect but rounding, and a step that is taken back has none.
func TestTwoBodiesOnALine(t *testing.T) {
	const length, radius = 20., 3.
	for dim := 2; dim <= 3; dim++ {
		var places [2][2]geometry.Vec
		for order := range 2 {
			from := geometry.Vec{100, 100, 100}
			if dim == 2 {
				from[2] = 0
			}
			to := from.Add(geometry.Vec{length})
			a := ball(t, dim, from.Sub(geometry.Vec{radius}), radius, &rigid.Free{Density: 2})
			b := ball(t, dim, to.Add(geometry.Vec{radius}), radius, &rigid.Free{Density: 0.5})
			apart := b.Shape.Center().Sub(a.Shape.Center()).Norm()
			ma, mb := 2*a.Shape.Enclosed(), 0.5*b.Shape.Enclosed()
			const omega = 2e-3
			spin, drift := geometry.Vec{0, 0, omega}, geometry.Vec{0.001, 0.002}
			center := a.Shape.Center().Add(geometry.Vec{apart * mb / (ma + mb)})
			for _, of := range []*rigid.Body{a, b} {
				of.Free.Spin, of.Free.Velocity = spin, drift.Add(spin.Cross(of.Shape.Center().Sub(center)))
			}
			c := beam.Config{Dim: dim, Mass: 1e-5, Inextensible: true, Bending: 1, First: beam.End{Kind: beam.Hinged}, Last: beam.End{Kind: beam.Clamped}}
			for i := range 11 {
				x := from.Add(geometry.Vec{length * float64(i) / 10})
				c.U = append(c.U, drift.Add(spin.Cross(x.Sub(center))))
			}
			line := strip(t, c, 11, from, to, [2]Hold{{Base: a}, {Base: b}})
			all := []*rigid.Body{a, b, line}
			if order == 1 {
				all = []*rigid.Body{line, b, a}
			}
			v := inVacuum(t, dim, all...)
			v.undoes = order == 1
			momentum := func() geometry.Vec {
				p := a.Here().Velocity.Scale(ma).Add(b.Here().Velocity.Scale(mb))
				f := line.Structure.(*Filament)
				for i, u := range f.Line.U() {
					p = p.Add(u.Scale(1e-5 * f.Line.Share(i)))
				}
				return p
			}
			first := momentum()
			for range 1500 { // half a turn
				v.step()
			}
			for e, of := range []*rigid.Body{a, b} {
				places[order][e] = of.Here().Position
			}
			if d := momentum().Sub(first).Norm() / first.Norm(); d > 1e-6 { // the scheme's is (3 M U − M U⁻)/2: turning changes the difference of the two, M (U − U⁻)/2
				t.Errorf("%dD: momentum has changed by %.3g of itself", dim, d)
			}
			at := a.Here().Position.Scale(ma / (ma + mb)).Add(b.Here().Position.Scale(mb / (ma + mb)))
			if d := at.Sub(center).Sub(drift.Scale(1500)).Norm(); d > 0.01 {
				t.Errorf("%dD: the centre of mass is %.3g nodes away from where it goes to by itself", dim, d)
			}
			if d := b.Here().Position.Sub(a.Here().Position).Norm() - apart; math.Abs(d) > 0.02 {
				t.Errorf("%dD: the bodies are %.3g nodes farther apart", dim, d)
			}
			tension := line.Structure.(*Filament).Line.Tension()[5]
			if want := ma * omega * omega * apart * mb / (ma + mb); math.Abs(tension/want-1) > 0.02 {
				t.Errorf("%dD: tension %.4g, want m ω² r = %.4g", dim, tension, want)
			}
		}
		for e := range 2 {
			if d := places[0][e].Sub(places[1][e]).Norm(); d > 1e-6 { // of a line that keeps its length
				t.Errorf("%dD: in another order body %d comes to be %.3g nodes away", dim, e, d)
			}
		}
	}
}

// TestAChainOfBodies: bodies that lines join one after the other, some by two lines and one to itself, are solved for at once, as all are
// by elimination with pivots.
func TestAChainOfBodies(t *testing.T) {
	var all, bodies []*rigid.Body
	for i := range 4 {
		b := ball(t, 2, geometry.Vec{100 + 20*float64(i%2), 100 + 20*float64((i+i/2)%2)}, 3, &rigid.Free{Density: 1 + 0.3*float64(i), Spin: geometry.Vec{0, 0, 1e-3 * float64(i)}})
		bodies = append(bodies, b)
	}
	for i, ends := range [][2]int{{0, 1}, {2, 1}, {3, 0}, {2, 2}, {0, 1}} {
		from, to := bodies[ends[0]].Shape.Center(), bodies[ends[1]].Shape.Center()
		if between := to.Sub(from); between.Norm() > 0 {
			from, to = from.Add(between.Scale(0.15)), to.Sub(between.Scale(0.1))
		} else {
			from, to = from.Sub(geometry.Vec{1, 2}), to.Add(geometry.Vec{1, 2})
		}
		line := strip(t, beam.Config{Dim: 2, Mass: 0.2, Stretching: 1, Bending: 1, First: beam.End{Kind: beam.Clamped}, Last: beam.End{Kind: beam.EndKind(1 + i%2)}}, 9, from, to,
			[2]Hold{{Base: bodies[ends[0]]}, {Base: bodies[ends[1]]}})
		all = append(all, line)
	}
	v := inVacuum(t, 2, append(slices.Clone(all), bodies...)...)
	if len(v.joined) != 1 || !slices.Equal(v.joined[0].Bodies, bodies) || !slices.Equal(v.joined[0].Structures, all) {
		t.Fatalf("%d groups: %+v", len(v.joined), v.joined)
	}
	past := map[*rigid.Body]geometry.Vec{}
	sum := func() (p geometry.Vec) {
		for _, b := range bodies {
			p = p.Add(b.Here().Velocity.Scale(3).Sub(past[b]).Scale(b.Free.Density * b.Shape.Enclosed() / 2))
		}
		for _, b := range all {
			f := b.Structure.(*Filament)
			s := f.Line.Save()
			for i, u := range s.U {
				p = p.Add(u.Scale(3).Sub(s.UBefore[i]).Scale(0.2 * f.Line.Share(i) / 2))
			}
		}
		return p
	}
	v.step()
	var first geometry.Vec
	for n := range 300 {
		for _, b := range bodies {
			past[b] = b.Here().Velocity
		}
		v.step()
		if n == 0 {
			first = sum()
		}
		if d := sum().Sub(first).Norm(); d > 1e-11 { // rounding
			t.Fatalf("step %d: momentum has changed by %.3g", n, d)
		}
	}
	moved := 0.
	for _, b := range bodies {
		moved = math.Max(moved, b.Here().Position.Sub(b.Shape.Center()).Norm())
	}
	if moved < 0.01 {
		t.Errorf("bodies have moved by %.3g nodes, should have by some", moved)
	}
}

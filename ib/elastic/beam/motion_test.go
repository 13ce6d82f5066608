package beam

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// A stiff line that swings from a hinge by 90° to either side is a physical pendulum: its period
// is 2π√(I/Mgs)·(2/π)K(sin 45°), and it keeps its length.
func TestALineSwingsAsAPendulum(t *testing.T) {
	const n, length, mass, g, steps = 11, 2., 0.7, 3., 400
	for dim := 2; dim <= 3; dim++ {
		level := geometry.Vec{1, 0, 0}
		if dim == 3 {
			level = geometry.Vec{0.6, 0, 0.8}
		}
		c := Config{Dim: dim, X: straight(n, geometry.Vec{}, level, length), Mass: mass, Inextensible: true, Bending: 1e4, Gravity: geometry.Vec{0, -g}, First: End{Kind: Hinged}, Step: 1}
		inertia, moment := 0., 0.
		for i, l := 0, mustNew(t, c); i < n; i++ {
			s := length * float64(i) / (n - 1)
			inertia, moment = inertia+l.mass[i]*s*s, moment+l.mass[i]*s
		}
		want := 4 * math.Sqrt(inertia/(moment*g)) * ellipticF(math.Pi/2, math.Sin(math.Pi/4))
		c.Step = want / steps
		l, m := mustNew(t, c), medium(n, 0)
		var signal []float64
		strained, solves := 0., 0
		for range 5 * steps {
			m.step(t, l)
			signal = append(signal, l.Tip().Dot(level))
			strained, solves = math.Max(strained, l.Strain()), max(solves, l.Solves())
		}
		near(t, "period of a pendulum", period(signal, c.Step), want, 1e-3) // BDF2 with 400 steps in it
		// A step turns the line by up to 0.02, which the extrapolated places know but for 0.02².
		if strained > 1e-6 || solves > 1 {
			t.Errorf("%dD: strained by %g, %d solves in a step", dim, strained, solves)
		}
	}
}

// Also large motions are of second order in Δt with BDF2, of first with Euler's scheme: here a
// chain that falls from the level, as springs and without stretching.
func TestLargeMotionsConvergeInTime(t *testing.T) {
	const n, g, end = 9, 1., 1.5
	for _, scheme := range []Scheme{BDF2, Euler} {
		for _, inextensible := range []bool{false, true} {
			tip := func(steps int) geometry.Vec {
				c := Config{Dim: 2, X: straight(n, geometry.Vec{}, geometry.Vec{1}, 2), Mass: 1, Bending: 0.02, Gravity: geometry.Vec{0, -g},
					First: End{Kind: Hinged}, Step: end / float64(steps), Scheme: scheme, Inextensible: inextensible}
				if !inextensible {
					c.Stretching = 20
				}
				l, m := mustNew(t, c), medium(n, 0)
				for range steps {
					m.step(t, l)
				}
				return l.Tip()
			}
			a, b, c := tip(400), tip(800), tip(1600)
			order := math.Log2(a.Sub(b).Norm() / b.Sub(c).Norm())
			t.Logf("%v, inextensible %v: tip at %.5f, order %.2f", scheme, inextensible, c, order)
			if want := map[Scheme]float64{BDF2: 2, Euler: 1}[scheme]; math.Abs(order-want) > 0.2 {
				t.Errorf("%v, inextensible %v: order %.2f, want %g", scheme, inextensible, order, want)
			}
		}
	}
}

// A free line falls as a stone, and no momentum is lost between it and the fluid: what the
// schemes keep is M(βU′ − U*).
func TestMomentumIsConserved(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const n = 15
	for _, scheme := range []Scheme{BDF2, Euler} {
		for dim := 2; dim <= 3; dim++ {
			c := Config{Dim: dim, X: wiggly(r, dim, n, 0.8), Mass: 0.9, Inextensible: true, Bending: 2, Gravity: geometry.Vec{0.1, -0.2}, Step: 0.5, Scheme: scheme}
			l := mustNew(t, c)
			m, force := medium(n, 0.3), make([]geometry.Vec, n)
			for i := range m.u {
				for a := range dim {
					m.u[i][a], m.load[i][a] = 0.1*r.NormFloat64(), 0.1*r.NormFloat64()
				}
			}
			momentum := func() (p geometry.Vec) { // of the velocity that the scheme differentiates
				for i, u := range l.U() {
					if scheme == BDF2 {
						u = u.Scale(3).Sub(l.before.u[i]).Scale(0.5)
					}
					p = p.Add(u.Scale(l.mass[i]))
				}
				return p
			}
			if err := l.Step(Fluid{Velocity: m.u, Reaction: m.a}, m.load, force); err != nil { // BDF2 begins with a step of Euler's
				t.Fatal(err)
			}
			for range 20 {
				before := momentum()
				if err := l.Step(Fluid{Velocity: m.u, Reaction: m.a}, m.load, force); err != nil {
					t.Fatal(err)
				}
				gain, size := momentum().Sub(before), 0.
				for i := range force {
					given := m.load[i].Add(c.Gravity.Scale(l.mass[i])).Sub(force[i]).Scale(c.Step)
					gain, size = gain.Sub(given), size+given.Norm()
				}
				// Rounding, 10⁻¹⁶, of a stiffness 10⁷ times the inertia, at a start that changes U by 0.1.
				if gain.Norm() > 1e-8*size {
					t.Errorf("%v, %dD: momentum %g comes from nowhere, of %g", scheme, dim, gain, size)
				}
			}
		}
	}
}

// A body that moves at a constant velocity carries its line along, unbent, and without force but
// for its start.
func TestAMovingBodyCarriesItsLine(t *testing.T) {
	const n = 21
	v := geometry.Vec{0.03, -0.04, 0.02}
	for _, inextensible := range []bool{false, true} {
		c := Config{Dim: 3, X: straight(n, geometry.Vec{5, 5, 5}, geometry.Vec{0, 0.6, 0.8}, 10), Mass: 0.5, Bending: 0.3, Inextensible: inextensible, First: End{Kind: Clamped}, Step: 1}
		if !inextensible {
			c.Stretching = 2
		}
		for range n {
			c.U = append(c.U, v)
		}
		l, m := mustNew(t, c), medium(n, 0.5)
		for i := range m.u {
			m.u[i] = v
		}
		for step := range 500 {
			if err := l.Hold(0, c.X[0].Add(v.Scale(float64(step+1))), geometry.Vec{0, 0.6, 0.8}); err != nil {
				t.Fatal(err)
			}
			m.step(t, l)
		}
		for i, x := range l.X() {
			if off := x.Sub(c.X[i]).Sub(v.Scale(500)).Norm(); off > 1e-11 {
				t.Errorf("node %d is %g away from where the body carries it", i, off)
			}
		}
		if force, moment := l.Support(0); force.Norm() > 1e-10 || moment.Norm() > 1e-10 {
			t.Errorf("a line that is carried along bears %g, %g on its body", force, moment)
		}
	}
}

// A line without mass on a body that turns with the fluid turns with them. The steps of BDF2 take
// turning for a spiral of error (ΩΔt)², so does the clamp's stiffness hold it back.
func TestATurningBodyCarriesItsLine(t *testing.T) {
	const n, steps, radius = 17, 400, 3.
	for _, dim := range []int{2, 3} {
		axis := geometry.Vec{0, 0, 1}
		if dim == 3 {
			axis = geometry.Vec{1. / 3, 2. / 3, 2. / 3}
		}
		ray := geometry.Vec{0.8, 0.6, 0}
		if dim == 3 {
			ray = geometry.Vec{2. / 3, -2. / 3, 1. / 3}
		}
		c := Config{Dim: dim, X: straight(n, ray.Scale(radius), ray, 4), Inextensible: true, Bending: 0.5, First: End{Kind: Clamped}, Step: 1}
		l, m := mustNew(t, c), medium(n, 0.5)
		omega := 2 * math.Pi / steps
		for step := range steps {
			turned := geometry.Rotation(axis, omega*float64(step+1))
			for i := range m.u {
				m.u[i] = axis.Scale(omega).Cross(turned.Apply(c.X[i]))
			}
			if err := l.Hold(0, turned.Apply(c.X[0]), turned.Apply(ray)); err != nil {
				t.Fatal(err)
			}
			m.step(t, l)
		}
		for i, x := range l.X() {
			if off := x.Sub(c.X[i]).Norm(); off > 4*omega*omega*(radius+4) {
				t.Errorf("%dD: after a turn node %d is %g away from where it began", dim, i, off)
			}
		}
	}
}

// Lines are stepped in any order by any number of workers to the same bits.
func TestAnyWorkersGiveTheSameBits(t *testing.T) {
	const lines, steps = 9, 60
	run := func(workers int, order []int) (x [][]geometry.Vec) {
		all := make([]*Line, lines)
		media := make([]surroundings, lines)
		for k := range all {
			all[k], media[k] = flapping(t, 2+k%2, 12+k, k%3 > 0)
		}
		pool := parallel.NewPool(workers)
		defer pool.Close()
		for range steps {
			pool.Run(func(w int) {
				for k := w; k < lines; k += workers {
					l := order[k]
					if err := all[l].Step(Fluid{Velocity: media[l].u, Reaction: media[l].a}, media[l].load, nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for _, l := range all {
			x = append(x, l.X())
		}
		return x
	}
	forward := make([]int, lines)
	for k := range forward {
		forward[k] = k
	}
	want := run(1, forward)
	for workers := 1; workers <= 4; workers++ {
		got := run(workers, rand.New(rand.NewPCG(uint64(workers), 0)).Perm(lines))
		for k := range want {
			for i := range want[k] {
				if got[k][i] != want[k][i] {
					t.Fatalf("%d workers: node %d of line %d is at %v, with one at %v", workers, i, k, got[k][i], want[k][i])
				}
			}
		}
	}
}

// A line goes on from where it was saved, bit for bit, also with an end that moves.
func TestARestoredLineGoesOn(t *testing.T) {
	const n = 13
	make2 := func() *Line {
		return mustNew(t, Config{Dim: 2, X: straight(n, geometry.Vec{}, geometry.Vec{1}, 6), Mass: 0.5, Bending: 0.3, BendingDamping: 0.2, Inextensible: true, Gravity: geometry.Vec{0, -0.01}, First: End{Kind: Clamped}, Step: 1})
	}
	m := medium(n, 0.5)
	go20 := func(l *Line, from int) {
		for step := from; step < from+20; step++ {
			s, c := math.Sincos(0.3 * math.Sin(float64(step)/10))
			if err := l.Hold(0, geometry.Vec{0, s}, geometry.Vec{c, s}); err != nil {
				t.Fatal(err)
			}
			m.step(t, l)
		}
	}
	l := make2()
	go20(l, 0)
	if err := l.Hold(0, geometry.Vec{0, 0.2}, geometry.Vec{1, 0.2}); err != nil { // the next one is known
		t.Fatal(err)
	}
	m.step(t, l)
	if err := l.Hold(0, geometry.Vec{0, 0.3}, geometry.Vec{1, 0.3}); err != nil {
		t.Fatal(err)
	}
	saved := l.Save()
	m.step(t, l)
	go20(l, 20)
	again := make2()
	if err := again.Restore(saved); err != nil {
		t.Fatal(err)
	}
	m.step(t, again)
	go20(again, 20)
	for i, x := range l.X() {
		if again.X()[i] != x || again.U()[i] != l.U()[i] {
			t.Errorf("node %d is at %v, without the interruption at %v", i, again.X()[i], x)
		}
	}
	saved.X = saved.X[1:]
	if err := again.Restore(saved); err == nil {
		t.Error("a line of 13 nodes is restored from one of 12")
	}
}

package beam

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// carriedLine is a line at random, both of whose ends are held, and the fluid about it. In 2D it is thick and curved.
func carriedLine(t *testing.T, r *rand.Rand, dim int, x []geometry.Vec, curved, damping float64, kinds [2]EndKind, inextensible bool) (*Line, Fluid) {
	t.Helper()
	c := Config{Dim: dim, X: x, Mass: 0.7, Bending: 0.4, Inextensible: inextensible, StretchingDamping: 0.1, BendingDamping: damping, Gravity: geometry.Vec{0.01, -0.02},
		First: End{Kind: kinds[0]}, Last: End{Kind: kinds[1]}, Step: 0.8}
	if !inextensible {
		c.Stretching = 3
	}
	if dim == 2 {
		for i := range x {
			c.Curvature = append(c.Curvature, curved*r.NormFloat64())
			c.Markers = append(c.Markers, Marker{Node: i, Across: 0.6, Facing: Across}, Marker{Node: i, Across: -0.5, Facing: Across})
		}
	}
	l := mustNew(t, c)
	var f Fluid
	for range l.markers {
		var u geometry.Vec
		for a := range dim {
			u[a] = 0.05 * r.NormFloat64()
		}
		f.Velocity, f.Reaction = append(f.Velocity, u), append(f.Reaction, 0.2+r.Float64())
	}
	return l, f
}

// motion is a velocity and a spin at random, in the plane where dim is 2.
func motion(r *rand.Rand, dim int) (v, w geometry.Vec) {
	for a := range dim {
		v[a] = 0.02 * r.NormFloat64()
	}
	for a := range w {
		if dim == 3 || a == 2 {
			w[a] = 0.01 * r.NormFloat64()
		}
	}
	return v, w
}

// carryOn carries both ends from where they are on, by a little, times by.
func carryOn(t *testing.T, r *rand.Rand, l *Line, by float64) (v, w [2]geometry.Vec) {
	t.Helper()
	for e := range l.ends {
		v[e], w[e] = motion(r, l.dim)
		v[e], w[e] = v[e].Scale(by), w[e].Scale(by)
		s := &l.ends[e]
		moved, turned := motion(r, l.dim)
		if err := l.Carry(e, l.now.x[s.node].Add(moved.Scale(by)), s.was.Add(turned.Scale(by).Cross(s.was)), v[e], w[e]); err != nil {
			t.Fatal(err)
		}
	}
	return v, w
}

// Pull is what Support tells once the ends have followed: the two come from the same linear equations, so that they differ by rounding
// alone, of tensions that are 10⁷ times inertia where the line keeps its length. S is symmetric and takes energy.
func TestPullIsWhatCarriersGet(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, kinds := range [][2]EndKind{{Hinged, Clamped}, {Clamped, Clamped}, {Hinged, Hinged}} {
		for _, n := range []int{3, 9} {
			for dim := 2; dim <= 3; dim++ {
				for _, inextensible := range []bool{false, true} {
					l, fluid := carriedLine(t, r, dim, wiggly(r, dim, n, 0.9), 0.1, 0.2, kinds, inextensible)
					tolerance := 1e-12
					if inextensible {
						tolerance = 1e-7
					}
					for step := range 3 { // the first is Euler's
						v, w := carryOn(t, r, l, 1)
						if err := l.Begin(fluid, nil); err != nil {
							t.Fatal(err)
						}
						var pull Pull
						l.Pull(&pull)
						var y [2][6]float64
						energy := 0.
						for e := range y {
							dv, dw := motion(r, dim)
							copy(y[e][:3], dv[:])
							copy(y[e][3:], dw[:])
							l.Follow(e, v[e].Add(dv), w[e].Add(dw))
						}
						most := 0.
						for e := range y {
							for f := range y {
								for i := range 6 {
									for j := range 6 {
										energy += y[e][i] * pull.S[e][f][i][j] * y[f][j]
										most = math.Max(most, math.Abs(pull.S[e][f][i][j]))
									}
								}
							}
						}
						for e := range y {
							for f := range y {
								for i := range 6 {
									for j := range 6 {
										if d := pull.S[e][f][i][j] - pull.S[f][e][j][i]; math.Abs(d) > tolerance*most {
											t.Fatalf("%v, %d nodes, %dD, step %d: S[%d][%d][%d][%d] is %g, mirrored other by %g", kinds, n, dim, step, e, f, i, j, pull.S[e][f][i][j], d)
										}
									}
								}
							}
						}
						if !(energy > 0) {
							t.Errorf("%v, %d nodes, %dD, step %d: S gives energy, %g", kinds, n, dim, step, energy)
						}
						if err := l.Finish(nil); err != nil {
							t.Fatal(err)
						}
						for e := range y {
							want := pull.P[e]
							for i := range want {
								for f := range y {
									for j := range y[f] {
										want[i] -= pull.S[e][f][i][j] * y[f][j]
									}
								}
							}
							force, moment := l.Support(e)
							for i, got := range append(force[:], moment[:]...) {
								if d := got*l.dt - want[i]; math.Abs(d) > tolerance*most {
									t.Errorf("%v, %d nodes, %dD, step %d: end %d gets %g of component %d, was told %g", kinds, n, dim, step, e, got*l.dt, i, want[i])
								}
							}
						}
					}
				}
			}
		}
	}
}

// A line that is carried goes where one goes that is held at the places and tangents that it was led to: bodies that move freely and such
// that are moved feel the same.
func TestACarriedLineIsOneHeldThere(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for dim := 2; dim <= 3; dim++ {
		l, fluid := carriedLine(t, rand.New(rand.NewPCG(7, 7)), dim, straight(9, geometry.Vec{}, geometry.Vec{0.8, 0.6}, 8), 1e-3, 0, [2]EndKind{Clamped, Hinged}, false)
		same, _ := carriedLine(t, rand.New(rand.NewPCG(7, 7)), dim, straight(9, geometry.Vec{}, geometry.Vec{0.8, 0.6}, 8), 1e-3, 0, [2]EndKind{Clamped, Hinged}, false)
		for k := range fluid.Velocity { // so slow that no step is linearised again, about where it leads to
			fluid.Velocity[k] = fluid.Velocity[k].Scale(0.02)
		}
		// They are not damped: a prescribed tangent's rate is a difference of it, and has no part along it, a carried one's the body's spin. In 2D that tells in the fluid's reaction on the end, too.
		if dim == 2 {
			clear(fluid.Reaction[:2])
		}
		for range 40 {
			carryOn(t, r, l, 0.02)
			if err := l.Begin(fluid, nil); err != nil {
				t.Fatal(err)
			}
			for e := range 2 {
				v, w := motion(r, dim)
				l.Follow(e, v.Scale(0.02), w.Scale(0.02))
			}
			if err := l.Finish(nil); err != nil {
				t.Fatal(err)
			}
			if l.Solves() > 1 {
				t.Fatalf("%dD: %d solves in a step", dim, l.Solves())
			}
			for e := range 2 {
				s := &l.ends[e]
				if err := same.Hold(e, s.place, s.tangent); err != nil {
					t.Fatal(err)
				}
				same.ends[e].tangent = s.tangent // whose length is 1 but for what a step turns, squared
				same.clamp(e)
			}
			if err := same.Step(fluid, nil, nil); err != nil {
				t.Fatal(err)
			}
			for i, x := range l.X() {
				if d := x.Sub(same.X()[i]).Norm(); d > 1e-11 { // rounding of 40 steps
					t.Fatalf("%dD: node %d is %g away from that of the line that is held", dim, i, d)
				}
			}
		}
		a, _ := l.Support(0)
		b, _ := same.Support(0)
		if a.Sub(b).Norm() > 1e-10*b.Norm() || b.Norm() == 0 {
			t.Errorf("%dD: the carrier feels %v, what holds the other %v", dim, a, b)
		}
	}
}

// mass is a rigid body in a vacuum, moved as hybrid/rigid moves one: to where it will be by the velocity that it has, before the step.
type mass struct {
	m, inertia float64
	x, v       geometry.Vec
	turned, w  float64
	arm        geometry.Vec // of the point that carries a line, as drawn
}

// point is where that is, and along where x is turned to.
func (b *mass) point() (at, along geometry.Vec) {
	turn := geometry.Rotation(geometry.Vec{0, 0, 1}, b.turned)
	return b.x.Add(turn.Apply(b.arm)), turn.Apply(geometry.Vec{1})
}

// step moves a body and the line that hangs on it, by Pull or, explicitly, by what the line did to it.
func (b *mass) step(t *testing.T, l *Line, implicit bool) {
	t.Helper()
	b.x, b.turned = b.x.Add(b.v), b.turned+b.w
	at, along := b.point()
	r := at.Sub(b.x)
	n := l.Len()
	fluid := Fluid{Velocity: make([]geometry.Vec, n), Reaction: make([]float64, n)}
	if !implicit {
		if err := l.Hold(0, at, along); err != nil {
			t.Fatal(err)
		}
		if err := l.Step(fluid, nil, nil); err != nil {
			t.Fatal(err)
		}
		force, moment := l.Support(0)
		b.v = b.v.Add(force.Scale(1 / b.m))
		b.w += (r.Cross(force)[2] + moment[2]) / b.inertia
		return
	}
	v, w := b.v.Add(geometry.Vec{0, 0, b.w}.Cross(r)), geometry.Vec{0, 0, b.w}
	if err := l.Carry(0, at, along, v, w); err != nil {
		t.Fatal(err)
	}
	if err := l.Begin(fluid, nil); err != nil {
		t.Fatal(err)
	}
	var p Pull
	l.Pull(&p)
	// In the plane, of (dU_x, dU_y, dΩ): the point's velocity changes by dU + dΩ×r.
	s := &p.S[0][0]
	j := [6][3]float64{0: {1, 0, -r[1]}, 1: {0, 1, r[0]}, 5: {0, 0, 1}}
	var a [3][4]float64
	for i := range 3 {
		for k := range 3 {
			for e := range 6 {
				for f := range 6 {
					a[i][k] += j[e][i] * s[e][f] * j[f][k]
				}
			}
		}
		for e := range 6 {
			a[i][3] += j[e][i] * p.P[0][e]
		}
	}
	a[0][0], a[1][1], a[2][2] = a[0][0]+b.m, a[1][1]+b.m, a[2][2]+b.inertia
	for i := range 3 {
		for k := i + 1; k < 3; k++ {
			for c, f := 3, a[k][i]/a[i][i]; c >= i; c-- {
				a[k][c] -= f * a[i][c]
			}
		}
	}
	var d [3]float64
	for i := 2; i >= 0; i-- {
		d[i] = a[i][3]
		for k := i + 1; k < 3; k++ {
			d[i] -= a[i][k] * d[k]
		}
		d[i] /= a[i][i]
	}
	b.v, b.w = b.v.Add(geometry.Vec{d[0], d[1]}), b.w+d[2]
	l.Follow(0, b.v.Add(geometry.Vec{0, 0, b.w}.Cross(r)), geometry.Vec{0, 0, b.w})
	if err := l.Finish(nil); err != nil {
		t.Fatal(err)
	}
}

// Bodies a thousand times lighter and heavier than the line that hangs on them move stably with it, and no momentum is lost between them:
// the body's is M V, the line's that of the velocity that its scheme differentiates. Where the line's pull of this step is given to the
// body as it is, the velocity of a light one grows without bound, which is why it is not.
func TestALineAndWhatCarriesIt(t *testing.T) {
	const n, length, rho = 13, 12., 1.
	for _, kind := range []EndKind{Hinged, Clamped} {
		for _, ratio := range []float64{1e-3, 1, 1e3} {
			for _, implicit := range []bool{true, false} {
				u := make([]geometry.Vec, n)
				for i := range u {
					u[i] = geometry.Vec{0, 0.01 * float64(i) / n}
				}
				l := mustNew(t, Config{Dim: 2, X: straight(n, geometry.Vec{}, geometry.Vec{1}, length), U: u, Mass: rho, Bending: 0.5, Inextensible: true, First: End{Kind: kind}, Step: 1})
				m := ratio * rho * length
				b := &mass{m: m, inertia: m * 2, x: geometry.Vec{-1.5, 0.5}, arm: geometry.Vec{1.5, -0.5}}
				momentum := func() geometry.Vec {
					p := b.v.Scale(b.m)
					for i, u := range l.U() {
						p = p.Add(u.Scale(3).Sub(l.before.u[i]).Scale(l.mass[i] / 2))
					}
					return p
				}
				b.step(t, l, implicit)
				first, fastest, lost := momentum(), 0., 0.
				for range 3000 {
					b.step(t, l, implicit)
					fastest = math.Max(fastest, b.v.Norm())
					lost = math.Max(lost, momentum().Sub(first).Norm())
					if !(fastest < 1e3) {
						break
					}
				}
				if implicit && (fastest > 0.03 || lost > 1e-9) { // three times the line's own velocity; rounding of tensions 10⁷ times inertia
					t.Errorf("kind %v, %g times the line's mass: velocity %.3g, momentum %.3g lost", kind, ratio, fastest, lost)
				}
				if !implicit && ratio <= 1 && fastest < 1 {
					t.Errorf("kind %v, %g times the line's mass: velocity %.3g where the pull is explicit, should grow", kind, ratio, fastest)
				}
				t.Logf("kind %v, %g times the line's mass, implicit %v: velocity up to %.3g, momentum %.3g lost", kind, ratio, implicit, fastest, lost)
			}
		}
	}
}

package hybrid

import (
	"math"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
)

// Free is a rigid body that moves by the forces on it. Lattice units; the fluid's
// density is 1.
//
// A step solves for the new velocity at once with the markers' forces, which
// depend on it linearly, so that light bodies are as stable as heavy ones:
//
//	M (U′ − U) = −Σ a_k (U′ + Ω′×r_k − Û_k) + ΔP + (M − M_f) g + springs, contact
//
// and alike for the angular momentum; a_k = 2ρε_k is what direct forcing
// multiplies a slip with, P the momentum of the fluid inside, as it is before the
// markers act (Kempe & Fröhlich, J. Comput. Phys. 231 (2012) 3663, integrate the
// inside fluid likewise but explicitly; Tschisgale, Kempe & Fröhlich, J. Comput.
// Phys. 339 (2017) 432, solve implicitly with a layer of fluid instead).
type Free struct {
	Density  float64       // ρs/ρf
	Gravity  geometry.Vec  // acts on the difference of densities
	Velocity geometry.Vec  // at the release
	Spin     geometry.Vec  // at the release
	Release  float64       // step until which the body is held
	Fix      [6]bool       // x y z and rotation about x y z stay as they are
	Inertia  *geometry.Mat // of the body, not of what it displaces; nil: Density times the shape's

	Spring, Damper                 geometry.Vec // per node, per velocity: towards where it was drawn
	SpringRotation, DamperRotation float64      // per radian, per angular velocity

	mass, displaced float64
	inertia         geometry.Mat // in the body's axes
	home            geometry.Vec
	turned          geometry.Vec  // angle about each axis since the start: of the spring
	angular         geometry.Vec  // angular momentum before the step
	now             innerMomentum // of the fluid inside, before the markers act
	inner           innerMomentum // the same in the last step
	innerKnown      bool
	gained          innerMomentum // of the fluid inside, over the last step
	carry           [6]float64    // what the markers took beyond what was reckoned with
	expected        [6]float64    // that the markers give to the fluid
	contact         [6]float64
}

// start sets the body's constants. Its inside is drawn when it is first asked for.
func (f *Free) start(b *Body) {
	f.displaced = b.Shape.Enclosed()
	f.mass = f.Density * f.displaced
	f.inertia = b.Shape.Inertia().Scale(f.Density)
	if f.Inertia != nil {
		f.inertia = *f.Inertia
	}
	f.home = b.Shape.Center()
	b.state.Velocity, b.state.Spin = geometry.Vec{}, geometry.Vec{}
	if f.Release <= 0 {
		b.state.Velocity, b.state.Spin = f.allowed(f.Velocity, 0), f.allowed(f.Spin, 3)
	}
}

// allowed is a vector without the components that are fixed.
func (f *Free) allowed(v geometry.Vec, first int) geometry.Vec {
	for a := range v {
		if f.Fix[first+a] {
			v[a] = 0
		}
	}
	return v
}

// advance moves the body over a step by the velocity that it has, at time t in
// steps after it.
func (f *Free) advance(b *Body, t float64) {
	s := &b.state
	f.angular = f.inertiaNow(s).Apply(s.Spin) // kept while the body turns, its spin is not
	s.Position = s.Position.Add(s.Velocity)
	if angle := s.Spin.Norm(); angle > 0 {
		turn := geometry.Rotation(s.Spin.Scale(1/angle), angle)
		s.Rotation = orthonormal(turn.Mul(s.Rotation))
		f.turned = f.turned.Add(s.Spin)
	}
	if t >= f.Release && t-1 < f.Release && f.Release > 0 {
		s.Velocity, s.Spin = f.allowed(f.Velocity, 0), f.allowed(f.Spin, 3)
		f.angular = f.inertiaNow(s).Apply(s.Spin)
	}
}

// orthonormal takes rounding off a rotation (Gram–Schmidt over its rows).
func orthonormal(m geometry.Mat) geometry.Mat {
	x := geometry.Vec(m[0])
	x = x.Scale(1 / x.Norm())
	y := geometry.Vec(m[1])
	y = y.Sub(x.Scale(x.Dot(y)))
	y = y.Scale(1 / y.Norm())
	return geometry.Mat{x, y, x.Cross(y)}
}

// inertiaNow is the tensor of inertia in the axes of space.
func (f *Free) inertiaNow(s *kinematics.State) geometry.Mat {
	return s.Rotation.Mul(f.inertia).Mul(s.Rotation.Transpose())
}

// BodyFelt is what the markers of a body feel before they act, as equations for its
// velocity and spin: at v = (U, Ω) they take A·v − RHS from the body's momentum and its
// moment about the centre.
type BodyFelt struct {
	A   [6][6]float64
	RHS [6]float64
}

// Add adds what a marker with coefficient a at arm r from the centre does, given the
// velocity of the fluid that it feels: a·(U + Ω×r − felt) is taken from the body.
func (e *BodyFelt) Add(a float64, r, felt geometry.Vec) {
	// Ω×r = −[r]Ω, and the moment is r×F.
	cross := [3][3]float64{{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}} // [r]
	for i := range 3 {
		e.A[i][i] += a
		for j := range 3 {
			e.A[i][3+j] -= a * cross[i][j]
			e.A[3+i][j] += a * cross[i][j]
			for k := range 3 {
				e.A[3+i][3+j] -= a * cross[i][k] * cross[k][j]
			}
		}
	}
	moment := r.Cross(felt)
	for i := range 3 {
		e.RHS[i] += a * felt[i]
		e.RHS[3+i] += a * moment[i]
	}
}

// AddAcross is Add for a force along n alone, by the velocity along n.
func (e *BodyFelt) AddAcross(a float64, n, r, felt geometry.Vec) {
	m := r.Cross(n)
	v := [6]float64{n[0], n[1], n[2], m[0], m[1], m[2]}
	u := a * n.Dot(felt)
	for i := range v {
		for j := range v {
			e.A[i][j] += a * v[i] * v[j]
		}
		e.RHS[i] += u * v[i]
	}
}

// solve is the velocity and spin, by elimination with pivots. Rows that are fixed
// have the solution 0.
func (e *BodyFelt) solve(fixed [6]bool) (v [6]float64) {
	a, rhs := e.A, e.RHS
	for i, is := range fixed {
		if !is {
			continue
		}
		for j := range 6 {
			a[i][j], a[j][i] = 0, 0
		}
		a[i][i], rhs[i] = 1, 0
	}
	for c := range 6 {
		p := c
		for r := c + 1; r < 6; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		a[c], a[p] = a[p], a[c]
		rhs[c], rhs[p] = rhs[p], rhs[c]
		for r := c + 1; r < 6; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < 6; k++ {
				a[r][k] -= f * a[c][k]
			}
			rhs[r] -= f * rhs[c]
		}
	}
	for c := 5; c >= 0; c-- {
		v[c] = rhs[c]
		for k := c + 1; k < 6; k++ {
			v[c] -= a[c][k] * v[k]
		}
		v[c] /= a[c][c]
	}
	return v
}

// solve sets the body's velocity after a step from what its markers feel.
func (f *Free) solve(b *Body, markers *BodyFelt, inner innerMomentum, t float64, dim int) {
	s := &b.state
	before := f.inner
	if !f.innerKnown {
		before = inner
	}
	f.inner, f.innerKnown = inner, true
	f.gained = innerMomentum{inner.linear.Sub(before.linear), inner.angular.Sub(before.angular)}
	e := *markers
	if t < f.Release {
		s.Velocity, s.Spin = geometry.Vec{}, geometry.Vec{}
		f.carry = [6]float64{}
		return
	}
	tensor := f.inertiaNow(s)
	for i := range 3 {
		e.A[i][i] += f.mass + f.Damper[i]
		e.A[3+i][3+i] += f.DamperRotation
		for j := range 3 {
			e.A[3+i][3+j] += tensor[i][j]
		}
		e.RHS[i] += f.mass*s.Velocity[i] + inner.linear[i] - before.linear[i] +
			(f.mass-f.displaced)*f.Gravity[i] - f.Spring[i]*(s.Position[i]-f.home[i])
		e.RHS[3+i] += f.angular[i] + inner.angular[i] - before.angular[i] - f.SpringRotation*f.turned[i]
	}
	for i := range e.RHS {
		e.RHS[i] += f.carry[i] + f.contact[i]
	}
	fixed := f.Fix
	if dim == 2 {
		fixed[2], fixed[3], fixed[4] = true, true, true
	}
	v := e.solve(fixed)
	s.Velocity, s.Spin = geometry.Vec{v[0], v[1], v[2]}, geometry.Vec{v[3], v[4], v[5]}
}

// expect keeps what the markers give to the fluid at the velocity found.
func (f *Free) expect(b *Body, markers *BodyFelt) {
	v := [6]float64{b.state.Velocity[0], b.state.Velocity[1], b.state.Velocity[2], b.state.Spin[0], b.state.Spin[1], b.state.Spin[2]}
	for i := range 6 {
		f.expected[i] = -markers.RHS[i]
		for j := range 6 {
			f.expected[i] += markers.A[i][j] * v[j]
		}
	}
}

// settle takes what the markers have given.
func (f *Free) settle(force, moment geometry.Vec) {
	for a := range 3 {
		f.carry[a] = f.expected[a] - force[a]
		f.carry[3+a] = f.expected[3+a] - moment[a]
	}
}

// stateLength is the number of values that a free body needs in a checkpoint.
const stateLength = 3 + 3 + 3 + 9 + 3 + 6 + 6 + 1

// keep appends the body's state, restore takes it back.
func (f *Free) keep(b *Body, to []float64) []float64 {
	s := &b.state
	for _, v := range []geometry.Vec{s.Position, s.Velocity, s.Spin, s.Rotation[0], s.Rotation[1], s.Rotation[2], f.turned, f.inner.linear, f.inner.angular} {
		to = append(to, v[:]...)
	}
	to = append(to, f.carry[:]...)
	known := 0.
	if f.innerKnown {
		known = 1
	}
	return append(to, known)
}

func (f *Free) restore(b *Body, from []float64) {
	s := &b.state
	for _, v := range []*[3]float64{(*[3]float64)(&s.Position), (*[3]float64)(&s.Velocity), (*[3]float64)(&s.Spin), (*[3]float64)(&s.Rotation[0]), (*[3]float64)(&s.Rotation[1]), (*[3]float64)(&s.Rotation[2]), (*[3]float64)(&f.turned), (*[3]float64)(&f.inner.linear), (*[3]float64)(&f.inner.angular)} {
		from = from[copy(v[:], from):]
	}
	from = from[copy(f.carry[:], from):]
	f.innerKnown = from[0] == 1
	b.place()
}

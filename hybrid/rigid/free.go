package rigid

import (
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
//
// A body that holds a structure is solved for with it (Joined). Its step is of second order then, as the structure's is: M (3U′ − 4U + U⁻)/2
// takes the place of M (U′ − U) but in the first step, and alike for the angular momentum.
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

	state           *kinematics.State // of the body
	mass, displaced float64
	inertia         geometry.Mat // in the body's axes
	home            geometry.Vec
	turned          geometry.Vec // angle about each axis since the start: of the spring
	angular         geometry.Vec // angular momentum before the step
	now             Momentum     // of the fluid inside, before the markers act
	inner           Momentum     // the same in the last step
	innerKnown      bool
	gained          Momentum   // of the fluid inside, over the last step
	residual        [6]float64 // what the markers took beyond what was expected
	expected        [6]float64 // that the markers give to the fluid
	contact         [6]float64

	joined    bool     // it holds a structure, whose scheme in time is its own, too
	past      Momentum // velocity and angular momentum a step ago, of a body that is joined
	pastKnown bool
}

// start sets the constants of a body of some shape, whose state it is to change.
func (f *Free) start(shape geometry.Shape, s *kinematics.State) {
	f.state = s
	f.displaced = shape.Enclosed()
	f.mass = f.Density * f.displaced
	f.inertia = shape.Inertia().Scale(f.Density)
	if f.Inertia != nil {
		f.inertia = *f.Inertia
	}
	f.home = shape.Center()
	f.joined, f.pastKnown = false, false
	s.Velocity, s.Spin = geometry.Vec{}, geometry.Vec{}
	if f.Release <= 0 {
		s.Velocity, s.Spin = f.allowed(f.Velocity, 0), f.allowed(f.Spin, 3)
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
func (f *Free) advance(t float64) {
	s := f.state
	f.angular = f.inertiaNow().Apply(s.Spin) // kept while the body turns, its spin is not
	s.Position = s.Position.Add(s.Velocity)
	if angle := s.Spin.Norm(); angle > 0 {
		turn := geometry.Rotation(s.Spin.Scale(1/angle), angle)
		s.Rotation = orthonormal(turn.Mul(s.Rotation))
		f.turned = f.turned.Add(s.Spin)
	}
	if t >= f.Release && t-1 < f.Release && f.Release > 0 {
		s.Velocity, s.Spin = f.allowed(f.Velocity, 0), f.allowed(f.Spin, 3)
		f.angular = f.inertiaNow().Apply(s.Spin)
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
func (f *Free) inertiaNow() geometry.Mat {
	return f.state.Rotation.Mul(f.inertia).Mul(f.state.Rotation.Transpose())
}

// SetInner sets the momentum of the fluid inside before the markers act in this step.
func (f *Free) SetInner(m Momentum) { f.now = m }

// Gained is what the momentum of the fluid inside has changed by over the last step.
func (f *Free) Gained() Momentum { return f.gained }

// Solve sets the velocity and spin of the body after the step to time t from what its
// markers feel. Bodies of a plane flow (dim 2) stay in the plane.
func (f *Free) Solve(markers *MarkerEquations, t float64, dim int) {
	e, fixed := f.equations(markers, t, dim)
	f.set(e.solve(fixed), markers)
}

// StoreResidual compares what the markers have given to the fluid, a force and its moment
// about the centre, with what Solve expected: the rest acts on the body in the next step.
func (f *Free) StoreResidual(force, moment geometry.Vec) {
	for a := range 3 {
		f.residual[a] = f.expected[a] - force[a]
		f.residual[3+a] = f.expected[3+a] - moment[a]
	}
}

// equations are those of the body's velocity after a step, A v = RHS, from what its markers feel, and which components are 0.
func (f *Free) equations(markers *MarkerEquations, t float64, dim int) (e MarkerEquations, fixed [6]bool) {
	s, inner := f.state, f.now
	before := f.inner
	if !f.innerKnown {
		before = inner
	}
	f.inner, f.innerKnown = inner, true
	f.gained = inner.Sub(before)
	e = *markers
	if t < f.Release {
		f.residual = [6]float64{}
	}
	tensor := f.inertiaNow()
	beta, had := f.inertial()
	for i := range 3 {
		e.A[i][i] += beta*f.mass + f.Damper[i]
		e.A[3+i][3+i] += f.DamperRotation
		for j := range 3 {
			e.A[3+i][3+j] += beta * tensor[i][j]
		}
		e.RHS[i] += had.Linear[i] + inner.Linear[i] - before.Linear[i] +
			(f.mass-f.displaced)*f.Gravity[i] - f.Spring[i]*(s.Position[i]-f.home[i])
		e.RHS[3+i] += had.Angular[i] + inner.Angular[i] - before.Angular[i] - f.SpringRotation*f.turned[i]
	}
	f.past, f.pastKnown = Momentum{s.Velocity, f.angular}, f.joined && t >= f.Release
	for i := range e.RHS {
		e.RHS[i] += f.residual[i] + f.contact[i]
	}
	return e, f.fixed(t, dim)
}

// inertial is what the body's inertia has in a step: β M U′ less a momentum that is known.
func (f *Free) inertial() (beta float64, had Momentum) {
	u := f.state.Velocity
	if !f.pastKnown {
		return 1, Momentum{u.Scale(f.mass), f.angular}
	}
	return 1.5, Momentum{u.Scale(2).Sub(f.past.Linear.Scale(0.5)).Scale(f.mass), f.angular.Scale(2).Sub(f.past.Angular.Scale(0.5))}
}

// fixed are the components of velocity and spin that are 0 after the step to time t.
func (f *Free) fixed(t float64, dim int) (fixed [6]bool) {
	if t < f.Release {
		return [6]bool{true, true, true, true, true, true}
	}
	fixed = f.Fix
	if dim == 2 {
		fixed[2], fixed[3], fixed[4] = true, true, true
	}
	return fixed
}

// set takes over the body's velocity and spin after a step, and keeps what its markers then give to the fluid.
func (f *Free) set(v [6]float64, markers *MarkerEquations) {
	s := f.state
	s.Velocity, s.Spin = geometry.Vec{v[0], v[1], v[2]}, geometry.Vec{v[3], v[4], v[5]}
	for i := range 6 {
		f.expected[i] = -markers.RHS[i]
		for j := range 6 {
			f.expected[i] += markers.A[i][j] * v[j]
		}
	}
}

// stateLen is the number of values that the body needs in a checkpoint.
func (f *Free) stateLen() int {
	n := 3 + 3 + 3 + 9 + 3 + 6 + 6 + 1
	if f.joined {
		n += 6 + 1
	}
	return n
}

// keep appends the body's state, restore takes it back.
func (f *Free) keep(to []float64) []float64 {
	s := f.state
	for _, v := range []geometry.Vec{s.Position, s.Velocity, s.Spin, s.Rotation[0], s.Rotation[1], s.Rotation[2], f.turned, f.inner.Linear, f.inner.Angular} {
		to = append(to, v[:]...)
	}
	to = append(to, f.residual[:]...)
	to = append(to, number(f.innerKnown))
	if f.joined {
		to = append(to, f.past.Linear[:]...)
		to = append(to, f.past.Angular[:]...)
		to = append(to, number(f.pastKnown))
	}
	return to
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (f *Free) restore(from []float64) {
	s := f.state
	for _, v := range []*[3]float64{(*[3]float64)(&s.Position), (*[3]float64)(&s.Velocity), (*[3]float64)(&s.Spin), (*[3]float64)(&s.Rotation[0]), (*[3]float64)(&s.Rotation[1]), (*[3]float64)(&s.Rotation[2]), (*[3]float64)(&f.turned), (*[3]float64)(&f.inner.Linear), (*[3]float64)(&f.inner.Angular)} {
		from = from[copy(v[:], from):]
	}
	from = from[copy(f.residual[:], from):]
	f.innerKnown, from = from[0] == 1, from[1:]
	if f.joined {
		from = from[copy(f.past.Linear[:], from):]
		from = from[copy(f.past.Angular[:], from):]
		f.pastKnown = from[0] == 1
	}
}

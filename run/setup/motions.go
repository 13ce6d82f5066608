package setup

import (
	"math"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/io/casefile"
)

// prescribed is a case's motion in lattice units, with time in steps.
func (p *Problem) prescribed(m casefile.Motion, s geometry.Shape) rigid.Motion {
	dt := p.Units.Dt
	r := &kinematics.Rigid{Center: s.Center(), Pivot: s.Center(), Axis: geometry.Vec(m.Axis)}
	if p.Flow.Lattice.Dim == 2 || r.Axis.Norm() == 0 {
		r.Axis = geometry.Vec{0, 0, 1}
	}
	if m.Pivot != nil {
		r.Pivot = geometry.Vec(p.Node(*m.Pivot))
	}
	omega := 2 * math.Pi * m.Frequency * dt
	for a := range p.Flow.Lattice.Dim {
		switch {
		case m.Displacement != nil:
			x := m.Displacement[a]
			r.Shift[a] = kinematics.Function{Step: 1, Of: func(t float64) float64 { return p.Units.ToLatticeLength(x.At(t * dt)) }}
		case m.Velocity != nil:
			r.Shift[a] = integral(m.Velocity[a], p.Units.ToLatticeVelocity(1), dt)
		case m.Amplitude[a] != 0:
			r.Shift[a] = kinematics.Harmonic{Amplitude: p.Units.ToLatticeLength(m.Amplitude[a]), Omega: omega, Phase: m.Phase}
		}
	}
	switch {
	case m.Angle != nil:
		r.Turn = kinematics.Function{Step: 1, Of: func(t float64) float64 { return m.Angle.At(t * dt) }}
	case m.Spin != nil:
		r.Turn = integral(*m.Spin, dt, dt)
	case m.Swing != 0:
		r.Turn = kinematics.Harmonic{Amplitude: m.Swing * math.Pi / 180, Omega: omega, Phase: m.SwingPhase}
	}
	return r
}

// integral is the coordinate whose rate is v·unit.
func integral(v casefile.Varying, unit, dt float64) kinematics.Track {
	if v.Constant() {
		return kinematics.Steady{Rate: v.At(0) * unit}
	}
	return &kinematics.Integral{Step: 1, Of: func(t float64) float64 { return v.At(t*dt) * unit }}
}

// Free is a case's freely moving body in lattice units; the fluid's density is 1
// there.
func (p *Problem) Free(m casefile.Motion) *rigid.Free {
	res, speed := p.Case.Reference.Resolution, p.Case.Reference.Velocity
	dim := float64(p.Flow.Lattice.Dim)
	force := speed * speed * math.Pow(res, dim-1) // of ρf U² L^(d−1)
	f := &rigid.Free{
		Density: m.Density, Fix: m.Fix,
		Velocity: geometry.Vec(m.InitialVelocity).Scale(speed),
		Spin:     geometry.Vec(m.InitialSpin).Scale(p.Units.Dt),
		Release:  p.Units.ToLatticeTime(m.Release),
		Spring:   geometry.Vec(m.Spring).Scale(force / res), Damper: geometry.Vec(m.Damper).Scale(force / speed),
		SpringRotation: m.SpringRotation * force * res, DamperRotation: m.DamperRotation * force * res * res / speed,
	}
	for a, g := range p.Case.Domain.Gravity {
		f.Gravity[a] = p.Units.ToLatticeAcceleration(g)
	}
	if m.Inertia > 0 {
		tensor := geometry.Identity().Scale(m.Inertia * math.Pow(res, dim+2))
		f.Inertia = &tensor
	}
	return f
}

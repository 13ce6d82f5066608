package casefile

import "math"

// Units converts between the three systems of a case:
//
//	reference  lengths in L, velocities in U, times in L/U, densities in ρ0
//	lattice    Δx = Δt = 1, fluid density 1
//	SI         where [reference] anchors L, U and ρ0
//
// Lattice velocity stands for U and Resolution nodes for L, so a quantity in
// L^a U^b is Resolution^a·Velocity^b times larger in lattice units.
type Units struct {
	Dim        int     // 2 or 3: the dimension of forces
	Resolution float64 // nodes per L
	Velocity   float64 // lattice velocity that stands for U

	Dx, Dt       float64 // node spacing in L and time step in L/U
	Nu           float64 // lattice viscosity U·L/Re
	Tau          float64 // relaxation time 3ν + 1/2
	Mach         float64 // of U: Velocity·√3, as the speed of sound is 1/√3
	GridReynolds float64 // U·Δx/ν in lattice units

	Length, Speed, Density float64 // SI values of L, U and ρ0; 0: no anchor
}

// Units returns the conversions of the case.
func (c *Case) Units() Units {
	return c.Reference.units(c.Domain.Dim)
}

func (r Reference) units(dim int) Units {
	nu := r.Velocity * r.Resolution * r.Viscosity
	return Units{
		Dim: dim, Resolution: r.Resolution, Velocity: r.Velocity,
		Dx: 1 / r.Resolution, Dt: r.Velocity / r.Resolution,
		Nu: nu, Tau: 3*nu + 0.5,
		Mach:         r.Velocity * math.Sqrt(3),
		GridReynolds: r.Velocity / nu,
		Length:       r.Length, Speed: r.Speed, Density: r.Density,
	}
}

// ToLattice converts a quantity from reference to lattice units.
func (u Units) ToLattice(q Quantity, reference float64) float64 {
	return reference * q.in(u.Dim).scale(u.Resolution, u.Velocity, 1)
}

// FromLattice converts a quantity from lattice to reference units.
func (u Units) FromLattice(q Quantity, lattice float64) float64 {
	return lattice / q.in(u.Dim).scale(u.Resolution, u.Velocity, 1)
}

// ToLatticeLength converts a length from L to nodes.
func (u Units) ToLatticeLength(l float64) float64 { return u.ToLattice(Length, l) }

// FromLatticeLength converts a length from nodes to L.
func (u Units) FromLatticeLength(l float64) float64 { return u.FromLattice(Length, l) }

// ToLatticeTime converts a duration from L/U to steps.
func (u Units) ToLatticeTime(t float64) float64 { return u.ToLattice(Time, t) }

// FromLatticeTime converts a duration from steps to L/U.
func (u Units) FromLatticeTime(t float64) float64 { return u.FromLattice(Time, t) }

// ToLatticeVelocity converts a velocity from U to nodes per step.
func (u Units) ToLatticeVelocity(v float64) float64 { return u.ToLattice(Velocity, v) }

// FromLatticeVelocity converts a velocity from nodes per step to U.
func (u Units) FromLatticeVelocity(v float64) float64 { return u.FromLattice(Velocity, v) }

// ToLatticeAcceleration converts a force per mass from U²/L to lattice units.
func (u Units) ToLatticeAcceleration(a float64) float64 { return u.ToLattice(Acceleration, a) }

// FromLatticeAcceleration converts a force per mass from lattice units to U²/L.
func (u Units) FromLatticeAcceleration(a float64) float64 { return u.FromLattice(Acceleration, a) }

// ToLatticeForce converts a force from ρ0·U²·L^(d−1) to lattice units.
func (u Units) ToLatticeForce(f float64) float64 { return u.ToLattice(Force, f) }

// FromLatticeForce converts a force from lattice units to ρ0·U²·L^(d−1).
func (u Units) FromLatticeForce(f float64) float64 { return u.FromLattice(Force, f) }

// ForceCoefficient converts a force in lattice units to a coefficient: the
// force over ρ0·U²·L^(d−1)/2.
func (u Units) ForceCoefficient(lattice float64) float64 { return 2 * u.FromLatticeForce(lattice) }

// TorqueCoefficient converts a torque in lattice units to a coefficient: the
// torque over ρ0·U²·L^d/2.
func (u Units) TorqueCoefficient(lattice float64) float64 { return 2 * u.FromLattice(Torque, lattice) }

// ToSI converts a quantity from reference to coherent SI units; ok is false
// where [reference] lacks an anchor that the quantity needs.
func (u Units) ToSI(q Quantity, reference float64) (si float64, ok bool) {
	scale, ok := u.siScale(q)
	return reference * scale, ok
}

// FromSI converts a quantity from coherent SI to reference units; ok is false
// where [reference] lacks an anchor that the quantity needs.
func (u Units) FromSI(q Quantity, si float64) (reference float64, ok bool) {
	scale, ok := u.siScale(q)
	if !ok {
		return 0, false
	}
	return si / scale, true
}

// SIUnit returns the SI unit of ToSI's result, for instance "kg.m^-3".
func (u Units) SIUnit(q Quantity) string { return q.in(u.Dim).dimension().unit() }

func (u Units) siScale(q Quantity) (scale float64, ok bool) {
	p := q.in(u.Dim)
	if p.length != 0 && u.Length == 0 || p.speed != 0 && u.Speed == 0 || p.density != 0 && u.Density == 0 {
		return 0, false
	}
	return p.scale(u.Length, u.Speed, u.Density), true
}

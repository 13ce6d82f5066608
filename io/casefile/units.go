package casefile

import (
	"math"
	"strconv"
	"strings"
)

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

	Roundoff float64 // of one operation on numbers of order 1, in the precision of the arithmetic
}

// Units returns the conversions of the case.
func (c *Case) Units() Units {
	u := c.Reference.units(c.Domain.Dim)
	u.Roundoff = roundoff(c.Fluid.Precision)
	return u
}

// UnitsOf are those of a case whose [reference], with every default resolved, has these numbers, and whose fluid has this precision.
func UnitsOf(reference map[string]float64, dim int, precision string) Units {
	u := Reference{
		Resolution: reference["resolution"], Velocity: reference["velocity"], Viscosity: reference["viscosity"],
		Length: reference["length"], Speed: reference["speed"], Density: reference["density"],
	}.units(dim)
	u.Roundoff = roundoff(precision)
	return u
}

// roundoff is that of a precision's arithmetic: of "f32/f16", too, whose storage rounds more.
func roundoff(precision string) float64 {
	if precision == "f64" {
		return 0x1p-53
	}
	return 0x1p-24
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

// Rounding is what rounding alone may make, in reference units, of a velocity, a rate of turning, a pressure, a force, a torque or a
// flow rate that is 0; of all others, which no difference of populations is behind, it is 0.
//
// The populations of a node are of order 1 in lattice units: a step leaves its momentum and density wrong by about one
// roundoff, which viscosity spreads over its neighbours, so that some ten steps' stay. In U that is divided by the lattice velocity that
// stands for it, in ρU² by its square. A force and a flow rate are sums over the N^(d−1) nodes of a section one L wide, or as many markers,
// whose roundings are independent: in units of as many nodes they are √N^(d−1) times smaller, and smaller yet of bodies smaller than L.
func (u Units) Rounding(q Quantity) float64 {
	const steps = 10
	if u.Velocity == 0 {
		return 0
	}
	node, sum := steps*u.Roundoff, 1/math.Sqrt(pow(u.Resolution, u.Dim-1))
	switch q {
	case Velocity, Spin:
		return node / u.Velocity
	case FlowRate:
		return node / u.Velocity * sum
	case Pressure:
		return node / (u.Velocity * u.Velocity)
	case Force, Torque:
		return node / (u.Velocity * u.Velocity) * sum
	}
	return 0
}

// Told is a number of so many times a quantity's reference unit for people: 0 where it is nothing but rounding.
func (u Units) Told(q Quantity, times, v float64) float64 {
	if math.Abs(times*v) < u.Rounding(q) {
		return 0
	}
	return v
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

// PressureOf is the pressure, in ρ0·U², of fluid with a density in ρ0: c_s²(ρ − ρ0), which is 0 in
// fluid at the reference density.
func (u Units) PressureOf(density float64) float64 { return u.FromLattice(Pressure, (density-1)/3) }

// TimeAt is the time after so many steps, in L/U, without the last digits, in which steps that are no
// binary fraction leave their rounding: 0.7 and not 0.7000000000000001.
func (u Units) TimeAt(step int64) float64 { return Shown(float64(step) * u.Dt) }

// Shown is a number without its last three digits, in which products leave their rounding.
func Shown(x float64) float64 {
	const digits = 13
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil { // beyond the range of numbers, which x was not
		return x
	}
	return short
}

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

// Symbol is that unit as people write it: "N", and "N/m" of the force on a metre of span in two dimensions.
func (u Units) Symbol(q Quantity) string {
	symbol := quantities[q].symbol
	if u.Dim == 3 || q.in(2) == q.in(3) {
		return symbol
	}
	switch q {
	case Area:
		return "m"
	case FlowRate:
		return "m^2/s"
	case Damping:
		return "N s/m^2"
	}
	return symbol + "/m"
}

// Suffix is the symbol at the end of a name: "m_per_s" of a velocity, "N_m" of a torque.
func (u Units) Suffix(q Quantity) string {
	return strings.NewReplacer("^", "", " ", "_", "1/", "per_", "/", "_per_").Replace(u.Symbol(q))
}

// SymbolOf is the symbol of which a text is the Suffix, of some quantity in two or three dimensions; ok is false where it is none.
func SymbolOf(suffix string) (symbol string, ok bool) {
	for q := range quantities {
		for dim := 2; dim <= 3; dim++ {
			if u := (Units{Dim: dim}); suffix != "" && u.Suffix(Quantity(q)) == suffix {
				return u.Symbol(Quantity(q)), true
			}
		}
	}
	return "", false
}

// Anchored tells whether the case says what a quantity is in SI.
func (u Units) Anchored(q Quantity) bool {
	_, ok := u.siScale(q)
	return ok
}

func (u Units) siScale(q Quantity) (scale float64, ok bool) {
	p := q.in(u.Dim)
	if p.length != 0 && u.Length == 0 || p.speed != 0 && u.Speed == 0 || p.density != 0 && u.Density == 0 {
		return 0, false
	}
	return p.scale(u.Length, u.Speed, u.Density), true
}

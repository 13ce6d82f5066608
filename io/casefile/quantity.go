package casefile

import (
	"fmt"
	"math"
	"strings"
)

// Quantity is a kind of physical quantity. Its unit in reference units is a
// product of powers of L, U and ρ, which fixes every conversion.
type Quantity int

// The quantities that a case, a fluid or a result can have. Number is
// dimensionless. Force, Torque, LineMass, BendingStiffness, Area, FlowRate, Mass, Work, Inertia and both Dampings are per unit depth in two dimensions.
const (
	Number Quantity = iota
	Length
	Time
	Velocity
	Acceleration
	Frequency
	Viscosity // kinematic
	DynamicViscosity
	Density
	Pressure
	Tension
	Force
	Torque
	Energy           // of bending and the like, in space
	Curvature        // 1 per length
	SurfaceViscosity // force·time per length
	LineMass         // mass per length of a line
	BendingStiffness // of a line: force·length²
	SurfaceMass      // mass per area of a sheet
	Area             // per unit depth in two dimensions
	FlowRate         // likewise: volume per time
	Resistance       // pressure per flow rate
	Capacitance      // volume per pressure
	Spin             // angle per time
	Rate             // of shear
	RateSquared
	Mass
	Work          // energy, per unit depth in two dimensions
	Inertia       // moment of inertia
	Damping       // force per velocity
	RotaryDamping // torque per rate of turning
)

// powers are the exponents of L, U and ρ in a quantity's reference unit.
type powers struct{ length, speed, density int }

var quantities = [...]struct {
	name    string
	example string
	powers         // in three dimensions
	symbol  string // of its SI unit there
}{
	Number:           {"number", "1", powers{}, ""},
	Length:           {"length", "3.91 um", powers{1, 0, 0}, "m"},
	Time:             {"time", "2 ms", powers{1, -1, 0}, "s"},
	Velocity:         {"velocity", "1 cm/s", powers{0, 1, 0}, "m/s"},
	Acceleration:     {"acceleration", "9.81 m/s^2", powers{-1, 2, 0}, "m/s^2"},
	Frequency:        {"frequency", "50 Hz", powers{-1, 1, 0}, "Hz"},
	Viscosity:        {"kinematic viscosity", "1e-6 m^2/s", powers{1, 1, 0}, "m^2/s"},
	DynamicViscosity: {"dynamic viscosity", "1 mPa.s", powers{1, 1, 1}, "Pa s"},
	Density:          {"density", "1000 kg/m^3", powers{0, 0, 1}, "kg/m^3"},
	Pressure:         {"pressure", "1 kPa", powers{0, 2, 1}, "Pa"},
	Tension:          {"surface tension or elasticity", "0.5 dyn/cm", powers{1, 2, 1}, "N/m"},
	Force:            {"force", "1 nN", powers{2, 2, 1}, "N"},
	Torque:           {"torque", "1 uN.m", powers{3, 2, 1}, "N m"},
	Energy:           {"energy", "2e-12 erg", powers{3, 2, 1}, "J"},
	Curvature:        {"curvature", "0.5 /um", powers{-1, 0, 0}, "1/m"},
	SurfaceViscosity: {"surface viscosity", "0.7 uN.s/m", powers{2, 1, 1}, "N s/m"},
	LineMass:         {"mass per length", "20 g/m", powers{2, 0, 1}, "kg/m"},
	BendingStiffness: {"bending stiffness", "1e-6 N.m^2", powers{4, 2, 1}, "N m^2"},
	SurfaceMass:      {"mass per area", "0.1 kg/m^2", powers{1, 0, 1}, "kg/m^2"},
	Area:             {"area", "2 cm^2", powers{2, 0, 0}, "m^2"},
	FlowRate:         {"flow rate", "5 l/min", powers{2, 1, 0}, "m^3/s"},
	Spin:             {"rate of turning", "3 /s", powers{-1, 1, 0}, "rad/s"},
	Rate:             {"rate", "3 /s", powers{-1, 1, 0}, "1/s"},
	RateSquared:      {"squared rate", "3 /s^2", powers{-2, 2, 0}, "1/s^2"},
	Resistance:       {"resistance", "1 mmHg.s/ml", powers{-2, 1, 1}, "Pa s/m^3"},
	Mass:             {"mass", "2 g", powers{3, 0, 1}, "kg"},
	Work:             {"work", "1 J", powers{3, 2, 1}, "J"},
	Inertia:          {"moment of inertia", "2 kg.m^2", powers{5, 0, 1}, "kg m^2"},
	Damping:          {"damping", "3 N.s/m", powers{2, 1, 1}, "N s/m"},
	RotaryDamping:    {"rotary damping", "3 N.m.s", powers{4, 1, 1}, "N m s"},
	Capacitance:      {"capacitance", "0.1 ml/mmHg", powers{3, -2, -1}, "m^3/Pa"},
}

// magnitude bounds what a case may give of a quantity, in reference units: far
// beyond any flow, and so that products of a few stay finite.
func (q Quantity) magnitude() float64 {
	switch q {
	case Length, Velocity, Density:
		return 1e12
	case Time, Frequency:
		return 1e18 // steps are bounded by themselves
	}
	return 1e30
}

// String returns the quantity's name in plain words.
func (q Quantity) String() string { return quantities[q].name }

// in returns the powers in two or three dimensions.
func (q Quantity) in(dim int) powers {
	p := quantities[q].powers
	switch q {
	case Force, Torque, LineMass, BendingStiffness, Area, FlowRate, Mass, Work, Inertia, Damping, RotaryDamping:
		p.length -= 3 - dim
	}
	return p
}

// scale returns L^a·U^b·ρ^c.
func (p powers) scale(length, speed, density float64) float64 {
	return pow(length, p.length) * pow(speed, p.speed) * pow(density, p.density)
}

// pow keeps absent (zero) anchors out of quantities that do not need them.
func pow(x float64, n int) float64 {
	if n == 0 {
		return 1
	}
	return math.Pow(x, float64(n))
}

// dimension is the exponents of metre, second and kilogram.
type dimension struct{ m, s, kg int }

// dimension of a product of powers of a length, a speed and a density.
func (p powers) dimension() dimension {
	return dimension{m: p.length + p.speed - 3*p.density, s: -p.speed, kg: p.density}
}

func (d dimension) plus(e dimension, n int) dimension {
	return dimension{d.m + n*e.m, d.s + n*e.s, d.kg + n*e.kg}
}

// String names the quantity that has the dimension, or writes its SI unit.
func (d dimension) String() string {
	for q := range quantities {
		if quantities[q].dimension() == d {
			return article(quantities[q].name)
		}
	}
	return "in " + d.unit()
}

// unit returns the coherent SI unit, for instance "m.s^-1".
func (d dimension) unit() string {
	var factors []string
	for _, f := range []struct {
		unit string
		n    int
	}{{"kg", d.kg}, {"m", d.m}, {"s", d.s}} {
		switch f.n {
		case 0:
		case 1:
			factors = append(factors, f.unit)
		default:
			factors = append(factors, fmt.Sprintf("%s^%d", f.unit, f.n))
		}
	}
	return strings.Join(factors, ".")
}

func article(noun string) string {
	if strings.IndexByte("aeiou", noun[0]) >= 0 {
		return "an " + noun
	}
	return "a " + noun
}

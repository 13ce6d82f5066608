package casefile

import "math"

// maxMach bounds the Mach number of every prescribed speed: the lattice's
// compressibility error grows as Ma².
const maxMach = 0.3

// Reference fixes the scales of a case.
type Reference struct {
	Resolution float64 // lattice nodes per reference length L
	Velocity   float64 // lattice velocity that stands for U
	Viscosity  float64 // kinematic, in U·L
	Reynolds   float64 // U·L/ν = 1/Viscosity

	Length, Speed, Density float64 // L, U, ρ0 in m, m/s, kg/m³; 0: no anchor
}

func readReference(t *table) {
	ref := &t.r.c.Reference
	readAnchors(t)
	ref.Resolution = t.requiredNumber("resolution", spec{Number, positive,
		"give the number of lattice nodes per reference length L, for instance 40"})
	ref.Velocity = t.requiredNumber("velocity", spec{Number, positive,
		"give the lattice velocity that stands for U, for instance 0.1"})
	if mach := ref.Velocity * math.Sqrt(3); mach > maxMach {
		t.fail("velocity", "%v gives Mach number velocity·√3 = %.3g, must be at most %v: use at most %s, for instance 0.1",
			ref.Velocity, mach, maxMach, formatDown(maxMach/math.Sqrt(3)))
	}
	readViscosity(t)
}

// readAnchors reads the SI values of L, U (or L/U) and ρ0.
func readAnchors(t *table) {
	ref := &t.r.c.Reference
	ref.Length = anchor(t, "length", Length)
	ref.Speed = anchor(t, "speed", Velocity)
	ref.Density = anchor(t, "density", Density)
	period := anchor(t, "time", Time)
	switch {
	case !t.has("time"):
	case t.has("speed"):
		t.fail("time", "given beside speed, must be one of the two, as time = length/speed: remove one")
	case !t.has("length"):
		t.fail("time", "needs length beside it, as speed = length/time: add length = \"1 cm\"")
	case t.r.clean(t.key("length"), t.key("time")):
		ref.Speed = ref.Length / period
	}
	for name, anchor := range map[string]float64{"length": ref.Length, "speed": ref.Speed, "density": ref.Density} {
		if anchor != 0 {
			t.note(name, anchor)
		}
	}
}

// anchor reads a positive SI value: a string with a unit, or a plain number in
// the coherent SI unit. It is 0 where absent.
func anchor(t *table, name string, q Quantity) float64 {
	v, ok := t.get(name)
	t.ask(name, ask{form: "number", spec: spec{quantity: q, bound: positive}})
	if !ok {
		return 0
	}
	if text, isText := v.(string); isText {
		si, dim, err := parseUnitString(text)
		switch {
		case err != nil:
			t.fail(name, "%s%s", err, unitRemedy(err, "a number in "+q.in(3).dimension().unit()+", for instance 0.01", q))
			return 0
		case dim != q.in(3).dimension():
			t.fail(name, "%q is %s, must be %s: write for instance %q", text, dim, article(q.String()), quantities[q].example)
			return 0
		}
		v = si
	}
	x, _ := t.r.number(t.key(name), v, spec{Number, positive, "write for instance \"" + quantities[q].example + "\""})
	return x
}

// readViscosity reads reynolds or viscosity and computes the other.
func readViscosity(t *table) {
	ref := &t.r.c.Reference
	switch {
	case t.has("reynolds") && t.has("viscosity"):
		t.fail("viscosity", "given beside reynolds, must be one of the two, as viscosity = 1/reynolds: remove one")
		return
	case t.has("viscosity"):
		t.r.viscosityKey = t.key("viscosity")
		ref.Viscosity = t.number("viscosity", spec{Viscosity, positive, "give ν in U·L, for instance 0.01"}, 0)
		ref.Reynolds = 1 / ref.Viscosity
	case t.has("reynolds"):
		t.r.viscosityKey = t.key("reynolds")
		ref.Reynolds = t.number("reynolds", spec{Number, positive, "give U·L/ν, for instance 100"}, 0)
		ref.Viscosity = 1 / ref.Reynolds
	default:
		t.missing("reynolds", "give reynolds = U·L/ν, or viscosity = ν/(U·L)")
		return
	}
	t.note("reynolds", ref.Reynolds)
	t.note("viscosity", ref.Viscosity)
	if !t.r.clean(t.r.viscosityKey, t.key("resolution"), t.key("velocity")) {
		return
	}
	if u := ref.units(0); math.IsInf(u.Tau, 0) || math.IsInf(ref.Reynolds, 0) {
		t.r.fail(t.r.viscosityKey, "makes the relaxation time τ = %v and the Reynolds number %v, must be finite: use a Reynolds number between 1e-3 and 1e6", u.Tau, ref.Reynolds)
	}
}

// checkRelaxation refuses a viscosity so small that the rounding of
// τ = 3ν + 1/2 in the precision of arithmetic changes it noticeably. In which
// populations are stored does not matter: the rates are not among them.
func (r *reader) checkRelaxation() {
	if !r.clean("fluid.precision", "reference") {
		return
	}
	u, least := r.c.Reference.units(0), r.c.Fluid.leastRelaxation()
	if 3*u.Nu < least {
		r.fail(r.viscosityKey, "makes the relaxation time τ = 1/2 + %.3g, must exceed 1/2 by at least %.3g to be held by %s: use reynolds up to %s%s",
			3*u.Nu, least, r.c.Fluid.Precision, formatDown(3*u.Velocity*u.Resolution/least), r.c.Fluid.heldBetter())
	}
}

// leastRelaxation is the least τ − 1/2 that the precision of arithmetic holds to a hundredth.
func (f *Fluid) leastRelaxation() float64 {
	const faithful = 0.01
	ulp := 0x1p-53 // of numbers in [1/2, 1)
	if f.Precision != "f64" {
		ulp = 0x1p-24
	}
	return ulp / 2 / faithful
}

// heldBetter is what makes τ − 1/2 larger, or held better, besides a lower Reynolds number.
func (f *Fluid) heldBetter() string {
	if f.Precision == "f64" {
		return " or a higher resolution"
	}
	return `, a higher resolution or precision = "f64"`
}

// checkSpeed refuses a prescribed speed, in U, whose Mach number is too high.
func (r *reader) checkSpeed(key string, speed float64) {
	if !r.clean(key, "reference.velocity") {
		return
	}
	if mach := speed * r.c.Reference.Velocity * math.Sqrt(3); mach > maxMach {
		r.fail(key, "prescribes %.4g U, which has Mach number %.3g, must be at most %v: lower reference.velocity to %s",
			speed, mach, maxMach, formatDown(maxMach/math.Sqrt(3)/speed))
	}
}

package casefile

import (
	"fmt"
	"slices"
)

// motionKeys are the keys that each motion takes beside its type.
var motionKeys = map[string][]string{
	"fixed": nil,
	"prescribed": {"displacement", "velocity", "amplitude", "frequency", "phase", "angle", "spin", "swing", "swing_phase",
		"axis", "pivot"},
	"free": {"density", "velocity", "spin", "release", "fix", "inertia", "spring", "damper", "spring_rotation", "damper_rotation"},
	"elastic": {"law", "shear", "capillary", "area", "poisson", "bending", "bending_model", "curvature",
		"area_penalty", "volume_penalty", "shear_viscosity", "prestress", "mesh",
		"loads", "mass", "stretching", "thickness", "bending_damping", "stretching_damping", "rest", "hold"},
}

// readMotion reads how a body moves; sound tells that its shape is.
func readMotion(t *table, s Shape, sound bool) Motion {
	m := Motion{Type: "fixed"}
	if !t.present {
		t.note("type", m.Type)
		return m
	}
	if m.Type = t.variant(); m.Type == "" {
		return m
	}
	switch m.Type {
	case "prescribed":
		readTranslation(t, &m)
		readRotation(t, &m)
		readFrequency(t, &m)
		noteStill(t, &m)
		if !slices.ContainsFunc(motionKeys["prescribed"][:8], t.has) {
			t.fail("type", "is prescribed, but says neither translation nor rotation: give for instance velocity = [0.1, 0.0], or use \"fixed\"")
		}
	case "free":
		readFree(t, &m)
		if sound && s.open() {
			t.fail("type", "is free, but the shape %q is open and has neither volume nor mass: close it, or prescribe its motion", s.Type)
		}
	case "elastic":
		readFlexible(t, &m, s, sound)
	}
	refuseForeign(t, motionKeys, m.Type)
	return m
}

// noteStill gives a body that is shaken or swung by nothing the notes that hashes of cases
// have always had.
func noteStill(t *table, m *Motion) {
	switch {
	case m.Frequency == 0 || m.Amplitude != [3]float64{} || m.Displacement != nil || m.Velocity != nil:
	case m.Swing != 0:
		t.drop("amplitude", "phase")
	default:
		t.note("amplitude", m.Amplitude)
		t.note("phase", m.Phase)
	}
}

// oneOf reports all but the first of keys of which one may be given.
func (t *table) oneOf(what string, names ...string) {
	first := ""
	for _, name := range names {
		switch {
		case !t.has(name):
		case first == "":
			first = name
		default:
			t.fail(name, "given beside %s, must be one %s: remove one", first, what)
		}
	}
}

func readTranslation(t *table, m *Motion) {
	t.oneOf("translation", "displacement", "velocity", "amplitude")
	if t.has("displacement") {
		x := t.varyingVector("displacement", spec{quantity: Length, remedy: "give L, or expressions of t"})
		m.Displacement = &x
	}
	if t.has("velocity") {
		u := t.varyingVector("velocity", spec{quantity: Velocity, remedy: "give U, or expressions of t"})
		m.Velocity = &u
	}
	if t.has("amplitude") {
		m.Amplitude = t.vector("amplitude", spec{quantity: Length, remedy: "give it in L, for instance [0.5, 0.0]"}, m.Amplitude)
		m.Phase = t.number("phase", spec{Number, bound{}, "give it in radians"}, 0)
	} else {
		t.refuse("has no effect without amplitude", "phase")
	}
}

func readRotation(t *table, m *Motion) {
	t.oneOf("rotation", "angle", "spin", "swing")
	if t.has("angle") {
		a := t.varying("angle", spec{Number, bound{}, "give radians, or an expression of t"}, 0)
		m.Angle = &a
	}
	if t.has("spin") {
		w := t.varying("spin", spec{Number, bound{}, "give radians per L/U, or an expression of t"}, 0)
		m.Spin = &w
	}
	m.Swing = t.optional("swing", spec{Number, bound{}, "give it in degrees"})
	if t.has("swing") {
		m.SwingPhase = t.number("swing_phase", spec{Number, bound{}, "give it in radians"}, 0)
	} else {
		t.refuse("has no effect without swing", "swing_phase")
	}
	if !t.has("angle") && !t.has("spin") && !t.has("swing") {
		t.refuse("has no effect without angle, spin or swing", "axis", "pivot")
		return
	}
	m.Axis = zAxis
	if t.r.c.Domain.Dim == 2 {
		t.refuse("has no effect in two dimensions, where all turns are about z", "axis")
	} else {
		m.Axis = readUnitVector(t, "axis")
	}
	if t.has("pivot") {
		p := t.vector("pivot", spec{quantity: Length, remedy: "give a point in L"}, [3]float64{})
		m.Pivot = &p
		t.note("pivot", place(p))
	}
}

// readFrequency reads the frequency that amplitude and swing share.
func readFrequency(t *table, m *Motion) {
	const remedy = "give periods per L/U, for instance 0.2"
	if !t.has("amplitude") && !t.has("swing") {
		t.refuse("has no effect without amplitude or swing", "frequency")
		return
	}
	m.Frequency = t.requiredNumber("frequency", spec{Frequency, positive, remedy})
}

func readFree(t *table, m *Motion) {
	m.Density = t.requiredNumber("density", spec{Density, positive, "give ρs/ρf, for instance 1.5"})
	m.InitialVelocity = t.vector("velocity", spec{quantity: Velocity, remedy: "give U, for instance [0.0, 0.0]"}, m.InitialVelocity)
	t.r.checkSpeed(t.key("velocity"), norm(m.InitialVelocity))
	m.InitialSpin = readInitialSpin(t)
	m.Release = t.number("release", spec{Time, notNegative, "give the time in L/U until which the body is held, or 0"}, 0)
	m.Fix = readFix(t)
	m.Inertia = t.optional("inertia", spec{Number, positive, "give it in ρf·L^(d+2), or remove it for that of the shape"})
	m.Spring = t.vector("spring", spec{Number, notNegative, "give ρf·U²·L^(d−1) per L, or 0"}, m.Spring)
	m.Damper = t.vector("damper", spec{Number, notNegative, "give ρf·U²·L^(d−1) per U, or 0"}, m.Damper)
	m.SpringRotation = t.number("spring_rotation", spec{Number, notNegative, "give ρf·U²·L^d per radian, or 0"}, 0)
	m.DamperRotation = t.number("damper_rotation", spec{Number, notNegative, "give ρf·U²·L^d per radian/(L/U), or 0"}, 0)
}

// readInitialSpin reads a number in the plane and a vector in space.
func readInitialSpin(t *table) (spin [3]float64) {
	s := spec{Number, bound{}, "give radians per L/U"}
	if t.r.c.Domain.Dim == 2 {
		spin[2] = t.number("spin", s, 0)
		return spin
	}
	return t.vector("spin", s, spin)
}

// fixes are the entries of Motion.Fix that each name stands for.
var fixes = map[string][]int{"x": {0}, "y": {1}, "z": {2}, "rx": {3}, "ry": {4}, "rz": {5}, "rotation": {3, 4, 5}}

func readFix(t *table) (fix [6]bool) {
	defer func() {
		held := []string{}
		for i, name := range []string{"x", "y", "z", "rx", "ry", "rz"} {
			if fix[i] {
				held = append(held, name)
			}
		}
		t.note("fix", held)
	}()
	v, ok := t.get("fix")
	t.ask("fix", ask{form: "list", words: choices["body.motion.fix"].have, def: []string{}})
	if !ok {
		return fix
	}
	list, ok := v.([]any)
	if !ok {
		t.fail("fix", `must be an array of directions, not %s: write for instance fix = ["x", "rotation"]`, kind(v))
		return fix
	}
	for i, e := range list {
		key := fmt.Sprintf("%s.%d", t.key("fix"), i)
		name, ok := e.(string)
		if !ok {
			t.r.fail(key, "must be a direction in quotes, not %s: write for instance \"x\"", kind(e))
			continue
		}
		if name, ok = t.r.choose(key, "body.motion.fix", name); !ok {
			continue
		}
		if t.r.c.Domain.Dim == 2 && (name == "z" || name == "rx" || name == "ry") {
			t.r.fail(key, "%q does not exist with %s: remove it, or use \"rotation\"", name, t.r.c.Domain.Lattice)
			continue
		}
		for _, i := range fixes[name] {
			fix[i] = t.r.c.Domain.Dim == 3 || i < 2 || i == 5
		}
	}
	return fix
}

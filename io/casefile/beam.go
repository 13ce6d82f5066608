package casefile

import "slices"

// Beam is what a line that bends is made of, in reference units. In two dimensions masses, forces and
// moments are per depth.
type Beam struct {
	Mass       float64 // per length, ρL^(d−1)
	Bending    float64 // E I, ρU²L^(d+1)
	Stretching float64 // E A, ρU²L^(d−1); 0: the line keeps its length
	Thickness  float64 // L; 0: the fluid feels it along the line

	BendingDamping    float64 // moment over rate of curvature, ρUL^(d+2)
	StretchingDamping float64 // tension over rate of strain, ρUL^d

	Rest string     // straight | drawn: what it is free of bending
	Hold [2]BeamEnd // its first and its last point
}

// BeamEnd is how an end of a line is held.
type BeamEnd struct {
	Type string // free | hinged | clamped
	Body string // that holds it; empty: it stays where it is drawn
}

// Keys that only lines take, and those that only surfaces do.
var (
	beamKeys    = []string{"mass", "stretching", "thickness", "bending_damping", "stretching_damping", "rest", "hold"}
	surfaceKeys = []string{"shear", "capillary", "area", "poisson", "bending_model", "curvature", "area_penalty", "volume_penalty", "shear_viscosity", "prestress", "viscosity_ratio", "implicit", "mesh", "loads"}
)

// readFlexible reads what an elastic body is made of: a line, a sheet, or a closed surface.
func readFlexible(t *table, m *Motion, s Shape, sound bool) {
	switch s.Type {
	case "line":
	case "rectangle":
		m.Plate = readPlate(t)
		return
	default:
		m.Elastic = readElastic(t, s, sound)
		m.Loads = readLoads(t)
		others := beamKeys
		if t.r.c.Domain.Dim == 2 { // rings take rest, too
			others = slices.DeleteFunc(slices.Clone(beamKeys), func(name string) bool { return name == "rest" })
		}
		t.refuse(`has no effect on a surface: it belongs to lines (law = "beam")`, others...)
		return
	}
	if law := t.choice("law", "beam"); law != "beam" && law != "" {
		t.fail("law", "is %q, a law of surfaces, but the shape is a line: use \"beam\"", law)
	}
	m.Beam = readBeam(t)
	t.refuse("has no effect on a line: it belongs to surfaces", surfaceKeys...)
}

// readBeam reads what a line that bends is made of.
func readBeam(t *table) *Beam {
	b := &Beam{}
	b.Mass = t.number("mass", spec{LineMass, notNegative, "give the mass per length in ρL^(d−1), or 0 for none"}, 0)
	b.Bending = t.requiredNumber("bending", spec{BendingStiffness, notNegative, "give E I in ρU²L^(d+1), for instance 0.0015, or 0 for a string"})
	b.Stretching = t.number("stretching", spec{Force, positive, "give E A in ρU²L^(d−1), or remove it for a line that keeps its length"}, 0)
	b.BendingDamping = t.number("bending_damping", spec{Number, notNegative, "give it in ρUL^(d+2), or 0"}, 0)
	b.StretchingDamping = t.number("stretching_damping", spec{Number, notNegative, "give it in ρUL^d, or 0"}, 0)
	b.Rest = t.choice("rest", "straight")
	if t.r.c.Domain.Dim == 2 {
		b.Thickness = t.number("thickness", spec{Length, notNegative, "give it in L, or 0 for a line"}, 0)
	} else {
		t.refuse("has no effect in three dimensions: a line has no faces there", "thickness")
		if b.Rest == "drawn" {
			t.fail("rest", "is drawn, which is not available in three dimensions, where a line has no frame to know the direction that it bends to: use \"straight\"")
		}
	}
	if b.Thickness > 0 && t.r.clean(t.key("mass"), t.key("thickness")) && b.Mass < b.Thickness*(1-1e-12) {
		t.fail("mass", "%v is less than that of the fluid which a thickness of %v displaces, must be at least %v: the beam moves by what it weighs beyond the fluid", b.Mass, b.Thickness, b.Thickness)
	}
	hold := t.table("hold")
	for e, name := range [2]string{"start", "end"} {
		b.Hold[e] = readBeamEnd(hold, name)
	}
	return b
}

// readBeamEnd reads how an end is held: a word, or a table with the body that holds it.
func readBeamEnd(t *table, name string) BeamEnd {
	if v, _ := t.get(name); v != nil {
		if _, ok := v.(map[string]any); ok {
			of := t.table(name)
			end := BeamEnd{Type: of.variant(), Body: of.text("body", "")}
			if end.Type == "free" && end.Body != "" {
				of.fail("body", "holds nothing, the end is free: make it hinged or clamped")
			}
			if end.Body != "" {
				t.r.atEnd = append(t.r.atEnd, func() { checkBase(of, end.Body) })
			}
			return end
		}
	}
	return BeamEnd{Type: t.choice(name, "free")}
}

// checkBase refuses bodies that cannot hold a line.
func checkBase(t *table, name string) {
	for i := range t.r.c.Bodies {
		b := &t.r.c.Bodies[i]
		if b.Name != name {
			continue
		}
		if b.Motion.Type == "elastic" {
			t.fail("body", "%q is elastic, must be fixed, prescribed or free: a line is held at a place of a body that does not bend; hold it by a rigid one, or let the end be free", name)
		}
		return
	}
	names := make([]string, len(t.r.c.Bodies))
	for i := range names {
		names[i] = t.r.c.Bodies[i].Name
	}
	t.fail("body", "there is no body %q%s: give the name of one that is fixed, prescribed or free", name, didYouMean(name, names))
}

package casefile

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Elastic is the membrane of an elastic body, in reference units: moduli of the surface in
// ρU²L, which is a force per length, and energies in ρU²L³. In two dimensions it is a ring, the section of a
// surface that does not change along z, with the same moduli.
type Elastic struct {
	Law     string  // skalak | neo-hookean | hooke
	Shear   float64 // G_s, ρU²L
	Area    float64 // Skalak's C
	Poisson float64 // ν_s, of law hooke

	Bending      float64 // κ, ρU²L³
	BendingModel string  // juelicher | cotangent | dihedral; empty without bending
	Curvature    float64 // H0, in two dimensions that of the ring itself, 1/L
	Drawn        bool    // in two dimensions: free of bending as drawn

	AreaPenalty    float64 // ρU²L
	VolumePenalty  float64 // ρU²
	ShearViscosity float64 // of the membrane, ρUL²
	Prestress      float64 // length of every edge over that free of stress

	ViscosityRatio float64 // λ, of the fluid inside over that outside

	Implicit bool // forces are those of where vertices go in a step

	Mesh int     // vertices, about; 0: edges, of rings segments, about a node long
	Rate float64 // U/L, of the capillary numbers: that of capillary, or 1
}

// leastVertices is the coarsest mesh of a cell: an icosahedron whose edges are halved.
const leastVertices = 42

// mostVertices keeps below the finest mesh of package elastic, as a test holds.
const mostVertices = 40_962

// Bounds of the vertices of rings: those of package ring, as a test holds.
const (
	leastRing = 8
	mostRing  = 100_000
)

// elasticShapes are those that can be elastic, by dimension, beside lines.
var elasticShapes = map[int][]string{2: {"circle", "ellipse", "polygon"}, 3: {"sphere", "rbc", "ellipsoid", "stl"}}

// motionOf is the type of motion that a body's table asks for, whether or not there is one.
func motionOf(t *table) string {
	motion, _ := t.values["motion"].(map[string]any)
	name, _ := motion["type"].(string)
	return name
}

// readElastic reads the membrane of an elastic body; sound tells that its shape is.
func readElastic(t *table, s Shape, sound bool) *Elastic {
	dim := t.r.c.Domain.Dim
	switch fit := elasticShapes[dim]; {
	case sound && !slices.Contains(fit, s.Type):
		t.fail("type", "is elastic, but the shape is %q, must be a line or one of %s: use another shape, or another motion", s.Type, strings.Join(fit, ", "))
	case sound && s.open():
		t.fail("type", "is elastic, but the shape %q is open, a membrane must enclose fluid: close it, or choose another motion", s.Type)
	}
	e := &Elastic{Law: t.choice("law", "skalak"), Rate: 1, ViscosityRatio: 1}
	if e.Law == "beam" {
		t.fail("law", "is \"beam\", that of lines, but the shape is %q: use a line, or one of skalak, neo-hookean, hooke", s.Type)
		t.silent = true
	}
	if e.Law == "plate" {
		t.fail("law", "is \"plate\", that of sheets, but the shape is %q: use a rectangle, or one of skalak, neo-hookean, hooke", s.Type)
		t.silent = true
	}
	e.Area = lawNumber(t, e.Law, "skalak", "area", spec{Number, notNegative, "give Skalak's C, for instance 1 for a capsule, 100 for a red cell"}, 1)
	inside := bound{func(x float64) bool { return x > -1 && x < 1 }, "must be between -1 and 1"}
	e.Poisson = lawNumber(t, e.Law, "hooke", "poisson", spec{Number, inside, "give Poisson's ratio of the surface, for instance 0.333"}, 1./3)
	e.Shear = readShear(t, e, s, sound)
	readBending(t, e, dim)
	e.AreaPenalty = t.number("area_penalty", spec{Tension, notNegative, "give k_A in ρU²L, or 0 for none"}, 0)
	e.VolumePenalty = t.number("volume_penalty", spec{Pressure, notNegative, "give k_V in ρU², or 0 for none"}, 0)
	e.ShearViscosity = t.number("shear_viscosity", spec{SurfaceViscosity, notNegative, "give the viscosity of the membrane in ρUL², or 0 for none"}, 0)
	stretch := bound{func(x float64) bool { return x >= 0.5 && x <= 2 }, "must be 0.5 to 2"}
	e.Prestress = t.number("prestress", spec{Number, stretch, "give the length of an edge over that free of stress, 1 for none"}, 1)
	e.ViscosityRatio = t.number("viscosity_ratio", spec{Number, positive, "give the viscosity of the fluid inside over that outside, for instance 5.0, or 1.0 for the same"}, 1)
	e.Implicit = t.flag("implicit", false)
	if path, _ := s.File(); path != "" && t.has("mesh") {
		t.fail("mesh", "has no effect with shape %q, whose vertices are those of the file: remove it, and mesh the file's surface anew for others", s.Type)
		return e
	}
	if dim == 2 {
		e.Mesh = int(t.integer("mesh", leastRing, mostRing, 0, "give the number of vertices, for instance 100, or leave it out for one about every node"))
	} else {
		e.Mesh = int(t.integer("mesh", leastVertices, mostVertices, 0, "give the number of vertices, for instance 642, or leave it out for edges of about a node"))
	}
	if e.Mesh == 0 {
		t.note("mesh", "auto")
	}
	return e
}

// lawNumber reads a number that one law has; 0 with others.
func lawNumber(t *table, law, of, name string, s spec, def float64) float64 {
	if law == of {
		return t.number(name, s, def)
	}
	if law != "" {
		t.refuse(fmt.Sprintf("has no effect with law = %q: it belongs to law %q", law, of), name)
	}
	return 0
}

// readBending reads the resistance to bending and what belongs to it.
func readBending(t *table, e *Elastic, dim int) {
	e.Bending = t.number("bending", spec{Energy, notNegative, "give κ in ρU²L³, or 0 for none"}, 0)
	if e.Bending == 0 {
		if t.r.clean(t.key("bending")) {
			t.refuse("has no effect without bending", "bending_model", "curvature", "rest")
		}
		return
	}
	if dim == 2 {
		t.refuse("has no effect in two dimensions, where bending is that of angles between segments", "bending_model")
		if e.Drawn = t.choice("rest", "straight") == "drawn"; e.Drawn {
			t.refuse(`has no effect with rest = "drawn"`, "curvature")
			return
		}
		e.Curvature = t.number("curvature", spec{Curvature, bound{}, "give the curvature free of bending in 1/L, that of a circle of radius R being 1/R"}, 0)
		return
	}
	e.BendingModel = t.choice("bending_model", "juelicher")
	if e.BendingModel == "cotangent" {
		t.refuse(`has no effect with bending_model = "cotangent"`, "curvature")
		return
	}
	e.Curvature = t.number("curvature", spec{Curvature, bound{}, "give the mean curvature H0 free of bending in 1/L, positive where a sphere's is"}, 0)
}

// readShear reads the shear modulus, which a capillary number may give.
func readShear(t *table, e *Elastic, s Shape, sound bool) float64 {
	const remedy = "give G_s in ρU²L or as a string with a unit, for instance \"2.5e-3 dyn/cm\", or capillary = 0.1"
	t.oneOf("measure of stiffness", "shear", "capillary")
	switch {
	case t.has("shear"):
		return t.number("shear", spec{Tension, positive, remedy}, 0)
	case !t.has("capillary"):
		t.missing("shear", remedy)
		return 0
	}
	ca, young := readCapillary(t, e)
	if !(ca > 0) || !sound || !t.r.clean(t.path, "reference", "domain.lattice") {
		return 0
	}
	radius := e.Radius(s, t.r.c.Reference.Resolution)
	if !(radius > 0) {
		t.fail("capillary", "needs a radius, which shape %q does not tell before its file is read: give shear = μγ̇a/Ca in ρU²L", s.Type)
		return 0
	}
	shear := t.r.c.Reference.Viscosity * e.Rate * radius / ca // μγ̇a in ρU²L over Ca
	if young {
		shear /= e.YoungOverShear(t.r.c.Domain.Dim)
	}
	t.note("shear", shear)
	return shear
}

// readCapillary reads a capillary number: a number, which is by G_s, or a table.
func readCapillary(t *table, e *Elastic) (ca float64, young bool) {
	number := spec{Number, positive, "give the capillary number μγ̇a/G_s, for instance 0.1"}
	v, _ := t.get("capillary")
	if _, ok := v.(map[string]any); !ok {
		return t.number("capillary", number, 0), false
	}
	c := t.table("capillary")
	c.oneOf("modulus", "shear", "young")
	e.Rate = c.number("rate", spec{Frequency, positive, "give the rate of shear γ̇ in U/L, for instance 1.0"}, 1)
	if young = c.has("young"); young {
		number.remedy = "give the capillary number μγ̇a/E_s, for instance 0.05"
		return c.number("young", number, 0), true
	}
	return c.requiredNumber("shear", number), false
}

// Radius is a of capillary numbers, in L: half the diameter of a shape that has one, else the radius of the sphere that encloses as
// much; 0 where only a file tells.
func (e *Elastic) Radius(s Shape, resolution float64) float64 {
	if d := s.Number("diameter"); d > 0 {
		return d / 2
	}
	if made := s.draw(resolution); made != nil {
		return RoundRadius(made.Enclosed(), made.Dim()) / resolution
	}
	return 0
}

// RoundRadius is the radius of the sphere, with dim 2 the circle, that encloses so much.
func RoundRadius(enclosed float64, dim int) float64 {
	if dim == 2 {
		return math.Sqrt(enclosed / math.Pi)
	}
	return math.Cbrt(enclosed * 3 / (4 * math.Pi))
}

// YoungOverShear is E_s/G_s = 2(1+ν_s) at small strain; in two dimensions that of the modulus E of the tension E(λ−1) along the ring, which is K_s + G_s.
func (e *Elastic) YoungOverShear(dim int) float64 {
	if dim == 2 {
		switch e.Law {
		case "skalak":
			return 2 * (1 + e.Area)
		case "hooke":
			return 2 / (1 - e.Poisson)
		}
		return 4
	}
	switch e.Law {
	case "skalak": // K_s = G_s (1 + 2C)
		return 2 * (1 + 2*e.Area) / (1 + e.Area)
	case "hooke":
		return 2 * (1 + e.Poisson)
	}
	return 3
}

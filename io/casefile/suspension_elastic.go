package casefile

import (
	"math"
	"slices"
)

// mostFed bounds the share of what flows in that cells are. They enter one by one at random places: random sequential addition (Widom, J. Chem. Phys. 44 (1966)
// 3888), which of spheres ends at 0.38 of the volume.
const mostFed = 0.4

// mostHematocrit bounds the share of the volume that cells are packed to: red cells at rest fill at most some 0.6 at random.
const mostHematocrit = 0.6

func init() {
	choices["suspension.shape.type"] = choice{"a shape of suspended cells", []string{"rbc", "sphere", "ellipsoid"}, nil}
	choices["suspension.material.law"] = choice{"a law of suspended cells", []string{"skalak", "neo-hookean", "hooke"}, nil}
	choices["suspension.material.bending_model"] = choices["body.motion.bending_model"]
}

// readElasticSuspension reads suspended cells: their shape, their material and how many there are.
func readElasticSuspension(t *table, s *Suspension, i int, names map[string]int) {
	t.refuse(`has no effect with model = "elastic"`, "semi_axes", "density", "strength", "ratio", "friction")
	switch {
	case t.has("name"):
		s.Name = readName(t, "cell", i, names)
	case i == 0:
		s.Name, names["cell"] = "cell", 0
		t.note("name", s.Name)
	default:
		t.missing("name", "the cells of a second [[suspension]] need a name of their own, for instance \"platelet\"")
	}
	readShare(t, s)
	if i == 0 {
		s.Seed = t.integer("seed", 0, math.MaxInt32, 1, "places and directions follow from it")
		readRegion(t, s)
	} else {
		t.refuse("has no effect after the first [[suspension]], in whose region and by whose seed the cells of all are packed together", "seed", "region")
	}
	sound := false
	s.Shape, sound = readSuspendedShape(t)
	if !t.has("material") {
		t.missing("material", `give the membrane, for instance material = { law = "skalak", shear = "5.5 uN/m", area = 20.0, bending = "2e-19 J" }`)
	} else {
		m := t.table("material")
		m.refuse("are forces on single bodies: cells of a suspension have none", "loads")
		s.Material = readElastic(m, s.Shape, sound)
	}
	given := t.has("feed")
	if given {
		share := bound{func(x float64) bool { return x >= 0 && x <= mostFed }, "must be at least 0 and at most 0.4"}
		s.Feed = t.number("feed", spec{Number, share, "give the share of the volume that flows in at velocity ports, with which cells enter, for instance 0.2, or 0: none enter"}, 0)
	}
	t.r.atEnd = append(t.r.atEnd, func() {
		checkElasticSuspension(t)
		checkFeed(t, &t.r.c.Suspensions[i], given)
	})
}

// checkFeed refuses cells that cannot enter, and has them enter as they begin where nothing else is given.
func checkFeed(t *table, s *Suspension, given bool) {
	enters := slices.ContainsFunc(t.r.c.Ports, func(p Port) bool { return p.Type == "velocity" })
	switch {
	case given && t.r.c.Domain.Vessel == nil && t.r.clean("domain.vessel"):
		t.fail("feed", "has no effect without [domain] vessel and [[port]], with whose fluid cells enter: remove it")
	case given && s.Feed > 0 && !enters && t.r.clean("port"):
		t.fail("feed", `needs a port of type "velocity", with whose fluid cells enter: what flows in at others is not known beforehand; give one, or feed = 0`)
	case !given && enters && t.r.clean(t.key("hematocrit")):
		s.Feed = math.Min(s.Hematocrit, mostFed)
		t.note("feed", s.Feed)
	}
}

// readShare reads how much of the volume cells fill.
func readShare(t *table, s *Suspension) {
	const remedy = "give the share of the fluid's volume that the cells fill, for instance 0.3, or discharge_hematocrit, that of the volume which flows"
	share := bound{func(x float64) bool { return x > 0 && x <= mostHematocrit }, "must be more than 0 and at most 0.6"}
	t.oneOf("haematocrit", "hematocrit", "discharge_hematocrit")
	switch {
	case t.has("hematocrit"):
		s.Hematocrit = t.number("hematocrit", spec{Number, share, remedy}, 0)
	case t.has("discharge_hematocrit"):
		s.Discharge = t.number("discharge_hematocrit", spec{Number, share, remedy}, 0)
		if t.r.clean("reference") && !(t.r.c.Reference.Length > 0) {
			t.fail("discharge_hematocrit", "needs reference.length in SI, as the tube haematocrit that belongs to it is known by the tube's diameter in micrometres: give reference.length and speed, or hematocrit")
		}
	default:
		t.missing("hematocrit", remedy)
	}
}

// readSuspendedShape reads a shape without a place, and puts it into the middle of the domain.
func readSuspendedShape(parent *table) (s Shape, sound bool) {
	if !parent.has("shape") {
		parent.missing("shape", `give the shape of a cell, for instance shape = { type = "rbc", diameter = 1.0 }`)
		return Shape{given: &given{notes: new(notes)}}, false
	}
	t := parent.table("shape")
	s = Shape{given: &given{notes: new(notes)}}
	if t.silent {
		return s, false
	}
	if s.Type = t.variant(); s.Type == "" {
		return s, false
	}
	k, d := kindOf(s.Type), &t.r.c.Domain
	if d.Dim == 2 { // which is told at the end
		t.silent = true
		return s, false
	}
	for _, key := range k.keys {
		if key.name == "center" {
			continue
		}
		if v := key.read(t, key.name); v != nil {
			t.note(key.name, v)
		}
	}
	t.refuse("has no effect in a suspension, whose cells are placed by its seed", "center", "angle", "axis")
	refuseForeign(t, shapeKeys, s.Type)
	s.values = slices.Clone(t.notes.values)
	var middle place
	for a := range d.Dim {
		middle[a] = d.Origin[a] + d.Size[a]/2
	}
	s.note("center", middle)
	s.Axis = zAxis
	return s, t.r.clean(t.path, "domain.lattice", "domain.size", "domain.origin")
}

// readRegion reads the box in which cells are packed.
func readRegion(t *table, s *Suspension) {
	if !t.has("region") {
		return
	}
	of := t.table("region")
	lo := of.requiredVector("min", spec{quantity: Length, remedy: "give the lower corner in L"})
	hi := of.requiredVector("max", spec{quantity: Length, remedy: "give the upper corner in L"})
	checkCorners(of, lo, hi)
	s.Region = &[2]Corner{lo, hi}
}

// checkElasticSuspension refuses what cannot be in one case with suspended cells.
func checkElasticSuspension(t *table) {
	c := t.r.c
	for _, other := range []struct {
		key  string
		have bool
	}{{"body", len(c.Bodies)+len(c.Cells) > 0}, {"refine", len(c.Refine) > 0}} {
		if other.have {
			t.r.fail(t.path, "is given beside [[%s]], which the packing of cells does not take into account: remove one of them; walls of channels and tubes are [[solid]] or faces", other.key)
		}
	}
	if c.Domain.Dim == 2 {
		t.r.fail("domain.lattice", "is %q, in which suspended cells cannot be: use D3Q19, or remove [[suspension]]", c.Domain.Lattice)
	}
}

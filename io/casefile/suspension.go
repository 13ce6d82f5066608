package casefile

import (
	"math"
	"slices"
)

// Suspension is particles that fill the fluid to a haematocrit, in reference units.
type Suspension struct {
	Model      string  // ellipsoid | elastic
	Hematocrit float64 // the share of the fluid's volume; 0: Discharge is given
	Seed       int64

	// Of elastic cells.
	Name      string     // cells are NAME-0, NAME-1, …
	Shape     Shape      // of one, about the middle of the domain
	Material  *Elastic   // its membrane
	Discharge float64    // the share of the volume that flows, which the tube haematocrit is found for; 0: Hematocrit is given
	Region    *[2]Corner // where they are packed, L; nil: everywhere
	Feed      float64    // the share of the volume that flows in at ports, which they enter with

	Equatorial, Polar float64 // semi-axes of an ellipsoid of revolution, L
	Density           float64 // ρs/ρf
	Strength          float64 // ε₀ of the repulsion, ρU²L³
	Ratio             float64 // κ′ of the repulsion
	Friction          float64 // of drag and torque, over those of a sphere of the same volume

	Key string // of its table: "suspension.0"
}

// Corner is one of a box, in L.
type Corner = [3]float64

// suspensionDeltas are those by which particles are coupled that torques act on.
var suspensionDeltas = []string{"roma3", "peskin4"}

func readSuspensions(r *reader, tables []*table) {
	names := map[string]int{}
	for i, t := range tables {
		s := Suspension{Key: t.path, Model: t.choice("model", "ellipsoid")}
		if i > 0 && (s.Model != "elastic" || r.c.Suspensions[0].Model != "elastic") {
			r.fail(t.path, "is the second [[suspension]], there can be several of elastic cells alone: remove one")
			return
		}
		if s.Model == "elastic" {
			readElasticSuspension(t, &s, i, names)
			r.c.Suspensions = append(r.c.Suspensions, s)
			continue
		}
		t.refuse(`has no effect with model = "ellipsoid"`, "name", "shape", "material", "discharge_hematocrit", "region", "feed")
		share := bound{func(x float64) bool { return x > 0 && x <= 0.5 }, "must be more than 0 and at most 0.5"}
		s.Hematocrit = t.requiredNumber("hematocrit", spec{Number, share, "give the share of the fluid's volume that the particles fill, for instance 0.3"})
		s.Seed = t.integer("seed", 0, math.MaxInt32, 1, "places and directions follow from it")
		axes := t.requiredVector("semi_axes", spec{Length, positive, "give the three semi-axes in L, the first two alike, for instance [0.5, 0.5, 0.15]"})
		if t.r.clean(t.key("semi_axes"), "domain.lattice") && math.Abs(axes[0]-axes[1]) > 1e-9*axes[0] {
			t.fail("semi_axes", "are %g, %g and %g L, the first two must be alike: the ellipsoids are figures of revolution, whose axis is the third", axes[0], axes[1], axes[2])
		}
		s.Equatorial, s.Polar = axes[0], axes[2]
		s.Density = t.number("density", spec{Number, positive, "give ρs/ρf, for instance 1.0"}, 1)
		s.Strength = t.requiredNumber("strength", spec{Energy, positive, "give the energy of two that touch, in ρU²L³, for instance 0.1"})
		s.Ratio = t.number("ratio", spec{Number, positive, "give the energy side by side over that end to end, 1 for one everywhere"}, 1)
		s.Friction = t.number("friction", spec{Number, positive, "give drag and torque over those of a sphere of the same volume, 1 for these"}, 1)
		r.atEnd = append(r.atEnd, func() { checkSuspension(t) })
		r.c.Suspensions = append(r.c.Suspensions, s)
	}
}

// checkSuspension refuses what cannot be in one case with a suspension.
func checkSuspension(t *table) {
	c := t.r.c
	for _, other := range []struct {
		key  string
		have bool
	}{{"body", len(c.Bodies)+len(c.Cells) > 0}, {"solid", len(c.Solids) > 0}, {"refine", len(c.Refine) > 0}, {"port", c.Domain.Vessel != nil}} {
		if other.have {
			t.r.fail(t.path, "is given beside [[%s]], which a suspension of ellipsoids does not take into account: remove one of them", other.key)
		}
	}
	if c.Domain.Dim == 2 {
		t.r.fail("domain.lattice", "is %q, in which there are no ellipsoids: use D3Q19, or remove [[suspension]]", c.Domain.Lattice)
	}
	if t.r.clean("ib.delta") && !slices.Contains(suspensionDeltas, c.IB.Delta) {
		t.r.fail("ib.delta", "is %q, by which no torque of ellipsoids acts: use roma3 (27 nodes) or peskin4 (64)", c.IB.Delta)
	}
}

// SuspensionOut is the interval of means of a suspension, in L/U, and the axis along which profiles are taken; empty: none.
type SuspensionOut struct{ Profile string }

// readSuspensionOut reads the interval of suspension.csv, and the axis of profiles.
func readSuspensionOut(t *table) {
	if len(t.r.c.Suspensions) == 0 {
		if t.r.clean("suspension") {
			t.refuse("has no effect without [[suspension]]", "every", "profile")
		}
		return
	}
	every(t, 0.5)
	if t.has("profile") {
		t.r.c.Output.Suspension.Profile = t.choice("profile", "y")
		if t.r.c.Output.Suspension.Profile == "radial" && t.r.c.Suspensions[0].Model != "elastic" {
			t.fail("profile", `is "radial", across a tube, in which there are no ellipsoids: use "x", "y" or "z"`)
		}
	}
}

package casefile

// Plate is what a sheet is made of, in reference units.
type Plate struct {
	Mass       float64 // per area, ρL
	Stretching float64 // E h, ρU²L
	Shear      float64 // G h, ρU²L
	Bending    float64 // D, ρU²L³
	Poisson    float64 // of bending

	StretchingDamping float64 // tension over rate of strain, ρUL²

	Hold [4]string // free | hinged | clamped: its edges, in the order of plateEdges
}

// plateEdges are the names of a rectangle's edges before it is turned: where its first side begins and ends, and its second.
var plateEdges = [4]string{"left", "right", "bottom", "top"}

// Keys that sheets have in common with neither lines nor membranes' surfaces are none; these are the ones of the others.
var (
	notOfPlates = []string{"thickness", "bending_damping", "rest",
		"capillary", "area", "bending_model", "curvature", "area_penalty", "volume_penalty", "shear_viscosity", "prestress", "viscosity_ratio", "implicit", "mesh", "loads"}
)

// readPlate reads what a sheet is made of.
func readPlate(t *table) *Plate {
	if law := t.choice("law", "plate"); law != "plate" && law != "" {
		t.fail("law", "is %q, but the shape is a rectangle, which is a sheet: use \"plate\"", law)
	}
	p := &Plate{}
	p.Mass = t.number("mass", spec{SurfaceMass, notNegative, "give the mass per area in ρL, or 0 for none"}, 0)
	p.Stretching = t.requiredNumber("stretching", spec{Tension, positive, "give E h in ρU²L, for instance 1000 for a sheet that hardly stretches"})
	p.Bending = t.requiredNumber("bending", spec{Energy, notNegative, "give D = E h³/(12 (1 − ν²)) in ρU²L³, for instance 0.0001, or 0 for a membrane"})
	inside := bound{func(x float64) bool { return x > -1 && x < 1 }, "must be between -1 and 1"}
	p.Poisson = t.number("poisson", spec{Number, inside, "give Poisson's ratio, for instance 0.3, or 0"}, 0.3)
	p.Shear = t.number("shear", spec{Tension, notNegative, "give G h in ρU²L, 0 for a net, or remove it for E h/(2 (1 + ν))"}, p.Stretching/(2*(1+p.Poisson)))
	p.StretchingDamping = t.number("stretching_damping", spec{SurfaceViscosity, notNegative, "give it in ρUL², or 0"}, 0)
	hold := t.table("hold")
	for e, name := range plateEdges {
		p.Hold[e] = hold.choice(name, "free")
	}
	t.refuse("has no effect on a sheet", notOfPlates...)
	return p
}

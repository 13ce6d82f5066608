package hybrid

import (
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/ib/contact"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// softContact keeps what bends, cells, lines and sheets, away from each other, from walls and from all other bodies, by forces at vertices and markers and opposite
// ones on what can move of the others: see package contact. Rigid bodies keep away from each other by themselves, and no line or sheet from itself.
type softContact struct {
	system *contact.System
	firm   []firmSurface
}

// touching is a structure that takes part in contact.
type touching interface {
	// ContactAreas are those that markers stand for in contact of a range, 0 where they take no part.
	ContactAreas(reach float64) []float64
	// ContactPressure is that where surfaces touch, for a range and the speed of the flow.
	ContactPressure(reach, speed float64) float64
}

// firmSurface is the markers of a body that is no cell.
type firmSurface struct {
	body  *rigid.Body
	at    []geometry.Vec // in front of markers, on the surface
	force []geometry.Vec // nil: what moves it does not ask for it
}

// newSoftContact is that of cells and structures that begin where they are, and of a delta's support; nil without a range of contact, or where nothing
// bends. Its error is a domain too small for the range.
func newSoftContact(cfg *CouplingConfig, flow *lbm.Config, support int, bodies []*rigid.Body, loops parallel.Loops) (*softContact, error) {
	k := cfg.Contact
	bends := func(b *rigid.Body) bool { return b.Structure != nil }
	if !(k.Distance > 0) || len(cfg.Cells) == 0 && !slices.ContainsFunc(bodies, bends) {
		return nil, nil
	}
	c := &softContact{}
	box, all := surfacesOfCells(cfg, flow)
	for _, b := range bodies {
		n := b.Markers.Len()
		f := firmSurface{body: b, at: make([]geometry.Vec, n)}
		area := b.Markers.Area
		if b.IsMovedByFluid() {
			f.force = make([]geometry.Vec, n)
		}
		pressure := 0.
		if s, ok := b.Structure.(touching); ok {
			area = s.ContactAreas(k.Distance)
			pressure = k.Stiffness * s.ContactPressure(k.Distance, k.Speed)
		}
		f.place()
		c.firm = append(c.firm, f)
		all = append(all, contact.Surface{Points: f.at, Area: area, Pressure: pressure, Force: f.force})
	}
	var err error
	c.system, err = contact.New(box, append(all, solidSurfaces(cfg, flow, support)...), loops)
	return c, err
}

// ContactOfCells is the box and the surfaces of contact of elastic bodies beside no others: cell by cell, and after them those of solid
// nodes, before which a delta's support keeps them.
func ContactOfCells(cfg *CouplingConfig, flow *lbm.Config, support int) (contact.Config, []contact.Surface) {
	box, all := surfacesOfCells(cfg, flow)
	return box, append(all, solidSurfaces(cfg, flow, support)...)
}

// surfacesOfCells is the box, and what is in it of cells.
func surfacesOfCells(cfg *CouplingConfig, flow *lbm.Config) (box contact.Config, all []contact.Surface) {
	k, dim := cfg.Contact, flow.Lattice.Dim
	box = contact.Config{Range: k.Distance, Size: flow.Size, Plane: dim == 2}
	for f, face := range flow.Faces[:2*dim] {
		box.Periodic[f/2] = flow.Periodic(f / 2)
		box.Walls[f] = face.Kind.IsWall()
	}
	areas := map[any][]float64{} // of a kind
	for _, cell := range cfg.Cells {
		area := areas[cell.Kind()]
		if area == nil {
			area = cell.Areas()
			areas[cell.Kind()] = area
		}
		all = append(all, contact.Surface{Points: cell.Points(), Area: area, Pressure: k.Stiffness * cell.ContactPressure(k.Distance), Force: cell.Force()})
	}
	return box, all
}

// solidSurfaces are SolidSurfaces of a coupling.
func solidSurfaces(cfg *CouplingConfig, flow *lbm.Config, support int) []contact.Surface {
	var open map[int]bool
	if cfg.Feed != nil {
		open = cfg.Feed.Open
	}
	return SolidSurfaces(flow, support, open)
}

// place puts the points to where the body's surface is.
func (f *firmSurface) place() {
	for k := range f.at {
		f.at[k] = f.body.Surface(k)
	}
}

// act adds the forces of contact to those of the cells, and gives other bodies theirs.
func (c *softContact) act() {
	for i := range c.firm {
		f := &c.firm[i]
		clear(f.force)
		if f.body.Moving() {
			f.place()
		}
	}
	c.system.AddForces()
	for i := range c.firm {
		if f := &c.firm[i]; f.force != nil {
			f.give()
		}
	}
}

// give hands the forces to what moves the body.
func (f *firmSurface) give() {
	if f.body.Structure != nil {
		f.body.Structure.Load(f.force)
		return
	}
	center := f.body.Here().Position
	for k, force := range f.force {
		if force != (geometry.Vec{}) {
			f.body.Free.Touch(force, f.at[k].Sub(center))
		}
	}
}

// Gap is the least distance of cell i's vertices from vertices and markers of other bodies and from walls, after the last step, in nodes:
// the range of contact where there are none within it, and 0, false without contact.
func (s *Simulation[T]) Gap(i int) (nodes float64, known bool) {
	if s.coupling == nil || s.coupling.cells == nil || s.coupling.cells.contact == nil {
		return 0, false
	}
	s.Flush()
	if ranks := s.coupling.sharing; ranks != nil {
		if ranks.gapsAt != s.fluid.Steps() {
			ranks.tell(togetherGaps)
			ranks.findGaps()
		}
		return ranks.gaps[i], true
	}
	return s.coupling.cells.contact.system.Gap(i), true
}

package hybrid

import (
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/lbm"
)

// Footprint is what bodies need of a fluid's nodes where they are now.
type Footprint struct {
	Window  int // nodes of the fields that bodies are coupled by
	Markers int
	Support int // nodes that markers reach

	// Targets are the nodes that the pipelined schedule steps aside (lbm.Local), and Covered
	// those that may come to be corrected there, as estimated: supports are layers around
	// surfaces, which become thicker by a node on either side.
	Targets, Covered int

	Ghosts bool // markers reach nodes behind faces

	dim      int
	moves    bool
	vertices int // of cells, among the markers
	contact  int // markers that are in contact: all, where cells are
	relaxed  int // nodes of the domain, where cells are of another viscosity inside; rows of them
	rows     int
	inside   int // nodes inside such cells
	slab     int // values of planes that each worker keeps at most while points are interpolated to and spread from; strategies that sort no points keep none
}

// FootprintOf is that of bodies in a fluid. An unknown delta is an error, and so is a
// support that leaves the domain so far that its nodes cannot be counted.
func FootprintOf(cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body) (f Footprint, err error) {
	cells := cfg.Cells
	if len(bodies)+len(cells) == 0 {
		return f, nil
	}
	delta, err := ib.NewDelta[float64](cfg.Delta)
	if err != nil {
		return f, err
	}
	if err := rigid.Finite(bodies, 0); err != nil {
		return f, err
	}
	f.moves = moving(bodies) || len(cells) > 0
	p := patch.NewLayout(flow, cfg.Transfer, delta, len(bodies)+len(cells), f.moves)
	for i, b := range bodies {
		p.Measure(i, b.Markers.X)
	}
	for i, c := range cells {
		p.Measure(len(bodies)+i, c.Points())
		f.vertices += len(c.Points())
		if c.ViscosityRatio() != 1 {
			f.inside += int(c.Measure().Volume)
			f.relaxed, f.rows = flow.Nodes(), flow.Lines()
		}
	}
	p.Make()
	f.Markers = f.vertices
	for _, b := range bodies {
		f.Markers += b.Markers.Len() + len(b.Damping(delta.Support()).Places)
	}
	placed, first := make([]geometry.Vec, f.Markers), 0
	for i, b := range bodies {
		p.Put(placed[first:], b.Markers.X, i)
		first += b.Markers.Len()
		inside, here := b.Damping(delta.Support()).Places, b.Here()
		for k, r := range inside {
			inside[k] = here.ToSpace(r)
		}
		p.Put(placed[first:], inside, i)
		first += len(inside)
	}
	for i, c := range cells {
		p.Put(placed[first:], c.Points(), len(bodies)+i)
		first += len(c.Points())
	}
	bends := func(b *rigid.Body) bool { return b.Structure != nil }
	if (len(cells) > 0 || slices.ContainsFunc(bodies, bends)) && cfg.Contact.Distance > 0 {
		f.contact = f.Markers
	}
	if f.Support, err = ib.CountSupport(p.Grid(), delta, placed); err != nil {
		return f, err
	}
	f.Ghosts = p.Leaves()
	grid := p.Grid()
	f.dim, f.Window = flow.Lattice.Dim, grid.Nodes()
	if cfg.Transfer != "serial" && (cfg.Transfer != "auto" || ib.AutoStrategy(f.Markers) != "serial") {
		f.slab = ib.SlabValues(&grid, delta.Support())
	}
	thick := delta.Support()
	room := 0
	if f.moves {
		room = 2 * roomToMove
	}
	f.Targets = min(flow.Nodes(), f.Support*(thick+room+2)/thick)
	f.Covered = min(flow.Nodes(), f.Support*(thick+room)/thick)
	return f, nil
}

// HostBytes is the host's memory of a coupling whose values take so many bytes each: of
// its fields and of what it keeps of markers and support nodes.
func (f *Footprint) HostBytes(value int) int64 {
	components := 1 + 3*f.dim // ρ and û, u, F
	if f.moves {
		components++
	}
	fields := float64(f.Window) * (float64(components*value) + 1./8) // a bit of the support
	shares := 12 * f.inside                                          // of nodes inside cells, which grow by a quarter
	return int64(fields) + int64(shares) + f.RelaxedBytes(value) + f.PointBytes(value)
}

// WorkerBytes is of what so many workers of the coupling have to themselves.
func (f *Footprint) WorkerBytes(value, workers int) int64 { return int64(f.slab * value * workers) }

// RelaxedBytes is of the relaxation times of all nodes, where cells are of another viscosity inside: what couples them has these, those of the step before where it makes
// a step beside the fluid's, and parts of a fluid have theirs.
func (f *Footprint) RelaxedBytes(value int) int64 { return int64(f.relaxed*value + 8*f.rows) }

// PointBytes is of that what goes with markers and support nodes: ranks that share bodies have it each, of all bodies, and of the fields their share.
func (f *Footprint) PointBytes(value int) int64 {
	// Of markers: places twice, coordinates and order, and what they feel and are to do.
	markers := f.Markers * (48 + 8*f.dim + 24 + (5+3*f.dim)*value)
	const ofVertex = 5 * 3 * 8 // place, the place before, two velocities and the force
	// Of contact: places now, when lists of neighbours were made and on surfaces, forces, areas, cells, and some ten neighbours.
	const ofContact = 4*24 + 8 + 32 + 48 + 40
	return int64(markers+12*f.Support) + int64(ofVertex*f.vertices+ofContact*f.contact)
}

// moving tells whether the place of some body changes.
func moving(bodies []*rigid.Body) bool {
	return slices.ContainsFunc(bodies, (*rigid.Body).Moving)
}

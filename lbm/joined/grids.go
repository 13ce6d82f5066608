package joined

import "lbmib/lbm"

// Grids are what a fluid would be made of.
type Grids struct {
	Levels []Level
}

// Level is what a level has.
type Level struct {
	Width   int          // of its nodes in those of the finest
	Flow    lbm.Config   // on a grid of this level that covers the domain
	Parts   []lbm.Config // flows of its parts, with their ghosts
	Nodes   int64        // of its boxes, those of ghosts and of cells that finer boxes cover left out
	Ghosts  int64        // of its parts
	Updates float64      // of nodes in a step of the finest grid, all included
}

// Updates is how many nodes are updated in a step of the finest grid.
func (g *Grids) Updates() (n float64) {
	for _, l := range g.Levels {
		n += l.Updates
	}
	return n
}

// Nodes is how many nodes of all levels make up the domain.
func (g *Grids) Nodes() (n int64) {
	for _, l := range g.Levels {
		n += l.Nodes
	}
	return n
}

// ghostBytes is what a seam takes for a ghost, by dimension: some 8 and 11 values that are read and as many that are put, their nodes, and
// the sums that lie between. 360 and 690 were measured in double precision (lbmib bench joined).
var ghostBytes = [4]int64{2: 400, 3: 700}

// runs is the level of a flow that is stored by runs: nodes are those of fluid.
func (lay *layout) runs() Level {
	flow := &lay.flows[0]
	level := Level{Width: 1, Flow: *flow, Nodes: flow.FluidNodes()}
	for _, p := range lay.boxes[0] {
		own := partConfig(flow, p, func([3]int) bool { return false })
		own.Storage = "runs"
		level.Parts = append(level.Parts, own)
		level.Updates += float64(own.FluidNodes())
		p.eachGhost(flow, func(q [3]int) {
			if !flow.Wall(p.wrapped(q)) {
				level.Ghosts++
			}
		})
	}
	return level
}

// SeamBytes is the memory of seams, on the host or on a device.
func (g *Grids) SeamBytes() (n int64) {
	for _, l := range g.Levels {
		n += l.Ghosts * ghostBytes[l.Flow.Lattice.Dim]
	}
	return n
}

// Bytes is the memory of fluids on the host, whose populations take elementSize bytes each, and of seams.
func (g *Grids) Bytes(elementSize int) (n int64) {
	n = g.SeamBytes()
	for _, l := range g.Levels {
		for _, p := range l.Parts {
			n += p.Bytes(elementSize) + int64(p.Nodes())
		}
	}
	return n
}

// Plan is what New would make; Bytes of its parts' flows are what they take.
func Plan(cfg lbm.Config, boxes []Box) (*Grids, error) {
	if storage, err := cfg.StorageOf(); err != nil || storage == "box" {
		cfg.Solid = nil
	}
	lay, err := newLayout(cfg, boxes)
	if err != nil {
		return nil, err
	}
	return lay.Grids(), nil
}

// Grids are what the fluid is made of.
func (lay *layout) Grids() *Grids {
	g := &Grids{}
	storage, err := lay.cfg.StorageOf()
	if err == nil && storage == "runs" && len(lay.whole) == 1 {
		g.Levels = []Level{lay.runs()}
		return g
	}
	for l, parts := range lay.boxes {
		level := Level{Width: lay.width(l), Flow: lay.flows[l]}
		for _, p := range parts {
			own := lay.flows[l]
			own.Size, own.Solid = p.full(), nil
			level.Parts = append(level.Parts, own)
			level.Updates += float64(own.Nodes()) / float64(level.Width)
			level.Ghosts += int64(own.Nodes() - lbm.Box{Lo: p.lo, Hi: p.hi}.Nodes())
			lay.eachPieceOf(p, func(b lbm.Box) { level.Nodes += int64(b.Nodes()) })
		}
		g.Levels = append(g.Levels, level)
	}
	return g
}

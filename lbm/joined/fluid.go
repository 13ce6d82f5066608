package joined

import (
	"fmt"
	"time"

	"lbmib/lbm"
)

// Maker makes the fluid of a part.
type Maker[T lbm.Float] func(cfg lbm.Config) (lbm.Fluid[T], error)

// Box is a box of a level of refinement, in nodes of the finest grid: Lo ≤ p < Hi. In the plane Lo[2] is 0 and Hi[2] 1.
type Box struct {
	Level  int // its nodes are 2^Level times as narrow as those of the coarsest grid
	Lo, Hi [3]int
}

// part is a box of a level, and the fluid in it.
type part[T lbm.Float] struct {
	grid
	fluid lbm.Fluid[T]
	into  *levelSeam[T]  // joins it with the level above; nil at the coarsest
	from  []*copySeam[T] // join it with others of its level: of the coarsest
}

// Fluid is a flow on grids of several levels, each step of which is one of the finest grid: the coarser ones make theirs in every
// second, fourth, … Between their steps they are behind by up to one of their own.
//
// As a lbm.Fluid it is the flow on a grid of the finest level that covers the domain: nodes are numbered on that, and a node that
// a coarser level has is any of those in its cell.
type Fluid[T lbm.Float] struct {
	cfg    lbm.Config   // of the finest grid, as if that covered the domain
	flows  []lbm.Config // likewise of each level
	levels [][]*part[T]
	steps  int64
	seams  time.Duration
	found  [2]located[T]
	latest int // of found
	aside  aside[T]
}

// exchanger is what a part must be.
type exchanger[T lbm.Float] interface {
	lbm.Fluid[T]
	lbm.Exchanger[T]
}

// New makes a fluid at rest of the flow that cfg is on the finest grid, refined in boxes. The coarsest level, 0, covers the domain: boxes of that
// level divide it, and there need be none. The finest is that of the boxes with the largest number. Every box lies in one of the level above.
func New[T lbm.Float](cfg lbm.Config, boxes []Box, make Maker[T]) (*Fluid[T], error) {
	f := &Fluid[T]{cfg: cfg}
	if err := f.lay(cfg, boxes); err != nil {
		return nil, err
	}
	if err := f.checkSolids(); err != nil {
		return nil, err
	}
	finest := len(f.levels) - 1
	for l, parts := range f.levels {
		for _, p := range parts {
			own := partConfig(&f.flows[l], &p.grid, f.coveredBy(l))
			fluid, err := make(own)
			if err != nil {
				return nil, err
			}
			p.fluid = fluid
			if _, ok := fluid.(exchanger[T]); !ok {
				return nil, fmt.Errorf("joined: a part's fluid cannot exchange populations of single nodes")
			}
		}
	}
	resolved := f.levels[finest][0].fluid.Config()
	f.cfg.Layout, f.cfg.Streaming, f.cfg.Kernel, f.cfg.Block, f.cfg.Stores, f.cfg.StepsPerSweep = resolved.Layout, resolved.Streaming, resolved.Kernel, resolved.Block, resolved.Stores, resolved.StepsPerSweep
	f.join(false)
	return f, nil
}

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

// Plan is what New would make; Bytes of its parts' flows are what they take.
func Plan(cfg lbm.Config, boxes []Box) (*Grids, error) {
	f := &Fluid[float64]{cfg: cfg}
	cfg.Solid = nil
	if err := f.lay(cfg, boxes); err != nil {
		return nil, err
	}
	return f.Grids(), nil
}

// Grids are what the fluid is made of.
func (f *Fluid[T]) Grids() *Grids {
	g := &Grids{}
	for l, parts := range f.levels {
		level := Level{Width: f.width(l), Flow: f.flows[l]}
		for _, p := range parts {
			own := f.flows[l]
			own.Size, own.Solid = p.full(), nil
			level.Parts = append(level.Parts, own)
			level.Updates += float64(own.Nodes()) / float64(level.Width)
			level.Ghosts += int64(own.Nodes() - lbm.Box{Lo: p.lo, Hi: p.hi}.Nodes())
			f.eachPieceOf(p, func(b lbm.Box) { level.Nodes += int64(b.Nodes()) })
		}
		g.Levels = append(g.Levels, level)
	}
	return g
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

// Bytes is the memory of fluids on the host, whose populations take elementSize bytes each, and of seams.
func (g *Grids) Bytes(elementSize int) (n int64) {
	for _, l := range g.Levels {
		n += l.Ghosts * ghostBytes[l.Flow.Lattice.Dim]
		for _, p := range l.Parts {
			n += p.Bytes(elementSize) + int64(p.Nodes())
		}
	}
	return n
}

// lay finds the grids of all levels.
func (f *Fluid[T]) lay(cfg lbm.Config, boxes []Box) error {
	finest := 0
	for _, b := range boxes {
		finest = max(finest, b.Level)
	}
	if err := cfg.Validate(); err != nil {
		return err
	}
	for a := range cfg.Lattice.Dim {
		if n := 1 << finest; cfg.Size[a]%n != 0 {
			return fmt.Errorf("joined: the domain has %d nodes of the finest grid along %c, which %d levels below it do not divide: use %d or %d", cfg.Size[a], "xyz"[a], finest, cfg.Size[a]/n*n, (cfg.Size[a]/n+1)*n)
		}
	}
	for l := range finest + 1 {
		flow, err := levelConfig(&cfg, 1<<(finest-l))
		if err != nil {
			return err
		}
		f.flows = append(f.flows, flow)
		f.levels = append(f.levels, nil)
	}
	if err := f.divide(boxes, finest); err != nil {
		return err
	}
	for l := 1; l <= finest; l++ {
		for _, b := range boxes {
			if b.Level == l {
				if err := f.add(b, finest); err != nil {
					return err
				}
			}
		}
		if len(f.levels[l]) == 0 {
			return fmt.Errorf("joined: level %d has no box: a box lies in one of the level above", l)
		}
	}
	return nil
}

// divide lays the parts of level 0.
func (f *Fluid[T]) divide(boxes []Box, finest int) error {
	flow := &f.flows[0]
	var parts []*grid
	for _, b := range boxes {
		if b.Level > 0 {
			continue
		}
		lo, hi, err := f.inNodes(b, finest)
		if err != nil {
			return err
		}
		parts = append(parts, newGrid(flow, 0, flow.Size, lo, hi))
	}
	if len(parts) == 0 {
		parts = []*grid{newGrid(flow, 0, flow.Size, [3]int{}, flow.Size)}
	}
	for _, g := range parts {
		f.levels[0] = append(f.levels[0], &part[T]{grid: *g})
	}
	return checkParts(flow, parts)
}

// inNodes are the ends of a box in nodes of its level.
func (f *Fluid[T]) inNodes(b Box, finest int) (lo, hi [3]int, err error) {
	lo, hi = b.Lo, b.Hi
	r := 1 << (finest - b.Level)
	for a := range f.cfg.Lattice.Dim {
		if lo[a]%r != 0 || hi[a]%r != 0 {
			return lo, hi, fmt.Errorf("joined: box %v … %v of level %d does not end between its nodes along %c: use multiples of %d", b.Lo, b.Hi, b.Level, "xyz"[a], max(2*r, 1))
		}
		lo[a], hi[a] = lo[a]/r, hi[a]/r
	}
	return lo, hi, nil
}

// add lays a box.
func (f *Fluid[T]) add(b Box, finest int) error {
	flow := &f.flows[b.Level]
	lo, hi, err := f.inNodes(b, finest)
	if err != nil {
		return err
	}
	g := newGrid(flow, b.Level, flow.Size, lo, hi)
	above := f.above(g)
	if above == nil {
		return fmt.Errorf("joined: box %v … %v of level %d does not lie in a box of level %d", b.Lo, b.Hi, b.Level, b.Level-1)
	}
	var others []*grid
	for _, p := range f.levels[b.Level] {
		others = append(others, &p.grid)
	}
	if err := checkBox(flow, b.Level, lo, hi, &above.grid, others); err != nil {
		return err
	}
	f.levels[b.Level] = append(f.levels[b.Level], &part[T]{grid: *g})
	return nil
}

// above is the part of the level above that a box lies in; nil: none.
func (f *Fluid[T]) above(g *grid) *part[T] {
	last := g.hi
	for a := range last {
		last[a]--
	}
	for _, p := range f.levels[g.level-1] {
		if p.contains(g.coarse(g.lo)) && p.contains(g.coarse(last)) {
			return p
		}
	}
	return nil
}

// coveredBy tells which cells of a level finer boxes cover.
func (f *Fluid[T]) coveredBy(level int) func(p [3]int) bool {
	return func(p [3]int) bool {
		if level+1 == len(f.levels) {
			return false
		}
		for a := range f.cfg.Lattice.Dim {
			p[a] *= 2
		}
		for _, o := range f.levels[level+1] {
			if o.contains(p) {
				return true
			}
		}
		return false
	}
}

// join compiles the seams.
func (f *Fluid[T]) join(uniform bool) {
	for _, p := range f.levels[0] {
		if len(f.levels[0]) > 1 {
			p.from = f.copySeams(p)
		}
	}
	for l := 1; l < len(f.levels); l++ {
		for _, p := range f.levels[l] {
			p.into = compileSeam(f.compilerOf(p, uniform), p.fluid.(lbm.Exchanger[T]), f.above(&p.grid).fluid.(lbm.Exchanger[T]))
		}
	}
}

// compilerOf finds what the seam of a part does.
func (f *Fluid[T]) compilerOf(p *part[T], uniform bool) *seamCompiler[T] {
	c := &seamCompiler[T]{cfg: &f.flows[p.level], coarser: &f.flows[p.level-1], box: &p.grid, above: &f.above(&p.grid).grid,
		kernel: p.fluid.Config().Kernel, uniform: uniform}
	for _, o := range f.levels[p.level] {
		c.others = append(c.others, &o.grid)
	}
	return c
}

// Config is the flow on the finest grid.
func (f *Fluid[T]) Config() *lbm.Config { return &f.cfg }

// Steps is the number of steps of the finest grid.
func (f *Fluid[T]) Steps() int64 { return f.steps }

// Step makes a step of the finest grid, and those of coarser ones that end with it.
func (f *Fluid[T]) Step() {
	for l := len(f.levels) - 1; l >= 0; l-- {
		second := f.steps>>(len(f.levels)-1-l)&1 == 1
		if l == 0 {
			f.copyAll()
		}
		for _, p := range f.levels[l] {
			f.ready(p, second) // ghosts ← the level above
			if p == f.aside.forced {
				lbm.StepNodes(p.fluid, &f.aside.stepped)
			} else {
				p.fluid.Step()
			}
		}
		if l == 0 || !second {
			break
		}
		for _, p := range f.levels[l] {
			f.finish(p) // the level above ← what has come out
		}
	}
	f.steps++
}

// copyAll has the ghosts between parts of the coarsest level be what they are copies of.
func (f *Fluid[T]) copyAll() {
	if len(f.levels[0]) == 1 {
		return
	}
	begin := time.Now()
	for _, p := range f.levels[0] {
		for _, s := range p.from {
			s.copy()
		}
	}
	f.seams += time.Since(begin)
}

// ready readies the ghosts of a part for its step.
func (f *Fluid[T]) ready(p *part[T], second bool) {
	if p.into == nil {
		return
	}
	begin := time.Now()
	if second {
		p.into.second(facesAt(&f.flows[p.level], p.fluid.Steps()-1))
	} else {
		p.into.first()
	}
	f.seams += time.Since(begin)
}

// finish has what came out of a part in its last two steps arrive in the level above in its next.
func (f *Fluid[T]) finish(p *part[T]) {
	begin := time.Now()
	l := p.level
	p.into.finish(facesAt(&f.flows[l], p.fluid.Steps()-1), facesAt(&f.flows[l-1], p.fluid.Steps()/2-1))
	f.seams += time.Since(begin)
}

// facesAt are the factors on the velocities of faces in the step after so many.
func facesAt(cfg *lbm.Config, steps int64) (amplitude [6]float64) {
	for side := range amplitude {
		amplitude[side] = 1
		if a := cfg.Faces[side].Amplitude; a != nil {
			amplitude[side] = a(float64(steps) + 0.5)
		}
	}
	return amplitude
}

// Times are those of all parts; seams are counted as boundaries.
func (f *Fluid[T]) Times() (boundary, bulk time.Duration) {
	boundary = f.seams
	for _, parts := range f.levels {
		for _, p := range parts {
			faces, rows := p.fluid.Times()
			boundary, bulk = boundary+faces, bulk+rows
		}
	}
	return boundary, bulk
}

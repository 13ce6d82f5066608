package joined

import (
	"fmt"
	"time"

	"lbmib/lbm"
)

// Maker makes the fluid of a part.
type Maker[T lbm.Float] func(cfg lbm.Config) (lbm.Fluid[T], error)

// part is a box of a level, and the fluid in it.
type part[T lbm.Float] struct {
	*grid
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
	*layout
	levels [][]*part[T] // of the boxes of the layout
	steps  int64
	seams  time.Duration
	found  [2]located[T]
	latest int // of found
	aside  aside[T]
	sums   bool // all parts are lbm.Summing
}

// exchanger is what a part must be.
type exchanger[T lbm.Float] interface {
	lbm.Fluid[T]
	lbm.Exchanger[T]
}

// New makes a fluid at rest of the flow that cfg is on the finest grid, refined in boxes. The coarsest level, 0, covers the domain: boxes of that
// level divide it, and there need be none. The finest is that of the boxes with the largest number. Every box lies in one of the level above.
func New[T lbm.Float](cfg lbm.Config, boxes []Box, make Maker[T]) (*Fluid[T], error) {
	lay, err := newLayout(cfg, boxes)
	if err != nil {
		return nil, err
	}
	if err := lay.checkSolids(); err != nil {
		return nil, err
	}
	f := &Fluid[T]{layout: lay}
	for _, grids := range lay.boxes {
		var parts []*part[T]
		for _, g := range grids {
			parts = append(parts, &part[T]{grid: g})
		}
		f.levels = append(f.levels, parts)
	}
	finest := len(f.levels) - 1
	for l, parts := range f.levels {
		for _, p := range parts {
			own := partConfig(&f.flows[l], p.grid, f.coveredBy(l))
			own.Storage = "box" // where lists of nodes are kept as stretches
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
	f.cfg.Storage, f.cfg.Layout, f.cfg.Streaming, f.cfg.Kernel, f.cfg.Block, f.cfg.Stores, f.cfg.StepsPerSweep = resolved.Storage, resolved.Layout, resolved.Streaming, resolved.Kernel, resolved.Block, resolved.Stores, resolved.StepsPerSweep
	f.join(false)
	return f, nil
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
			p.into = compileSeam(f.compilerOf(p, uniform), p.fluid.(lbm.Exchanger[T]), f.partAt(f.above(p.grid)).fluid.(lbm.Exchanger[T]))
		}
	}
}

// compilerOf finds what the seam of a part does.
func (f *Fluid[T]) compilerOf(p *part[T], uniform bool) *seamCompiler[T] {
	c := &seamCompiler[T]{cfg: &f.flows[p.level], coarser: &f.flows[p.level-1], box: p.grid, above: f.above(p.grid),
		kernel: p.fluid.Config().Kernel, uniform: uniform}
	c.others = f.boxes[p.level]
	return c
}

// partAt is the part that computes a grid.
func (f *Fluid[T]) partAt(g *grid) *part[T] { return f.levels[g.level][g.number] }

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

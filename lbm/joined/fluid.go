package joined

import (
	"cmp"
	"fmt"
	"time"

	"lbmib/lbm"
)

// Maker makes the fluid of a part.
type Maker[T lbm.Float] func(cfg lbm.Config) (lbm.Fluid[T], error)

// part is a box of a level, or a part of one, and the fluid in it.
type part[T lbm.Float] struct {
	*grid
	rank  int              // that has it
	fluid lbm.Fluid[T]     // where another rank has it, a remote at rank 0, nil elsewhere
	from  []*copySeam[T]   // join it with other parts of its box
	acts  *lbm.NodeStep[T] // forces on its nodes, and their relaxation times, in the step at hand; nil: none

	relaxing *relaxing[T] // of the finest level, where nodes relax by times of their own; nil: none have
	relaxes  bool         // some do in the step at hand
}

// Fluid is a flow on grids of several levels, each step of which is one of the finest grid: the coarser ones make theirs in every
// second, fourth, … Between their steps they are behind by up to one of their own.
//
// As a lbm.Fluid it is the flow on a grid of the finest level that covers the domain: nodes are numbered on that, and a node that
// a coarser level has is any of those in its cell.
type Fluid[T lbm.Float] struct {
	*layout
	levels        [][]*part[T]     // of the boxes of the layout
	copies        []*copies[T]     // between parts of each level; nil: no box of that is divided
	joints        []*levelJoint[T] // of each level with the one above; nil at the coarsest
	next          func()           // tells a device that has all parts that a step begins; nil: there is none
	steps         int64
	seams         time.Duration
	found         [2]located[T]
	latest        int // of found
	aside         aside[T]
	sums          bool         // all parts are lbm.Summing
	storage       string       // of the parts: that of one grid
	ports         *sharedPorts // of a vessel; nil: the flow has none
	fault         error        // of another rank's device, as far as it is known
	faceSeamsHere []*faceSeam  // between parts that are here
	shared        *shared[T]   // with other ranks; nil: this process has all parts
}

// exchanger is what a part must be.
type exchanger[T lbm.Float] interface {
	lbm.Fluid[T]
	lbm.Exchanger[T]
}

// New makes a fluid at rest of the flow that cfg is on the finest grid, refined in boxes. The coarsest level, 0, covers the domain: boxes of that
// level divide it, and there need be none. The finest is that of the boxes with the largest number. Every box lies in one of the level above. Boxes
// that are a Part divide those of their level; whatever divides them, the flow has the same bits.
func New[T lbm.Float](cfg lbm.Config, boxes []Box, make Maker[T]) (*Fluid[T], error) {
	return newFluid(cfg, boxes, nil, make)
}

// newFluid makes a fluid, of which this rank has some parts; nil: all.
func newFluid[T lbm.Float](cfg lbm.Config, boxes []Box, ranks *Ranks, make Maker[T]) (*Fluid[T], error) {
	lay, err := newLayout(cfg, boxes)
	if err != nil {
		return nil, err
	}
	if err := lay.checkSolids(); err != nil {
		return nil, err
	}
	f := &Fluid[T]{layout: lay, storage: "box"} // of levels, whose seams are lines of nodes
	if len(lay.whole) == 1 {
		if f.storage, err = lay.cfg.StorageOf(); err != nil {
			return nil, err
		}
	}
	for _, grids := range lay.boxes {
		var parts []*part[T]
		for _, g := range grids {
			parts = append(parts, &part[T]{grid: g})
		}
		f.levels = append(f.levels, parts)
	}
	if ranks != nil {
		if err := f.share(ranks); err != nil {
			return nil, err
		}
	}
	if err := f.agree(f.makeParts(make)); err != nil {
		return nil, err
	}
	f.resolve()
	if err := f.agree(f.join(false)); err != nil {
		return nil, err
	}
	f.sharePorts()
	f.stepTogether()
	return f, nil
}

// makeParts makes the fluids of parts.
func (f *Fluid[T]) makeParts(make Maker[T]) (err error) {
	f.eachPart(func(k int, p *part[T]) {
		if err == nil {
			p.fluid, err = f.makePart(k, p, make)
		}
	})
	return err
}

// makePart makes the fluid of a part, if this rank has it or is to see it.
func (f *Fluid[T]) makePart(k int, p *part[T], make Maker[T]) (lbm.Fluid[T], error) {
	if !f.own(p) && !f.shared.leads() {
		return nil, nil
	}
	own := partConfig(&f.flows[p.level], p.grid, f.coveredBy(p.level))
	own.Storage = f.storage
	if !f.own(p) {
		return &remote[T]{wire: f.shared.wires[p.rank], k: int64(k), cfg: own, steps: f.Steps, summing: func() bool { return f.sums }, width: int64(f.width(p.level))}, nil
	}
	fluid, err := make(own)
	if err != nil {
		return nil, err
	}
	if _, ok := fluid.(exchanger[T]); !ok {
		return nil, fmt.Errorf("joined: a part's fluid cannot exchange populations of single nodes")
	}
	if _, ok := fluid.(lbm.FaceExchanger); !ok {
		if err := p.checkOpenFaces(&f.flows[p.level]); err != nil {
			return nil, err
		}
	}
	return fluid, nil
}

// resolve finds what is true of all parts.
func (f *Fluid[T]) resolve() {
	var resolved *lbm.Config
	summing := true
	f.eachPart(func(_ int, p *part[T]) {
		if f.own(p) {
			_, ok := p.fluid.(lbm.Summing)
			resolved, summing = p.fluid.Config(), summing && ok // the last: of the finest level
		}
	})
	f.sums = f.all(summing)
	f.cfg.Storage, f.cfg.Layout, f.cfg.Streaming, f.cfg.Kernel, f.cfg.Block, f.cfg.Stores, f.cfg.StepsPerSweep = resolved.Storage, resolved.Layout, resolved.Streaming, resolved.Kernel, resolved.Block, resolved.Stores, resolved.StepsPerSweep
}

// join compiles the seams. All ranks do, whatever the error of one is.
func (f *Fluid[T]) join(uniform bool) (err error) {
	f.copies, f.joints = make([]*copies[T], len(f.levels)), make([]*levelJoint[T], len(f.levels))
	for l := range f.levels {
		if f.divided(l) {
			var e error
			f.copies[l], e = f.copySeams(l)
			err = cmp.Or(err, e)
		}
		if l > 0 {
			var e error
			f.joints[l], e = f.levelSeams(l, uniform)
			err = cmp.Or(err, e)
		}
	}
	return err
}

// compilerOf finds what the seam of an undivided box does.
func (f *Fluid[T]) compilerOf(w *grid, uniform bool) *seamCompiler[T] {
	return &seamCompiler[T]{cfg: &f.flows[w.level], coarser: &f.flows[w.level-1], box: w, above: f.above(w), others: f.whole[w.level], uniform: uniform}
}

// partAt is the part that computes a grid.
func (f *Fluid[T]) partAt(g *grid) *part[T] { return f.levels[g.level][g.number] }

// Config is the flow on the finest grid.
func (f *Fluid[T]) Config() *lbm.Config { return &f.cfg }

// Steps is the number of steps of the finest grid.
func (f *Fluid[T]) Steps() int64 { return f.steps }

// Step makes a step of the finest grid, and those of coarser ones that end with it.
func (f *Fluid[T]) Step() {
	if f.shared.leads() {
		f.sendStep()
	}
	f.stepOwn()
}

// stepOwn makes the step of the parts that this rank has.
func (f *Fluid[T]) stepOwn() {
	if f.next != nil {
		f.next()
	}
	f.exchangePorts()
	for l := len(f.levels) - 1; l >= 0; l-- {
		second := f.steps>>(len(f.levels)-1-l)&1 == 1
		f.beginCopies(l)
		f.ready(l, second) // ghosts ← the level above
		for _, p := range f.levels[l] {
			if !f.own(p) {
				continue
			}
			f.await(p)
			if p.acts != nil {
				lbm.StepNodes(p.fluid, p.acts)
			} else {
				p.fluid.Step()
			}
		}
		if l == 0 || !second {
			break
		}
		f.finish(l) // the level above ← what has come out
	}
	f.steps++
}

// await has the step of a part wait, as late as it can, for what travels.
func (f *Fluid[T]) await(p *part[T]) {
	c := f.copies[p.level]
	switch a, can := p.fluid.(lbm.Awaiter); {
	case c == nil || !c.travels:
	case can:
		a.AwaitGhosts(c.arrived)
	default:
		f.endCopies(p.level)
	}
}

// Err is the failure of a device that has parts: of this rank at once, of others once they were asked for their health.
func (f *Fluid[T]) Err() error {
	if err := f.ownFault(); err != nil {
		return err
	}
	return f.fault
}

// ownFault is that of this rank.
func (f *Fluid[T]) ownFault() (err error) {
	f.eachPart(func(_ int, p *part[T]) {
		if of, can := p.fluid.(lbm.Fallible); can && err == nil && f.own(p) {
			err = of.Err()
		}
	})
	return err
}

// ready readies the ghosts of a level for its step.
func (f *Fluid[T]) ready(level int, second bool) {
	j := f.joints[level]
	if j == nil {
		return
	}
	begin := time.Now()
	if second {
		j.second(facesAt(&f.flows[level], f.stepsOf(level)-1))
	} else {
		j.first()
	}
	f.seams += time.Since(begin)
}

// finish has what came out of a level in its last two steps arrive in the level above in its next.
func (f *Fluid[T]) finish(level int) {
	begin := time.Now()
	f.joints[level].finish(facesAt(&f.flows[level], f.stepsOf(level)), facesAt(&f.flows[level-1], f.stepsOf(level)/2))
	f.seams += time.Since(begin)
}

// stepsOf is how many steps a level has made before the one at hand.
func (f *Fluid[T]) stepsOf(level int) int64 { return f.steps / int64(f.width(level)) }

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

// Times are those of all parts; seams are counted as boundaries: those of a device by what they take there, beside which the host's time to ask for
// them is none of a step's.
func (f *Fluid[T]) Times() (boundary, bulk time.Duration) {
	if by := f.deviceSeams(); by >= 0 {
		boundary = by
	} else {
		boundary = f.seams
	}
	for _, parts := range f.levels {
		for _, p := range parts {
			if f.own(p) {
				faces, rows := p.fluid.Times()
				boundary, bulk = boundary+faces, bulk+rows
			}
		}
	}
	return boundary, bulk
}

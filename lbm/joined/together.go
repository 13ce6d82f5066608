package joined

import (
	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// What a coupling needs that all ranks make together, each for the nodes of its own parts.

// Aide does on this rank what rank 0 tells it to do together with all others; words are those that Together was given, and zeros behind them.
type Aide interface{ Do(words []int64) }

// aideWords is where the words of an order to the aide begin, behind those that every order of a step has.
const aideWords = 5

// Lead tells whether this rank conducts others.
func (f *Fluid[T]) Lead() bool { return f.shared.leads() }

// Comm joins the ranks; nil: there is one process.
func (f *Fluid[T]) Comm() mpi.Comm {
	if f.shared == nil {
		return nil
	}
	return f.shared.comm
}

// Tag is that of messages of an aide, which no other has.
func (f *Fluid[T]) Tag() int { return tagAides }

// Shares are the boxes of the finest level, in nodes of that, and the rank that has each.
func (f *Fluid[T]) Shares() (boxes []lbm.Box, of []int) {
	for _, p := range f.finest() {
		boxes, of = append(boxes, lbm.Box{Lo: p.lo, Hi: p.hi}), append(of, p.rank)
	}
	return boxes, of
}

// Together has the aides of all other ranks do what words say, of which there may be eleven. Rank 0, which calls it, then does so too.
func (f *Fluid[T]) Together(words ...int64) {
	f.shared.eachWire(func(w *wire) {
		order := f.driven(orderTogether, f.steps+1)
		copy(order[aideWords:], words)
		w.send(order[:]...)
	})
}

// StepShare makes this rank's part of a step in which forces act on nodes of its own parts, as StepNodes does of all; nil: none do. All ranks call it.
func (f *Fluid[T]) StepShare(n *lbm.NodeStep[T]) {
	if n == nil {
		f.stepOwn()
		return
	}
	a := &f.aside
	if list, nodes, at, runs := n.List(); a.list != list {
		a.list = list
		f.splitForces(nodes, at, runs, true)
	}
	f.act(n)
	f.stepOwn()
	f.acted()
}

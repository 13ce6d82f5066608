package joined

import (
	"math"

	"lbmib/lbm"
)

// forcedPart is what of a NodeStep is in a part of the finest level: nodes and runs, numbered as the part does.
type forcedPart[T lbm.Float] struct {
	in        *part[T]
	nodes, at []int32
	runs      []lbm.NodeRun
	step      lbm.NodeStep[T]
	free      lbm.NodeStep[T] // without forces, of relaxation times alone

	// Of a part that another rank has, whose values stand one after the other there:
	packed     []int32       // where those of nodes do,
	packedRuns []lbm.NodeRun // and of runs
	comes      []int32       // where all of them stand here
}

// StepNodes makes a step in which forces act on nodes of the finest level; see the function lbm.StepNodes.
func (f *Fluid[T]) StepNodes(n *lbm.NodeStep[T]) {
	a := &f.aside
	if list, nodes, at, runs := n.List(); a.list != list {
		a.list = list
		f.splitForces(nodes, at, runs, false)
	}
	for _, p := range a.forced {
		if r, ok := p.in.fluid.(*remote[T]); ok {
			r.act(p, n)
		}
	}
	f.act(n)
	f.Step()
	f.acted()
	for _, p := range a.forced {
		if r, ok := p.in.fluid.(*remote[T]); ok {
			r.arrived(n)
		}
	}
}

// sendStep has the other ranks make a step.
func (f *Fluid[T]) sendStep() { f.sendDrive(orderStep, f.steps+1) }

// sendDrive sends an order with the acceleration at the end of a step.
func (f *Fluid[T]) sendDrive(order int64, steps int64) {
	words := f.driven(order, steps)
	for _, w := range f.shared.wires {
		if w != nil {
			w.send(words[:]...)
		}
	}
}

// driven is an order with the acceleration at the end of a step: it may depend on what rank 0 alone sees.
func (f *Fluid[T]) driven(order int64, steps int64) (words [orderWords]int64) {
	words[0] = order
	if of := f.cfg.Acceleration; of != nil {
		words[1] = 1
		for a, v := range of(float64(steps)) {
			words[2+a] = int64(math.Float64bits(v))
		}
	}
	return words
}

// splitForces finds which parts have the nodes of a list and its runs, which may hold others; own: those of this rank alone.
func (f *Fluid[T]) splitForces(nodes, at []int32, runs []lbm.NodeRun, own bool) {
	finest, a := f.finest(), &f.aside
	if a.split == nil {
		for _, p := range finest {
			of := &forcedPart[T]{in: p}
			of.free.SetNodes(nil, nil)
			a.split = append(a.split, of)
		}
	}
	for _, p := range a.split {
		p.nodes, p.at, p.runs, p.packed, p.packedRuns, p.comes = p.nodes[:0], p.at[:0], p.runs[:0], p.packed[:0], p.packedRuns[:0], p.comes[:0]
	}
	for k := 0; k < len(nodes); {
		part, local := f.finestOf(nodes[k])
		n := 1 // as many as lie in the same row of the part, if that numbers all
		if f.cfg.Inside == nil {
			left := finest[part].hi[0] - f.cfg.Position(int(nodes[k]))[0]
			for n < left && k+n < len(nodes) && nodes[k+n] == nodes[k]+int32(n) {
				n++
			}
		}
		p := a.split[part]
		for i := range int32(n) {
			p.nodes = append(p.nodes, local+i)
		}
		p.at = append(p.at, at[k:k+n]...)
		k += n
	}
	a.forced = a.forced[:0]
	for _, p := range a.split {
		if own && !f.own(p.in) { // runs may reach there, of nodes that go with others of the list
			continue
		}
		if f.cutRuns(p, runs); len(p.nodes)+len(p.runs) == 0 {
			continue
		}
		p.step.SetNodes(p.nodes, p.at)
		if len(p.runs) > 0 {
			p.step.SetRuns(p.runs)
		}
		if !f.own(p.in) {
			p.pack()
		}
		a.forced = append(a.forced, p)
	}
}

// cutRuns finds what of runs lies in a part.
func (f *Fluid[T]) cutRuns(p *forcedPart[T], runs []lbm.NodeRun) {
	set := f.cfg.Inside
	for _, r := range runs {
		if set == nil {
			f.cutRun(p, r)
			continue
		}
		for end := r.Node + r.N; r.Node < end; { // what follows in numbers may lie in another row
			run := set.RunWith(int64(r.Node))
			r.N = min(end, int32(set.Before(run+1))) - r.Node
			f.cutRun(p, r)
			r.Node, r.At = r.Node+r.N, r.At+r.N
		}
	}
}

// cutRun finds what of nodes of a row lies in a part.
func (f *Fluid[T]) cutRun(p *forcedPart[T], r lbm.NodeRun) {
	g, first := p.in.grid, f.cfg.Position(int(r.Node))
	lo, hi := max(first[0], g.lo[0]), min(first[0]+int(r.N), g.hi[0])
	if lo >= hi || !g.contains([3]int{lo, first[1], first[2]}) {
		return
	}
	p.runs = append(p.runs, lbm.NodeRun{Node: g.node([3]int{lo, first[1], first[2]}), At: r.At + int32(lo-first[0]), N: int32(hi - lo)})
}

// pack finds where values stand that are sent one after the other.
func (p *forcedPart[T]) pack() {
	place := map[int32]int32{}
	add := func(at int32) int32 {
		k, ok := place[at]
		if !ok {
			k = int32(len(p.comes))
			place[at], p.comes = k, append(p.comes, at)
		}
		return k
	}
	for _, r := range p.runs {
		to := r
		for k := range r.N {
			if at := add(r.At + k); k == 0 {
				to.At = at
			}
		}
		p.packedRuns = append(p.packedRuns, to)
	}
	for _, at := range p.at {
		p.packed = append(p.packed, add(at))
	}
}

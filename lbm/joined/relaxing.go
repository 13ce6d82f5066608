package joined

import (
	"fmt"

	"lbmib/lbm"
)

// relaxing is what a part has of the relaxation times of nodes of the finest level.
type relaxing[T lbm.Float] struct {
	times *lbm.Relaxation[T] // as the part numbers nodes
	lines []stretchOfLine    // of its lines, without ghosts
	own   T                  // the collision's time
}

// stretchOfLine is n nodes that follow each other in a line of a part and in one of the flow: of each the line, the first node's place in it, and its number.
type stretchOfLine struct {
	local, localAt, localNode    int
	global, globalAt, globalNode int
	n                            int
}

// RelaxesNodes tells that nodes of the finest level may relax by times of their own: where its parts' may. Another rank's parts hear of them
// only where the ranks share what acts on nodes (StepShare).
func (f *Fluid[T]) RelaxesNodes() bool {
	for _, p := range f.finest() {
		if f.own(p) && !lbm.TakesRelaxation(p.fluid) {
			return false
		}
	}
	return true
}

// relax has the parts of this rank know the relaxation times of their nodes; nil: all have the collision's.
func (f *Fluid[T]) relax(times *lbm.Relaxation[T]) {
	for _, p := range f.finest() {
		if !f.own(p) {
			continue
		}
		if p.relaxing == nil && times != nil {
			p.relaxing = f.newRelaxing(p)
		}
		if p.relaxing != nil {
			p.relaxes = times != nil && p.relaxing.take(times)
		}
	}
}

// newRelaxing finds the lines of a part.
func (f *Fluid[T]) newRelaxing(p *part[T]) *relaxing[T] {
	cfg := p.fluid.Config()
	r := &relaxing[T]{times: lbm.NewRelaxation[T](cfg), own: T(cfg.Collision.Tau())}
	add := func(local, global, n int) {
		l := stretchOfLine{localNode: local, globalNode: global, n: n}
		l.local, l.localAt = cfg.LineOf(local)
		l.global, l.globalAt = f.cfg.LineOf(global)
		r.lines = append(r.lines, l)
	}
	if f.cfg.Inside != nil {
		for _, s := range f.stretches(p.grid, false) {
			add(s.local, s.global, s.n)
		}
		return r
	}
	for z := p.lo[2]; z < p.hi[2]; z++ {
		for y := p.lo[1]; y < p.hi[1]; y++ {
			first := [3]int{p.lo[0], y, z}
			add(int(p.nodeAt(first)), f.cfg.Node(first), p.hi[0]-p.lo[0])
		}
	}
	return r
}

// take copies what the part has of times, and tells whether that is something.
func (r *relaxing[T]) take(from *lbm.Relaxation[T]) (some bool) {
	to := r.times
	clear(to.First)
	clear(to.End)
	for k := range r.lines {
		l := &r.lines[k]
		lo, hi := max(int(from.First[l.global]), l.globalAt), min(int(from.End[l.global]), l.globalAt+l.n)
		if lo >= hi {
			continue
		}
		some = true
		shift := l.localAt - l.globalAt
		node := l.localNode - l.localAt // the line's
		if to.First[l.local] == to.End[l.local] {
			to.First[l.local] = int32(lo + shift)
		} else { // another stretch of the same line
			for at := int(to.End[l.local]); at < lo+shift; at++ {
				to.Tau[node+at] = r.own
			}
		}
		to.End[l.local] = int32(hi + shift)
		copy(to.Tau[node+lo+shift:node+hi+shift], from.Tau[l.globalNode-l.globalAt+lo:])
	}
	return some
}

// act has the parts of this rank take forces and relaxation times into their next step.
func (f *Fluid[T]) act(n *lbm.NodeStep[T]) {
	f.relax(n.Relaxation)
	for _, p := range f.aside.forced {
		if f.own(p.in) {
			p.step.Force, p.step.Rho, p.step.U, p.step.Relaxation = n.Force, n.Rho, n.U, p.in.timesNow()
			p.in.acts = &p.step
		}
	}
	if n.Relaxation == nil {
		return
	}
	for _, p := range f.aside.split {
		if in := p.in; f.own(in) && in.relaxes && in.acts == nil { // no force acts there
			p.free.Force, p.free.U, p.free.Relaxation = n.Force, n.U, in.timesNow()
			in.acts = &p.free
		}
	}
}

// acted ends what act has begun.
func (f *Fluid[T]) acted() {
	for _, p := range f.aside.split {
		p.in.acts = nil
	}
}

// timesNow are the relaxation times of the step at hand; nil: none differ.
func (p *part[T]) timesNow() *lbm.Relaxation[T] {
	if !p.relaxes {
		return nil
	}
	return p.relaxing.times
}

// CorrectRelaxing is Correct after a step in which nodes have relaxed by times of their own; see lbm.Relaxing.
func (f *Fluid[T]) CorrectRelaxing(nodes, at []int32, force [][]T, times *lbm.Relaxation[T]) {
	f.relax(times)
	f.correct(nodes, at, force)
}

// correct lets forces act on nodes of this rank's parts of the finest level.
func (f *Fluid[T]) correct(nodes, at []int32, force [][]T) {
	for _, g := range f.locate(nodes, at) {
		switch {
		case len(g.nodes) == 0:
		case g.in.level+1 != len(f.levels):
			panic(fmt.Sprintf("joined: forces act on nodes of level %d, they can on those of the finest, %d, alone", g.in.level, len(f.levels)-1))
		case g.in.relaxes:
			g.in.fluid.(lbm.Relaxing[T]).CorrectRelaxing(g.nodes, g.at, force, g.in.relaxing.times)
		default:
			g.in.fluid.Correct(g.nodes, g.at, force)
		}
	}
}

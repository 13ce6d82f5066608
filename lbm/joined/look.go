package joined

import (
	"fmt"
	"slices"

	"lbmib/lbm"
)

// located are nodes of the finest grid by the parts that have them. Lists are mostly the same from step to step, and where
// bodies are measured two take turns.
type located[T lbm.Float] struct {
	nodes  []int32
	groups []group[T]
}

// group are the nodes of a list that a part has.
type group[T lbm.Float] struct {
	in    *part[T]
	nodes []int32 // of the part
	which []int32 // of the list
	at    []int32 // where their values stand
	asked bool    // another rank is on its way to tell them
}

// locate finds the nodes of a list.
func (f *Fluid[T]) locate(nodes, at []int32) []group[T] {
	l := &f.found[f.latest]
	if !slices.Equal(l.nodes, nodes) {
		f.latest = 1 - f.latest
		if l = &f.found[f.latest]; !slices.Equal(l.nodes, nodes) {
			f.sortOut(l, nodes)
		}
	}
	for _, g := range l.groups {
		for j, k := range g.which {
			g.at[j] = at[k]
		}
	}
	return l.groups
}

// sortOut finds the parts that have the nodes of a list, in the memory of another.
func (f *Fluid[T]) sortOut(l *located[T], nodes []int32) {
	l.nodes = append(l.nodes[:0], nodes...)
	for k := range l.groups {
		g := &l.groups[k]
		g.nodes, g.which, g.at = g.nodes[:0], g.which[:0], g.at[:0]
	}
	for k, n := range nodes {
		p, local := f.partOf(f.cfg.Position(int(n)))
		g := l.of(p)
		g.nodes, g.which, g.at = append(g.nodes, local), append(g.which, int32(k)), append(g.at, 0)
	}
}

func (l *located[T]) of(p *part[T]) *group[T] {
	k := slices.IndexFunc(l.groups, func(g group[T]) bool { return g.in == p })
	if k < 0 {
		k = len(l.groups)
		l.groups = append(l.groups, group[T]{in: p})
	}
	return &l.groups[k]
}

// partOf is the finest part that has a node of the finest grid, and its number there.
func (f *Fluid[T]) partOf(p [3]int) (*part[T], int32) {
	for l := len(f.levels) - 1; ; l-- {
		for _, o := range f.levels[l] {
			if o.contains(p) {
				return o, o.node(p)
			}
		}
		for a := range f.cfg.Lattice.Dim {
			p[a] = floorHalf(p[a])
		}
	}
}

// Moments reads density and velocity at nodes of the finest grid; see lbm.Fluid. Nodes in a cell of a coarser level have its.
func (f *Fluid[T]) Moments(nodes, at []int32, rho []T, u [][]T) {
	groups := f.locate(nodes, at)
	f.askOthers(groups)
	for k := range groups {
		if g := &groups[k]; f.own(g.in) && len(g.nodes) > 0 {
			g.in.fluid.Moments(g.nodes, g.at, rho, u)
		}
	}
	for k := range groups {
		g := &groups[k]
		r, ok := g.in.fluid.(*remote[T])
		switch {
		case !ok || len(g.nodes) == 0:
		case g.asked:
			r.takeMoments(g.at, rho, u)
		default:
			r.Moments(g.nodes, g.at, rho, u)
		}
	}
}

// askOthers asks other ranks for moments, each for those of one part at most: it waits for them to be taken.
func (f *Fluid[T]) askOthers(groups []group[T]) {
	for k := range groups {
		g := &groups[k]
		r, ok := g.in.fluid.(*remote[T])
		if g.asked = ok && len(g.nodes) > 0 && !r.asking; g.asked {
			r.askMoments(g.nodes)
		}
	}
}

// Correct lets forces act on nodes of the finest level; see lbm.Fluid. It panics where others are among them.
func (f *Fluid[T]) Correct(nodes, at []int32, force [][]T) {
	f.relax(nil)
	f.correct(nodes, at, force)
}

// Initialize sets every node from a smooth state; see lbm.Fluid.
func (f *Fluid[T]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
	if f.shared.leads() {
		f.sendDrive(orderDrive, 0)
	}
	f.eachPart(func(_ int, p *part[T]) {
		if !f.own(p) {
			f.initialize(p, state)
		}
	})
	f.initializeOwn(state)
}

// initializeOwn does so with the parts that this rank has.
func (f *Fluid[T]) initializeOwn(state func(p [3]float64) (rho float64, u [3]float64)) {
	f.eachPart(func(_ int, p *part[T]) {
		if f.own(p) {
			f.initialize(p, state)
		}
	})
	f.steps = 0
}

func (f *Fluid[T]) initialize(p *part[T], state func(p [3]float64) (rho float64, u [3]float64)) {
	p.fluid.Initialize(func(x [3]float64) (float64, [3]float64) { return state(f.inDomain(f.place(p.grid, p.level, x))) })
}

// local is a box of places of a part's level in its own coordinates.
func (g *grid) local(b lbm.Box) lbm.Box {
	for a := range b.Lo {
		d := g.ghosts[2*a] - g.lo[a]
		b.Lo[a], b.Hi[a] = b.Lo[a]+d, b.Hi[a]+d
	}
	return b
}

// size is how many nodes a box has along each axis.
func size(b lbm.Box) (n [3]int) {
	for a := range n {
		n[a] = b.Hi[a] - b.Lo[a]
	}
	return n
}

// Balances tells whether a box and the nodes around it lie in one box of the finest level; see lbm.Partial.
func (f *Fluid[T]) Balances(lo, hi [3]int) bool {
	for a := range f.cfg.Lattice.Dim {
		lo[a], hi[a] = lo[a]-1, hi[a]+1
	}
	return f.onlyBox(lo, hi) != nil || len(f.levels) == 1
}

// TakesForces refuses nodes that the finest level does not have; see lbm.Partial.
func (f *Fluid[T]) TakesForces(nodes []int32) error {
	if len(f.levels) == 1 { // which has all
		return nil
	}
	for _, n := range nodes {
		if f.finestWith(f.cfg.Position(int(n))) < 0 {
			p := f.cfg.Position(int(n))
			return fmt.Errorf("the support of a marker reaches node %v, which the finest level does not have: give its box a wider margin", p[:f.cfg.Lattice.Dim])
		}
	}
	return nil
}

// healthNodes is how many nodes Health reads at once, at least: enough for all workers.
const healthNodes = 1 << 13

// Health looks at every node; see lbm.Fluid. Places are those of the finest grid.
func (f *Fluid[T]) Health() lbm.Health {
	if !f.shared.leads() {
		return f.ownHealth()
	}
	f.shared.eachWire(func(w *wire) { w.send(orderHealth) })
	h := f.ownHealth()
	f.shared.eachWire(func(w *wire) {
		words := healthWords(lbm.NoHealth)
		take(w, words)
		h.Merge(healthOf(words))
		n := []int64{0}
		if take(w, n); n[0] > 0 {
			text := make([]byte, n[0])
			take(w, text)
			f.fault = fmt.Errorf("rank %d on %s: %s", w.peer, w.comm.Host(w.peer), text)
		}
	})
	return h
}

// boxHealth is a fluid that looks at its nodes lo ≤ p < hi: at populations, which tell more of densities than these, rounded.
type boxHealth interface {
	HealthIn(lo, hi [3]int) lbm.Health
}

// ownHealth looks at the nodes of the parts that this rank has.
func (f *Fluid[T]) ownHealth() lbm.Health {
	h := lbm.NoHealth
	dim := f.cfg.Lattice.Dim
	f.eachPiece([3]int{}, f.cfg.Size, func(g *grid, b lbm.Box) {
		p := f.partAt(g)
		if !f.own(p) {
			return
		}
		if in, ok := p.fluid.(boxHealth); ok {
			own := p.local(b)
			some := in.HealthIn(own.Lo, own.Hi)
			if some.OK && some.Worst[0] < 0 { // there are walls alone
				return
			}
			for _, node := range []*[3]int{&some.Worst, &some.MinAt, &some.MaxAt} {
				for a := range dim {
					if node[0] >= 0 { // else nothing could be seen
						node[a] = (node[a] - own.Lo[a] + b.Lo[a]) * f.width(p.level)
					}
				}
			}
			h.Merge(some)
			return
		}
		layer := b.Nodes() / (b.Hi[dim-1] - b.Lo[dim-1])
		layers := (healthNodes + layer - 1) / layer
		fields := make([][]T, 1+dim)
		for k := range fields {
			fields[k] = make([]T, layers*layer)
		}
		for at := b.Lo[dim-1]; at < b.Hi[dim-1]; at += layers {
			some := b
			some.Lo[dim-1], some.Hi[dim-1] = at, min(at+layers, b.Hi[dim-1])
			own := p.local(some)
			p.fluid.Box(own.Lo, own.Hi, fields[0][:some.Nodes()], cut(fields[1:], some.Nodes()))
			f.see(&h, p.level, some, fields)
		}
	})
	return h
}

// cut is the beginning of all fields.
func cut[T any](fields [][]T, n int) (to [][]T) {
	for _, f := range fields {
		to = append(to, f[:n])
	}
	return to
}

// see has a health see density and velocity of cells of a level.
func (f *Fluid[T]) see(h *lbm.Health, level int, b lbm.Box, fields [][]T) {
	solid, r := f.flows[level].Solid, f.width(level)
	k := -1
	each(b.Lo, b.Hi, func(at [3]int) {
		if k++; solid != nil && solid[f.flows[level].Node(at)] {
			return
		}
		square := 0.
		for _, u := range fields[1:] {
			square += float64(u[k]) * float64(u[k])
		}
		for a := range f.cfg.Lattice.Dim {
			at[a] *= r
		}
		h.See(at, float64(fields[0][k]), square)
	})
}

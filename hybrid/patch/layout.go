package patch

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/lbm"
)

// Layout is where the nodes that bodies' supports need lie in the fields of a coupling: in
// one window around all bodies or, where that takes fewer nodes, in a packing of boxes
// around bodies that are near to each other.
//
// It depends on where the bodies are and on nothing else, so that a run that is resumed
// has the layout of one that was not interrupted; and so that it need not change in every
// step boxes of moving bodies begin and end at multiples of grain.
//
// Whatever the layout, the same bits come of it (see aligned), with two exceptions: a body
// across a periodic face, whose window wraps where its box does not, and the buffered
// strategies, which cut the points of all boxes into batches. For that a marker's place
// between the nodes must not depend on where it is moved by whole nodes: where there may
// be a packing positions are rounded to multiples of quantum, about what a float64 resolves
// at the far end of the domain, and all sums with whole nodes are exact then.
type Layout struct {
	flow       *lbm.Config
	delta      ib.Stencil
	dim        int
	moves      bool    // some body does
	rounds     bool    // positions are rounded
	quantum    float64 // to multiples of that, a power of two
	perQuantum float64 // 1/quantum
	limit      int     // of nodes along an axis: coordinates up to it are exact
	oneBox     bool    // no packing, whatever it saves
	whole      span    // the window around all bodies
	wraps      [3]bool
	places     aligned
	need       []span // of every body: its support
	before     []span // likewise, of the layout at hand
	clusters   clusters
	spans      []span // of every cluster
	packing    packing
	periodic   [3]bool
	shift      [][3]int // of every body: from nodes of the domain to those of the grid
}

// grain is what boxes of moving bodies are rounded to, in nodes. A body leaves its box
// after half of that on average. Boxes that are wider than needed may overlap: each has
// its own copies of nodes that neither needs.
const grain = 8

// NewLayout is for so many bodies, some of which may move, in the domain of a flow.
// Positions are coupled by a delta and a strategy of interpolation and spreading.
func NewLayout(flow *lbm.Config, strategy string, delta ib.Stencil, bodies int, moves bool) *Layout {
	p := &Layout{flow: flow, delta: delta, dim: flow.Lattice.Dim, moves: moves}
	longest := 64
	for a := range p.dim {
		longest = max(longest, flow.Size[a])
		p.clusters.periodic[a] = flow.Periodic(a)
	}
	_, exponent := math.Frexp(float64(2*longest - 1))
	p.limit = 1 << exponent
	p.quantum, p.perQuantum = math.Ldexp(1, exponent-53), math.Ldexp(1, 53-exponent)
	p.clusters.dim, p.clusters.size = p.dim, flow.Size
	p.places.period = ib.Period(strategy, delta, p.dim)
	p.rounds = bodies > 1
	p.need, p.shift = make([]span, bodies), make([][3]int, bodies)
	return p
}

// round is a coordinate to the digits that all have.
func (p *Layout) round(x float64) float64 {
	if !p.rounds || math.Abs(x) >= float64(p.limit) { // there it has no more
		return x
	}
	return math.RoundToEven(x*p.perQuantum) * p.quantum
}

// Put stores places of body i where the layout has them, in nodes of the grid.
func (p *Layout) Put(to, from []geometry.Vec, i int) {
	s := &p.shift[i]
	for k, x := range from {
		for a := range p.dim {
			to[k][a] = p.round(x[a]) + float64(s[a])
		}
	}
}

// Measure finds the box of nodes that the supports of body i's markers span. Those of several
// bodies may be found at a time.
func (p *Layout) Measure(i int, markers []geometry.Vec) {
	s := &p.need[i]
	*s = span{hi: [3]int{1, 1, 1}}
	least, most := extent(markers)
	for a := range p.dim {
		s.lo[a], s.hi[a] = p.delta.First(p.round(least[a])), p.delta.First(p.round(most[a]))+p.delta.Support()
	}
}

// extent is how far places reach along each axis. What is no number is passed over: transfers refuse it.
func extent(x []geometry.Vec) (least, most geometry.Vec) {
	inf := math.Inf(1)
	lx, ly, lz, hx, hy, hz := inf, inf, inf, -inf, -inf, -inf
	for k := range x {
		p := &x[k]
		if p[0] < lx {
			lx = p[0]
		}
		if p[0] > hx {
			hx = p[0]
		}
		if p[1] < ly {
			ly = p[1]
		}
		if p[1] > hy {
			hy = p[1]
		}
		if p[2] < lz {
			lz = p[2]
		}
		if p[2] > hz {
			hz = p[2]
		}
	}
	return geometry.Vec{lx, ly, lz}, geometry.Vec{hx, hy, hz}
}

// Make makes the layout for the bodies as they have been measured, and tells whether it is
// another.
func (p *Layout) Make() (changed bool) {
	if slices.Equal(p.need, p.before) {
		return false
	}
	p.before = append(p.before[:0], p.need...)
	p.findWindow()
	p.places.origin = p.whole.lo
	if !p.apart() {
		p.oneWindow()
	}
	return true
}

// isExact tells that positions need not be rounded after all: bodies that never move are in
// one window. They are to be measured once more, and the layout made, which then is one window.
func (p *Layout) isExact() bool {
	if !p.rounds || p.moves || p.oneBox || len(p.packing.boxes) > 1 {
		return false
	}
	p.rounds, p.before = false, p.before[:0]
	return true
}

// findWindow finds the box around all supports, rounded. Along a periodic axis that a
// support crosses the end of it is the whole axis, and wraps.
func (p *Layout) findWindow() {
	p.whole = p.need[0]
	w := &p.whole
	for i := range p.need {
		w.include(&p.need[i])
	}
	for a := range p.dim {
		n := p.flow.Size[a]
		if p.wraps[a] = p.clusters.periodic[a] && (w.lo[a] < 0 || w.hi[a] > n); p.wraps[a] {
			w.lo[a], w.hi[a] = 0, n
			continue
		}
		most := max(w.hi[a], n) // nothing is behind the last node but walls
		p.widen(w, a)
		w.hi[a] = min(w.hi[a], most)
	}
}

// Around is the window as a grid of the domain, whatever the layout: weights do not depend
// on that.
func (p *Layout) Around() ib.Grid {
	g := ib.Grid{Dim: p.dim, Periodic: p.wraps}
	for a := range p.whole.lo {
		g.Size[a], g.Offset[a] = p.whole.length(a), float64(p.whole.lo[a])
	}
	return g
}

// widen rounds a box along an axis.
func (p *Layout) widen(s *span, a int) {
	if p.moves {
		s.lo[a], s.hi[a] = floorDiv(s.lo[a], grain)*grain, -floorDiv(-s.hi[a], grain)*grain
	}
}

// oneWindow makes the window the layout.
func (p *Layout) oneWindow() {
	p.packing.one(p.whole)
	p.periodic = p.wraps
	for i := range p.shift {
		p.shift[i] = [3]int{-p.whole.lo[0], -p.whole.lo[1], -p.whole.lo[2]}
	}
}

// apart makes a packing the layout, if there is one with fewer nodes than the window.
func (p *Layout) apart() bool {
	if p.oneBox || !p.rounds || !p.cluster() || len(p.spans) < 2 {
		return false
	}
	nodes := 0
	for i := range p.spans {
		nodes += p.spans[i].nodes()
	}
	if nodes >= p.whole.nodes() || !p.packing.pack(p.spans, p.places, p.dim, p.limit) || p.packing.nodes() >= p.whole.nodes() {
		return false
	}
	p.periodic = [3]bool{}
	for i := range p.shift {
		b := &p.packing.boxes[p.packing.of[p.clusters.parent[i]]] // of the cluster, by now
		for a := range p.dim {
			p.shift[i][a] = p.clusters.turns[i][a]*p.flow.Size[a] + b.at[a] - b.lo[a]
		}
	}
	return true
}

// cluster finds the boxes of clusters, and makes parent the cluster of each body. It fails
// where one reaches around a periodic axis, to nodes that it has already.
func (p *Layout) cluster() bool {
	c := &p.clusters
	fits := func(s *span) bool {
		for a := range p.dim {
			if c.periodic[a] && s.length(a) > p.flow.Size[a] {
				return false
			}
		}
		return true
	}
	for i := range p.need {
		if !fits(&p.need[i]) {
			return false
		}
	}
	if !c.find(p.need) {
		return false
	}
	p.spans = p.spans[:0]
	for i, s := range p.need {
		if root := c.parent[i]; root != int32(i) { // which comes first
			c.parent[i] = c.parent[root]
			for a := range p.dim {
				s.lo[a] += c.turns[i][a] * p.flow.Size[a]
				s.hi[a] += c.turns[i][a] * p.flow.Size[a]
			}
			p.spans[c.parent[i]].include(&s)
			continue
		}
		c.parent[i] = int32(len(p.spans))
		p.spans = append(p.spans, s)
	}
	for i := range p.spans {
		if !fits(&p.spans[i]) {
			return false
		}
		for a := range p.dim {
			p.widen(&p.spans[i], a)
		}
	}
	return true
}

// include makes a box hold another.
func (s *span) include(o *span) {
	for a := range s.lo {
		s.lo[a], s.hi[a] = min(s.lo[a], o.lo[a]), max(s.hi[a], o.hi[a])
	}
}

func (s *span) nodes() int { return s.length(0) * s.length(1) * s.length(2) }

// Grid is the grid that the layout fills.
func (p *Layout) Grid() ib.Grid {
	return ib.Grid{Dim: p.dim, Size: p.packing.size, Periodic: p.periodic}
}

// Leaves tells whether supports, as measured, leave the domain at a face that is not periodic.
func (p *Layout) Leaves() bool {
	for i := range p.need {
		for a := range p.dim {
			n := &p.need[i]
			if !p.flow.Periodic(a) && (n.lo[a] < 0 || n.hi[a] > p.flow.Size[a]) {
				return true
			}
		}
	}
	return false
}

package patch

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Config is how markers are coupled.
type Config struct {
	Strategy string // of interpolation and spreading
	Kernel   string // its innermost loops; empty: the fastest that the CPU has
}

// Cloud is the markers of a body.
type Cloud struct {
	Body  string         // its name
	X     []geometry.Vec // where they are now: of a body that moves, others change them
	First int            // number of the first among all points
}

// Window is the small grid around bodies: fields on it, their interpolation to points and
// spreading from them, its support nodes, which points reach, and those behind faces.
type Window[T lbm.Float] struct {
	// Grid is what supports lie in. Its Offset is 0. One value per node, x fastest.
	Grid ib.Grid

	SupportNodes
	Ghosts  GhostNodes[T]
	Windows int // made so far

	Moments  [][]T // ρ and û
	Velocity [][]T // u = û + F/(2ρ)
	Force    [][]T // force density

	cfg      Config
	flow     *lbm.Config
	dim      int
	delta    ib.Delta[T]
	loops    parallel.Loops
	clouds   []Cloud
	points   []geometry.Vec // all, those of clouds and others
	placed   []geometry.Vec // the same in nodes of the grid
	moves    bool           // some body does
	layout   *Layout
	transfer ib.Transfer[T]
	shared   *shared[T] // with other ranks; nil: this process has all nodes
	unit     [][]T      // of weights, spread
	step     lbm.NodeStep[T]
	stepped  int // number of the support that step is of
	free     lbm.NodeStep[T]
	runs     []lbm.NodeRun
	listed   int // number of the support that runs are of

	measure, put, clear func(worker int) // loops, made once
}

// New makes a window that Place has to be called of. points is the number of all that are
// coupled, those of the clouds and others; 0 for Check alone.
func New[T lbm.Float](cfg Config, flow *lbm.Config, delta ib.Delta[T], pool *parallel.Pool, clouds []Cloud, points int, moves bool) *Window[T] {
	w := &Window[T]{cfg: cfg, flow: flow, dim: flow.Lattice.Dim, delta: delta, loops: parallel.Loops{Pool: pool}, clouds: clouds, moves: moves}
	w.points, w.placed = make([]geometry.Vec, points), make([]geometry.Vec, points)
	w.layout = NewLayout(flow, cfg.Strategy, delta, len(clouds), moves)
	w.Ghosts.flow, w.Ghosts.dim = flow, w.dim
	w.SupportNodes = SupportNodes{flow: flow, delta: delta, clouds: clouds, moves: moves, loops: w.loops, nodes: walk{of: &w.layout.packing, window: &w.Grid, line: -1}}
	w.support.Loops = w.loops
	w.free.SetNodes(nil, nil)
	n := w.loops.Workers()
	each := func(do func(i int)) func(int) {
		return func(worker int) {
			for i := worker; i < len(clouds); i += n {
				do(i)
			}
		}
	}
	w.measure = each(func(i int) { w.layout.Measure(i, clouds[i].X) })
	w.put = each(func(i int) {
		if w.shared != nil && w.shared.passes(i) {
			copy(w.points[clouds[i].First:], clouds[i].X)
			return
		}
		w.Put(clouds[i].First, clouds[i].X, i)
	})
	w.clear = func(worker int) { w.clearShare(worker, n) }
	return w
}

// Share has several ranks couple the points together; all call it, before Place, and all that works on values at points or nodes after it. Nodes are then those of
// this rank. The strategy is one that CanShare.
func (w *Window[T]) Share(with Share) {
	w.shared = newShared(with, w)
	w.SupportNodes.share = w.shared
	if w.cfg.Strategy == "auto" { // by all points
		w.cfg.Strategy = ib.AutoStrategy(len(w.points))
	}
}

// RankOf is the rank that has the node nearest to a point of a window that ranks share.
func (w *Window[T]) RankOf(point int) int { return int(w.shared.rank[point]) }

// HasPoint tells whether values at a point are found by this process.
func (w *Window[T]) HasPoint(k int) bool {
	return w.shared == nil || int(w.shared.rank[k]) == w.shared.Comm.Rank()
}

// TellOwn has all ranks know values of all points, of which each has those of its own.
func (w *Window[T]) TellOwn(values [][]T) {
	if w.shared == nil {
		return
	}
	for c, v := range values {
		for i, k := range w.shared.local {
			w.shared.felt[c][i] = v[k]
		}
	}
	w.shared.tell(values)
}

// RankAt is the rank that has the node nearest to a place.
func (w *Window[T]) RankAt(x *geometry.Vec) int { return w.shared.RankAt(x) }

// IsNear tells whether points in a box may reach nodes of this rank, or what it has to know around these.
func (w *Window[T]) IsNear(lo, hi geometry.Vec) bool { return w.shared.isNearBox(lo, hi) }

// IsInside tells whether a point is among those that this rank works on, or may come to be by moving so many nodes.
func (w *Window[T]) IsInside(x *geometry.Vec, more int) bool {
	return w.shared.IsWithin(w.shared.Node(x), 2*w.shared.reach()+more)
}

// Points are all points in nodes of the domain, Placed the same in nodes of the grid.
func (w *Window[T]) Points() []geometry.Vec { return w.points }
func (w *Window[T]) Placed() []geometry.Vec { return w.placed }

// Put sets where points from a first on are, which lie with body i.
func (w *Window[T]) Put(first int, x []geometry.Vec, i int) {
	copy(w.points[first:], x)
	w.layout.Put(w.placed[first:], x, i)
}

// Strategy is that of the transfer, and what it chose where it is auto.
func (w *Window[T]) Strategy() string {
	if t, ok := w.transfer.(interface{ Chosen() string }); ok {
		return t.Chosen()
	}
	return w.cfg.Strategy
}

// Around is the window as a grid of the domain, whatever the layout: weights do not depend
// on that.
func (w *Window[T]) Around() ib.Grid { return w.layout.Around() }

// Place makes layout, grid and markers those of the clouds' places, and lists the
// support nodes; others puts points that are no markers. A support that leaves the domain is
// refused, but for walls and planes of symmetry: see GhostNodes.
func (w *Window[T]) Place(others func(worker int)) error {
	w.loops.Run(len(w.points), w.measure)
	changed := w.layout.Make()
	if changed && w.layout.isExact() {
		w.loops.Run(len(w.points), w.measure)
		w.layout.Make()
	}
	if err := w.staysInside(); err != nil {
		return err
	}
	if changed {
		if err := w.setWindow(); err != nil {
			return err
		}
	}
	if w.shared != nil {
		w.shared.look(w.layout.need)
	}
	w.loops.Run(len(w.points), w.put)
	w.loops.Run(len(w.points), others)
	placed := w.placed
	if w.shared != nil {
		placed = w.shared.place(w.points, w.placed)
	}
	if err := w.transfer.SetPoints(placed); err != nil {
		return err
	}
	other, err := w.find(placed, changed)
	if err != nil || !other {
		return err
	}
	if w.shared != nil {
		w.begin()
	}
	w.Ghosts.find(&w.SupportNodes, w.Moments, w.Velocity)
	return nil
}

// begin gives the support nodes of a share a density where there has been none.
func (w *Window[T]) begin() {
	rho := w.Moments[0]
	for _, at := range w.support.Nodes() {
		if rho[at] == 0 {
			rho[at] = 1
		}
	}
}

// Check refuses what Place would refuse of where markers are, at an effort that grows with
// them and not with the nodes around them.
func (w *Window[T]) Check() error {
	for i := range w.clouds {
		w.layout.Measure(i, w.clouds[i].X)
	}
	w.layout.Make()
	if err := w.staysInside(); err != nil {
		return err
	}
	if _, err := ib.NewTransfer[T](w.cfg.Strategy, w.layout.Grid(), w.delta, w.loops.Pool); err != nil {
		return err
	}
	return besideNoSolid(w.clouds, w.flow, w.delta)
}

// staysInside refuses bodies whose supports, as the layout has measured them, leave the domain.
func (w *Window[T]) staysInside() error {
	for i := range w.clouds {
		for a := range w.dim {
			if w.Fits(i, a, 0) {
				continue
			}
			n := &w.layout.need[i]
			return fmt.Errorf("body %q: its markers need nodes %d..%d along %s with delta %s, the domain has 0..%d: enlarge domain.size, move the body inwards or make the face periodic",
				w.clouds[i].Body, n.lo[a], n.hi[a]-1, "xyz"[a:a+1], w.delta.Name(), w.flow.Size[a]-1)
		}
	}
	return nil
}

// Fits tells whether the markers of body i, and some more around them, have their supports
// in the domain along an axis, or, at walls and planes of symmetry, are in it.
func (w *Window[T]) Fits(i, a int, more float64) bool {
	if w.flow.Periodic(a) {
		return true
	}
	n, low, high := w.flow.Size[a], w.flow.Faces[2*a].Kind, w.flow.Faces[2*a+1].Kind
	from, to := extent(w.clouds[i].X)
	least, most := from[a]-more, to[a]+more
	below := w.delta.First(least) >= 0 || low.IsWall() && least >= -0.5
	above := w.delta.First(most)+w.delta.Support() <= n || high.IsWall() && most <= float64(n)-0.5
	return below && above
}

// setWindow makes a window that the layout fits, with fields and a transfer for it, if the
// one at hand does not. Its axes stay as long as they have been needed before, unless that
// becomes too much: bodies that move would have it made again and again.
func (w *Window[T]) setWindow() (err error) {
	p := &w.layout.packing
	g := w.layout.Grid()
	fits := w.transfer != nil && w.Grid.Periodic == g.Periodic
	for a := range w.dim {
		if !g.Periodic[a] && w.transfer != nil && !w.Grid.Periodic[a] {
			g.Size[a] = max(g.Size[a], w.Grid.Size[a])
		}
	}
	if g.Nodes() > max(leastRoom, mostRoom*p.nodes()) {
		g.Size = p.size
	}
	if fits && g.Size == w.Grid.Size {
		return nil
	}
	if w.transfer, err = ib.NewTransfer[T](w.cfg.Strategy, g, w.delta, w.loops.Pool, ib.Kernel(w.cfg.Kernel)); err != nil {
		return err
	}
	w.Grid = g
	w.Windows++
	n := g.Nodes()
	w.Moments = Resized(w.Moments, 1+w.dim, n)
	if w.shared == nil { // whose memory is what it uses
		for i := range w.Moments[0] {
			w.Moments[0][i] = 1 // before the first step
		}
	}
	w.Velocity, w.Force = Resized(w.Velocity, w.dim, n), Resized(w.Force, w.dim, n)
	if w.moves {
		w.unit = Resized(w.unit, 1, n)
	}
	return nil
}

// A window may be mostRoom times as large as the layout needs, or have leastRoom nodes.
const mostRoom, leastRoom = 4, 1 << 16

// Resized are fields of n zeros, in the same memory where it suffices.
func Resized[T lbm.Float](f [][]T, components, n int) [][]T {
	if len(f) != components || cap(f[0]) < n {
		return Fields[T](components, n)
	}
	for i := range f {
		f[i] = f[i][:n]
		clear(f[i])
	}
	return f
}

// Boxes is in how many boxes beside each other the nodes of the domain lie in the grid.
func (w *Window[T]) Boxes() int { return len(w.layout.packing.boxes) }

// KeepOneBox has all bodies in one box from the next Place on, however much larger that is:
// to compare with. It is for windows of several bodies.
func (w *Window[T]) KeepOneBox() {
	w.layout.oneBox, w.layout.rounds, w.layout.before = true, true, nil
}

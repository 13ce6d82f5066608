package joined

import (
	"fmt"
	"slices"
	"time"

	"lbmib/lbm"
)

// remote is a part that another rank has, as rank 0 sees it.
type remote[T lbm.Float] struct {
	*wire
	k       int64 // the part's number
	cfg     lbm.Config
	steps   func() int64 // that the fluid has made, of the finest grid
	summing func() bool  // all parts are lbm.Summing
	width   int64        // steps of the finest grid in one of the part
	lists   [2][]int32   // of nodes that the other rank knows, by slot,
	last    int          // of them
	room    [][]T        // values of a list: density or force, velocity
	asked   int          // nodes whose moments are on their way
	named   int64        // the list of a NodeStep that the other rank knows
	comes   []int32      // where in fields its values stand
}

func (r *remote[T]) Config() *lbm.Config { return &r.cfg }
func (r *remote[T]) Steps() int64        { return r.steps() / r.width }
func (r *remote[T]) Step()               { panic("joined: parts of other ranks step with all others") }

// Times are those of this rank's parts alone: the others step at the same time.
func (r *remote[T]) Times() (boundary, bulk time.Duration) { return 0, 0 }

// known is the slot of a list of nodes that the other rank knows.
func (r *remote[T]) known(nodes []int32) int64 {
	if slices.Equal(r.lists[r.last], nodes) {
		return int64(r.last)
	}
	r.last = 1 - r.last
	if !slices.Equal(r.lists[r.last], nodes) {
		r.lists[r.last] = append(r.lists[r.last][:0], nodes...)
		r.send(orderList, r.k, int64(r.last), int64(len(nodes)))
		give(r.wire, nodes)
	}
	return int64(r.last)
}

// values are a density or force and a velocity of so many nodes.
func (r *remote[T]) values(n int) [][]T {
	if r.room == nil {
		r.room = make([][]T, 1+r.cfg.Lattice.Dim)
	}
	for k := range r.room {
		r.room[k] = slices.Grow(r.room[k][:0], n)[:n]
	}
	return r.room
}

// askMoments asks for density and velocity of nodes, takeMoments takes them: others may be asked meanwhile.
func (r *remote[T]) askMoments(nodes []int32) {
	r.send(orderMoments, r.k, r.known(nodes))
	r.asked, r.asking = len(nodes), true
}

func (r *remote[T]) takeMoments(at []int32, rho []T, u [][]T) {
	v := r.values(r.asked)
	takeAll(r.wire, v)
	r.asking = false
	scatter(rho, v[0], at)
	for a := range u {
		scatter(u[a], v[1+a], at)
	}
}

func scatter[T any](to, from []T, at []int32) {
	for k, v := range from {
		to[at[k]] = v
	}
}

func gather[T any](to, from []T, at []int32) {
	for k := range to {
		to[k] = from[at[k]]
	}
}

func (r *remote[T]) Moments(nodes, at []int32, rho []T, u [][]T) {
	r.askMoments(nodes)
	r.takeMoments(at, rho, u)
}

func (r *remote[T]) Correct(nodes, at []int32, force [][]T) {
	r.send(orderCorrect, r.k, r.known(nodes))
	v := r.values(len(nodes))
	for a, f := range force {
		gather(v[a], f, at)
		give(r.wire, v[a])
	}
}

// act has forces act on nodes of the part in the step that comes, see servedStep; arrived takes what that left of them.
func (r *remote[T]) act(p *forcedPart[T], n *lbm.NodeStep[T]) {
	if list, _, _, _ := n.List(); r.named != list {
		r.named = list
		r.comes = p.comes
		r.send(orderForces, r.k, 1, int64(len(p.nodes)), int64(len(p.comes)), int64(len(p.runs)))
		give(r.wire, p.nodes)
		give(r.wire, p.packed)
		give(r.wire, flat(p.packedRuns))
	} else {
		r.send(orderForces, r.k, 0)
	}
	v := r.values(len(r.comes))
	for a, f := range n.Force {
		gather(v[a], f, r.comes)
		give(r.wire, v[a])
	}
}

func (r *remote[T]) arrived(n *lbm.NodeStep[T]) {
	v := r.values(len(r.comes))
	takeAll(r.wire, v)
	scatter(n.Rho, v[0], r.comes)
	for a, u := range n.U {
		scatter(u, v[1+a], r.comes)
	}
}

// flat are runs as numbers.
func flat(runs []lbm.NodeRun) (all []int32) {
	for _, r := range runs {
		all = append(all, r.Node, r.At, r.N)
	}
	return all
}

func (r *remote[T]) sendBox(order int64, lo, hi [3]int, more ...int64) {
	words := []int64{order, r.k}
	for a := range lo {
		words = append(words, int64(lo[a]), int64(hi[a]))
	}
	r.send(append(words, more...)...)
}

func (r *remote[T]) Box(lo, hi [3]int, rho []T, u [][]T) {
	asked := int64(0)
	for a, f := range append([][]T{rho}, u...) {
		if f != nil {
			asked |= 1 << a
		}
	}
	r.sendBox(orderBox, lo, hi, asked)
	n := lbm.Box{Lo: lo, Hi: hi}.Nodes()
	for _, f := range append([][]T{rho}, u...) {
		if f != nil {
			take(r.wire, f[:n])
		}
	}
}

func (r *remote[T]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	if r.summing() {
		m, k := r.MomentumSums(lo, hi)
		return float64(lbm.Box{Lo: lo, Hi: hi}.Nodes()) + m.Value(), k.Value()
	}
	r.sendBox(orderMomentum, lo, hi)
	var values [4]float64
	take(r.wire, values[:])
	return values[0], [3]float64(values[1:])
}

func (r *remote[T]) Inflow(lo, hi [3]int) (j [3]float64) {
	if r.summing() {
		k := r.InflowSums(lo, hi)
		return k.Value()
	}
	r.sendBox(orderInflow, lo, hi)
	take(r.wire, j[:])
	return j
}

func (r *remote[T]) MomentumSums(lo, hi [3]int) (mass lbm.Sum, j lbm.Sums3) {
	r.sendBox(orderMomentum, lo, hi)
	var words [12]int64
	take(r.wire, words[:])
	mass.Set(words[:3])
	for a := range j {
		j[a].Set(words[3+3*a:])
	}
	return mass, j
}

func (r *remote[T]) InflowSums(lo, hi [3]int) (j lbm.Sums3) {
	r.sendBox(orderInflow, lo, hi)
	var words [9]int64
	take(r.wire, words[:])
	for a := range j {
		j[a].Set(words[3*a:])
	}
	return j
}

// Initialize sends the values that lbm.Config.Initial asks for at every node.
func (r *remote[T]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
	r.send(orderInitialize, r.k)
	dim := r.cfg.Lattice.Dim
	samples := make([]float64, 0, r.cfg.Size[0]*samplesOf(dim))
	force := r.cfg.ForceAt(0)
	eachRow(&r.cfg, func(first, n, y, z int) {
		samples = samples[:0]
		for x := first; x < first+n; x++ {
			r.cfg.Initial([3]float64{float64(x), float64(y), float64(z)}, force, func(p [3]float64) (float64, [3]float64) {
				rho, u := state(p)
				samples = append(append(samples, rho), u[:dim]...)
				return rho, u
			})
		}
		give(r.wire, samples)
	})
}

// eachRow calls do for the nodes of a flow that have numbers, in their order: n from x on of row y, z.
func eachRow(cfg *lbm.Config, do func(x, n, y, z int)) {
	if cfg.Inside != nil {
		cfg.EachRun(do)
		return
	}
	for z := range cfg.Size[2] {
		for y := range cfg.Size[1] {
			do(0, cfg.Size[0], y, z)
		}
	}
}

// samplesOf is how many numbers lbm.Config.Initial asks for at a node: states there, before and behind along each axis.
func samplesOf(dim int) int { return (1 + 2*dim) * (1 + dim) }

func (r *remote[T]) Population(i int, dst []T) {
	r.send(orderPopulation, r.k, int64(i))
	take(r.wire, dst)
}

func (r *remote[T]) OpenFaces() []float64 {
	r.send(orderOpenFaces, r.k)
	n := []int64{0}
	take(r.wire, n)
	open := make([]float64, n[0])
	take(r.wire, open)
	return open
}

func (r *remote[T]) SetState(s lbm.State[T]) error {
	if len(s.Populations) != r.cfg.Lattice.Q {
		return fmt.Errorf("joined: a state of %d populations, the flow has %d", len(s.Populations), r.cfg.Lattice.Q)
	}
	for i, f := range s.Populations {
		if len(f) != r.cfg.Nodes() {
			return fmt.Errorf("joined: population %d of a state has %d nodes, the part %d", i, len(f), r.cfg.Nodes())
		}
	}
	r.send(orderSetState, r.k, s.Steps, int64(len(s.Open)), r.steps())
	give(r.wire, s.Open)
	giveAll(r.wire, s.Populations)
	words := []int64{0}
	if take(r.wire, words); words[0] > 0 {
		text := make([]byte, words[0])
		take(r.wire, text)
		return fmt.Errorf("rank %d on %s: %s", r.peer, r.comm.Host(r.peer), text)
	}
	return nil
}

// Health is asked of ranks, not of parts: see Fluid.Health.
func (r *remote[T]) Health() lbm.Health { panic("joined: ranks tell the health of all of their parts") }

func (r *remote[T]) Fetch(nodes []int32, f [][]T) {
	r.send(orderFetch, r.k, int64(len(nodes)))
	give(r.wire, nodes)
	takeAll(r.wire, f)
}

func (r *remote[T]) Put(nodes []int32, f [][]T) {
	r.send(orderPut, r.k, int64(len(nodes)))
	give(r.wire, nodes)
	giveAll(r.wire, f)
}

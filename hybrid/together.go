package hybrid

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Divided is a fluid of which several processes have parts, of which rank 0 leads the others: a joined.Fluid.
type Divided[T lbm.Float] interface {
	lbm.Fluid[T]
	Comm() mpi.Comm             // nil: one process has all
	Lead() bool                 // this is rank 0 of several
	Tag() int                   // of messages of bodies
	Shares() ([]lbm.Box, []int) // boxes of nodes that forces may act on, and the ranks that have them
	Together(words ...int64)    // has the Aides of all other ranks do what words say
	StepShare(*lbm.NodeStep[T]) // makes this rank's part of a step
}

// What ranks do together.
const (
	togetherBegin    = iota // put bodies into the fluid
	togetherStep            // move bodies, and make the fluid's step
	togetherCorrect         // correct it, where there are bodies that are no cells
	togetherHeld            // tell density and force of support nodes: lo, hi
	togetherSetHeld         // take them
	togetherFlexible        // take the state of cells
	togetherRigid           // and that of other bodies that move
	togetherSlip            // find what markers feel of the corrected fluid
	togetherGaps            // tell how near cells are to others
	togetherCount           // tell how many support nodes there are
)

// CanShare tells whether the ranks of a fluid, which are many, share the bodies in it, all of them; else they are rank 0's. Not shared are suspended ellipsoids, cells that enter and
// leave, those of another viscosity inside and smooth ones, bodies beside an eddy viscosity, and strategies of interpolation and spreading by which nodes do not receive some
// of the points as they receive all.
//
// All ranks know all bodies and where they are. A rank finds the forces of the cells near its nodes and spreads these, and the forces of markers that reach its nodes; it
// interpolates to the points that are nearest to its nodes, and tells all others what these feel. What follows from that, motion and forces of markers, all ranks find alike.
// Velocities of a cell's vertices along its membrane are put right by the rank that has its first vertex, which tells the others again. Results are the same bits as on one rank.
func CanShare(cfg *CouplingConfig, flow *lbm.Config, bodies []*rigid.Body) bool {
	switch {
	case len(cfg.Cells)+len(bodies) == 0 || cfg.Feed != nil || cfg.Ellipsoids != nil || !patch.CanShare(cfg.Transfer):
		return false
	case len(bodies) > 0 && flow.Collision.NodesDiffer():
		return false
	}
	return !slices.ContainsFunc(cfg.Cells, func(c *flexible.Cell) bool { return c.ViscosityRatio() != 1 || c.Smooth != nil })
}

// sharing is a rank's share of a coupling.
type sharing[T lbm.Float] struct {
	fluid  Divided[T]
	comm   mpi.Comm
	window *patch.Window[T]
	cells  *cellForces[T]

	near []bool // of each cell: this rank finds its forces
	own  []bool // and it has its first point

	counts, starts []int // of each rank: what it tells
	sent, all      []float64
	gaps           []float64 // of all cells,
	gapsAt         int64     // after that many steps

	velocities, distances told // what ranks tell each other of cells
}

// told is so many numbers of each cell, which the rank that has it gives and others take.
type told struct {
	length     func(i int) int
	give, take func(i int, values []float64)
}

// newSharing is that of a coupling of the bodies in a fluid.
func newSharing[T lbm.Float](fluid Divided[T], c *Coupling[T]) *sharing[T] {
	cells, dim := c.cfg.Cells, c.dim
	size := fluid.Comm().Size()
	s := &sharing[T]{
		fluid: fluid, comm: fluid.Comm(), window: c.window, cells: c.cells, counts: make([]int, size), starts: make([]int, size),
		near: make([]bool, len(cells)), own: make([]bool, len(cells)), gaps: make([]float64, len(cells)), gapsAt: -1,
	}
	for i := range s.near {
		s.near[i], s.own[i] = true, true
	}
	s.velocities = told{
		func(i int) int { return len(cells[i].Velocities()) * dim },
		func(i int, to []float64) {
			for k, u := range cells[i].Velocities() {
				copy(to[k*dim:], u[:dim])
			}
		},
		func(i int, from []float64) {
			for k, u := 0, cells[i].Velocities(); k < len(u); k++ {
				copy(u[k][:dim], from[k*dim:])
			}
		},
	}
	s.distances = told{
		func(int) int { return 1 },
		func(i int, to []float64) { to[0] = c.cells.contact.system.Gap(i) },
		func(i int, from []float64) { s.gaps[i] = from[0] },
	}
	return s
}

// shareOf is how the ranks of a fluid share its bodies; nil: they do not.
func shareOf[T lbm.Float](fluid lbm.Fluid[T], cfg *CouplingConfig, bodies []*rigid.Body, schedule string) Divided[T] {
	d, ok := fluid.(Divided[T])
	if !ok || d.Comm() == nil || d.Comm().Size() == 1 || schedule != "serial" || !CanShare(cfg, fluid.Config(), bodies) {
		return nil
	}
	return d
}

// tell has the aides of other ranks do something, if this rank leads some.
func (s *sharing[T]) tell(words ...int64) {
	if s != nil && s.fluid.Lead() {
		s.fluid.Together(words...)
	}
}

// follows tells whether this rank does what another says.
func (s *sharing[T]) follows() bool { return s != nil && !s.fluid.Lead() }

// momenta is the momentum of the fluid inside each of so many bodies, of which rank 0 has the sums.
func (s *sharing[T]) momenta(sums *lbm.Sums, bodies int) func(i int) rigid.Momentum {
	var values []float64
	if sums != nil {
		for i := range bodies {
			values = append(append(values, sums.Regions[i].Linear[:]...), sums.Regions[i].Angular[:]...)
		}
	}
	values = s.same(values)
	return func(i int) rigid.Momentum {
		v := values[6*i:]
		return rigid.Momentum{Linear: geometry.Vec(v[:3]), Angular: geometry.Vec(v[3:6])}
	}
}

// agree gives all ranks the error of one that has an error, that of the first cell.
func (s *sharing[T]) agree(err error) error {
	if s == nil {
		return err
	}
	const none = math.MaxInt64
	key := int64(none)
	var motion *rigid.MotionError
	if err != nil {
		key = none - 1
		if errors.As(err, &motion) && s.cells != nil {
			if i := slices.IndexFunc(s.cells.cfg.Cells, func(c *flexible.Cell) bool { return c.Name == motion.Body }); i >= 0 {
				key = int64(i)
			}
		}
	}
	keys := mpi.GatherEach(s.comm, key)
	least := slices.Min(keys)
	if least == none {
		return nil
	}
	from := slices.Index(keys, least)
	var step []int64
	var body, text []byte
	switch {
	case from != s.comm.Rank():
	case motion != nil:
		step, body, text = []int64{motion.Step}, []byte(motion.Body), []byte(motion.Msg)
	default:
		text = []byte(err.Error())
	}
	step = mpi.View[int64](mpi.BroadcastV(s.comm, from, mpi.Bytes(step)))
	body, text = mpi.BroadcastV(s.comm, from, body), mpi.BroadcastV(s.comm, from, text)
	switch {
	case from == s.comm.Rank():
		return err
	case len(step) > 0:
		return &rigid.MotionError{Body: string(body), Step: step[0], Msg: string(text)}
	}
	return errors.New(string(text))
}

// same is what rank 0 has of numbers.
func (s *sharing[T]) same(numbers []float64) []float64 {
	if s == nil {
		return numbers
	}
	return mpi.View[float64](mpi.BroadcastV(s.comm, 0, mpi.Bytes(numbers)))
}

// attend finds which cells are near this rank's nodes, whose forces are found here.
func (s *sharing[T]) attend() {
	if s == nil {
		return
	}
	const stays = 6 // nodes farther than others come: else lists of contact would be made anew all the time
	changed := false
	s.cells.measure()
	for i, e := range s.cells.extent {
		more := 0
		if s.near[i] {
			more = stays
		}
		near := s.window.IsNear(e[0], e[1], more)
		if near == s.near[i] {
			continue
		}
		s.near[i], changed = near, true
		if k := s.cells.contact; k != nil {
			k.system.Attend(i, near)
		}
	}
	if changed {
		s.cells.system.Attend(func(i int) bool { return s.near[i] })
	}
}

// owner is the rank that has a cell: that of its first point.
func (s *sharing[T]) owner(i int) int { return s.window.RankOf(s.cells.cfg.Cells[i].First()) }

// slip has the cells of this rank slip, and all ranks know the velocities of all.
func (s *sharing[T]) slip(of *membraneSlip) {
	changed, me := false, s.comm.Rank()
	for i := range s.own {
		own := s.owner(i) == me
		changed = changed || own != s.own[i]
		s.own[i] = own
	}
	if changed {
		s.cells.system.LetSlip(func(i int) bool { return s.own[i] })
	}
	s.cells.system.Slip(of.offset, of.per, of.over)
	s.gather(&s.velocities)
}

// gather has all ranks know what the ranks that have cells tell of them.
func (s *sharing[T]) gather(of *told) {
	me := s.comm.Rank()
	clear(s.counts)
	for i := range s.near {
		s.counts[s.owner(i)] += of.length(i)
	}
	s.sent = grown(s.sent, s.counts[me])
	rest, sum := s.sent, 0
	for i := range s.near {
		if s.owner(i) == me {
			n := of.length(i)
			of.give(i, rest[:n])
			rest = rest[n:]
		}
	}
	for r, n := range s.counts {
		s.starts[r], sum = sum, sum+n
		s.counts[r] = 8 * n
	}
	s.all = grown(s.all, sum)
	s.comm.AllGather(mpi.Bytes(s.sent), s.counts, mpi.Bytes(s.all))
	for i := range s.near {
		n, r := of.length(i), s.owner(i)
		of.take(i, s.all[s.starts[r]:][:n])
		s.starts[r] += n
	}
}

// grown is a slice of length n, in the same memory where it suffices.
func grown(s []float64, n int) []float64 { return slices.Grow(s[:0], n)[:n] }

// support are density and force density of all support nodes in a box, by nodes; on rank 0, nil elsewhere.
type support[T lbm.Float] struct {
	nodes []int32
	rho   []T
	force [][]T
	from  []int // of each rank: where its nodes were, before they were sorted; and their number
	order []int32
}

// held gathers what ranks have of the support nodes in a box.
func (s *sharing[T]) held(c *Coupling[T], box lbm.Box) *support[T] {
	w := c.window
	nodes, values := []int32{}, []T{}
	for i, n := range w.Nodes {
		p := c.flow.Position(int(n))
		inside := true
		for a := range p {
			inside = inside && p[a] >= box.Lo[a] && p[a] < box.Hi[a]
		}
		if !inside {
			continue
		}
		at := w.At[i]
		nodes, values = append(nodes, n), append(values, w.Moments[0][at])
		for _, f := range w.Force {
			values = append(values, f[at])
		}
	}
	out := s.nodesOf(nodes)
	all, _ := mpi.GatherV(s.comm, 0, mpi.Bytes(values))
	if out == nil {
		return nil
	}
	each := 1 + c.dim
	from := make([]T, len(all)/(each*valueBytes[T]())*each)
	copy(mpi.Bytes(from), all)
	out.rho = make([]T, len(out.nodes))
	out.force = patch.Fields[T](c.dim, len(out.nodes))
	for i, k := range out.order {
		out.rho[i] = from[int(k)*each]
		for a := range out.force {
			out.force[a][i] = from[int(k)*each+1+a]
		}
	}
	return out
}

// nodesOf gathers nodes of all ranks, and sorts them, on rank 0; elsewhere it is nil.
func (s *sharing[T]) nodesOf(nodes []int32) *support[T] {
	all, counts := mpi.GatherV(s.comm, 0, mpi.Bytes(nodes))
	if s.comm.Rank() != 0 {
		return nil
	}
	out := &support[T]{nodes: make([]int32, len(all)/4), from: []int{0}}
	copy(mpi.Bytes(out.nodes), all)
	for _, n := range counts {
		out.from = append(out.from, out.from[len(out.from)-1]+n/4)
	}
	out.order = make([]int32, len(out.nodes))
	for i := range out.order {
		out.order[i] = int32(i)
	}
	slices.SortFunc(out.order, func(i, j int32) int { return cmp.Compare(out.nodes[i], out.nodes[j]) })
	sorted := make([]int32, len(out.nodes))
	for i, k := range out.order {
		sorted[i] = out.nodes[k]
	}
	out.nodes = sorted
	return out
}

// setHeld gives all ranks density and force density of their support nodes, of those that rank 0 has of all.
func (s *sharing[T]) setHeld(c *Coupling[T], held [][]T) (err error) {
	w := c.window
	out, each := s.nodesOf(w.Nodes), 1+c.dim
	var values []T
	counts := make([]int64, s.comm.Size())
	if out != nil {
		if err = fits(held, c.dim, len(out.nodes)); err == nil {
			values = make([]T, each*len(out.nodes))
			for i, k := range out.order {
				for a, h := range held {
					values[int(k)*each+a] = h[i]
				}
			}
			for r := range counts {
				counts[r] = int64(out.from[r+1] - out.from[r])
			}
		}
	}
	if err := s.agree(err); err != nil {
		return err
	}
	s.comm.Broadcast(0, mpi.Bytes(counts))
	bytes := make([]int, len(counts))
	for r, n := range counts {
		bytes[r] = int(n) * each * valueBytes[T]()
	}
	own := make([]T, each*len(w.Nodes))
	s.comm.Scatter(0, mpi.Bytes(values), bytes, mpi.Bytes(own))
	for i, at := range w.At {
		w.Moments[0][at] = own[i*each]
		for a, f := range w.Force {
			f[at] = own[i*each+1+a]
		}
	}
	return nil
}

// fits refuses what another run has held.
func fits[T lbm.Float](held [][]T, dim, nodes int) error {
	for _, h := range held {
		if len(held) != 1+dim || len(h) != nodes {
			return fmt.Errorf("the forces of another run: %d components on %d support nodes, the bodies here have %d on %d: resume with the case that wrote them", len(held), len(h), 1+dim, nodes)
		}
	}
	return nil
}

// findGaps has all ranks know how near each cell is to others.
func (s *sharing[T]) findGaps() {
	s.gapsAt = s.fluid.Steps()
	s.gather(&s.distances)
}

// sum is that of a number of all ranks.
func (s *sharing[T]) sum(n int) (all int) {
	for _, k := range mpi.GatherEach(s.comm, n) {
		all += k
	}
	return all
}

// share puts the bodies into the fluid together with other ranks.
func (s *Simulation[T]) share(cfg CouplingConfig, pool *parallel.Pool, fluid Divided[T]) error {
	if fluid.Lead() {
		fluid.Together(togetherBegin)
	}
	boxes, of := fluid.Shares()
	cfg.ranks = &patch.Share{Comm: fluid.Comm(), Tag: fluid.Tag(), Boxes: boxes, Of: of}
	err := s.couple(cfg, pool)
	if agreed := mpi.AgreeError(fluid.Comm(), err); agreed != nil {
		return cmp.Or(err, agreed)
	}
	s.coupling.sharing = newSharing(fluid, s.coupling)
	if s.coupling.cells != nil {
		s.coupling.cells.sharing = s.coupling.sharing
	}
	return nil
}

// heldTogether is what all ranks have of the support nodes in a box.
func (s *Simulation[T]) heldTogether(box lbm.Box) *support[T] {
	ranks := s.coupling.sharing
	ranks.tell(togetherHeld, int64(box.Lo[0]), int64(box.Lo[1]), int64(box.Lo[2]), int64(box.Hi[0]), int64(box.Hi[1]), int64(box.Hi[2]))
	return ranks.held(s.coupling, box)
}

// halfForce subtracts F/(2ρ) from velocities in a box; see patch.Window.
func (s *Simulation[T]) halfForce(box lbm.Box, u [][]T) {
	if s.coupling.sharing == nil {
		s.coupling.window.HalfForce(box, u)
		return
	}
	h := s.heldTogether(box)
	for i := range h.order {
		h.order[i] = int32(i)
	}
	patch.HalfForce(s.fluid.Config(), box, u, h.nodes, h.order, h.rho, h.force)
}

// Aide is what a rank other than 0 does of a simulation whose bodies the ranks share; see CanShare.
type Aide[T lbm.Float] struct {
	fluid  Divided[T]
	cfg    CouplingConfig
	bodies []*rigid.Body
	pool   *parallel.Pool
	s      *Simulation[T]
}

// NewAide is that of a rank's parts of a fluid; bodies are put into them when rank 0 does so.
func NewAide[T lbm.Float](fluid Divided[T], cfg CouplingConfig, bodies []*rigid.Body, pool *parallel.Pool) *Aide[T] {
	return &Aide[T]{fluid: fluid, cfg: cfg, bodies: bodies, pool: pool}
}

// Do does what rank 0 tells; errors are told by all ranks to each other.
func (a *Aide[T]) Do(words []int64) {
	if words[0] == togetherBegin {
		a.s, _ = NewScheduled[T](a.fluid, a.cfg, a.bodies, a.pool, Plan[T]{Schedule: "serial"})
		return
	}
	c := a.s.coupling
	switch words[0] {
	case togetherStep:
		a.s.Step()
	case togetherCorrect:
		c.correct(a.fluid)
	case togetherHeld:
		var box lbm.Box
		for k := range box.Lo {
			box.Lo[k], box.Hi[k] = int(words[1+k]), int(words[4+k])
		}
		c.sharing.held(c, box)
	case togetherSetHeld:
		_ = c.sharing.setHeld(c, nil)
	case togetherFlexible:
		_ = a.s.SetFlexible(nil)
	case togetherRigid:
		_ = a.s.SetRigid(nil)
	case togetherSlip:
		c.direct.slip()
	case togetherGaps:
		c.sharing.findGaps()
	case togetherCount:
		c.sharing.sum(len(c.window.Nodes))
	}
}

func valueBytes[T lbm.Float]() int { return int(unsafe.Sizeof(*new(T))) }

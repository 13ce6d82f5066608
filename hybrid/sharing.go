package hybrid

import (
	"errors"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// sharing is a rank's share of a coupling.
type sharing[T lbm.Float] struct {
	fluid  Divided[T]
	comm   mpi.Comm
	window *patch.Window[T]
	cells  *cellForces[T]

	near  []bool // of each cell: this rank finds its forces
	own   []bool // and it has its first point,
	first []int  // which this rank has
	apart []int  // of each cell: the rank that has found how near it is to others
	late  bool   // all forces have been found in this step: what is wrong now is less than what ranks may have found with these

	counts, starts []int // of each rank: what it tells
	sent, all      []float64
	gaps           []float64 // of all cells,
	gapsAt         int64     // after that many steps

	velocities, forces, distances told // what ranks tell each other of cells
}

// told is so many numbers of each cell, which the rank that has it gives and others take.
type told struct {
	owner      func(i int) int
	length     func(i int) int
	give, take func(i int, values []float64)
}

// newSharing is that of a coupling of the bodies in a fluid.
func newSharing[T lbm.Float](fluid Divided[T], c *Coupling[T]) *sharing[T] {
	cells, dim := c.cfg.Cells, c.dim
	size := fluid.Comm().Size()
	s := &sharing[T]{
		fluid: fluid, comm: fluid.Comm(), window: c.window, cells: c.cells, counts: make([]int, size), starts: make([]int, size),
		near: make([]bool, len(cells)), own: make([]bool, len(cells)), first: make([]int, len(cells)), apart: make([]int, len(cells)), gaps: make([]float64, len(cells)), gapsAt: -1,
	}
	for i := range s.near {
		s.near[i], s.own[i] = true, true
	}
	if s.cells != nil && s.cells.contact != nil {
		k := s.cells.contact.system
		more := int(math.Ceil(k.Skin())) + 1
		k.Within(func(x *geometry.Vec) bool { return s.window.IsInside(x, more) })
	}
	s.velocities = told{
		s.owner,
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
	s.forces = told{
		s.owner,
		func(i int) int {
			if !cells[i].Implicit() {
				return 0
			}
			return len(cells[i].Force()) * dim
		},
		func(i int, to []float64) {
			for k, f := 0, cells[i].Force(); k*dim < len(to); k++ {
				copy(to[k*dim:], f[k][:dim])
			}
		},
		func(i int, from []float64) {
			for k, f := 0, cells[i].Force(); k*dim < len(from); k++ {
				copy(f[k][:dim], from[k*dim:])
			}
		},
	}
	s.distances = told{
		func(i int) int { return s.apart[i] },
		func(int) int { return 1 },
		func(i int, to []float64) { to[0] = c.cells.contact.system.Gap(i) },
		func(i int, from []float64) { s.gaps[i] = from[0] },
	}
	return s
}

// tell has the aides of other ranks do something, if this rank leads some.
func (s *sharing[T]) tell(what int64) {
	if s != nil && s.fluid.Lead() {
		s.fluid.Together(what)
	}
}

// follows tells whether this rank does what another says.
func (s *sharing[T]) follows() bool { return s != nil && !s.fluid.Lead() }

// momentum is the momentum of the fluid inside each of so many bodies, of which rank 0 has the sums.
func (s *sharing[T]) momentum(sums *lbm.Sums, bodies int) []rigid.Momentum {
	var values []float64
	if sums != nil {
		for i := range bodies {
			values = append(append(values, sums.Regions[i].Linear[:]...), sums.Regions[i].Angular[:]...)
		}
	}
	all := make([]rigid.Momentum, bodies)
	for i, v := range slices.Collect(slices.Chunk(s.same(values), 6)) {
		all[i] = rigid.Momentum{Linear: geometry.Vec(v[:3]), Angular: geometry.Vec(v[3:])}
	}
	return all
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
		late := int64(0)
		if s.late {
			late = math.MaxInt32
		}
		if errors.As(err, &motion) && s.cells != nil {
			if i := slices.IndexFunc(s.cells.cfg.Cells, func(c *flexible.Cell) bool { return c.Name == motion.Body }); i >= 0 {
				key = int64(i) + late
			}
		}
	}
	s.late = false
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

// foundForces tells that all forces of cells have been found in this step.
func (s *sharing[T]) foundForces() {
	if s != nil {
		s.late = true
	}
}

// same is what rank 0 has of numbers.
func (s *sharing[T]) same(numbers []float64) []float64 {
	if s == nil {
		return numbers
	}
	return sameNumbers(s.comm, numbers)
}

// sameNumbers gives all ranks those of rank 0.
func sameNumbers(comm mpi.Comm, numbers []float64) []float64 {
	return mpi.View[float64](mpi.BroadcastV(comm, 0, mpi.Bytes(numbers)))
}

// attend finds which cells have forces to be found here, being near this rank's nodes, and which are its own.
func (s *sharing[T]) attend() {
	if s == nil {
		return
	}
	nearer, others, me := false, false, s.comm.Rank()
	s.cells.measure()
	most := 0. // how far one of the rank's own reaches from its first point
	for i, e := range s.cells.extent {
		s.first[i] = s.window.RankAt(&s.cells.cfg.Cells[i].Points()[0])
		near, own := s.window.IsNear(e[0], e[1]), s.first[i] == me
		nearer, others = nearer || near != s.near[i], others || own != s.own[i]
		s.near[i], s.own[i] = near, own
		if own {
			most = max(most, e[1].Sub(e[0]).Norm())
		}
	}
	s.attendInsides(most)
	if nearer {
		s.cells.system.Attend(func(i int) bool { return s.near[i] })
	}
	if others {
		s.cells.system.LetSlip(func(i int) bool { return s.own[i] })
	}
}

// attendContact has contact be that of this rank's own cells, in a step that all ranks make: what it tells else is of the step before.
func (s *sharing[T]) attendContact() {
	if s == nil {
		return
	}
	copy(s.apart, s.first)
	for i, own := range s.own {
		s.cells.contact.system.Attend(i, own)
	}
}

// attendInsides finds the insides of which cells this rank has to know: those at its nodes, and those that its own cells, which reach so far,
// slip beside. Walls of bodies ask for the viscosity at all of their markers.
func (s *sharing[T]) attendInsides(most float64) {
	v := s.cells.viscosity
	if v == nil {
		return
	}
	if v.tells = s.near; len(s.cells.bodies) > 0 {
		return
	}
	if v.attended == nil {
		v.attended = make([]bool, len(s.near))
	}
	margin := geometry.Vec{most + 2, most + 2, most + 2}
	for i, e := range s.cells.extent {
		v.attended[i] = s.near[i] || s.window.IsNear(e[0].Sub(margin), e[1].Add(margin))
	}
}

// owner is the rank that has a cell: that of its first point.
func (s *sharing[T]) owner(i int) int { return s.window.RankOf(s.cells.cfg.Cells[i].First()) }

// slip has the cells of this rank slip, and all ranks know the velocities of all.
func (s *sharing[T]) slip(of *membraneSlip) {
	s.cells.system.Slip(of.offset, of.per, of.over)
	s.gather(&s.velocities)
}

// tellForces has all ranks know the forces of implicit cells, which the ranks that have these have found.
func (s *sharing[T]) tellForces() {
	if s != nil {
		s.gather(&s.forces)
	}
}

// gather has all ranks know what the ranks that have cells tell of them.
func (s *sharing[T]) gather(of *told) {
	me := s.comm.Rank()
	clear(s.counts)
	for i := range s.near {
		s.counts[of.owner(i)] += of.length(i)
	}
	s.sent = grownTo(s.sent, s.counts[me])
	rest, sum := s.sent, 0
	for i := range s.near {
		if of.owner(i) == me {
			n := of.length(i)
			of.give(i, rest[:n])
			rest = rest[n:]
		}
	}
	for r, n := range s.counts {
		s.starts[r], sum = sum, sum+n
		s.counts[r] = 8 * n
	}
	s.all = grownTo(s.all, sum)
	s.comm.AllGather(mpi.Bytes(s.sent), s.counts, mpi.Bytes(s.all))
	for i := range s.near {
		n, r := of.length(i), of.owner(i)
		of.take(i, s.all[s.starts[r]:][:n])
		s.starts[r] += n
	}
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

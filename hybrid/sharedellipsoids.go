package hybrid

import (
	"errors"
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// sharedEllipsoids is a rank's share of suspended ellipsoids. All ranks know all of them. A rank finds forces, drag and kicks of those that are nearest to its nodes, and tells all
// others; all move all, and each spreads what acts on its nodes.
type sharedEllipsoids[T lbm.Float] struct {
	fluid  Divided[T]
	comm   mpi.Comm
	region patch.Region
	halo   patch.Halo[T] // of velocities
	reach  int           // nodes of a support from that nearest to its point, at most

	rank           []int32
	mine, local    []bool
	counts, starts []int
	sent, all      []geometry.Vec
	begun          bool // all ranks have them where rank 0 has put them
}

// share has the ranks of a fluid share the ellipsoids.
func (e *ellipsoids[T]) share(fluid Divided[T]) {
	boxes, of := fluid.Shares()
	s := &sharedEllipsoids[T]{fluid: fluid, comm: fluid.Comm(), reach: e.points.support / 2}
	s.region = patch.NewRegion(patch.Share{Comm: s.comm, Tag: fluid.Tag(), Boxes: boxes, Of: of}, e.flow, s.reach)
	s.halo = patch.NewHalo[T](&s.region, s.reach, e.nodes)
	n, size := e.system.Len(), s.comm.Size()
	s.rank, s.mine, s.local = make([]int32, n), make([]bool, n), make([]bool, n)
	s.counts, s.starts = make([]int, size), make([]int, size)
	own := e.nodes[:0]
	for _, node := range e.nodes {
		if s.region.IsWithin(e.flow.Position(int(node)), 0) {
			own = append(own, node)
		}
	}
	e.nodes = own
	e.points.mine, e.points.local = s.mine, s.local
	e.points.planes = [2]int{e.flow.Size[2], 0}
	for _, b := range s.region.Own {
		e.points.planes = [2]int{min(e.points.planes[0], b.Lo[2]), max(e.points.planes[1], b.Hi[2])}
	}
	more := int(math.Ceil(e.system.Skin())) + 1
	e.system.Own(s.mine, func(x *geometry.Vec) bool { return s.region.IsWithin(s.region.Node(x), more) })
	e.ranks = s
}

// tell has the aides of other ranks do something, if this rank leads some.
func (s *sharedEllipsoids[T]) tell(what int64) {
	if s != nil && s.fluid.Lead() {
		s.fluid.Together(what)
	}
}

// attend finds whose the ellipsoids are, and gets the velocities around this rank's nodes.
func (s *sharedEllipsoids[T]) attend(e *ellipsoids[T]) {
	if s == nil {
		return
	}
	if !s.begun {
		s.begin(e)
	}
	me := s.comm.Rank()
	clear(s.counts)
	for i := range s.rank {
		x := &e.system.X[i]
		r := s.region.RankAt(x)
		s.rank[i], s.mine[i] = int32(r), r == me
		s.counts[r]++
		s.local[i] = s.region.IsWithin(s.region.Node(x), s.reach)
	}
	s.halo.Exchange(e.list.U)
}

// begin has all ranks have the ellipsoids where rank 0 has them, who has packed them.
func (s *sharedEllipsoids[T]) begin(e *ellipsoids[T]) {
	s.begun = true
	var state []float64
	if s.comm.Rank() == 0 {
		state = e.state()
	}
	if state = s.same(state); s.comm.Rank() > 0 {
		if err := e.setState(state); err != nil {
			panic(err) // ranks have the same case
		}
	}
}

// agree gives all ranks the error of one that has an error.
func (s *sharedEllipsoids[T]) agree(err error) error {
	if s == nil {
		return err
	}
	agreed := mpi.AgreeError(s.comm, err)
	var of *mpi.RankError
	switch {
	case err != nil || agreed == nil:
		return err
	case errors.As(agreed, &of):
		return of.Err
	}
	return agreed
}

// toldVectors are those that a rank tells of an ellipsoid.
const toldVectors = 6

// gather has all ranks know velocity, angular momentum, drag and torque of all ellipsoids, and what they have felt.
func (s *sharedEllipsoids[T]) gather(e *ellipsoids[T]) {
	if s == nil {
		return
	}
	p, sum := e.system, 0
	s.sent = s.sent[:0]
	for i, mine := range s.mine {
		if mine {
			s.sent = append(s.sent, p.V[i], p.L[i], p.Push[i], p.Twist[i], e.felt[i].flow, e.felt[i].spin)
		}
	}
	bytes := make([]int, len(s.counts))
	for r, n := range s.counts {
		s.starts[r], sum = sum, sum+toldVectors*n
		bytes[r] = toldVectors * n * vecBytes
	}
	s.all = grownTo(s.all, sum)
	s.comm.AllGather(vecsAsBytes(s.sent), bytes, vecsAsBytes(s.all))
	for i, r := range s.rank {
		v := s.all[s.starts[r]:][:toldVectors]
		s.starts[r] += toldVectors
		if !s.mine[i] {
			p.V[i], p.L[i], p.Push[i], p.Twist[i] = v[0], v[1], v[2], v[3]
			e.felt[i] = felt{v[4], v[5]}
		}
	}
	e.averages = true
}

// box stores the velocity of a box of nodes, which all ranks have, on rank 0; elsewhere u is nil.
func (s *sharedEllipsoids[T]) box(e *ellipsoids[T], box lbm.Box, u [][]T) {
	tellBox(s.fluid, box)
	var nodes []int32
	var values []T
	for _, n := range e.nodes {
		if holds(box, e.flow.Position(int(n))) {
			nodes, values = append(nodes, n), append(values, e.list.U[0][n], e.list.U[1][n], e.list.U[2][n])
		}
	}
	from, _ := mpi.GatherV(s.comm, 0, mpi.Bytes(nodes))
	what, _ := mpi.GatherV(s.comm, 0, mpi.Bytes(values))
	if s.comm.Rank() != 0 {
		return
	}
	nodes, values = make([]int32, len(from)/4), make([]T, len(what)/valueBytes[T]())
	copy(mpi.Bytes(nodes), from)
	copy(mpi.Bytes(values), what)
	nx, ny := box.Hi[0]-box.Lo[0], box.Hi[1]-box.Lo[1]
	for a, to := range u {
		if to == nil {
			continue
		}
		clear(to[:box.Nodes()])
		for k, n := range nodes {
			p := e.flow.Position(int(n))
			to[p[0]-box.Lo[0]+nx*(p[1]-box.Lo[1]+ny*(p[2]-box.Lo[2]))] = values[3*k+a]
		}
	}
}

// same is what rank 0 has of numbers.
func (s *sharedEllipsoids[T]) same(numbers []float64) []float64 {
	if s == nil {
		return numbers
	}
	return sameNumbers(s.comm, numbers)
}

// sameFields is what rank 0 has of fields.
func (s *sharedEllipsoids[T]) sameFields(fields [][]T) [][]T {
	if s == nil {
		return fields
	}
	out := make([][]T, int(s.same([]float64{float64(len(fields))})[0]))
	for k := range out {
		var own []T
		if len(fields) > 0 {
			own = fields[k]
		}
		data := mpi.BroadcastV(s.comm, 0, mpi.Bytes(own))
		out[k] = make([]T, len(data)/valueBytes[T]())
		copy(mpi.Bytes(out[k]), data)
	}
	return out
}

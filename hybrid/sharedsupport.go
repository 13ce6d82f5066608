package hybrid

import (
	"cmp"
	"slices"
	"unsafe"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/internal/mpi"
	"lbmib/lbm"
)

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
		if !holds(box, c.flow.Position(int(n))) {
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
		if err = patch.CheckHeld(held, c.dim, len(out.nodes)); err == nil {
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

// heldTogether is what all ranks have of the support nodes in a box.
func (s *Simulation[T]) heldTogether(box lbm.Box) *support[T] {
	ranks := s.coupling.sharing
	tellBox(ranks.fluid, box)
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

func valueBytes[T lbm.Float]() int { return int(unsafe.Sizeof(*new(T))) }

// vecBytes is the size of a vector, vecsAsBytes the memory of some.
const vecBytes = int(unsafe.Sizeof(geometry.Vec{}))

func vecsAsBytes(v []geometry.Vec) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*vecBytes)
}

// tellBox has the aides of other ranks tell what they have in a box.
func tellBox[T lbm.Float](fluid Divided[T], box lbm.Box) {
	if fluid.Lead() {
		fluid.Together(togetherHeld, int64(box.Lo[0]), int64(box.Lo[1]), int64(box.Lo[2]), int64(box.Hi[0]), int64(box.Hi[1]), int64(box.Hi[2]))
	}
}

package observe

import "lbmib/lbm"

// Snapshot is density and velocity of some nodes at one step.
type Snapshot[T lbm.Float] struct {
	Rho []T
	U   [][]T
}

// Take copies the state at hand of all nodes of the domain, in the order of their numbers.
func (s *Snapshot[T]) Take(r *State[T]) {
	s.holdNodes(r.Flow.Nodes(), r.Flow.Lattice.Dim)
	r.all(s.Rho, s.U)
}

// Read copies the state at hand of size nodes from lo on, which may lie outside
// the domain.
func (s *Snapshot[T]) Read(r *State[T], lo, size [3]int) {
	s.hold(size, r.Flow.Lattice.Dim)
	r.window(lo, [3]int{lo[0] + size[0], lo[1] + size[1], lo[2] + size[2]}, s.Rho, s.U)
}

// hold makes room for size nodes, the same in every call.
func (s *Snapshot[T]) hold(size [3]int, dim int) { s.holdNodes(size[0]*size[1]*size[2], dim) }

func (s *Snapshot[T]) holdNodes(n, dim int) {
	if s.Rho != nil {
		return
	}
	s.Rho = make([]T, n)
	for range dim {
		s.U = append(s.U, make([]T, n))
	}
}

// Settle sets the nodes of walls to rest.
func (s *Snapshot[T]) Settle(solid []bool) {
	for n, wall := range solid {
		if wall {
			s.Rho[n] = 1
			for a := range s.U {
				s.U[a][n] = 0
			}
		}
	}
}

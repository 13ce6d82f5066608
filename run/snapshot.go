package run

import "lbmib/lbm"

// snapshot is density and velocity of some nodes at one step.
type snapshot[T lbm.Float] struct {
	rho []T
	u   [][]T
}

// take copies the state at hand of the whole domain.
func (s *snapshot[T]) take(r *state[T]) { s.read(r, [3]int{}, r.Flow.Size) }

// read copies the state at hand of size nodes from lo on, which may lie outside
// the domain.
func (s *snapshot[T]) read(r *state[T], lo, size [3]int) {
	s.hold(size, r.Flow.Lattice.Dim)
	r.window(lo, [3]int{lo[0] + size[0], lo[1] + size[1], lo[2] + size[2]}, s.rho, s.u)
}

// hold makes room for size nodes, the same in every call.
func (s *snapshot[T]) hold(size [3]int, dim int) {
	if s.rho != nil {
		return
	}
	n := size[0] * size[1] * size[2]
	s.rho = make([]T, n)
	for range dim {
		s.u = append(s.u, make([]T, n))
	}
}

// settle sets the nodes of walls to rest.
func (s *snapshot[T]) settle(solid []bool) {
	for n, wall := range solid {
		if wall {
			s.rho[n] = 1
			for a := range s.u {
				s.u[a][n] = 0
			}
		}
	}
}

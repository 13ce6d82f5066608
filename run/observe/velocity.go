package observe

import "math"

// Velocity reads the velocity of all nodes into u, which an earlier call returned; nil: into
// something new. Walls are at rest: what nodes within them hold depends on where a run began.
func (r *State[T]) Velocity(u [][]T) [][]T {
	if u == nil {
		u = make([][]T, r.Flow.Lattice.Dim)
		for a := range u {
			u[a] = make([]T, r.Flow.Nodes())
		}
	}
	r.all(nil, u)
	r.rest(u)
	return u
}

// all reads density and velocity of all nodes, in the order of their numbers.
func (r *State[T]) all(rho []T, u [][]T) {
	if r.Flow.Inside == nil {
		r.Sim.Box([3]int{}, r.Flow.Size, rho, u)
		return
	}
	r.Sim.Fluid.(interface{ Fields(rho []T, u [][]T) }).Fields(rho, u) // no body acts on it
}

// rest sets a velocity of all nodes to 0 within walls.
func (r *State[T]) rest(u [][]T) {
	for n, wall := range r.Flow.Solid {
		for a := range u {
			if wall {
				u[a][n] = 0
			}
		}
	}
}

// Change is the largest difference between a velocity and what was kept of one, lattice units.
func (r *State[T]) Change(u, kept [][]T) (worst float64) {
	for a, before := range kept {
		for n, v := range u[a] {
			worst = math.Max(worst, math.Abs(float64(v-before[n])))
		}
	}
	return worst
}

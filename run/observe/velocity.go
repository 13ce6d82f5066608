package observe

import "math"

// Velocity reads the velocity of all nodes into u, which an earlier call returned; nil: into
// something new.
func (r *State[T]) Velocity(u [][]T) [][]T {
	if u == nil {
		u = make([][]T, r.Flow.Lattice.Dim)
		for a := range u {
			u[a] = make([]T, r.Flow.Nodes())
		}
	}
	r.Sim.Box([3]int{}, r.Flow.Size, nil, u)
	return u
}

// Change is the largest difference between a velocity and what was kept of one, lattice units.
func (r *State[T]) Change(u, kept [][]T) (worst float64) {
	for a, before := range kept {
		for n, v := range u[a] {
			if r.Flow.Solid == nil || !r.Flow.Solid[n] {
				worst = math.Max(worst, math.Abs(float64(v-before[n])))
			}
		}
	}
	return worst
}

package observe

import "math"

// Velocity reads the velocity of all nodes into what an earlier call returned, or
// into something new.
func (r *State[T]) Velocity(kept any) [][]T {
	u, ok := kept.([][]T)
	if !ok {
		u = make([][]T, r.Flow.Lattice.Dim)
		for a := range u {
			u[a] = make([]T, r.Flow.Nodes())
		}
	}
	r.Sim.Box([3]int{}, r.Flow.Size, nil, u)
	return u
}

// Change is the largest difference between a velocity and what was kept of one, lattice units.
func (r *State[T]) Change(u [][]T, kept any) (worst float64) {
	for a, before := range kept.([][]T) {
		for n, v := range u[a] {
			if r.Flow.Solid == nil || !r.Flow.Solid[n] {
				worst = math.Max(worst, math.Abs(float64(v-before[n])))
			}
		}
	}
	return worst
}

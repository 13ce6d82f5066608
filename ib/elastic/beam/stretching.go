package beam

import (
	"math"

	"lbmib/geometry"
)

// inextensible is the axial stiffness of a line that keeps its length, in units of what the
// inertia of its nodes resists to in a step. A tension that accelerates a node by a strains a
// segment of length l by aΔt²/(l·inextensible), the weight of n nodes by n times that: 10⁻⁶
// where n = 1000 and a moves nodes by a hundredth of their spacing in a step. Rounding, 10⁻¹⁶
// of it, stays far below tensions that move anything.
const inextensible = 1e7

// stiffAgainstBending is the same in units of k_b/l²: tensions that bending causes, about k_b κ²
// where the line is curved by κ, strain it by less than 10⁻⁴ (κl)².
const stiffAgainstBending = 1e4

// strainEnergy is ½ k_s Σ (|ΔX|/l₀ − 1)² l₀ at x.
func strainEnergy(stiffness float64, lengths []float64, x []geometry.Vec) (sum float64) {
	for j, rest := range lengths {
		strain := x[j+1].Sub(x[j]).Norm()/rest - 1
		sum += stiffness / 2 * strain * strain * rest
	}
	return sum
}

// addStrainForces adds −∂E/∂X of strainEnergy to f: the tension k_s (|ΔX|/l₀ − 1) pulls a
// segment's ends together. The force of a segment of no length has no direction and is left out.
func addStrainForces(f []geometry.Vec, stiffness float64, lengths []float64, x []geometry.Vec) {
	for j, rest := range lengths {
		d := x[j+1].Sub(x[j])
		if length := d.Norm(); length > 0 {
			pull := d.Scale(stiffness * (length/rest - 1) / length)
			f[j], f[j+1] = f[j].Add(pull), f[j+1].Sub(pull)
		}
	}
}

// strain is the largest ||ΔX|/l₀ − 1| of segments of lengths l₀.
func strain(lengths []float64, x []geometry.Vec) (most float64) {
	for j, rest := range lengths {
		a, b := &x[j], &x[j+1]
		dx, dy, dz := b[0]-a[0], b[1]-a[1], b[2]-a[2]
		most = max(most, math.Abs(math.Sqrt(dx*dx+dy*dy+dz*dz)/rest-1))
	}
	return most
}

// segment is one of the n−1 springs between nodes in a step.
type segment struct {
	pull    float64      // T̂, not negative
	t       geometry.Vec // its direction at X*
	length  float64      // there
	tension float64      // T′ where U′ = U
	along   float64      // dT′/d(t·ΔU′)
	across  float64      // τT̂/|ΔX|: what turns with ΔU′ across t
}

// linearise finds the segments' forces as functions of U′, at X*:
//
//	T′ t′ = T′ t + T̂ (1 − ttᵀ)(ΔX′ − ΔX*)/|ΔX*|
//	T′    = k_s [|ΔX*|/l₀ − 1 + t·(ΔX′ − ΔX*)/l₀] + η_s t·ΔU′/l₀,   X′ = X̃ + τU′
//
// T̂ is the tension that acted in the last step, or the largest so far where this one is solved
// again, not that of the strain at X*: a stiff line's length there tells how far it has turned,
// not how it is pulled. That of a segment that pushes is taken as 0, so that the stiffness is
// positive semi-definite: its turning, which buckles a line, comes with the next X*.
func (q *equations) linearise() {
	for j := range q.segments {
		s, rest := &q.segments[j], q.lengths[j]
		a, b := &q.at[j], &q.at[j+1]
		dx, dy, dz := b[0]-a[0], b[1]-a[1], b[2]-a[2]
		length := math.Sqrt(dx*dx + dy*dy + dz*dz)
		tx, ty, tz := dx/length, dy/length, dz/length
		s.t, s.length = geometry.Vec{tx, ty, tz}, length
		s.along = (q.axial*q.tau + q.stretchingDamping) / rest
		turn := s.pull / length
		s.across = q.tau * turn

		a, b = &q.from[j], &q.from[j+1]
		dx, dy, dz = b[0]-a[0]-dx, b[1]-a[1]-dy, b[2]-a[2]-dz
		stretch := tx*dx + ty*dy + tz*dz
		u, v := &q.u[j], &q.u[j+1]
		rate := tx*(v[0]-u[0]) + ty*(v[1]-u[1]) + tz*(v[2]-u[2])
		s.tension = (q.axial*(length-rest+stretch) + q.stretchingDamping*rate) / rest
		along := s.tension - turn*stretch
		px, py, pz := along*tx+turn*dx, along*ty+turn*dy, along*tz+turn*dz
		f, g := &q.force[j], &q.force[j+1]
		f[0], f[1], f[2] = f[0]+px, f[1]+py, f[2]+pz
		g[0], g[1], g[2] = g[0]-px, g[1]-py, g[2]-pz
	}
}

// tensionOf is T′ between nodes whose velocities change by a and b.
func (s *segment) tensionOf(a, b []float64) float64 {
	rate := 0.
	for c := range a {
		rate += s.t[c] * (b[c] - a[c])
	}
	return s.tension + s.along*rate
}

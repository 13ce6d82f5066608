package beam

import (
	"math"

	"lbmib/geometry"
)

// inextensible is the axial stiffness of a line that keeps its length, in units of what the
// inertia of its nodes resists to in a step. A tension that accelerates a node by a then strains
// a segment of length l by aΔt²/(l·inextensible), and the whole weight of n nodes by n times
// that: 10⁻⁶ where n = 1000 and nodes move by a hundredth of their spacing a step. Rounding,
// 10⁻¹⁶·inextensible of the same unit of force, stays far below tensions that move anything.
const inextensible = 1e7

// stiffAgainstBending is the same in units of k_b/l²: the strain by tensions that bending
// causes, at most k_b κ² where the line is curved by κ < 1/l, is below 10⁻⁴ (κl)².
const stiffAgainstBending = 1e4

// segment is one of the n−1 springs between nodes, where a step is linearised.
type segment struct {
	t       geometry.Vec // direction
	length  float64
	tension float64 // with U′ = 0
	along   float64 // dT′/d(t·ΔU′)
	across  float64 // the same of the pull across t; not negative
}

// strainEnergy is ½ k_s Σ (|ΔX|/l₀ − 1)² l₀ at x.
func strainEnergy(stiffness float64, lengths []float64, x []geometry.Vec) (sum float64) {
	for j, rest := range lengths {
		strain := x[j+1].Sub(x[j]).Norm()/rest - 1
		sum += stiffness / 2 * strain * strain * rest
	}
	return sum
}

// addStrainForces adds −∂E/∂X of strainEnergy to f: the tension k_s (|ΔX|/l₀ − 1) pulls a
// segment's ends together.
func addStrainForces(f []geometry.Vec, stiffness float64, lengths []float64, x []geometry.Vec) {
	for j, rest := range lengths {
		d := x[j+1].Sub(x[j])
		length := d.Norm()
		if length == 0 {
			continue // no direction: the force of a crushed segment is not defined
		}
		pull := d.Scale(stiffness * (length/rest - 1) / length)
		f[j] = f[j].Add(pull)
		f[j+1] = f[j+1].Sub(pull)
	}
}

// axial is the stiffness k_s of the line in a step whose nodes have at most the given inertia
// and which moves them by step·U′.
func (l *Line) axial(inertia, step float64) float64 {
	if !l.inextensible {
		return l.stretching
	}
	h := l.longest
	return inextensible*inertia*h/(step*l.dt) + stiffAgainstBending*l.bendingStiffness/(h*h)
}

// linearise finds directions of segments at the places at and their forces as functions of U′,
// which moves nodes from the places from:
//
//	T′ = k [|ΔX|/l₀ − 1 + t·(ΔX′ − ΔX)/l₀] + η_s t·ΔU′/l₀,   X′ = from + step·U′
//
// The direction of a pull turns with the segment, t′ = t + (1 − ttᵀ)(ΔX′ − ΔX)/|ΔX|, times the
// larger of the tensions of the last two steps: what a stiff line's length at the places tells
// is how far it has turned, not how it is pulled. The turning of a segment that pushes, which
// buckles a line, is left to the next step: the stiffness stays positive semi-definite.
func (l *Line) linearise(k, step float64) {
	force := l.force
	for j := range l.segments {
		s := &l.segments[j]
		a, b := &l.at[j], &l.at[j+1]
		dx, dy, dz := b[0]-a[0], b[1]-a[1], b[2]-a[2]
		length := math.Sqrt(dx*dx + dy*dy + dz*dz)
		tx, ty, tz := dx/length, dy/length, dz/length
		rest := l.lengths[j]
		s.t, s.length = geometry.Vec{tx, ty, tz}, length
		s.along = (k*step + l.stretchingDamping) / rest
		s.across = step * max(l.now.tension[j], l.before.tension[j], 0) / length

		a, b = &l.from[j], &l.from[j+1]
		dx, dy, dz = b[0]-a[0]-dx, b[1]-a[1]-dy, b[2]-a[2]-dz
		stretch := tx*dx + ty*dy + tz*dz
		s.tension = k * (length - rest + stretch) / rest
		turn := s.across / step
		pull := s.tension - turn*stretch
		px, py, pz := pull*tx+turn*dx, pull*ty+turn*dy, pull*tz+turn*dz
		f, g := &force[j], &force[j+1]
		f[0], f[1], f[2] = f[0]+px, f[1]+py, f[2]+pz
		g[0], g[1], g[2] = g[0]-px, g[1]-py, g[2]-pz
	}
}

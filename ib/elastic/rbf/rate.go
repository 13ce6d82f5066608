package rbf

import "math"

// Rate is the largest rate, per time, at which a plane membrane of the material at rest pulls back a wave of its own,
// between fluids of the given dynamic viscosity without inertia. Of a wave of number k = 2π/wave, forces per area are
// (K_s + G_s) k² times a displacement along it, G_s k² times one across it in the plane and κ k⁴ times one out of the plane, and
// forces per area f move the plane with f/(4μk), f/(2μk) and f/(4μk).
//
// Explicit steps need Rate Δt below a number of order one, 1 of Adams–Bashforth's second order. wave is the shortest that the
// surface and the fluid let each other feel: some 4 nodes, or twice the distance of data sites where that is
// more. That bounds what Stiffness of package elastic bounds for meshes. There is no matrix of −∂F/∂X here, whose
// eigenvalues would tell it: forces act at other sites than those that move. Viscosities of the
// surface have a bound of their own, see the package's Accuracy.
func (m *Membrane) Rate(viscosity, wave float64) float64 {
	k, g := 2*math.Pi/wave, m.material.Shear
	area := 3 * g // neo-Hookean: K_s = 3 G_s
	if m.material.Law == laws[0].name {
		area = g * (1 + 2*m.material.Area)
	}
	return max((area+g)*k/4, g*k/2, m.material.Bending*k*k*k/4) / viscosity
}

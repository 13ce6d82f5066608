// Package ring is closed elastic lines in the plane: the sections of capsules, vesicles and cells that do not change along z. It knows no
// fluid and no lattice; all numbers are per depth, in units of the caller.
//
// A ring is N vertices X_i anticlockwise around what it encloses, and the segments i between X_i and X_{i+1} of lengths l_i. Its energy per depth is
//
//	E = Σ W(λ_i) l⁰_i + Σ (κ/2)(c_i − c⁰_i)² ℓ_i + ½ k_L (L − L0)²/L0 + ½ k_A (A − A0)²/A0
//
// λ_i = l_i/l⁰_i being the stretch against the length free of stress, c_i = θ_i/ℓ_i the curvature, θ_i the angle by which the ring turns at vertex i and
// ℓ_i = (l_{i−1} + l_i)/2 its share of the length, L the length and A the enclosed area. The bending energy is Helfrich's, as in package elastic:
// per length as it is, and of moment m = κ(c − c⁰). A circle of radius R has the curvature 1/R.
//
// Nothing changes along z, so that the other principal stretch is 1: with W(λ) = W(λ1 = λ, λ2 = 1) of a law of package elastic the tension, force per depth,
// is T = dW/dλ (see [Tension]). Forces are F = −∂E/∂X: on the ends of segment j, with τ_j = ∂E/∂l_j its whole tension, t_j along it and n_j to its left,
//
//	± [τ_j t_j + (m_j − m_{j+1})/l_j n_j],   τ_j = T(λ_j) − ½(q_j + q_{j+1}) + k_L (L − L0)/L0,   q_i = (κ/2)(c_i² − c⁰_i²)
//
// A viscous membrane adds μ_s l̇_j/l_j to τ_j: of a surface's tension 2μ_s dev D with D2 = 0.
//
//	material.go   what a ring is made of
//	law.go        tensions by stretch
//	ring.go       a ring as drawn
//	forces.go     forces and energies
//	measure.go    length, area, shape
//	inspect.go    rings that are none any more
//	stiffness.go  what bounds explicit time steps
package ring

// Package plate has sheets: rectangles of nodes that resist stretching, shear and bending, with or without mass, whose
// steps are implicit in their own forces and in the fluid's reaction: flags, plates, leaves. It knows no fluid and no lattice. Units are
// the caller's; in a lattice Boltzmann solver lengths are in nodes, Δt = 1 and the fluid's density is 1. It is package beam with one
// dimension more.
//
//	Config     what a sheet is made of, checked by New (config.go)
//	Sheet      a sheet and its state; Step moves it (sheet.go, step.go)
//	Predict, Normals    where the fluid is to be felt, and along what
//	Energy, Tension, Curvature, Strain, Middle, Support    what there is to see (observe.go)
//	Scales     periods, explicit limits and a sensible Δt (scales.go)
//	Saved      the state, for checkpoints (saved.go)
//
// # Energy
//
// Node (i, j) has the coordinates s₁ = i h₁, s₂ = j h₂ on the unstrained sheet and stands for the area w = w₁w₂, w₁ being h₁, or
// h₁/2 at an edge. Masses are ρ_s w. Subscripts of X are differences along s₁ and s₂.
//
//	E = ½ k_s Σ_edges (|ΔX|/h − 1)² h w                                                  membrane.go
//	  + ½ k_γ Σ_cells (X₁·X₂)² h₁h₂
//	  + ½ D Σ_nodes (|X₁₁|² + |X₂₂|² + 2ν X₁₁·X₂₂) w + D(1−ν) Σ_cells |X₁₂|² h₁h₂       bending.go
//
// and the force is −∂E/∂X exactly, so that a sheet neither moves nor turns itself. The first two lines are those of Huang & Sung,
// J. Fluid Mech. 653 (2010) 301, in the plane like a net's: stretched along s₁ it does not get narrower. An isotropic sheet of Young's modulus
// E, thickness h and Poisson's ratio ν has k_s = Eh, k_γ = Eh/(2(1+ν)) and D = Eh³/(12(1−ν²)). The third is Kirchhoff's
// energy ½ D [(κ₁ + κ₂)² − 2(1−ν)κ₁κ₂] of a surface that keeps its lengths, where X₁₁, X₁₂ and X₂₂ are along the normal; it is
// quadratic in X, so that its stiffness is the same in every shape. Give a sheet a k_s ≫ D/h².
//
// Edges. Across an edge that is free or hinged the moment is 0: the curvature across is −ν times that along it. At a clamped edge the
// tangent across it takes the place of the nodes beyond, and w₁ is half a spacing. Edges are held where they are at t = 0. Errors fall with the
// spacing squared: the first two frequencies of a square cantilever of ν = 0.3, 3.471 and 8.508 √(D/ρ_s)/L², are off by 1.4 and 2.9 % with
// 9 nodes a side, by 0.4 and 0.8 % with 17. A fold of curvature κ across the cells strains its edges by (κh)²/24, which
// k_s resists to where it varies.
//
// # Step
//
// The fluid has the velocity Û_k at node k as long as the sheet does nothing to it, and answers a momentum a (U′ − Û) with the
// velocity U′: a = 2ρε in a lattice Boltzmann fluid. Where the fluid feels less along the sheet than across, which
// Fluid.Share tells, A_k = a [s 1 + (1 − s) n nᵀ] with the normal n. The two schemes solve
//
//	(βM + A + Δt C + Δt τ K) U′ = M U* + A Û + Δt (loads + M g − f),   X′ = X̃ + τ U′
//
//	Euler  β = 1    τ = Δt      X̃ = X                U* = U                    X* = X
//	BDF2   β = 3/2  τ = 2Δt/3   X̃ = (4X − X⁻)/3      U* = (4U − U⁻)/2          X* = 2X − X⁻
//
// with f linear in U′ about the places X*: bending is exact, tensions and shears are linear, and what tensions turn is weighed with
// those of the last step, where they pull. K is positive semi-definite, so that the matrix is positive definite for every stiffness where
// M + A > 0: sheets without mass need no special case, and Δt has no limit of stability. Where edges turn by more than 0.014 away from
// X* the step is linearised again where it led to, up to four times (Solves). The schemes' damping is package beam's.
//
// The matrix couples a node with 12 others. It is solved by conjugate gradients to a residual of 10⁻¹³, which the
// rounding of forces would leave, preconditioned with the nodes' own blocks (solve.go) or, where that would take more time, with the factors of
// the whole banded matrix (band.go): then one round does. The choice depends on stiffness over inertia and the number of nodes alone. A flag of
// 26×26 nodes in water takes 28 rounds, 3.5 µs a node; factors take 70 µs a node, whatever the stiffness.
package plate

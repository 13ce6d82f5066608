// Package rbf is membranes of cells as Kassen, Shankar & Fogelson represent them: smooth closed surfaces through a few sites that move with the fluid, interpolated by
// radial basis functions, whose forces are worked out in many more sites and spread from
// there. It knows no fluid. All lengths, moduli and times are in the units of the caller.
// Package elastic has the same laws on triangles, with forces that are exact gradients
// of a discrete energy; here they are the exact force densities of a smooth surface.
//
// # What is where in the paper
//
//	data sites, n_d: move with the fluid      Surface.Data, x of Membrane.Forces
//	sample sites, n_s: forces are spread      Surface.Samples, y and f of Membrane.Forces
//	RBF interpolant, φ = r⁷ and harmonics     operators.go, harmonics.go
//	weights dθ_j by φ = r and a constant      quadrature.go
//	F = −δE[X], in analytic form, eq. 3       strain.go, bending.go
//	dissipation                               viscosity.go
//	red cell, eq. 16                          NewRedCell
//
// (A. Kassen, V. Shankar & A. L. Fogelson, A fine-grained parallelization of the immersed
// boundary method, §2 and §4.2; representation: Shankar, Wright, Kirby & Fogelson, Int. J. Numer.
// Methods Fluids 79 (2015) 536.) A step of a coupled simulation: interpolate the fluid's
// velocity to x, move x, ask for y and f, spread f from y.
//
// # Sites
//
// The paper takes sites from Bauer's spiral. Here they are minima of a repulsive energy that
// begin in such a spiral or lattice, made symmetric under mirrors in up to three planes
// (sites.go, mirrors.go): operators then fall apart into up to eight of an eighth of the
// sites each, for an eighth of the memory and work. Even numbers of data with multiples of
// eight of sample sites have three mirrors, odd numbers of data sites with multiples of
// four two. Cells need no symmetry: mirrors are those of places on the unit sphere.
//
// # Derivatives without poles
//
// A surface is X(ξ), ξ on the unit sphere. In every site derivatives are along two
// geodesics at right angles, so that the sphere's metric there is δ_ij, its Christoffel
// symbols are 0, and a second derivative is the covariant one of the sphere. With
// g_ij = X_i·X_j, and G_ij that of the reference free of stress,
//
//	I1 = G^ij g_ij − 2,  I2 = det g/det G − 1
//	strain   ∇_j(τ^ij X_i) = (∇_j τ^ij) X_i + τ^ij X_ij,  τ^ij = 2√G ∂W/∂g_ij
//	bending  2κ [Δ D + 2 D (2H² − K) − 2 H D²] n − 4κ D ∇H0,  D = H − H0
//	viscous  ∇_j(τ^ij X_i),  τ = √g (2 μ_s dev D + μ_d tr D 1)
//
// ∇τ needs second derivatives of X and nothing else. Δ D is that of an interpolant of D
// through its values at the data sites. Densities are per area of the unit sphere and
// times the sites' weights are forces.
//
// # Materials of the paper
//
// Shear modulus 2.5e-3 dyn/cm and bulk modulus 2.5e-1 dyn/cm are Shear 2.5e-3 and Area
// 100. A dissipation of modulus ν, tension ν g^ik ġ_kl g^lj, is ShearViscosity =
// AreaViscosity = ν. Bending is κ of the energy (κ/2)∮(2H − 2H0)² dA; a force written
// 4κ′ (Δ H + 2H(H² − K)), as in the authors' program (github.com/sonwell/ib.cu, include/forces/bending.h), has
// κ = 2κ′: its 2e-12 erg are Bending 4e-12. The paper's text has no bending. CurvedReference makes H0 that of the reference.
//
// # Accuracy
//
// Errors of a smooth surface fall as h⁹ with the spacing of data sites, those of its second
// derivatives as h⁷; sums over sample sites have the error of the quadrature, h³ or
// better. Net force and torque, and the difference between the work of the forces and the
// loss of energy, are of these orders, not of rounding: at 864 and 3456 sites 1e-6 to 1e-5
// of the sum of magnitudes. The tests put cells into a fluid without inertia: capsules in
// weak shear deform as linear theory says within 1 %, a stretched one comes back to its
// sphere; package hybrid puts them into one with inertia, and orders of convergence there are in validation/ib. Nothing damps modes of the data sites that the fluid does not
// feel; data sites further apart than 1.5 to 2 nodes are advised (the paper: 1.6). Viscous
// forces follow velocities of the step before only where that converges: where ν k/(2μ) < 1
// for the shortest waves k that the fluid of viscosity μ lets the surface feel.
//
// # Many cells
//
// [Membrane.Forces] takes any number of cells. Operators are read in panels of eight
// sites, and every panel is used for all cells of a [Scratch] before the next:
//
//	transform  positions by characters of the mirrors      sweep.go
//	bend       curvatures at data sites                    bending.go
//	apply      a panel's operators times a cell's columns  sweep.go, internal/simd
//	panel      metric, force, weight in its sites          membrane.go
//
// A cell's forces are the same bits in any batch, so that cells may be shared out to any
// number of workers. On one core with AVX2 eight cells of 864 and 8832 sites take some
// 2.4 ms each, 3.3 with bending and 5.7 with viscosity; cells of 625 and 880 sites 0.26,
// 0.5 and 0.8 ms. One cell alone waits for the memory that its operators come from (46 MB
// at 864 and 8832 sites), for up to twice as long.
//
// # Looking at cells
//
// [Membrane.Energies] by part, [Membrane.Losses] to viscosity, [Membrane.Measure] for area,
// volume and curvature, [Membrane.Inspect] for sites that have collapsed.
package rbf

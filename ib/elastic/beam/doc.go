// Package beam has filaments and beams: lines of nodes with stretching and bending stiffness,
// with or without mass, whose steps are implicit in their own forces and in the fluid's reaction.
// It knows no fluid and no lattice. Units are the caller's; in a lattice Boltzmann solver
// lengths are in nodes, Δt = 1 and the fluid's density is 1.
//
//	Config     what a line is made of, checked by New (config.go)
//	Line       a line and its state; Step moves it (line.go, step.go)
//	Marker     a place at a node or beside it, where the fluid is felt (markers.go)
//	Line.Hold  an end on a body that moves; Line.Support what the body feels (ends.go)
//	Line.Carry an end on a body that the line moves, too; Line.Pull how, of both at once (carried.go)
//	Energy, Tension, Curvature, Strain, Tip    what there is to see (observe.go)
//	Scales     periods, explicit limits and a sensible Δt (scales.go)
//	Saved      the state, for checkpoints (saved.go)
//
// # Energy
//
// X_0 … X_{n−1} are the nodes, l_j the unstrained length of the segment from X_j to X_{j+1} and
// h_i the length of the line that node i stands for, half of the segments beside it. Masses
// are M_i = ρ_l h_i. The energy is
//
//	E = ½ k_s Σ_j (|X_{j+1} − X_j|/l_j − 1)² l_j                          stretching.go
//	  + ½ k_b Σ_i |D²X_i − κ₀_i J D¹X_i|² h_i                             bending.go
//	D²X_i = [(X_{i+1} − X_i)/l_i − (X_i − X_{i−1})/l_{i−1}]/h_i
//	D¹X_i = (X_{i+1} − X_{i−1})/(l_{i−1} + l_i)
//
// and the force −f = −∂E/∂X exactly, so that a line neither moves nor turns itself. The natural
// curvature κ₀ turns the tangent by J, 90° to the left, which is why lines have it in 2D only.
// The bending energy is quadratic in X and its stiffness is the same in every shape; it is that
// of the curvature where segments keep their lengths: give a beam a k_s ≫ k_b/l², or make it
// inextensible.
//
// Ends. A free or hinged end has no bending energy: its moment is 0. At a clamped end the
// tangent t takes the place of the segment that is missing and h is half a segment, as with
// a node mirrored there: D²X_0 = [(X_1 − X_0)/l_0 − t]/(l_0/2). Frequencies and deflections
// converge with the spacing squared; a cantilever of 21 nodes has its first three frequencies
// to 0.2, 1.1 and 2.2 %, one of 41 to 0.06, 0.3 and 0.6 %.
//
// Damping (damping.go): Drag against a medium at rest, and two that act inside the line:
// T = k_s ε + η_s dε/dt and k_b κ + η_b dκ/dt. A line that moves and turns as a whole feels
// neither of the last two. In 3D the rate is that at which neighbouring segments turn against each other about
// any axis, their own spins being such that the least is lost: see turning.
//
// # Step
//
// The fluid has the velocity Û_i at node i as long as the line does nothing to it, and answers a
// momentum a_i (U′ − Û) with the velocity U′: a_i = 2ρε_i in a lattice Boltzmann fluid, where half
// of a force has acted when the velocity is taken. With A = diag(a_i) the two schemes solve
//
//	(βM + A + Δt C + Δt τ K) U′ = M U* + A Û + Δt (loads + M g − f),   X′ = X̃ + τ U′
//
//	Euler  β = 1    τ = Δt      X̃ = X                U* = U                    X* = X
//	BDF2   β = 3/2  τ = 2Δt/3   X̃ = (4X − X⁻)/3      U* = (4U − U⁻)/2          X* = 2X − X⁻
//
// with f linear in U′ about the places X*, where bending is exact and a segment of direction t
// pulls with
//
//	T′ [t + (1 − ttᵀ)(ΔX′ − ΔX*)/|ΔX*|],   T′ = k_s [|ΔX*|/l − 1 + t·(ΔX′ − ΔX*)/l] + η_s t·ΔU′/l
//
// where T′ across t is the tension T̂ ≥ 0 that acted before. K is positive semi-definite, so
// that the matrix is positive definite for every stiffness where M + A > 0: lines without mass
// need no special case, and Δt has no limit of stability. The matrix is banded (two nodes on
// either side) and factored without pivots (banded.go, system.go); the unknown is U′ − U.
//
// What is linear in U′ makes a segment that turns by φ away from X* longer by φ²/2. Where that
// is more than 10⁻⁴, the step is linearised again where it led to, up to four times (Solves).
//
// The force on the fluid at node i is a_i (U′_i − Û_i)/Δt. A node that is held takes part in it.
//
// # Which scheme
//
// Of a vibration of phase z = ωΔt per step, Euler's scheme takes πz of the amplitude per
// period and BDF2 πz³/2; both slow it by z²/3:
//
//	z                     0.02      0.05     0.1      0.2     0.4
//	Euler: loss per period 6.1 %    14.5 %   26.9 %   46.0 %  68.8 %
//	BDF2                   0.0013 % 0.020 %  0.15 %   1.1 %   6.9 %
//	both: slower by        0.013 %  0.083 %  0.33 %   1.3 %   4.5–4.9 %
//
// BDF2 is the default. It damps what is far too fast for Δt as Euler's scheme does, and with a fluid
// that answers it is stable for masses from 0 to 100 times the fluid's and stiffnesses from 10⁻⁶
// to 10⁶ times the explicit limit, as Euler's is (stability_test.go). The trapezoidal rule, which
// damps nothing, is no choice for lines without mass: for M = 0, Û = 0 and K → ∞ it is X′ = −X,
// U′ = −U − 4X/Δt, which grows. Steps of 1/34 of a period lose 1 % in it (Scales).
//
// # Lines that keep their length
//
// Inextensible makes k_s of every step 10⁷ times what the inertia of nodes resists to in it, and
// large against k_b/l²: strains stay below 10⁻⁴, and below 10⁻³ in a fluid whose velocities at
// neighbours differ at random by a tenth of their distance in a step. A multiplier per segment
// would say the same with a larger, indefinite system, and none at all where a line is straight
// between two ends that are held: its tension is then undetermined. Tension is T′, which holds
// the momentum balance: of a hanging filament at rest it is ρ_l g (L − s) to 10⁻⁸.
//
// # Sensible time steps
//
// Stability asks for nothing. Accuracy asks for 34 steps (BDF2) in the period of the slowest
// motion of interest, and for nodes that move by less than a tenth of their spacing a step, past
// their neighbours. What is faster than Δt is taken to be in equilibrium.
package beam

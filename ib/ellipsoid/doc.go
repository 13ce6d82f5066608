// Package ellipsoid is suspended ellipsoids of revolution that repel each other: the red cells of MUPHY (Bisson, Bernaschi,
// Melchionna, Succi & Kaxiras, "Multiscale hemodynamics using GPU clusters"). A particle is a place, a velocity, three axes
// and an angular momentum; a fluid acts on it at its place alone, by a drag and a torque:
//
//	F = −γT (V − ũ)      T = −γR (Ω − Ω̃)                      their (2.4), (2.5)
//	U = ε [4 (s⁻¹² − s⁻⁶) + 1],  s = (R − σ + σ₀)/σ₀,  s⁶ < 2   their (2.6), (2.7)
//
// where ε and σ depend on how two particles lie (Gay & Berne, J. Chem. Phys. 74 (1981) 3316). Their (2.7) prints s⁻⁶ > 2 for
// where there is no force; it is s⁻⁶ < ½, as U has its minimum at s⁶ = 2. We add ε, so that U goes to zero there with its
// gradient: else ε, which depends on orientation, would leave a step in the energy, and torques at it.
//
// A step is
//
//	Forces()   F, T of pairs and walls where the particles are
//	Kick()     V, L over a step, with the drag at the mean of both ends; what the fluid gets
//	Drift()    X ← X + V, axes by the splitting of Dullweber, Leimkuhler & McLachlan (J. Chem. Phys. 107 (1997) 5840)
//
// which is their scheme in its leapfrog form: velocities and angular momenta are those of half a step before the places.
// The drag is implicit in the particle's own velocity: no friction is too large, and at rest with a constant force F
// the slip is F/γT exactly.
//
// All is in lattice units and node coordinates. Sums over pairs are made by each particle for itself, in the order of their
// numbers, without use of the reaction: the same bits for any number of workers and whenever lists were made.
//
//	particles.go  the state
//	rotate.go     torque-free rotation
//	gayberne.go   energy, force and torque of a pair
//	lists.go      pairs that may be within reach, by link cells
//	tiles.go      cells that are internal, frontier or external to a part of the domain
//	walls.go      faces and other walls
//	motion.go     the step
//	pack.go       a box filled without overlap
//
// It knows no fluid and no lattice: package hybrid couples it to one.
package ellipsoid

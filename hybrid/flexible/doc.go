// Package flexible is bodies that bend in a fluid: cells, whose surfaces are the membranes of
// package ib/elastic, where they are and how they move on. It knows no lattice and no
// precision: positions are in nodes, times in steps, forces in lattice units.
//
// The surfaces have no mass, so that a step of them beside one of the fluid is
//
//	Advance()   X ← X + 3/2 U − 1/2 U₋        Adams–Bashforth of second order
//	Forces(t)   F(X), −∂E/∂X of the membrane's energy E
//	            … F spread, the fluid's step with it, its velocity u = û + F/(2ρ) at X
//	Move        U₋ ← U, U ← u
//
// which is of second order in the time step, as the fluid's step is. Where a step cannot be made
// Restore takes it back.
//
//	cell.go    one cell: its surface now, its measures
//	system.go  all cells, eight of a kind at a time
//	state.go   what a checkpoint holds
package flexible

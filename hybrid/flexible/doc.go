// Package flexible is bodies that bend in a fluid: cells, whose surfaces are the membranes of
// packages ib/elastic and ib/elastic/rbf, in the plane the rings of ib/elastic/ring, and filaments, which are lines of package ib/elastic/beam: where they are
// and how they move on. It knows no lattice and no precision: positions are in nodes, times in steps, forces in lattice units.
//
// Cells' surfaces have no mass, so that a step of them beside one of the fluid is
//
//	Advance()   X ← X + 3/2 U − 1/2 U₋        Adams–Bashforth of second order
//	Forces(t)   F(X), −∂E/∂X of the membrane's energy E, and loads from outside at t
//	            … F spread, the fluid's step with it, its velocity u = û + F/(2ρ) at X
//	Move        U₋ ← U, U ← u
//
// which is of second order in the time step, as the fluid's step is. Where a step cannot be made
// Restore takes it back.
//
// A cell of triangles moves with its vertices, and forces act there. A smooth cell moves with its data
// sites, and forces act at its sample sites, which the data sites tell: of its points the first
// have velocities alone, the others forces alone.
//
// A filament's forces depend on the velocity that the fluid would have after the step without them. It is a
// rigid.Structure: its step is one of direct forcing, whose reaction it knows. So is a sheet.
//
//	cell.go            one cell: its surface now, its measures
//	system.go          all cells, several of a kind at a time
//	contact.go         what cells and lines are in contact: areas, pressures
//	surface.go         what cells are made of, as the rest sees it: one of
//	meshed.go          membranes of triangles, and their forces
//	smooth.go          cells by radial basis functions, and their forces
//	ringed.go          rings in the plane, and their forces
//	load.go            forces from outside on some of a cell's points
//	inside.go          which nodes are inside a cell
//	state.go           what a checkpoint holds of them
//	filament.go        a line, thin or thick, and what holds its ends
//	pulling.go         what it does to bodies that hold it and move freely
//	filament_state.go  what a checkpoint holds of it
//	sheet.go           a sheet, and what a checkpoint holds of it
package flexible

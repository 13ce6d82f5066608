// Package packing places closed surfaces at random in a domain, so that none overlaps another: cells of a suspension before they
// begin to move. Surfaces begin small, at random places and in random directions, and grow while those that come too near are moved and turned
// apart, as rigid ones.
//
//	field.go   the distance from a closed surface, on a grid in its own frame
//	patches.go its points in groups of near ones
//	walls.go   how much room there is to walls: planes, and points of solids
//	pack.go    growth
//	relax.go   moving apart
//
// What tells that two come too near is vertices of either within the gap of the other: depth d along the gradient n of the
// distance. A pair moves as if it met in one point, the mean of these by their depth, along their mean direction by the greatest depth; each takes its share by
// what it resists there, moved and turned: (1 + |r×n|²/k²), k the radius of gyration of a ball as large. Results are the same bits for any number of workers:
// each surface finds its own moves, from where all were before.
package packing

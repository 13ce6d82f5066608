// Package joined measures what nested grids bring: a domain refined around the place of a cylinder or of a sphere, beside
// the grids that it is made of, each stepped by itself, and beside one grid of the finest nodes.
//
//	spec.go     what is asked for, row by row
//	box.go      the flow, and boxes of finer nodes
//	memory.go   what a row takes, before it is allocated
//	measure.go  steps joined, of parts alone and of one grid in turn; check.go what they are held to
package joined

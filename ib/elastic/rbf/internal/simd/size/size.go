// Package size has the lengths that the loops of package simd are made for.
package size

const (
	Operators = 6 // numbers of a jet
	Functions = 4 // columns of functions, of which loops take three or all
	Rows      = 8 // sites beside each other
	Block     = Operators * Functions * Rows
)

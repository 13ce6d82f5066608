// Package simd holds the innermost loops between points and a grid: weights along
// an axis, interpolation from rows of nodes and spreading to them. Each has a form
// in plain Go, which is its definition, and forms in generated assembly.
package simd

//go:generate go run ./gen -out .

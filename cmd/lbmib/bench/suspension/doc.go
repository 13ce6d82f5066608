// Package suspension measures what suspended ellipsoids cost (MUPHY's red cells): as many as asked for in a periodic box that they fill to a
// haematocrit, beside the same fluid without them, and the parts of a step.
//
//	spec.go     what is asked for, row by row, and the boxes
//	memory.go   what a row takes, before it is allocated
//	measure.go  steps with and without ellipsoids in turn; check.go what they are held to
package suspension

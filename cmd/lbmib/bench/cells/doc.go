// Package cells measures what red blood cells cost: cells whose membranes bend, packed in a periodic
// box, beside the same fluid without them, and the parts of a step.
//
//	spec.go     what is asked for, row by row
//	box.go      boxes that so many cells fill to a haematocrit, and the cells' places
//	redcell.go  membranes, moduli and time step
//	memory.go   what a row takes, before it is allocated
//	measure.go  steps with and without cells in turn; check.go what they are held to
//	parts.go    laws and transfers alone
package cells

package ib

// Period is by how many nodes along each axis points may be moved together on a grid,
// away from its ends, without a change of the order in which its nodes receive what a
// strategy spreads, and so of the bits: those of a support if its place between the nodes
// is the same to the last digit. Strategies that are unknown have none to keep.
func Period(strategy string, d Stencil, dim int) (nodes [3]int) {
	nodes = [3]int{1, 1, 1}
	n := d.Support()
	switch strategy {
	case "auto", "sort-reduce":
		nodes[0] = apart // see rowOrder
	case "buffered", "buffered-otf":
		for nodes[0] = apart; nodes[0]%n > 0; nodes[0] += apart { // see rowOrder, and vectors
		}
	case "columns", "columns-pruned": // colours take turns
		nodes[1], nodes[2] = n, n
	case "cells":
		nodes = [3]int{n, n, n}
	case "blocks":
		for a, width := range blockShape[dim] {
			nodes[a] = width * (1 + (n-2+width)/width) // of as many colours as meet a support
		}
	}
	for a := dim; a < 3; a++ {
		nodes[a] = 1
	}
	return nodes
}

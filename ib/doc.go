// Package ib is the immersed boundary: regularised delta functions, the
// transfers between markers and a uniform grid that they define, the nodes
// that markers touch, and the weights of direct forcing. Lengths are in nodes.
// It knows grids, never lattices.
package ib

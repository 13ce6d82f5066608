// Package ib is the immersed boundary: regularised delta functions, the transfers
// between markers and a grid that they define, the nodes that markers touch, and the
// weights of direct forcing. It knows grids, never lattices.
//
// # Transfers
//
// Interpolation brings a field to points, U = Σ_x u(x) δ_h(x−X) h^d, spreading is its
// adjoint, f(x) = Σ_k F_k δ_h(x−X_k). Points may be anywhere, so that many of them may
// write to one node; the literature has many ways to do that in parallel, and
// [NewTransfer] makes any of them, behind one interface:
//
//	serial          one point after the other (Algorithm 2)
//	sort-reduce     sorted by cell, each node written by its owner (4)
//	shift-reduce    likewise, as Algorithm 4 is printed: shift by shift, all meeting after each
//	buffered        several shifts at once into a kept buffer (5)
//	buffered-otf    likewise, into a buffer that lives as long as the call (6)
//	columns         columns of cells that are far apart, in sweeps
//	columns-pruned  likewise, those that have points
//	cells           single cells that are far apart, in sweeps
//	atomic          every sum by compare and swap
//	blocks          blocks of cells with copies of their borders, point against point
//	auto            serial for few points, sort-reduce for many
//
// Algorithms by number, and the notation in comments (κ, #, σ, g, s), are those of
// Kassen, Shankar & Fogelson, "A fine-grained parallelization of the immersed boundary
// method"; columns and cells are in their note on its parallel implementation, after
// McQueen & Peskin, J. Supercomput. 11 (1997) 213; atomics are used by Valero-Lara et
// al., J. Comput. Sci. 10 (2015) 249; blocks are those of Büyükkeçeci, Awile &
// Sbalzarini, Parallel Comput. 39 (2013) 94. All interpolate by Algorithm 3, blocks
// by the paper's own.
//
// What they share lies beneath: a frame has the grids, one for each component of a
// staggered field, and the workers; a batch has the supports of 64 points, weights
// along every axis once; an order has the points sorted by cell; and package simd the
// loops over rows of nodes. Where points are sorted, close together and in 3D, the planes
// that they reach are kept with the components of a node beside each other meanwhile: a
// slab. All but atomic give the same bits for any number of
// workers.
package ib

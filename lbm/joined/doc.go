// Package joined has fluids that are made of fluids: parts with seams between them.
//
// A part is an ordinary lbm.Fluid of any backend, precision and streaming scheme, of a box of nodes and a layer of ghosts around
// it. A seam reads populations of listed nodes of parts (lbm.Exchanger.Fetch) and puts others, which are sums of
// them, into listed nodes of parts (Put). So parts know nothing of each other, and their kernels are those of fluids by themselves.
//
// Here are seams between levels of refinement, each twice as fine as the one above, in the volumetric scheme of Rohde et al.
// (2006); see levelSeam.
package joined

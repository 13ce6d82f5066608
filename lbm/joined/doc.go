// Package joined has fluids that are made of fluids: parts with seams between them.
//
// A part is an ordinary lbm.Fluid of any backend, precision and streaming scheme, of a box of nodes and a layer of ghosts around
// it. A seam reads populations of listed nodes of parts (lbm.Exchanger.Fetch) and puts others into listed nodes of parts (Put).
// So parts know nothing of each other, and their kernels are those of fluids by themselves. There are two kinds:
//
//   - between parts of one level, of what flies from one into the other (copySeam). Such a flow is the same, bit by bit, as on one part
//     (in half precision, where the noise of rounding goes by places in a part, to that noise);
//   - between levels of refinement, each twice as fine as the one above, of sums that the volumetric scheme of Rohde et al. (2006) has
//     (levelSeam). They are found when the flow is made (seamCompiler), as rules that hold for whole lines of nodes, so that
//     a step adds up pieces of memory.
//
// Parts that are lbm.Joinable, fluids of one device, have their seams computed there, from memory of parts to memory of parts (joint.go): the same
// values, read at the same moments, and the same sums.
//
// Bodies act in the finest level alone.
package joined

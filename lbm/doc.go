// Package lbm is the fluid: lattices as data, memory layouts, collision,
// boundary conditions and the lattice-Boltzmann step on the CPU.
//
// Everything is in lattice units: Δx = Δt = 1, c_s² = 1/3, density 1 at rest.
// Node (x, y, z) of a domain of nx × ny × nz nodes has the index
// x + nx·(y + ny·z) and lies at its integer coordinates; the faces of the
// domain lie half a node outside the outermost nodes, at −1/2 and n − 1/2.
//
// Populations are stored as f_i − w_i and after collision. Density and momentum
// are the same before and after an unforced collision, so they can be read back
// from what is stored; that is what makes the local correction (Fluid.Correct)
// exact. Forces that are known before a step go into its collision (StepNodes). See Krüger et al., The Lattice Boltzmann Method (2017), for the scheme,
// and Valero-Lara et al., Concurrency Comput. Pract. Exper. 27 (2015), for the
// coupling this layout of work serves.
//
// A Local, some nodes of a fluid aside, is here since it is to give the bits of the CPU's fluid:
// both have the same row kernels, tables of links and access to lists of nodes.
package lbm

// Float is a precision of arithmetic.
type Float interface{ float32 | float64 }

package simd

import "unsafe"

// FieldKernel pulls and collides consecutive nodes of one row on each of which a force density acts.
type FieldKernel struct {
	Lanes int // nodes per vector: one cache line of every population

	// Run is Kernel.Run with a force density F = fields[4 …] besides that of the rates, by
	// Guo's source; and it stores ρ in fields[0] and u = (Σ c f + F/2)/ρ + a/2, what arrives and half of what
	// acts in the step, in fields[1 …]. Fields are in the precision of arithmetic, one
	// value per node, from the first node on. Where F is 0 results are the bits of Kernel.Run of the same operator.
	// The kernels "trt-local", "mrt-local" and "recursive-local" relax each node by its own τ = fields[7],
	// odd parts as OddInEddies says; Even and Odd are of no effect.
	Run func(dst, src *[19]unsafe.Pointer, vectors int, k unsafe.Pointer, fields *[8]unsafe.Pointer)
}

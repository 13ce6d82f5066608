package simd

import (
	"unsafe"

	"lbmib/lbm/internal/simd/piecewise"
)

// Kernel pulls and collides consecutive nodes of one row.
type Kernel struct {
	Lanes int // nodes per vector: one cache line of every population

	// Run updates vectors·Lanes nodes. src[i] and dst[i] point to population i
	// of the first of them, elements of 8 (f64), 4 (f32) or 2 (f16) bytes; src
	// may have any alignment, dst must be aligned to 64 bytes for a kernel with
	// streaming stores. In place, {dst[i], dst[−i]} may be {src[i], src[−i]} in
	// either order. k points to a Rates of float64 (f64) or float32 (f32, f16).
	// Every population is prefetched ahead bytes before its use; 0: not at all.
	// From memory, 512 bytes were best or near the best for most kernels, and
	// streaming stores up to twice as fast as cached ones (validation/cpu).
	// Subnormal numbers are zero to the arithmetic, see FlushSubnormals; results
	// of streaming stores need a Fence.
	Run func(dst, src *[19]unsafe.Pointer, vectors int, k unsafe.Pointer, ahead int)
}

// Rates are the constants of a collision as Kernel.Run reads them.
type Rates[T float32 | float64] struct {
	Even, Odd             T      // relaxation rates ω⁺, ω⁻ of the two parities; "bgk" reads Even alone, "regularized" and "recursive" take 1 for Odd
	SourceEven, SourceOdd T      // Guo's factors s⁺, s⁻: 1 − ω/2 of each
	Accel                 [3]T   // uniform body force per mass
	Tau, Eddy             T      // of "-les": 1/ω⁺ and 18√2 C² of Smagorinsky's constant C
	OddInEddies           [4]T   // of "-les": odd parts keep (a + b t)/(m + n t), t = τ − 1/2, of themselves
	Seed                  uint32 // of the first node's noise (see package dither), x further for node x; of "f16" alone

	// Kept is what kernels of rows have made of the rates, nil: nothing yet. They make it anew when the rates are others, so
	// it goes with one goroutine's.
	Kept *[2]Kept[T] // of bgk, and of others: rows with forces have these where others have bgk

	Table *piecewise.Table[T] // of "-rheology": τ of a node, by Π:Π/ρ² of its non-equilibrium stress Π
}

// Kept are the constants of a kernel.
type Kept[T float32 | float64] struct {
	of     [16]T // what they are made of
	values [64]T
}

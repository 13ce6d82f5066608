package simd

import "unsafe"

// Span is some nodes that follow each other along x: lane 0 of a vector, which need not be one
// of them, and which of its lanes are.
type Span struct {
	Node  int64  // populations of lane 0 from those of the first node, in bytes
	Field int64  // values of lane 0 from those that fields begin with, in bytes
	Lanes uint32 // bit k: lane k is a node of the span
	Noise uint32 // of lane 0: 4·dither.Place, of "f16" alone
}

// SpanKernel works on nodes here and there, span by span.
type SpanKernel struct {
	Lanes int // of a vector

	// Run reads or changes the nodes of spans. populations[i] is population i of the first
	// node, in the form of Kernel.Run, fields are vectors in the precision of arithmetic. All lanes of a
	// vector are read, and written where populations change: lanes that are no node of
	// the span get what they had. So nobody else may change them meanwhile, and they must be
	// memory. k points to Rates, of the step in which the populations were made.
	//
	//	"moments"            fields[0] = ρ = 1 + Σ g,  fields[1 …] = u = Σ c g/ρ − a/2
	//	"correct"            the force density F = fields[1 …] acts in that step, too
	//	"correct-recursive"  the same after recursive collision
	//
	// With û the velocity before, w_i the weights and u = û + F/(2ρ), correct adds
	//
	//	ω⁺ [feq(ρ,u) − feq(ρ,û)]⁺ + s⁺ [S(u, F+ρa) − S(û, ρa)]⁺ = w_i [(c·F)(c·V) − F·V/3]
	//	V = (9/4 ω⁺ + 9/2 s⁺)(2û + F/(2ρ)) + 9/2 s⁺ (a + F/(2ρ))
	//	ω⁻ [feq(ρ,u) − feq(ρ,û)]⁻ + s⁻ [S(u, F+ρa) − S(û, ρa)]⁻ = 3 w_i (ω⁻/2 + s⁻) c·F
	//
	// S being Guo's source, ⁺ and ⁻ the even and odd parts of a ± pair.
	Run func(populations *[19]unsafe.Pointer, fields *[4]unsafe.Pointer, spans []Span, k unsafe.Pointer)
}

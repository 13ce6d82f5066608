package simd

import "golang.org/x/sys/cpu"

// variant names a kernel.
type variant struct {
	isa    string // "avx512" or "avx2"
	q      int    // populations per node: 9 or 19
	store  string // "f64", "f32" or "f16"
	op     string // "bgk", "trt", "regularized", "mrt", "mrt-les", "trt-les", "recursive", "recursive-les"
	stream bool   // streaming stores
}

// Find returns the kernel for an instruction set ("avx512", "avx2"), lattice
// (q = 9, 19), storage ("f64", "f32", "f16") and operator (see package doc), with
// cached or streaming (non-temporal) stores. It does not ask whether this CPU
// can run it: see Missing.
func Find(isa string, q int, store, op string, stream bool) (Kernel, bool) {
	k, ok := kernels[variant{isa, q, store, op, stream}]
	return k, ok
}

// spanVariant names a span kernel, or one with forces.
type spanVariant struct {
	isa   string
	q     int
	store string
	op    string // "moments", "correct", "correct-recursive"; with forces an operator
}

// FindSpan returns the span kernel for an instruction set, lattice and storage, as Find does.
func FindSpan(isa string, q int, store, op string) (SpanKernel, bool) {
	k, ok := spanKernels[spanVariant{isa, q, store, op}]
	return k, ok
}

// FindField returns the kernel with forces for an instruction set, lattice, storage and operator, as Find does.
func FindField(isa string, q int, store, op string) (FieldKernel, bool) {
	k, ok := fieldKernels[spanVariant{isa, q, store, op}]
	return k, ok
}

// FindSums returns the kernel of sums for an instruction set and the precision of values ("f64", "f32"); false: there is none.
func FindSums(isa, float string) (func(sums []Sum), bool) {
	k, ok := sumKernels[[2]string{isa, float}]
	return k, ok
}

// feature is one CPU capability with its common name.
type feature struct {
	name string
	has  bool
}

// Missing lists the features that isa needs and this CPU lacks, by their common
// names; nil when it has all.
func Missing(isa string) []string {
	var need []feature
	switch isa {
	case "avx512":
		need = []feature{
			{"AVX-512F", cpu.X86.HasAVX512F}, {"AVX-512DQ", cpu.X86.HasAVX512DQ},
			{"AVX-512VL", cpu.X86.HasAVX512VL}, {"AVX-512BW", cpu.X86.HasAVX512BW},
		}
	case "avx2":
		need = []feature{{"AVX2", cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA}, {"F16C", cpu.X86.HasF16C}}
	default:
		return []string{"kernels for " + isa + " (there are avx512 and avx2)"}
	}
	var missing []string
	for _, f := range need {
		if !f.has {
			missing = append(missing, f.name)
		}
	}
	return missing
}

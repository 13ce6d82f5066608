package simd

import "golang.org/x/sys/cpu"

// assembly are the forms in assembly that the processor has, the fastest first.
func assembly() (all []Loops) {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, Loops{"avx2", products(multiply3AVX2, multiply4AVX2), sums(butterflyAVX2)})
	}
	return all
}

func products(three, four func(out, panel, x *float64, n int)) func(*Block, []float64, []float64, int) {
	return func(out *Block, panel, x []float64, functions int) {
		n := sites(panel, x, functions)
		if functions == 3 {
			three(&out[0][0][0], &panel[0], &x[0], n)
		} else {
			four(&out[0][0][0], &panel[0], &x[0], n)
		}
	}
}

func sums(loop func(a, b *float64)) func(a, b *Block) {
	return func(a, b *Block) { loop(&a[0][0][0], &b[0][0][0]) }
}

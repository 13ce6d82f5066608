package simd

import "golang.org/x/sys/cpu"

// assembly are the forms in assembly that the processor has, the fastest first.
func assembly() (all []Loops) {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, Loops{"avx2", products(multiply3AVX2, multiply4AVX2), sums(butterflyAVX2)})
	}
	return all
}

// together is how many sites' operators, 15 KB of them, stay in the first cache while
// the loops go over them once for every pair of functions and half of the rows.
const together = 40

func products(three, four func(out, panel, x *float64, n int)) func(*Block, []float64, []float64, int) {
	return func(out *Block, panel, x []float64, functions int) {
		n := sites(panel, x, functions)
		loop := four
		if functions == 3 {
			loop = three
		}
		for o := range out {
			clear(out[o][:functions])
		}
		for d := 0; d < n; d += together {
			loop(&out[0][0][0], &panel[d*Operators*Rows], &x[d*Functions], min(together, n-d))
		}
	}
}

func sums(loop func(a, b *float64)) func(a, b *Block) {
	return func(a, b *Block) { loop(&a[0][0][0], &b[0][0][0]) }
}

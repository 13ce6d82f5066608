// Package simd has the inner loops of package rbf: operators times functions, and the sums
// and differences of the mirrors' transforms. gen writes the assembly.
package simd

import "fmt"

//go:generate go run ./gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg simd

// The lengths of a Block.
const (
	Operators = 6 // numbers of a jet
	Functions = 4 // columns, of which loops take three or all
	Rows      = 8 // sites beside each other
)

// Block is the jets of functions in a panel's sites: [operator][function][row].
type Block [Operators][Functions][Rows]float64

// Loops are the inner loops in one form.
type Loops struct {
	Name string // go, avx2

	// Multiply stores in out the sums over sites d of operators times functions, of the
	// first three functions or of all four:
	//
	//	out[o][a][r] = Σ_d panel[(d·Operators+o)·Rows+r] x[d·Functions+a]
	//
	// for the len(x)/Functions > 0 sites; panel has Operators·Rows numbers for each.
	Multiply func(out *Block, panel, x []float64, functions int)

	// Butterfly replaces a and b by a + b and a − b.
	Butterfly func(a, b *Block)
}

// Best is the fastest form that the processor has.
func Best() Loops { return All()[0] }

// All are all forms that the processor has, the fastest first.
func All() []Loops { return append(assembly(), Loops{"go", multiply, butterfly}) }

// sites checks the lengths of a product.
func sites(panel, x []float64, functions int) int {
	n := len(x) / Functions
	if n == 0 || len(x) != n*Functions || len(panel) != n*Operators*Rows || functions < 3 || functions > Functions {
		panic(fmt.Sprintf("simd: %d numbers of a panel and %d values of %d functions do not fit", len(panel), len(x), functions))
	}
	return n
}

func multiply(out *Block, panel, x []float64, functions int) {
	sites(panel, x, functions)
	for o := range Operators {
		for r := 0; r < Rows; r += 2 {
			var a0, a1, a2, a3, b0, b1, b2, b3 float64
			at := o*Rows + r
			for d := 0; d+Functions <= len(x); d += Functions {
				v := x[d : d+Functions : d+Functions]
				a, b := panel[at], panel[at+1]
				a0, b0 = a0+a*v[0], b0+b*v[0]
				a1, b1 = a1+a*v[1], b1+b*v[1]
				a2, b2 = a2+a*v[2], b2+b*v[2]
				a3, b3 = a3+a*v[3], b3+b*v[3]
				at += Operators * Rows
			}
			out[o][0][r], out[o][1][r], out[o][2][r] = a0, a1, a2
			out[o][0][r+1], out[o][1][r+1], out[o][2][r+1] = b0, b1, b2
			if functions == Functions {
				out[o][3][r], out[o][3][r+1] = a3, b3
			}
		}
	}
}

func butterfly(a, b *Block) {
	for o := range a {
		for k := range a[o] {
			u, v := &a[o][k], &b[o][k]
			for r := range u {
				u[r], v[r] = u[r]+v[r], u[r]-v[r]
			}
		}
	}
}

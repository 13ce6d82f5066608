// Command gen writes the vector loops of package simd.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The lengths of simd.Block, and the bytes of an element.
const (
	operators = 6
	functions = 4
	rows      = 8
	element   = 8
)

// width is a vector length in elements with its registers.
type width struct {
	name   string
	lanes  int
	vector func() VecVirtual
}

// pass is what one loop over sites sums: functions from first on, in some rows.
type pass struct{ first, functions, row, vectors int }

func main() {
	ConstraintExpr("amd64")
	for _, w := range []width{{"AVX2", 4, YMM}} {
		for _, n := range []int{3, functions} {
			w.multiply(n)
		}
		w.butterfly()
	}
	Generate()
}

// passes keep all sums in registers: 12 of 16.
func (w width) passes(n int) (all []pass) {
	for f := 0; f+2 <= n; f += 2 {
		for row := 0; row < rows; row += w.lanes {
			all = append(all, pass{f, 2, row, 1})
		}
	}
	if n%2 == 1 {
		all = append(all, pass{n - 1, 1, 0, 2})
	}
	return all
}

func (w width) multiply(count int) {
	name := fmt.Sprintf("multiply%d%s", count, w.name)
	TEXT(name, NOSPLIT, "func(out, panel, x *float64, n int)")
	Doc(fmt.Sprintf("%s adds the products of %d functions and n > 0 sites to out:", name, count),
		"", "\tfor d := range n {", "\t\tout[o][a][r] += panel[d][o][r] * x[d][a]", "\t}")
	Pragma("noescape")
	out, panel, x, n := Load(Param("out"), GP64()), Load(Param("panel"), GP64()), Load(Param("x"), GP64()), Load(Param("n"), GP64())
	for k, p := range w.passes(count) {
		w.sum(p, fmt.Sprintf("pass%d", k), out, panel, x, n)
	}
	VZEROUPPER()
	RET()
}

// sum writes one pass.
func (w width) sum(p pass, label string, out, panel, x, n Register) {
	sums := make([]VecVirtual, operators*p.functions*p.vectors)
	at := func(o, f, v int) VecVirtual { return sums[(o*p.functions+f)*p.vectors+v] }
	each := func(do func(sum VecVirtual, m Mem)) {
		for o := range operators {
			for f := range p.functions {
				for v := range p.vectors {
					do(at(o, f, v), Mem{Base: out, Disp: element * ((o*functions+p.first+f)*rows + p.row + v*w.lanes)})
				}
			}
		}
	}
	for i := range sums {
		sums[i] = w.vector()
	}
	each(func(sum VecVirtual, m Mem) { VMOVUPD(m, sum) })
	from, values, left := GP64(), GP64(), GP64()
	MOVQ(panel, from)
	MOVQ(x, values)
	MOVQ(n, left)
	Label(label)
	factors := make([]VecVirtual, p.functions)
	for f := range factors {
		factors[f] = w.vector()
		VBROADCASTSD(Mem{Base: values, Disp: element * (p.first + f)}, factors[f])
	}
	for o := range operators {
		for v := range p.vectors {
			m := Mem{Base: from, Disp: element * (o*rows + p.row + v*w.lanes)}
			if p.functions == 1 {
				VFMADD231PD(m, factors[0], at(o, 0, v))
				continue
			}
			number := w.vector()
			VMOVUPD(m, number)
			for f := range factors {
				VFMADD231PD(number, factors[f], at(o, f, v))
			}
		}
	}
	ADDQ(U32(element*operators*rows), from)
	ADDQ(U32(element*functions), values)
	DECQ(left)
	JNZ(LabelRef(label))
	each(func(sum VecVirtual, m Mem) { VMOVUPD(sum, m) })
}

func (w width) butterfly() {
	name := "butterfly" + w.name
	TEXT(name, NOSPLIT, "func(a, b *float64)")
	Doc(name+" is Butterfly:", "", "\ta[i], b[i] = a[i]+b[i], a[i]-b[i]")
	Pragma("noescape")
	a, b, left := Load(Param("a"), GP64()), Load(Param("b"), GP64()), GP64()
	const together = 4
	MOVQ(U32(operators*functions*rows/(together*w.lanes)), left)
	Label("group")
	for k := range together {
		u, v, sum := w.vector(), w.vector(), w.vector()
		to, from := Mem{Base: a, Disp: element * w.lanes * k}, Mem{Base: b, Disp: element * w.lanes * k}
		VMOVUPD(to, u)
		VMOVUPD(from, v)
		VADDPD(v, u, sum)
		VSUBPD(v, u, u)
		VMOVUPD(sum, to)
		VMOVUPD(u, from)
	}
	ADDQ(U32(element*w.lanes*together), a)
	ADDQ(U32(element*w.lanes*together), b)
	DECQ(left)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels in which the four components of a node lie beside each other, a vector. What a row then takes are as many instructions as
// one component alone takes in a field of its own, in fewer cache lines. Products and sums are made in the order of the other
// kernels: each component comes to the same bits.

// components of a node.
const components = 4

var whole = piece{0, components}

// besideNode is node i along x of row j of a plane.
func (r *rowKernel) besideNode(plane reg.GPVirtual, j, i int) operand.Mem {
	return operand.Mem{Base: plane, Index: r.row[j], Scale: uint8(r.element), Disp: i * components * r.element}
}

// valuesOf is where the values of the point at hand lie.
func (r *rowKernel) valuesOf() operand.Mem {
	at, values := r.GP64(), r.GP64()
	r.MOVQ(r.k, at)
	r.SHLQ(operand.U8(2), at)
	r.MOVQ(r.at(batchValues), values)
	return operand.Mem{Base: values, Index: at, Scale: uint8(r.element)}
}

// interpolateNodes is interpolate.
func interpolateNodes(r *rowKernel) {
	total := make([]reg.VecVirtual, r.support)
	for l := range r.support {
		wz, plane := r.across(l), r.plane(l)
		for i := range total {
			sum := r.vector()
			for j := range r.support {
				if j == 0 {
					r.op("MUL", whole, r.besideNode(plane, j, i), r.wy[j], sum)
				} else {
					r.op("FMADD231", whole, r.besideNode(plane, j, i), r.wy[j], sum)
				}
			}
			if l == 0 {
				total[i] = sum
				r.op("MUL", whole, wz, sum, sum)
			} else {
				r.op("FMADD231", whole, wz, sum, total[i])
			}
		}
	}
	for i := range total {
		wx := r.broadcast(operand.Mem{Base: r.weight[0], Disp: i * r.element})
		r.op("MUL", whole, wx, total[i], total[i])
	}
	r.store(whole, r.sumAlong(total), r.valuesOf())
}

// sumAlong adds up what the nodes along x have, in the order of sumOf.
func (r *rowKernel) sumAlong(t []reg.VecVirtual) reg.VecVirtual {
	add := func(a, b int) { r.op("ADD", whole, t[b], t[a], t[a]) }
	switch {
	case r.support == 3:
		add(0, 1)
		add(0, 2)
		return t[0]
	case r.support == 4:
		add(0, 2)
		add(1, 3)
	case r.support == 6 && r.element == 8:
		add(0, 2)
		add(1, 3)
		add(0, 4)
		add(1, 5)
	case r.support == 6:
		zero := r.vector()
		r.VXORPS(zero, zero, zero)
		for _, i := range []int{2, 3} { // which sumOf adds half a register to
			r.op("ADD", whole, zero, t[i], t[i])
		}
		add(0, 4)
		add(1, 5)
		add(0, 2)
		add(1, 3)
	}
	add(0, 1)
	return t[0]
}

// spreadNodes is spread.
func spreadNodes(r *rowKernel) {
	value := r.vector()
	r.VMOVUPS(r.valuesOf(), value)
	var line []reg.VecVirtual // values · w_x
	along := r.weightOf(0)
	for i := range r.support {
		v := r.broadcast(operand.Mem{Base: along, Disp: i * r.element})
		r.op("MUL", whole, v, value, v)
		line = append(line, v)
	}
	r.overPlanes(func(plane reg.GPVirtual, wz reg.VecVirtual) {
		for i := range line {
			scaled := r.vector()
			r.op("MUL", whole, wz, line[i], scaled)
			for j := range r.support {
				v := r.vector()
				r.op("MUL", whole, r.wy[j], scaled, v)
				r.op("ADD", whole, r.besideNode(plane, j, i), v, v)
				r.store(whole, v, r.besideNode(plane, j, i))
			}
		}
	})
}

// Where the fields of simd.Rows lie, in bytes.
const (
	rowsN     = 0
	rowsRow   = 8
	rowsNodes = 104
)

func rowsName(op string, element int) string { return fmt.Sprintf("%sF%d", op, 8*element) }

// writeRows adds the kernel that brings the components of nodes beside each other, or apart again: of four nodes at a time, as the
// transpose of four by four values.
func writeRows(ctx *build.Context, element int, op string) {
	ctx.Function(rowsName(op, element))
	ctx.Attributes(attr.NOSPLIT)
	ctx.SignatureExpr("func(r uintptr)")
	r := &rowKernel{shape: shape{element: element}, Context: ctx}
	base, n := ctx.GP64(), ctx.GP64()
	ctx.Load(ctx.Param("r"), base)
	ctx.MOVQ(operand.Mem{Base: base, Disp: rowsN}, n)
	row := make([]reg.GPVirtual, components)
	for c := range row {
		row[c] = ctx.GP64()
		ctx.MOVQ(operand.Mem{Base: base, Disp: rowsRow + c*sliceBytes}, row[c])
	}
	nodes := ctx.GP64()
	ctx.MOVQ(operand.Mem{Base: base, Disp: rowsNodes}, nodes)
	ctx.SHRQ(operand.U8(2), n)
	ctx.JZ(operand.LabelRef("done"))
	apart := func(c int) operand.Mem { return operand.Mem{Base: row[c]} }
	beside := func(i int) operand.Mem { return operand.Mem{Base: nodes, Disp: i * components * element} }
	from, to := apart, beside
	if op == "separate" {
		from, to = beside, apart
	}
	ctx.Label("four")
	var v []reg.VecVirtual
	for i := range components {
		v = append(v, r.vector())
		ctx.VMOVUPS(from(i), v[i])
	}
	for i, t := range r.transposed(v) {
		ctx.VMOVUPS(t, to(i))
	}
	for c := range row {
		ctx.ADDQ(operand.U8(components*element), row[c])
	}
	ctx.ADDQ(operand.U32(components*components*element), nodes)
	ctx.DECQ(n)
	ctx.JNZ(operand.LabelRef("four"))
	ctx.VZEROUPPER()
	ctx.Label("done")
	ctx.RET()
}

// transposed is the transpose of four by four values.
func (r *rowKernel) transposed(v []reg.VecVirtual) []reg.VecVirtual {
	pair := func(f func(...operand.Op), a, b reg.VecVirtual) reg.VecVirtual {
		to := r.vector()
		f(b, a, to)
		return to
	}
	if r.element == 4 {
		a, b := pair(r.VUNPCKLPS, v[0], v[1]), pair(r.VUNPCKLPS, v[2], v[3])
		c, d := pair(r.VUNPCKHPS, v[0], v[1]), pair(r.VUNPCKHPS, v[2], v[3])
		return []reg.VecVirtual{pair(r.VUNPCKLPD, a, b), pair(r.VUNPCKHPD, a, b), pair(r.VUNPCKLPD, c, d), pair(r.VUNPCKHPD, c, d)}
	}
	a, b := pair(r.VUNPCKLPD, v[0], v[1]), pair(r.VUNPCKHPD, v[0], v[1])
	c, d := pair(r.VUNPCKLPD, v[2], v[3]), pair(r.VUNPCKHPD, v[2], v[3])
	half := func(which operand.U8) func(...operand.Op) {
		return func(o ...operand.Op) { r.VPERM2F128(which, o[0], o[1], o[2]) }
	}
	lower, upper := half(0x20), half(0x31)
	return []reg.VecVirtual{pair(lower, a, c), pair(lower, b, d), pair(upper, a, c), pair(upper, b, d)}
}

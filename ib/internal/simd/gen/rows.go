package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// shape is what a kernel between points and rows is made for.
type shape struct{ dim, support, element int }

var shapes = func() (all []shape) {
	for _, element := range []int{8, 4} {
		for _, dim := range []int{2, 3} {
			for _, support := range []int{2, 3, 4, 6} {
				all = append(all, shape{dim, support, element})
			}
		}
	}
	return all
}()

// name as in spread3D4F64.
func (s shape) name(op string) string {
	return fmt.Sprintf("%s%dD%dF%d", op, s.dim, s.support, 8*s.element)
}

// stride is the number of weights kept for a point and axis.
func (s shape) stride() int { return stride(s.support) }

func stride(support int) int {
	if support <= 4 {
		return 4
	}
	return 8
}

// Where the fields of simd.Batch lie, in bytes.
const (
	batchN      = 0
	batchField  = 8
	batchValues = 32
	batchFirst  = 56
	batchWeight = 128
	batchRow    = 200
	batchFrom   = 248
	batchTo     = 272
	sliceBytes  = 24
)

// piece is a part of a row that one instruction loads or stores: elements at,
// at+1, … . All of a row's pieces make the row and nothing else.
type piece struct{ at, n int }

func (s shape) pieces() []piece {
	if s.support == 6 {
		return []piece{{0, 4}, {4, 2}}
	}
	if s.support == 3 {
		return []piece{{0, 2}, {2, 1}}
	}
	return []piece{{0, s.support}}
}

// rowKernel writes one kernel: a loop over points, the support of a point
// unrolled. Loads bound it (rows often lie in two cache lines), then the number of
// instructions; prefetching the rows of later points costs more than it saves.
type rowKernel struct {
	shape
	*build.Context
	beside      bool // the components of a node lie beside each other: see aos.go
	batch, k, x reg.GPVirtual
	firsts      []reg.GPVirtual // simd.Batch.First by axis, as far as there are registers
	weight      []reg.GPVirtual // of the point at hand, by axis
	row         []reg.GPVirtual // offsets of the rows of a plane, in nodes
	planes      reg.GPVirtual   // where the offsets of its planes begin
	wy          []reg.VecVirtual
	wz          reg.VecVirtual // nil: not loaded together
}

// operation is what a kernel does.
type operation struct {
	name   string
	body   func(*rowKernel) // its loop over a point's support
	beside bool             // rowKernel.beside: in 3D alone
	scarce bool             // registers, in 3D
}

var operations = []operation{
	{name: "interpolate", body: interpolate},
	{name: "spread", body: spread, scarce: true},
	{name: "interpolateAoS", body: interpolateNodes, beside: true},
	{name: "spreadAoS", body: spreadNodes, beside: true, scarce: true},
}

// operations are those that there are of a shape.
func (s shape) operations() (all []operation) {
	for _, op := range operations {
		if !op.beside || s.dim == 3 {
			all = append(all, op)
		}
	}
	return all
}

// write adds the kernel of an operation.
func (s shape) write(ctx *build.Context, op operation) {
	ctx.Function(s.name(op.name))
	ctx.Attributes(attr.NOSPLIT)
	ctx.SignatureExpr("func(b uintptr)")
	r := &rowKernel{shape: s, Context: ctx, beside: op.beside, batch: ctx.GP64(), k: ctx.GP64()}
	ctx.Load(ctx.Param("b"), r.batch)
	scarce := s.dim == 3 && op.scarce
	for axis := range s.dim {
		if scarce {
			break
		}
		r.weight = append(r.weight, ctx.GP64())
		ctx.MOVQ(r.at(batchWeight+axis*sliceBytes), r.weight[axis])
	}
	if s.support <= 4 && !scarce {
		for axis := range 2 {
			r.firsts = append(r.firsts, ctx.GP64())
			ctx.MOVQ(r.at(batchFirst+axis*sliceBytes), r.firsts[axis])
		}
	}
	ctx.XORQ(r.k, r.k)
	ctx.CMPQ(r.at(batchN), operand.U8(0))
	ctx.JLE(operand.LabelRef("done"))

	ctx.Label("point")
	r.locate()
	op.body(r)
	for axis := range r.weight {
		ctx.ADDQ(operand.U32(s.stride()*s.element), r.weight[axis])
	}
	ctx.INCQ(r.k)
	ctx.CMPQ(r.k, r.at(batchN))
	ctx.JLT(operand.LabelRef("point"))

	ctx.VZEROUPPER()
	ctx.Label("done")
	ctx.RET()
}

// weightOf is where the weights of the point at hand along an axis lie.
func (r *rowKernel) weightOf(axis int) reg.GPVirtual {
	if len(r.weight) > 0 {
		return r.weight[axis]
	}
	p := r.GP64()
	r.MOVQ(r.k, p)
	r.SHLQ(operand.U8(bits.TrailingZeros(uint(r.stride()*r.element))), p)
	r.ADDQ(r.at(batchWeight+axis*sliceBytes), p)
	return p
}

func (r *rowKernel) at(disp int) operand.Mem { return operand.Mem{Base: r.batch, Disp: disp} }

// first loads the first node of the support along an axis.
func (r *rowKernel) first(axis int) reg.GPVirtual {
	first := r.GP64()
	from := first
	if axis < len(r.firsts) {
		from = r.firsts[axis]
	} else {
		r.MOVQ(r.at(batchFirst+axis*sliceBytes), from)
	}
	r.MOVLQSX(operand.Mem{Base: from, Index: r.k, Scale: 4}, first)
	return first
}

// offsets is where the row or plane offsets of the support begin in a table.
func (r *rowKernel) offsets(table int) reg.GPVirtual {
	first, p := r.first(table+1), r.GP64()
	r.MOVQ(r.at(batchRow+table*sliceBytes), p)
	r.LEAQ(operand.Mem{Base: p, Index: first, Scale: 8}, p)
	return p
}

// locate loads the places of the support and the weights of its rows.
func (r *rowKernel) locate() {
	rows := r.offsets(0)
	r.row = nil
	for j := range r.support {
		r.row = append(r.row, r.GP64())
		r.MOVQ(operand.Mem{Base: rows, Disp: 8 * j}, r.row[j])
	}
	if r.dim == 3 {
		r.planes = r.offsets(1)
	}
	first := r.first(0)
	if r.beside {
		r.SHLQ(operand.U8(2), first)
	}
	r.x = r.GP64()
	r.MOVQ(r.at(batchField), r.x)
	r.LEAQ(operand.Mem{Base: r.x, Index: first, Scale: uint8(r.element)}, r.x)
	r.wy = nil
	along := r.weightOf(1)
	for j := range r.support {
		r.wy = append(r.wy, r.broadcast(operand.Mem{Base: along, Disp: j * r.element}))
	}
	r.wz = nil
	if len(r.weight) == 3 && r.element == 8 && r.support <= 4 { // one load for four
		r.wz = r.YMM()
		r.VMOVUPD(operand.Mem{Base: r.weight[2]}, r.wz)
	}
}

// across is the weight along z of plane l.
func (r *rowKernel) across(l int) reg.VecVirtual {
	if r.wz == nil {
		return r.broadcast(operand.Mem{Base: r.weight[2], Disp: l * r.element})
	}
	const everywhere = 0b01010101
	w := r.YMM()
	r.VPERMPD(operand.U8(l*everywhere), r.wz, w)
	return w
}

// plane is the address of a plane's first node.
func (r *rowKernel) plane(l int) reg.GPVirtual {
	if r.dim == 2 {
		return r.x
	}
	p := r.GP64()
	r.MOVQ(operand.Mem{Base: r.planes, Disp: 8 * l}, p)
	r.LEAQ(operand.Mem{Base: r.x, Index: p, Scale: uint8(r.element)}, p)
	return p
}

func (r *rowKernel) node(plane reg.GPVirtual, j int, p piece) operand.Mem {
	return operand.Mem{Base: plane, Index: r.row[j], Scale: uint8(r.element), Disp: p.at * r.element}
}

func (r *rowKernel) depth() int {
	if r.dim == 2 {
		return 1
	}
	return r.support
}

// interpolate: the sums over y and z of every x together, then that over x.
func interpolate(r *rowKernel) {
	pieces := r.pieces()
	total := make([]reg.VecVirtual, len(pieces))
	for l := range r.depth() {
		var wz reg.VecVirtual
		if r.dim == 3 {
			wz = r.across(l)
		}
		plane := r.plane(l)
		for i, p := range pieces {
			sum := r.vector()
			for j := range r.support {
				if j == 0 {
					r.op("MUL", p, r.node(plane, j, p), r.wy[j], sum)
				} else {
					r.op("FMADD231", p, r.node(plane, j, p), r.wy[j], sum)
				}
			}
			switch {
			case r.dim == 2:
				total[i] = sum
			case l == 0:
				total[i] = sum
				r.op("MUL", p, wz, sum, sum)
			default:
				r.op("FMADD231", p, wz, sum, total[i])
			}
		}
	}
	for i, p := range pieces {
		r.op("MUL", p, operand.Mem{Base: r.weight[0], Disp: p.at * r.element}, total[i], total[i])
	}
	values := r.GP64()
	r.MOVQ(r.at(batchValues), values)
	to := operand.Mem{Base: values, Index: r.k, Scale: uint8(r.element)}
	r.store(piece{0, 1}, r.sumOf(total, pieces), to)
}

// spread: products first, then the sum with what a node holds, not fused.
func spread(r *rowKernel) {
	values := r.GP64()
	r.MOVQ(r.at(batchValues), values)
	value := r.broadcast(operand.Mem{Base: values, Index: r.k, Scale: uint8(r.element)})
	var line []reg.VecVirtual // value · w_x
	along := r.weightOf(0)
	for _, p := range r.pieces() {
		v := r.vector()
		r.op("MUL", p, operand.Mem{Base: along, Disp: p.at * r.element}, value, v)
		line = append(line, v)
	}
	if r.dim == 2 {
		r.addRows(r.x, line)
		return
	}
	r.overPlanes(func(plane reg.GPVirtual, wz reg.VecVirtual) {
		var scaled []reg.VecVirtual
		for i, p := range r.pieces() {
			v := r.vector()
			r.op("MUL", p, wz, line[i], v)
			scaled = append(scaled, v)
		}
		r.addRows(plane, scaled)
	})
}

// overPlanes is a loop over the planes From ≤ l < To of a support.
func (r *rowKernel) overPlanes(do func(plane reg.GPVirtual, wz reg.VecVirtual)) {
	from, n := r.GP64(), r.GP64()
	r.MOVQ(r.at(batchFrom), from)
	r.MOVLQSX(operand.Mem{Base: from, Index: r.k, Scale: 4}, from)
	r.MOVQ(r.at(batchTo), n)
	r.MOVLQSX(operand.Mem{Base: n, Index: r.k, Scale: 4}, n)
	r.SUBQ(from, n)
	r.JLE(operand.LabelRef("next"))
	r.LEAQ(operand.Mem{Base: r.planes, Index: from, Scale: 8}, r.planes)
	across := r.weightOf(2)
	r.LEAQ(operand.Mem{Base: across, Index: from, Scale: uint8(r.element)}, across)
	r.Label("plane")
	plane := r.GP64()
	r.MOVQ(operand.Mem{Base: r.planes}, plane)
	r.LEAQ(operand.Mem{Base: r.x, Index: plane, Scale: uint8(r.element)}, plane)
	do(plane, r.broadcast(operand.Mem{Base: across}))
	r.ADDQ(operand.U8(8), r.planes)
	r.ADDQ(operand.U8(r.element), across)
	r.DECQ(n)
	r.JNE(operand.LabelRef("plane"))
	r.Label("next")
}

// addRows adds what a row receives, times w_y, to the rows of a plane.
func (r *rowKernel) addRows(plane reg.GPVirtual, row []reg.VecVirtual) {
	for j := range r.support {
		for i, p := range r.pieces() {
			v := r.vector()
			r.op("MUL", p, r.wy[j], row[i], v)
			r.op("ADD", p, r.node(plane, j, p), v, v)
			r.store(p, v, r.node(plane, j, p))
		}
	}
}

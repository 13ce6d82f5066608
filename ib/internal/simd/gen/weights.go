package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// delta is how the weights of a delta are computed. c is ⌊x⌋, or ⌊x+½⌋ where the
// support is odd, so that it is centred on x; first the support's first node, c −
// below; and r is x − c.
type delta struct {
	name    string
	support int
	weights func(*lanes, vec) []vec // of the nodes first, first + 1, …
}

func (d delta) below() int { return (d.support - 1) / 2 }
func (d delta) odd() bool  { return d.support%2 == 1 }

// symbol as in weightsCosine4F64.
func (d delta) symbol(element int) string {
	return fmt.Sprintf("weights%s%sF%d", strings.ToUpper(d.name[:1]), d.name[1:], 8*element)
}

// Where the fields of simd.Axis lie, in bytes.
const (
	axisN       = 0
	axisX       = 8
	axisShift   = 32
	axisPeriod  = 40
	axisLast    = 48
	axisFirst   = 56
	axisWeight  = 80
	axisOutside = 104
)

// points is how many are worked on at a time, in float64.
const points = 4

// data are the constants of all kernels: vectors of equal numbers, and masks.
type data struct {
	*build.Context
	of   map[float64]operand.Mem
	mask operand.Mem
}

func newData(ctx *build.Context) *data {
	d := &data{Context: ctx, of: map[float64]operand.Mem{}}
	d.mask = d.global("tail")
	for i := range 2 * points {
		d.AddDatum(4*i, operand.I32(min(i, points)/points-1))
	}
	return d
}

func (d *data) global(name string) operand.Mem {
	m := d.StaticGlobal(name)
	d.DataAttributes(attr.RODATA | attr.NOPTR)
	return m
}

// constant is where a vector of x is.
func (d *data) constant(x float64) operand.Mem {
	m, ok := d.of[x]
	if !ok {
		m = d.global(fmt.Sprintf("f%016x", math.Float64bits(x)))
		for i := range points {
			d.AddDatum(8*i, operand.U64(math.Float64bits(x)))
		}
		d.of[x] = m
	}
	return m
}

// write adds the kernel of a delta to the file.
func (d delta) write(k *data, element int) {
	ctx := k.Context
	ctx.Function(d.symbol(element))
	ctx.Attributes(attr.NOSPLIT)
	ctx.SignatureExpr("func(a uintptr)")
	l := &lanes{k}
	a, x, to, weight, n := ctx.GP64(), ctx.GP64(), ctx.GP64(), ctx.GP64(), ctx.GP64()
	field := func(disp int) operand.Mem { return operand.Mem{Base: a, Disp: disp} }
	ctx.Load(ctx.Param("a"), a)
	ctx.MOVQ(field(axisN), n)
	ctx.MOVQ(field(axisX), x)
	ctx.MOVQ(field(axisFirst), to)
	ctx.MOVQ(field(axisWeight), weight)
	period, last, active, outside := ctx.XMM(), ctx.XMM(), ctx.XMM(), ctx.XMM()
	ctx.VPBROADCASTD(field(axisPeriod), period)
	ctx.VPBROADCASTD(field(axisLast), last)
	ctx.VPCMPEQD(active, active, active)
	ctx.VPXOR(outside, outside, outside)
	ctx.TESTQ(n, n)
	ctx.JLE(operand.LabelRef("done"))

	ctx.Label("next")
	r := ctx.YMM()
	ctx.CMPQ(n, operand.U8(points))
	ctx.JLT(operand.LabelRef("tail"))
	ctx.VMOVUPD(operand.Mem{Base: x}, r)
	ctx.Label("compute")
	shift, c := ctx.YMM(), ctx.YMM()
	ctx.VBROADCASTSD(field(axisShift), shift)
	ctx.VSUBPD(shift, r, r)
	const floor = operand.U8(9) // and no exception for being inexact
	if d.odd() {
		ctx.VADDPD(k.constant(0.5), r, c)
		ctx.VROUNDPD(floor, c, c)
	} else {
		ctx.VROUNDPD(floor, r, c)
	}
	ctx.VSUBPD(c, r, r)
	first := l.first(c, d.below(), period)
	ctx.VMOVDQU(first, operand.Mem{Base: to})
	beyond := ctx.XMM()
	ctx.VPCMPGTD(last, first, beyond)
	ctx.VPOR(first, beyond, beyond) // negative in the sign
	ctx.VPAND(active, beyond, beyond)
	ctx.VPOR(beyond, outside, outside)
	l.store(d.weights(l, r), operand.Mem{Base: weight}, element)
	ctx.ADDQ(operand.U32(8*points), x)
	ctx.ADDQ(operand.U32(4*points), to)
	ctx.ADDQ(operand.U32(stride(d.support)*element*points), weight)
	ctx.SUBQ(operand.U8(points), n)
	ctx.JG(operand.LabelRef("next"))

	ctx.Label("done")
	ctx.VMOVMSKPS(outside, n.As32())
	ctx.MOVQ(n, field(axisOutside))
	ctx.VZEROUPPER()
	ctx.RET()

	ctx.Label("tail") // the last points, fewer than fill a vector
	mask, wide := ctx.GP64(), ctx.YMM()
	ctx.LEAQ(k.mask, mask)
	ctx.NEGQ(n)
	ctx.VMOVDQU(operand.Mem{Base: mask, Index: n, Scale: 4, Disp: 4 * points}, active)
	ctx.NEGQ(n)
	ctx.VPMOVSXDQ(active, wide)
	ctx.VMASKMOVPD(operand.Mem{Base: x}, wide, r)
	ctx.JMP(operand.LabelRef("compute"))
}

// vec is a number of each of the points.
type vec = reg.VecVirtual

// lanes computes with them.
type lanes struct{ *data }

// first is c − below as integers, wrapped where there is a period.
func (l *lanes) first(c vec, below int, period reg.VecVirtual) reg.VecVirtual {
	first, mask := l.XMM(), l.XMM()
	l.VCVTTPD2DQY(c, first)
	if below > 0 {
		one := l.XMM()
		l.VPCMPEQD(one, one, one) // −1
		for range below {
			l.VPADDD(one, first, first)
		}
	}
	l.VPSRAD(operand.U8(31), first, mask)
	l.VPAND(period, mask, mask)
	l.VPADDD(mask, first, first)
	l.VPCMPGTD(first, period, mask) // period > first
	l.VPANDN(period, mask, mask)
	l.VPSUBD(mask, first, first)
	return first
}

// store stores the weights of each point in its place, and zeros behind them.
func (l *lanes) store(w []vec, to operand.Mem, element int) {
	places := stride(len(w))
	zero := l.YMM()
	if len(w) < places {
		l.VXORPD(zero, zero, zero)
	}
	for len(w) < places {
		w = append(w, zero)
	}
	for at := 0; at < places; at += points {
		for p, v := range l.transpose(w[at:][:points]) {
			m := to.Offset((p*places + at) * element)
			if element == 8 {
				l.VMOVUPD(v, m)
				continue
			}
			l.VCVTPD2PSY(v, v.AsX())
			l.VMOVUPS(v.AsX(), m)
		}
	}
}

// transpose turns four weights of four points into those of one point each.
func (l *lanes) transpose(w []vec) [points]vec {
	var half, out [points]vec
	for i := range half {
		half[i], out[i] = l.YMM(), l.YMM()
	}
	l.VUNPCKLPD(w[1], w[0], half[0]) // points 0 and 2
	l.VUNPCKHPD(w[1], w[0], half[1]) // points 1 and 3
	l.VUNPCKLPD(w[3], w[2], half[2])
	l.VUNPCKHPD(w[3], w[2], half[3])
	l.VPERM2F128(operand.U8(0x20), half[2], half[0], out[0])
	l.VPERM2F128(operand.U8(0x20), half[3], half[1], out[1])
	l.VPERM2F128(operand.U8(0x31), half[2], half[0], out[2])
	l.VPERM2F128(operand.U8(0x31), half[3], half[1], out[3])
	return out
}

// Arithmetic. Operands in memory are constants.

func (l *lanes) mul(a operand.Op, b vec) vec { return l.binary(l.VMULPD, a, b) }
func (l *lanes) add(a operand.Op, b vec) vec { return l.binary(l.VADDPD, a, b) }
func (l *lanes) min(a operand.Op, b vec) vec { return l.binary(l.VMINPD, a, b) }

// sub is a − b.
func (l *lanes) sub(a vec, b operand.Op) vec { return l.binary(l.VSUBPD, b, a) }

// from is a − b.
func (l *lanes) from(a float64, b vec) vec { return l.sub(l.broadcast(a), b) }

func (l *lanes) div(a, b vec) vec { return l.binary(l.VDIVPD, b, a) }

func (l *lanes) sqrt(a vec) vec {
	v := l.YMM()
	l.VSQRTPD(a, v)
	return v
}

func (l *lanes) binary(f func(...operand.Op), a operand.Op, b vec) vec {
	v := l.YMM()
	f(a, b, v)
	return v
}

func (l *lanes) broadcast(x float64) vec {
	v := l.YMM()
	l.VMOVUPD(l.constant(x), v)
	return v
}

// fma is a·b + c.
func (l *lanes) fma(a, b vec, c operand.Op) vec {
	v := l.YMM()
	l.VMOVAPD(a, v)
	l.VFMADD213PD(c, b, v)
	return v
}

// fnma is c − a·b.
func (l *lanes) fnma(a, b vec, c operand.Op) vec {
	v := l.YMM()
	l.VMOVAPD(a, v)
	l.VFNMADD213PD(c, b, v)
	return v
}

// polynomial is Σ c_i z^i.
func (l *lanes) polynomial(z vec, c ...float64) vec {
	v := l.broadcast(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		l.VFMADD213PD(l.constant(c[i]), z, v)
	}
	return v
}

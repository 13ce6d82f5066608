// Command gen writes the vector loop of package simd.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The numbers of simd.Law, four of each, in their order there.
const (
	inverseX = iota
	inverseY
	inverseZ
	sizeX
	sizeY
	sizeZ
	bound
	inverse
	most
	core
	threefold
	scale
	pressure
	one
)

// Predicates of VCMPPD, and the rounding of VROUNDPD to the nearest whole number without a sign of inexactness.
const (
	below   = 0x11 // less than, quiet
	above   = 0x1e // greater than, quiet
	nearest = 0x08
)

func main() {
	ConstraintExpr("amd64")
	forces()
	near()
	Generate()
}

func forces() {
	TEXT("forcesAVX2", NOSPLIT, "func(sites *float64, point, from, near *int32, out *float64, n int, law *float64)")
	Doc("forcesAVX2 is Forces of n points, four neighbours at a time; lists have whole fours.")
	Pragma("noescape")
	argument := func(name string) Register { return Load(Param(name), GP64()) }
	sites, points, starts, nears, to, left, law := argument("sites"), argument("point"), argument("from"), argument("near"), argument("out"), argument("n"), argument("law")
	constant := func(i int) Mem { return Mem{Base: law, Disp: 32 * i} }

	TESTQ(left, left)
	JZ(LabelRef("done"))
	Label("next")
	k, begin, end := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: points}, k)
	SHLQ(U8(5), k)
	MOVLQSX(Mem{Base: starts}, begin)
	MOVLQSX(Mem{Base: starts, Disp: 4}, end)
	var x [4]VecVirtual // of the point, and its area
	for a := range x {
		x[a] = YMM()
		VBROADCASTSD(Mem{Base: sites, Index: k, Scale: 1, Disp: 8 * a}, x[a])
	}
	sum, least := YMM(), YMM()
	VXORPD(sum, sum, sum)
	VMOVUPD(constant(bound), least)
	CMPQ(begin, end)
	JGE(LabelRef("store"))

	Label("four")
	var y [4]VecVirtual
	for i := range y {
		j := GP64()
		MOVLQSX(Mem{Base: nears, Index: begin, Scale: 4, Disp: 4 * i}, j)
		SHLQ(U8(5), j)
		y[i] = YMM()
		VMOVUPD(Mem{Base: sites, Index: j, Scale: 1}, y[i])
	}
	d := transposed(y)
	area := d[3]
	squared, t := YMM(), YMM()
	for a := range 3 {
		VSUBPD(d[a], x[a], d[a])
		VMULPD(constant(inverseX+a), d[a], t)
		VROUNDPD(U8(nearest), t, t)
		VMULPD(constant(sizeX+a), t, t)
		VSUBPD(t, d[a], d[a])
		if a == 0 {
			VMULPD(d[a], d[a], squared)
			continue
		}
		VMULPD(d[a], d[a], t)
		VADDPD(t, squared, squared)
	}
	acts, zero := YMM(), YMM()
	VXORPD(zero, zero, zero)
	VCMPPD(U8(below), constant(bound), squared, acts)
	VCMPPD(U8(above), zero, squared, t)
	VANDPD(t, acts, acts)
	VMOVUPD(constant(bound), t)
	VBLENDVPD(acts, squared, t, t)
	VMINPD(t, least, least)

	r, l, inv, f := YMM(), YMM(), YMM(), YMM()
	VSQRTPD(squared, r)
	VMULPD(constant(inverse), r, t)
	VMOVUPD(constant(one), l)
	VSUBPD(t, l, l)
	VMINPD(constant(most), l, l)
	VMAXPD(constant(core), r, t)
	VMOVUPD(constant(one), inv)
	VDIVPD(t, inv, inv)
	VMULPD(l, l, f)
	VMULPD(inv, l, t)
	VADDPD(constant(threefold), t, t)
	VMULPD(t, f, f)
	VMULPD(inv, f, f)
	VMULPD(constant(scale), f, f)
	VMULPD(constant(pressure), f, f)
	VMULPD(area, x[3], area)
	VMULPD(area, f, f)
	VDIVPD(r, f, f)
	VANDPD(acts, f, f)
	for a := range 3 {
		VMULPD(f, d[a], d[a])
	}
	none := YMM() // zero is not kept: there are 16 registers
	VXORPD(none, none, none)
	for _, one := range transposed([4]VecVirtual{d[0], d[1], d[2], none}) { // one after the other, as lists have them
		VADDPD(one, sum, sum)
	}
	ADDQ(U8(4), begin)
	CMPQ(begin, end)
	JLT(LabelRef("four"))

	Label("store")
	VMOVUPD(sum, Mem{Base: to})
	a, b := least.AsX(), XMM()
	VEXTRACTF128(U8(1), least, b)
	VMINPD(b, a, a)
	VPERMILPD(U8(1), a, b)
	VMINSD(b, a, a)
	VMOVSD(a, Mem{Base: to, Disp: 24})
	ADDQ(U8(32), to)
	ADDQ(U8(4), points)
	ADDQ(U8(4), starts)
	DECQ(left)
	JNZ(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}

// transposed is four vectors as the columns of a matrix, of which v are the rows.
func transposed(v [4]VecVirtual) (w [4]VecVirtual) {
	var t [4]VecVirtual
	for i := range t {
		t[i], w[i] = YMM(), YMM()
	}
	VUNPCKLPD(v[1], v[0], t[0])
	VUNPCKHPD(v[1], v[0], t[1])
	VUNPCKLPD(v[3], v[2], t[2])
	VUNPCKHPD(v[3], v[2], t[3])
	VPERM2F128(U8(0x20), t[2], t[0], w[0])
	VPERM2F128(U8(0x20), t[3], t[1], w[1])
	VPERM2F128(U8(0x31), t[2], t[0], w[2])
	VPERM2F128(U8(0x31), t[3], t[1], w[3])
	return w
}

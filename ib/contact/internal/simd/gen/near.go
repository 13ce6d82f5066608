package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The numbers of simd.Query in their order there, of 8 bytes, and then two of 4.
const (
	queryAt      = 0
	queryInverse = 24
	querySize    = 48
	queryBase    = 72
	querySelf    = 80
	queryMost    = 84
)

// The numbers of simd.Block in their order there, of 4 bytes.
const (
	blockLo   = 0
	blockHi   = 4 * 27
	blockOnly = 2 * 4 * 27
)

// near searches blocks eight members at a time.
func near() {
	TEXT("nearAVX512", NOSPLIT, "func(x, y, z, offset *float64, point, of *int32, block *int32, runs int, query *float64, out *int32) int")
	Doc("nearAVX512 stores the points of those members of the runs of a block in out that are near, and returns how many they are. It reads and writes up to seven beyond.")
	Pragma("noescape")
	argument := func(name string) Register { return Load(Param(name), GP64()) }
	var at [3]Register
	for a, name := range []string{"x", "y", "z"} {
		at[a] = argument(name)
	}
	offset, point, of, block, query, out := argument("offset"), argument("point"), argument("of"), argument("block"), argument("query"), argument("out")
	number := func(disp int) VecVirtual {
		v := ZMM()
		VBROADCASTSD(Mem{Base: query, Disp: disp}, v)
		return v
	}
	var x, inverse, size [3]VecVirtual
	for a := range x {
		x[a], inverse[a], size[a] = number(queryAt+8*a), number(queryInverse+8*a), number(querySize+8*a)
	}
	base, self, most := number(queryBase), YMM(), YMM()
	VPBROADCASTD(Mem{Base: query, Disp: querySelf}, self)
	VPBROADCASTD(Mem{Base: query, Disp: queryMost}, most)
	own, run, first := GP32(), GP64(), GP64()
	MOVL(Mem{Base: query, Disp: querySelf}, own)
	XORQ(run, run)
	MOVQ(out, first)

	Label("run")
	CMPQ(run, NewParamAddr("runs", 56))
	JGE(LabelRef("done"))
	i, left := GP64(), GP64()
	MOVLQSX(Mem{Base: block, Index: run, Scale: 4, Disp: blockLo}, i)
	MOVLQSX(Mem{Base: block, Index: run, Scale: 4, Disp: blockHi}, left)
	SUBQ(i, left)
	INCQ(run)
	CMPL(own, Mem{Base: block, Index: run, Scale: 4, Disp: blockOnly - 4})
	JEQ(LabelRef("run"))

	Label("eight")
	TESTQ(left, left)
	JLE(LabelRef("run"))
	here := K() // those before the end of the run
	count, bits := GP64(), GP64()
	MOVQ(left, count)
	eight := GP64()
	MOVQ(U32(8), eight)
	CMPQ(count, eight)
	CMOVQGT(eight, count)
	MOVQ(I32(-1), bits)
	BZHIQ(count, bits, bits)
	KMOVB(bits.As32(), here)

	squared, reach := ZMM(), ZMM()
	for a := range x {
		d, images := ZMM(), ZMM()
		VSUBPD(Mem{Base: at[a], Index: i, Scale: 8}, x[a], d)
		VMULPD(inverse[a], d, images)
		VRNDSCALEPD(U8(nearest), images, images)
		VMULPD(size[a], images, images)
		VSUBPD(images, d, d)
		if a == 0 {
			VMULPD(d, d, squared)
		} else {
			VMULPD(d, d, d)
			VADDPD(d, squared, squared)
		}
	}
	VADDPD(Mem{Base: offset, Index: i, Scale: 8}, base, reach)
	VMULPD(reach, reach, reach)
	surface, chosen := YMM(), YMM()
	VMOVDQU32(Mem{Base: of, Index: i, Scale: 4}, surface)
	VMOVDQU32(Mem{Base: point, Index: i, Scale: 4}, chosen)
	near := K()
	VCMPPD(U8(below), reach, squared, here, near)
	VPCMPD(U8(4), self, surface, near, near) // of another surface
	VPCMPD(U8(2), most, surface, near, near) // not beyond the most
	VPCOMPRESSD_Z(chosen, near, chosen)      // to memory it would be slow
	VMOVDQU32(chosen, Mem{Base: out})
	KMOVB(near, bits.As32())
	POPCNTL(bits.As32(), bits.As32())
	LEAQ(Mem{Base: out, Index: bits, Scale: 4}, out)
	ADDQ(U8(8), i)
	SUBQ(U8(8), left)
	JMP(LabelRef("eight"))

	Label("done")
	SUBQ(first, out)
	SHRQ(U8(2), out)
	Store(out, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Registers of a kernel.
var (
	gpDst       = reg.RDI // table of destinations
	gpSrc       = reg.RSI // table of sources
	gpCount     = reg.RCX // cache lines to go
	gpConstants = reg.RDX
	gpOffset    = reg.RAX // from the first node, in bytes
	gpPrefetch  = reg.RBX // gpOffset + ahead
	gpPointer   = reg.R8  // of the population at hand
)

// kernel is one routine.
type kernel struct {
	*target
	lattice *lattice
	trt     bool
}

func (k *kernel) op() string {
	if k.trt {
		return "trt"
	}
	return "bgk"
}

// name as in trtD3Q19F32AVX2Stream.
func (k *kernel) name() string {
	n := k.op() + k.lattice.name + strings.ToUpper(k.store+k.isa)
	if k.stream {
		n += "Stream"
	}
	return n
}

// float is the Go type that the kernel computes in.
func (k *kernel) float() string { return map[int]string{8: "float64", 4: "float32"}[k.element] }

const parameters = "dst, src *[19]unsafe.Pointer, vectors int, c *constants[%s], ahead int"

// write adds the kernel to the file: a loop that prefetches and one that does not.
func (k *kernel) write(ctx *build.Context) error {
	c := collision{program: &program{}, lattice: k.lattice, trt: k.trt, scaled: k.half(), keep: k.keeps()}
	c.body(k.parts(), k.stream)
	before, loop, slots, err := emit(k.target, c.program, constantFields)
	if err != nil {
		return fmt.Errorf("%s: %w", k.name(), err)
	}
	ctx.Function(k.name())
	ctx.Attributes(attr.NOSPLIT)
	ctx.SignatureExpr("func(dst, src *[19]uintptr, vectors int, c *float64, ahead int)")
	if slots > 0 {
		ctx.AllocLocal(slots * k.width)
		ctx.Attributes(0)
	}
	for _, p := range []struct {
		name string
		r    reg.GPPhysical
	}{{"dst", gpDst}, {"src", gpSrc}, {"vectors", gpCount}, {"c", gpConstants}, {"ahead", gpPrefetch}} {
		ctx.Load(ctx.Param(p.name), p.r)
	}
	ctx.XORQ(gpOffset, gpOffset)
	ctx.TESTQ(gpCount, gpCount)
	ctx.JLE(operand.LabelRef("done"))
	add(ctx, before)
	ctx.TESTQ(gpPrefetch, gpPrefetch)
	ctx.JEQ(operand.LabelRef("plain"))

	ctx.Label("ahead")
	for i := range k.lattice.q() {
		ctx.MOVQ(operand.Mem{Base: gpSrc, Disp: 8 * i}, gpPointer)
		ctx.PREFETCHT0(operand.Mem{Base: gpPointer, Index: gpPrefetch, Scale: 1})
	}
	add(ctx, loop)
	ctx.ADDQ(operand.U32(lineBytes), gpPrefetch)
	ctx.ADDQ(operand.U32(lineBytes), gpOffset)
	ctx.DECQ(gpCount)
	ctx.JNE(operand.LabelRef("ahead"))
	ctx.JMP(operand.LabelRef("finish"))

	ctx.Label("plain")
	add(ctx, loop)
	ctx.ADDQ(operand.U32(lineBytes), gpOffset)
	ctx.DECQ(gpCount)
	ctx.JNE(operand.LabelRef("plain"))

	ctx.Label("finish")
	if k.stream {
		ctx.SFENCE() // before whoever is told that the row is done reads it
	}
	ctx.Label("done")
	ctx.VZEROUPPER()
	ctx.RET()
	return nil
}

// keeps tells whether all populations stay in registers.
func (k *kernel) keeps() bool {
	return k.isa == "avx512" && (!k.stream || k.parts() == 1)
}

func add(ctx *build.Context, code []*ir.Instruction) {
	for _, i := range code {
		c := *i // passes change instructions
		c.Operands = append([]operand.Op(nil), i.Operands...)
		ctx.Instruction(&c)
	}
}

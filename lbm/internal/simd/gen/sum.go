package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

// Registers of a kernel of sums, beside those of others.
var (
	gpSum   = reg.RBX // the sum at hand,
	gpTo    = reg.RDI // where it goes,
	gpBytes = reg.RDX // how many bytes it has,
	gpTerms = reg.RSI // and its terms
	gpTerm  = reg.R9  // the term at hand,
	gpLeft  = reg.R10 // how many are left with it,
	gpFrom  = reg.R11 // where its values are
)

// Layout of simd.Sum and simd.Term in memory, in bytes.
const (
	sumN       = 8
	sumTerms   = 16
	sumCount   = 24
	sumBytes   = 32
	termWeight = 8
	termBytes  = 16
)

// sumKernel is a routine that makes sums.
type sumKernel struct{ *target }

// name as in sumsF64AVX2.
func (k *sumKernel) name() string { return "sums" + strings.ToUpper(k.store+k.isa) }

func (k *sumKernel) float() string { return map[int]string{8: "float64", 4: "float32"}[k.element] }

func (k *sumKernel) parameters(string) string { return "sums *Sum, n int" }

// write adds the kernel to the file: a loop over sums, in it one over vectors, then what is left of one: with AVX-512 masked, else value by value.
func (k *sumKernel) write(ctx *build.Context) (err error) {
	defer recovered(k.name(), &err)
	ctx.Function(k.name())
	ctx.SignatureExpr("func(sums *uint64, n int)")
	loadParameters(ctx, parameter{"sums", gpSum}, parameter{"n", gpCount})
	ctx.TESTQ(gpCount, gpCount)
	ctx.JLE(operand.LabelRef("done"))
	mode := flushSubnormals(ctx)

	ctx.Label("sum")
	ctx.MOVQ(operand.Mem{Base: gpSum}, gpTo)
	ctx.MOVQ(operand.Mem{Base: gpSum, Disp: sumN}, gpBytes)
	ctx.MOVQ(operand.Mem{Base: gpSum, Disp: sumTerms}, gpTerms)
	ctx.SHLQ(operand.U8(map[int]uint8{8: 3, 4: 2}[k.element]), gpBytes)
	ctx.XORQ(gpOffset, gpOffset)

	ctx.Label("vector")
	ctx.LEAQ(operand.Mem{Base: gpOffset, Disp: k.width}, gpPointer)
	ctx.CMPQ(gpPointer, gpBytes)
	ctx.JGT(operand.LabelRef("rest"))
	k.terms(ctx, "whole", k.vector)
	ctx.ADDQ(operand.U32(k.width), gpOffset)
	ctx.JMP(operand.LabelRef("vector"))

	ctx.Label("rest")
	ctx.CMPQ(gpOffset, gpBytes)
	ctx.JGE(operand.LabelRef("next"))
	if k.isa == "avx512" {
		k.loadMask(ctx)
		k.terms(ctx, "masked", k.maskedVector)
	} else {
		k.terms(ctx, "single", k.scalar)
		ctx.ADDQ(operand.U32(k.element), gpOffset)
		ctx.JMP(operand.LabelRef("rest"))
	}

	ctx.Label("next")
	ctx.ADDQ(operand.U32(sumBytes), gpSum)
	ctx.DECQ(gpCount)
	ctx.JNE(operand.LabelRef("sum"))
	end(ctx, mode)
	return nil
}

// loadMask makes the mask of the values that fill no vector.
func (k *sumKernel) loadMask(ctx *build.Context) {
	ctx.MOVQ(gpBytes, gpPointer)
	ctx.SUBQ(gpOffset, gpPointer)
	ctx.SHRQ(operand.U8(map[int]uint8{8: 3, 4: 2}[k.element]), gpPointer)
	ctx.MOVQ(operand.I32(-1), gpFrom)
	ctx.BZHIQ(gpPointer, gpFrom, gpFrom)
	ctx.KMOVW(gpFrom.As32(), maskK)
}

// terms is a loop over the terms of a piece, a vector or less: part has the instructions that add one, and that store the sum.
func (k *sumKernel) terms(ctx *build.Context, label string, part func() (addOne, store instructions)) {
	addOne, store := part()
	zero := reg.X0
	ctx.VXORPD(zero, zero, zero)
	ctx.MOVQ(gpTerms, gpTerm)
	ctx.MOVQ(operand.Mem{Base: gpSum, Disp: sumCount}, gpLeft)
	ctx.TESTQ(gpLeft, gpLeft)
	ctx.JEQ(operand.LabelRef(label + "Stored"))
	ctx.Label(label)
	ctx.MOVQ(operand.Mem{Base: gpTerm}, gpFrom)
	add(ctx, addOne)
	ctx.ADDQ(operand.U32(termBytes), gpTerm)
	ctx.DECQ(gpLeft)
	ctx.JNE(operand.LabelRef(label))
	ctx.Label(label + "Stored")
	add(ctx, store)
}

// Where the values of a piece are, and its weight.
var (
	sumFrom   = operand.Mem{Base: gpFrom, Index: gpOffset, Scale: 1}
	sumTo     = operand.Mem{Base: gpTo, Index: gpOffset, Scale: 1}
	sumWeight = operand.Mem{Base: gpTerm, Disp: termWeight}
)

func (k *sumKernel) vector() (addOne, store instructions) {
	sum, weight := k.register(0), k.register(1)
	addOne.out(k.forms.bcast, sumWeight, weight)
	addOne.out(k.forms.fmadd.f231.plain, sumFrom, weight, sum)
	store.out(k.forms.load, sum, sumTo)
	return addOne, store
}

func (k *sumKernel) maskedVector() (addOne, store instructions) {
	sum, weight, from := k.register(0), k.register(1), k.register(2)
	addOne.out(k.forms.bcast, sumWeight, weight)
	addOne.out(k.forms.zeroing, sumFrom, maskK, from)
	addOne.out(k.forms.fmadd.f231.plain, from, weight, sum)
	store.out(k.forms.load, sum, maskK, sumTo)
	return addOne, store
}

func (k *sumKernel) scalar() (addOne, store instructions) {
	move, fmadd := x86.VMOVSD, x86.VFMADD231SD
	if k.element == 4 {
		move, fmadd = x86.VMOVSS, x86.VFMADD231SS
	}
	addOne.out(move, sumWeight, reg.X1)
	addOne.out(fmadd, sumFrom, reg.X1, reg.X0)
	store.out(move, reg.X0, sumTo)
	return addOne, store
}

// sumKernelsOf are the kernels of sums of an instruction set.
func sumKernelsOf(isa string) (ks []*sumKernel) {
	for _, store := range []string{"f64", "f32"} {
		ks = append(ks, &sumKernel{newTarget(isa, store, false)})
	}
	return ks
}

// sumDeclarations is the file of the kernels of sums.
func sumDeclarations(ks []*sumKernel) ([]byte, error) {
	return goFile("// sumKernels are all kernels of sums, by instruction set and precision.\nvar sumKernels = map[[2]string]func(sums []Sum){\n", ks, func(b *bytes.Buffer, k *sumKernel) {
		fmt.Fprintf(b, "{%q, %q}: func(sums []Sum) { %s(unsafe.SliceData(sums), len(sums)) },\n", k.isa, k.store, k.name())
	})
}

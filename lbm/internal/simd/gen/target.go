package main

import (
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

// target is an instruction set with an element type.
type target struct {
	isa     string // "avx512", "avx2"
	store   string // "f64", "f32", "f16"
	stream  bool
	width   int  // bytes of a register
	element int  // bytes of an element in a register
	stored  int  // bytes of an element in memory
	fields  bool // a force density acts, and moments are stored
	spans   bool // of nodes: some lanes may not be theirs
	forms   forms
}

func newTarget(isa, store string, stream bool) *target {
	t := &target{isa: isa, store: store, stream: stream, width: 64, element: 4, stored: 4, forms: single}
	if isa == "avx2" {
		t.width = 32
	}
	switch store {
	case "f64":
		t.element, t.stored, t.forms = 8, 8, double
	case "f16":
		t.stored = 2
	}
	return t
}

// lineBytes of each population are processed at a time: every address is then
// prefetched, and written by streaming stores, exactly once.
const lineBytes = 64

func (t *target) half() bool     { return t.store == "f16" }
func (t *target) partBytes() int { return t.width / t.element * t.stored } // of one vector in memory
func (t *target) parts() int     { return lineBytes / t.partBytes() }

// registers is how many there are for values.
func (t *target) registers() int {
	n := map[string]int{"avx512": 32, "avx2": 16}[t.isa]
	if t.spans && t.isa == "avx2" {
		n-- // the mask's
	}
	return n
}

// mask is the register of the lanes that are a span's, with AVX2.
func (t *target) mask() operand.Op { return t.register(t.registers()) }

// staged kernels collect a cache line of results before they stream it: parts of
// a line that are streamed one by one would leave for memory one by one.
func (t *target) staged() bool { return t.stream && t.parts() > 1 }

func (t *target) register(i int) operand.Op {
	spec := map[int]reg.Spec{32: reg.S256, 64: reg.S512}[t.width]
	return reg.FamilyOfKind(reg.KindVector).Lookup(reg.Index(i), spec)
}

type (
	instruction = func(...operand.Op) (*ir.Instruction, error)
	// form is an instruction with and without a broadcast memory operand.
	form struct{ plain, broadcast instruction }
)

// fused are the three orders of a fused operation: which operand is overwritten,
// and which may be in memory.
type fused struct{ f132, f213, f231 form }

// forms are the instructions for an element type.
type forms struct {
	add, sub, mul, div     form
	fmadd, fmsub, fnmadd   fused
	move, load, bcast, nts instruction
	sqrt                   instruction
	max, min               form
	shift, gather, equal   instruction // of bits to the right; of elements of a table; all bits, of a register and itself
	zeroing, masked        instruction // lanes of a mask: loads with AVX-512, loads and stores with AVX2
}

// general makes an instruction of two operands one of any number.
func general(f func(a, b operand.Op) (*ir.Instruction, error)) instruction {
	return func(ops ...operand.Op) (*ir.Instruction, error) { return f(ops[0], ops[1]) }
}

// three is general for three operands.
func three(f func(a, b, c operand.Op) (*ir.Instruction, error)) instruction {
	return func(ops ...operand.Op) (*ir.Instruction, error) { return f(ops[0], ops[1], ops[2]) }
}

var double = forms{
	add: form{x86.VADDPD, x86.VADDPD_BCST}, sub: form{x86.VSUBPD, x86.VSUBPD_BCST},
	mul: form{x86.VMULPD, x86.VMULPD_BCST}, div: form{x86.VDIVPD, x86.VDIVPD_BCST},
	fmadd: fused{form{x86.VFMADD132PD, x86.VFMADD132PD_BCST},
		form{x86.VFMADD213PD, x86.VFMADD213PD_BCST}, form{x86.VFMADD231PD, x86.VFMADD231PD_BCST}},
	fmsub: fused{form{x86.VFMSUB132PD, x86.VFMSUB132PD_BCST},
		form{x86.VFMSUB213PD, x86.VFMSUB213PD_BCST}, form{x86.VFMSUB231PD, x86.VFMSUB231PD_BCST}},
	fnmadd: fused{form{x86.VFNMADD132PD, x86.VFNMADD132PD_BCST},
		form{x86.VFNMADD213PD, x86.VFNMADD213PD_BCST}, form{x86.VFNMADD231PD, x86.VFNMADD231PD_BCST}},
	move: x86.VMOVAPD, load: x86.VMOVUPD, bcast: x86.VBROADCASTSD, nts: general(x86.VMOVNTPD), sqrt: x86.VSQRTPD,
	max: form{x86.VMAXPD, x86.VMAXPD_BCST}, min: form{x86.VMINPD, x86.VMINPD_BCST},
	shift: x86.VPSRLQ, gather: three(x86.VGATHERQPD), equal: x86.VPCMPEQD,
	zeroing: three(x86.VMOVUPD_Z), masked: three(x86.VMASKMOVPD),
}

var single = forms{
	add: form{x86.VADDPS, x86.VADDPS_BCST}, sub: form{x86.VSUBPS, x86.VSUBPS_BCST},
	mul: form{x86.VMULPS, x86.VMULPS_BCST}, div: form{x86.VDIVPS, x86.VDIVPS_BCST},
	fmadd: fused{form{x86.VFMADD132PS, x86.VFMADD132PS_BCST},
		form{x86.VFMADD213PS, x86.VFMADD213PS_BCST}, form{x86.VFMADD231PS, x86.VFMADD231PS_BCST}},
	fmsub: fused{form{x86.VFMSUB132PS, x86.VFMSUB132PS_BCST},
		form{x86.VFMSUB213PS, x86.VFMSUB213PS_BCST}, form{x86.VFMSUB231PS, x86.VFMSUB231PS_BCST}},
	fnmadd: fused{form{x86.VFNMADD132PS, x86.VFNMADD132PS_BCST},
		form{x86.VFNMADD213PS, x86.VFNMADD213PS_BCST}, form{x86.VFNMADD231PS, x86.VFNMADD231PS_BCST}},
	move: x86.VMOVAPS, load: x86.VMOVUPS, bcast: x86.VBROADCASTSS, nts: general(x86.VMOVNTPS), sqrt: x86.VSQRTPS,
	max: form{x86.VMAXPS, x86.VMAXPS_BCST}, min: form{x86.VMINPS, x86.VMINPS_BCST},
	shift: x86.VPSRLD, gather: three(x86.VGATHERDPS), equal: x86.VPCMPEQD,
	zeroing: three(x86.VMOVUPS_Z), masked: three(x86.VMASKMOVPS),
}

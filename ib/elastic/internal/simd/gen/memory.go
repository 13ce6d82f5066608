package main

import (
	"math"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lbmib/ib/elastic/internal/simd/layout"
)

const (
	element = 8                         // bytes
	row     = element * layout.Lanes    // of a number of all lanes
	facet   = element * layout.FacetLen // of a triangle in Block.Facet
)

// Registers of a kernel; those of the block and of what the loop goes over are always the same.
var (
	gpBlock  = reg.RAX
	gpTable  = reg.RBX // Triangle, Hinge, Fan or H0
	gpX      = reg.RCX
	gpU      = reg.RDX
	gpF      = reg.RSI
	gpFacet  = reg.RDI
	gpVertex = reg.R8
	gpEdge   = reg.R9
	gpOwn    = reg.RDX // no kernel needs it and U
	gpCorner = [3]reg.GPPhysical{reg.R10, reg.R11, reg.R12}
	gpSide   = [3]reg.GPPhysical{reg.R13, reg.R14, reg.R15}
	gpFan    = [2]reg.GPPhysical{reg.R8, reg.R9} // Of and Onto
	gpAround = [6]reg.GPPhysical{reg.R10, reg.R11, reg.R12, reg.R13, reg.R14, reg.R15}
	gpEnds   = [4]reg.GPPhysical{reg.R10, reg.R11, reg.R12, reg.R13} // of a hinge: A, B, Left, Right
)

var (
	block    layout.Block
	triangle layout.Triangle
	hinge    layout.Hinge
	fan      layout.Fan
)

// field is one of the block's.
func field(offset uintptr) operand.Mem { return operand.Mem{Base: gpBlock, Disp: int(offset)} }

// number is one of the table's row at hand.
func number(offset uintptr) operand.Mem { return operand.Mem{Base: gpTable, Disp: int(offset)} }

// indexed is number k of a vertex, facet or edge that begins at index.
func indexed(base, index reg.GPPhysical, k int) operand.Mem {
	return operand.Mem{Base: base, Index: index, Scale: element, Disp: row * k}
}

// at is number k from base on.
func at(base reg.GPPhysical, k int) operand.Mem { return operand.Mem{Base: base, Disp: row * k} }

// components loads three numbers.
func (p *program) components(m operand.Mem) (v vector) {
	for a := range v {
		v[a] = p.lanes(m)
		m.Disp += row
	}
	return v
}

// accumulate adds v to what is in memory.
func (p *program) accumulate(v *value, m operand.Mem) { p.store(p.add(v, p.lanes(m)), m) }

// uniform is one of the block's numbers of all lanes.
func (p *program) uniform(offset uintptr) *value { return p.lanes(field(offset)) }

// constants are the numbers that kernels need, and masks. The polynomial is that of hinge.go.
var constants = []struct {
	name string
	bits uint64
}{
	{"zero", 0},
	{"one", math.Float64bits(1)},
	{"two", math.Float64bits(2)},
	{"half", math.Float64bits(0.5)},
	{"quarter", math.Float64bits(0.25)},
	{"eighth", math.Float64bits(0.125)},
	{"sixth", math.Float64bits(1. / 6)},
	{"minusTwoThirds", math.Float64bits(-2. / 3)},
	{"sign", 1 << 63},
	{"magnitude", 1<<63 - 1},
	{"eighthTurn", math.Float64bits(math.Pi / 4)},
	{"quarterTurn", math.Float64bits(math.Pi / 2)},
	{"arctan0", math.Float64bits(-0.33333333333328617)},
	{"arctan1", math.Float64bits(0.19999999998889239)},
	{"arctan2", math.Float64bits(-0.14285714183511316)},
	{"arctan3", math.Float64bits(0.11111106276133608)},
	{"arctan4", math.Float64bits(-0.090907751501558370)},
	{"arctan5", math.Float64bits(0.076899809126164406)},
	{"arctan6", math.Float64bits(-0.066404581633607652)},
	{"arctan7", math.Float64bits(0.056894577984461201)},
	{"arctan8", math.Float64bits(-0.043510871743516768)},
	{"arctan9", math.Float64bits(0.021170692825017133)},
}

const constantsName = "constants"

func constantAt(name string) operand.Mem {
	for k, c := range constants {
		if c.name == name {
			return operand.NewDataAddr(operand.NewStaticSymbol(constantsName), row*k)
		}
	}
	panic("there is no constant " + name)
}

// writeConstants puts the constants into the file, each for all lanes.
func writeConstants() {
	build.GLOBL(constantsName, rodata)
	for k, c := range constants {
		for l := range layout.Lanes {
			build.DATA(row*k+element*l, operand.U64(c.bits))
		}
	}
}

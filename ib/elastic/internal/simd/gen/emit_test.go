package main

import (
	"fmt"
	"hash/maphash"
	"math"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lbmib/ib/elastic/internal/simd/layout"
)

// The instructions of every kernel, carried out one by one, do for every lane what its
// description says, to the bit, on processors that this one need not be.
func TestInstructionsDoWhatIsDescribed(t *testing.T) {
	for _, k := range kernels() {
		want := newMachine(0)
		for shift := 0; shift < row; shift += element {
			want.describe(k.program(), shift)
		}
		if len(want.stored) == 0 {
			t.Errorf("%s stores nothing", k.name)
		}
		for _, target := range targets {
			got := newMachine(target.width / element)
			for shift := 0; shift < row; shift += target.width {
				code, _ := emit(target, k.program(), shift)
				for _, i := range code {
					got.carryOut(t, i)
				}
			}
			if len(got.stored) != len(want.stored) {
				t.Errorf("%s%s stores %d numbers, want %d", k.name, target.name, len(got.stored), len(want.stored))
			}
			for at, bits := range want.stored {
				if got.stored[at] != bits {
					t.Errorf("%s%s stores %g at %s, want %g", k.name, target.name, math.Float64frombits(got.stored[at]), at, math.Float64frombits(bits))
					break
				}
			}
		}
	}
}

// What registers cannot hold goes to the stack and back: little of it.
func TestKernelsFitTheRegisters(t *testing.T) {
	for _, k := range kernels() {
		for _, target := range targets {
			_, slots := emit(target, k.program(), 0)
			most := 10
			if target.registers == 32 {
				most = 0
			}
			if slots > most {
				t.Errorf("%s%s needs %d places on the stack, bound %d", k.name, target.name, slots, most)
			}
		}
	}
}

// machine carries instructions out. Memory that nothing has been stored to has random
// numbers between 1/2 and 3/2.
type machine struct {
	lanes     int
	registers [32][layout.Lanes]uint64
	stored    map[string]uint64
	stack     map[string]uint64
}

func newMachine(lanes int) *machine {
	return &machine{lanes: lanes, stored: map[string]uint64{}, stack: map[string]uint64{}}
}

var seed = maphash.MakeSeed()

// place names 8 bytes of memory.
func place(m operand.Mem, shift int) string {
	m.Disp += shift
	return m.Asm()
}

func isStack(m operand.Mem) bool { return m.Base == reg.StackPointer }

func (c *machine) load(m operand.Mem, shift int) uint64 {
	if m.Symbol.Name == constantsName {
		return constants[(m.Disp+shift)/row].bits
	}
	at := place(m, shift)
	if isStack(m) {
		return c.stack[at]
	}
	if bits, ok := c.stored[at]; ok {
		return bits
	}
	return math.Float64bits(0.5 + float64(maphash.String(seed, at)>>11)/(1<<53))
}

func (c *machine) store(m operand.Mem, shift int, bits uint64) {
	if isStack(m) {
		c.stack[place(m, shift)] = bits
		return
	}
	c.stored[place(m, shift)] = bits
}

// carryOut is for one instruction of the assembler's order: operands from the last source to the destination.
func (c *machine) carryOut(t *testing.T, i *ir.Instruction) {
	ops := i.Operands
	to := ops[len(ops)-1]
	var result [layout.Lanes]uint64
	for l := range c.lanes {
		read := func(k int) float64 {
			switch o := ops[k].(type) {
			case reg.VecPhysical:
				return math.Float64frombits(c.registers[o.PhysicalIndex()][l])
			case operand.Mem:
				shift := element * l
				if i.Opcode == "VBROADCASTSD" {
					shift = 0
				}
				return math.Float64frombits(c.load(o, shift))
			}
			t.Fatalf("operand %v of %s", ops[k], i.Opcode)
			return 0
		}
		var v float64
		switch op := i.Opcode; {
		case op == "VMOVUPD", op == "VMOVAPD", op == "VBROADCASTSD":
			v = read(0)
		case op == "VSQRTPD":
			v = math.Sqrt(read(0))
		case strings.HasPrefix(op, "VF"):
			c3, b2, a1 := read(0), read(1), read(2) // as Intel's manual numbers them: 1 is the destination
			x, y, z := a1, c3, b2                   // 132
			switch {
			case strings.Contains(op, "213"):
				x, y, z = b2, a1, c3
			case strings.Contains(op, "231"):
				x, y, z = b2, c3, a1
			}
			if strings.HasPrefix(op, "VFNMADD") {
				x = -x
			} else if strings.HasPrefix(op, "VFMSUB") {
				z = -z
			}
			v = math.FMA(x, y, z)
		default:
			code, ok := map[string]opcode{"VADDPD": opAdd, "VSUBPD": opSub, "VMULPD": opMul, "VDIVPD": opDiv,
				"VMINPD": opMin, "VMAXPD": opMax, "VANDPD": opAnd, "VXORPD": opXor}[op]
			if !ok {
				t.Fatalf("instruction %s is not known", op)
			}
			v = binary(code, read(1), read(0))
		}
		result[l] = math.Float64bits(v)
	}
	for l := range c.lanes {
		switch o := to.(type) {
		case reg.VecPhysical:
			c.registers[o.PhysicalIndex()][l] = result[l]
		case operand.Mem:
			c.store(o, element*l, result[l])
		}
	}
}

func binary(op opcode, a, b float64) float64 {
	switch op {
	case opAdd:
		return a + b
	case opSub:
		return a - b
	case opMul:
		return a * b
	case opDiv:
		return a / b
	case opMin:
		return min(a, b)
	case opMax:
		return max(a, b)
	case opAnd:
		return math.Float64frombits(math.Float64bits(a) & math.Float64bits(b))
	case opXor:
		return math.Float64frombits(math.Float64bits(a) ^ math.Float64bits(b))
	}
	panic(fmt.Sprintf("operation %d has not two operands", op))
}

// describe does what a program says, for the lane at shift.
func (c *machine) describe(p *program, shift int) {
	values := map[*value]float64{}
	of := func(v *value) float64 {
		switch v.op {
		case opLanes:
			return math.Float64frombits(c.load(v.mem, shift))
		case opScalar, opConst:
			return math.Float64frombits(c.load(v.mem, 0))
		}
		return values[v]
	}
	for _, v := range p.code {
		a := of(v.args[0])
		switch v.op {
		case opStore:
			c.store(v.mem, shift, math.Float64bits(a))
		case opSqrt:
			values[v] = math.Sqrt(a)
		case opFMA:
			values[v] = math.FMA(a, of(v.args[1]), of(v.args[2]))
		case opFMS:
			values[v] = math.FMA(a, of(v.args[1]), -of(v.args[2]))
		case opFNMA:
			values[v] = math.FMA(-a, of(v.args[1]), of(v.args[2]))
		default:
			values[v] = binary(v.op, a, of(v.args[1]))
		}
	}
}

package main

import "github.com/mmcloughlin/avo/operand"

// opcode is what a value is made by.
type opcode int

const (
	opLanes  opcode = iota // a number of all lanes from memory
	opScalar               // a number from memory for all lanes
	opConst                // a number of constants
	opAdd                  // a + b
	opSub                  // a − b
	opMul                  // a·b
	opDiv                  // a/b
	opMin                  // the smaller
	opMax                  // the larger
	opAnd                  // bits of both
	opXor                  // bits of one of them
	opSqrt                 // √a
	opFMA                  // a·b + c
	opFMS                  // a·b − c
	opFNMA                 // c − a·b
	opStore                // a to memory
)

// value is one vector of straight-line code, assigned once.
type value struct {
	op   opcode
	args []*value
	mem  operand.Mem // of what is loaded and stored, for the first lanes
	uses []int       // where in the code it is needed, ascending
}

// program is the code for the lanes of a vector.
type program struct {
	code      []*value
	constants map[string]*value
}

func (p *program) append(v *value) *value {
	for _, a := range v.args {
		a.uses = append(a.uses, len(p.code))
	}
	p.code = append(p.code, v)
	return v
}

// lanes loads from memory when its value is needed first, and perhaps again: what lies
// there must not change before.
func (p *program) lanes(m operand.Mem) *value  { return &value{op: opLanes, mem: m} }
func (p *program) scalar(m operand.Mem) *value { return &value{op: opScalar, mem: m} }

// constant is a named one of constants.
func (p *program) constant(name string) *value {
	if p.constants == nil {
		p.constants = map[string]*value{}
	}
	if p.constants[name] == nil {
		p.constants[name] = &value{op: opConst, mem: constantAt(name)}
	}
	return p.constants[name]
}

func (p *program) store(v *value, m operand.Mem) {
	p.append(&value{op: opStore, mem: m, args: []*value{v}})
}

func (p *program) two(op opcode, a, b *value) *value {
	return p.append(&value{op: op, args: []*value{a, b}})
}

func (p *program) add(a, b *value) *value { return p.two(opAdd, a, b) }
func (p *program) sub(a, b *value) *value { return p.two(opSub, a, b) }
func (p *program) mul(a, b *value) *value { return p.two(opMul, a, b) }
func (p *program) div(a, b *value) *value { return p.two(opDiv, a, b) }
func (p *program) min(a, b *value) *value { return p.two(opMin, a, b) }
func (p *program) max(a, b *value) *value { return p.two(opMax, a, b) }
func (p *program) and(a, b *value) *value { return p.two(opAnd, a, b) }
func (p *program) xor(a, b *value) *value { return p.two(opXor, a, b) }

// sqrt is √a.
func (p *program) sqrt(a *value) *value { return p.append(&value{op: opSqrt, args: []*value{a}}) }

// fma is a·b + c, fms a·b − c, fnma c − a·b, each rounded once.
func (p *program) fma(a, b, c *value) *value {
	return p.append(&value{op: opFMA, args: []*value{a, b, c}})
}
func (p *program) fms(a, b, c *value) *value {
	return p.append(&value{op: opFMS, args: []*value{a, b, c}})
}
func (p *program) fnma(a, b, c *value) *value {
	return p.append(&value{op: opFNMA, args: []*value{a, b, c}})
}

// vector is three components.
type vector [3]*value

func (p *program) minus(a, b vector) (c vector) {
	for i := range c {
		c[i] = p.sub(a[i], b[i])
	}
	return c
}

func (p *program) dot(a, b vector) *value {
	return p.fma(a[2], b[2], p.fma(a[1], b[1], p.mul(a[0], b[0])))
}

func (p *program) cross(a, b vector) (c vector) {
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = p.fms(a[j], b[k], p.mul(a[k], b[j]))
	}
	return c
}

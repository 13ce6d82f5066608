package main

// opcode is what a value is made by.
type opcode int

const (
	opConst      opcode = iota // a field of constants, the same in every lane
	opLoad                     // populations from memory
	opAdd                      // a + b
	opSub                      // a − b
	opMul                      // a·b
	opDiv                      // a/b
	opFMA                      // a·b + c
	opFMS                      // a·b − c
	opFNMA                     // c − a·b
	opStore                    // a to memory
	opSqrt                     // √a
	opNoise                    // noise of a direction, from its table
	opDither                   // bits of a + b
	opField                    // values of a field, 0 in lanes that are not the span's
	opStoreField               // a to the lanes of a field that are the span's
	opMax                      // the larger of a and b; b where a is not a number
	opMin                      // the smaller
	opTable                    // what a table has for a
)

// value is one vector of straight-line code, assigned once.
type value struct {
	op      opcode
	args    []*value
	field   string // of opConst
	pop     int    // of opLoad, opStore: the population; of opField, opStoreField: the field
	noise   int    // of opNoise: which direction's
	uses    []int  // where in the code it is needed, ascending
	defined int    // where in the code it is made; −1: a constant
}

// program is the code for one vector of nodes.
type program struct {
	code      []*value
	constants []*value // in order of first use
}

func (p *program) append(v *value) *value {
	v.defined = len(p.code)
	for _, a := range v.args {
		a.uses = append(a.uses, v.defined)
	}
	p.code = append(p.code, v)
	return v
}

func (p *program) constant(field string) *value {
	for _, c := range p.constants {
		if c.field == field {
			return c
		}
	}
	c := &value{op: opConst, field: field, defined: -1}
	p.constants = append(p.constants, c)
	return c
}

func (p *program) load(pop int) *value { return p.append(&value{op: opLoad, pop: pop}) }

func (p *program) store(pop int, v *value) {
	p.append(&value{op: opStore, pop: pop, args: []*value{v}})
}

func (p *program) field(k int) *value { return p.append(&value{op: opField, pop: k}) }

func (p *program) storeField(k int, v *value) {
	p.append(&value{op: opStoreField, pop: k, args: []*value{v}})
}

// two makes the operation on a and b.
func (p *program) two(op opcode, a, b *value) *value {
	return p.append(&value{op: op, args: []*value{a, b}})
}

func (p *program) add(a, b *value) *value { return p.two(opAdd, a, b) }
func (p *program) sub(a, b *value) *value { return p.two(opSub, a, b) }
func (p *program) mul(a, b *value) *value { return p.two(opMul, a, b) }
func (p *program) div(a, b *value) *value { return p.two(opDiv, a, b) }

// sqrt is √a.
func (p *program) sqrt(a *value) *value {
	return p.append(&value{op: opSqrt, args: []*value{a}})
}

func (p *program) max(a, b *value) *value { return p.two(opMax, a, b) }
func (p *program) min(a, b *value) *value { return p.two(opMin, a, b) }

// table is what the kernel's table, see simd.Table, has for a, which lies within it.
func (p *program) table(a *value) *value {
	return p.append(&value{op: opTable, args: []*value{a}})
}

// noise is the k-th, dither adds it to the bits of a.
func (p *program) noise(k int) *value { return p.append(&value{op: opNoise, noise: k}) }

func (p *program) dither(a, noise *value) *value { return p.two(opDither, a, noise) }

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

package main

import (
	"fmt"
	"math"
	"sort"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"

	"lbmib/lbm/internal/simd/dither"
	"lbmib/lbm/internal/simd/piecewise"
)

// emitter turns a program into instructions on physical registers, in program
// order. What does not fit is kept on the stack, the value needed last first.
type emitter struct {
	*target
	instructions
	program *program

	at       int             // position in the program
	place    map[*value]int  // register of a value
	holds    []*value        // value of a register
	pinned   map[int]bool    // registers that the instruction at hand uses
	resident map[*value]bool // constants that stay in registers
	slot     map[*value]int  // stack slot of a value
	taken    map[int]bool    // stack slots in use
	folded   map[*value]bool // loads that their only use does itself
	slots    int             // stack slots needed
	spills   int             // values that went to the stack
}

// instructions is code as it grows.
type instructions []*ir.Instruction

// out adds an instruction; that there is none for these operands is an error of
// the generator.
func (c *instructions) out(f instruction, ops ...operand.Op) {
	i, err := f(ops...)
	if err != nil {
		panic(fmt.Sprintf("%v for %v", err, ops))
	}
	*c = append(*c, i)
}

// emit chooses how many constants stay in registers (the most used ones, as many
// as cost the fewest spills) and returns the instructions before the loop and in
// it, and the stack slots that these need.
func emit(t *target, p *program) (before, loop instructions, slots int) {
	ranked := append([]*value(nil), p.constants...)
	sort.SliceStable(ranked, func(i, j int) bool { return len(ranked[i].uses) > len(ranked[j].uses) })
	best := math.MaxInt
	for n := min(len(ranked), t.registers()-workingRegisters); n >= 0; n-- {
		e := &emitter{
			target: t, program: p,
			place: map[*value]int{}, holds: make([]*value, t.registers()),
			resident: map[*value]bool{}, slot: map[*value]int{}, taken: map[int]bool{}, folded: map[*value]bool{},
		}
		head := e.run(ranked[:n])
		if e.spills < best {
			best, before, loop, slots = e.spills, head, e.instructions, e.slots
		}
	}
	return before, loop, slots
}

// workingRegisters is the least that a fused operation and its result need.
const workingRegisters = 4

func (e *emitter) run(hot []*value) (before instructions) {
	e.pinned, e.at = map[int]bool{}, -1
	for _, c := range hot {
		r := e.free()
		e.assign(c, r)
		e.resident[c] = true
		e.out(e.forms.bcast, e.constant(c), e.register(r))
	}
	before, e.instructions = e.instructions, nil
	for e.at = range e.program.code {
		e.pinned = map[int]bool{}
		e.one(e.program.code[e.at])
	}
	return before
}

// one emits the instruction of v.
func (e *emitter) one(v *value) {
	switch v.op {
	case opLoad:
		if len(v.uses) == 1 && !e.half() {
			e.folded[v] = true
			return
		}
		e.loadInto(v, e.free())
	case opStore:
		r := e.inRegister(v.args[0])
		e.release(v.args)
		e.storeFrom(r, v)
	case opNoise:
		r := e.free()
		e.assign(v, r)
		e.loadNoise(operand.Mem{Base: gpNoise, Disp: v.noise * dither.Spacing * 4}, e.register(r))
	case opField:
		r := e.free()
		e.assign(v, r)
		e.loadMasked(e.inField(v), e.register(r))
	case opStoreField:
		r := e.inRegister(v.args[0])
		e.release(v.args)
		e.storeMasked(e.register(r), e.inField(v))
	case opSqrt:
		x := e.inRegister(v.args[0])
		e.release(v.args)
		r := e.free()
		e.assign(v, r)
		e.out(e.forms.sqrt, e.register(x), e.register(r))
	case opAdd, opMul:
		a, b := v.args[0], v.args[1]
		if !e.isIn(a) {
			a, b = b, a
		}
		e.binary(v, a, b)
	case opTable:
		e.lookUp(v)
	case opSub, opDiv, opDither, opMax, opMin:
		e.binary(v, v.args[0], v.args[1])
	default:
		e.fused(v)
	}
}

func (e *emitter) isIn(v *value) bool { _, ok := e.place[v]; return ok }

func (e *emitter) binary(v, a, b *value) {
	f := map[opcode]form{opAdd: e.forms.add, opSub: e.forms.sub, opMul: e.forms.mul, opDiv: e.forms.div, opMax: e.forms.max, opMin: e.forms.min, opDither: {x86.VPADDD, x86.VPADDD_BCST}}[v.op]
	x := e.inRegister(a)
	y, bcast := e.anywhere(b)
	e.releaseRegisters(v.args)
	r := e.free()
	e.assign(v, r)
	e.out(f.pick(bcast), y, e.register(x), e.register(r))
	e.release(v.args) // only now, since what free sends to the stack must not go where b lies
}

// lookUp emits At + Slope·a of the piece of the table that a is in: the bits of a down to perOctaveBits of its fraction, less those of the
// lowest place, are its number. Gathers clear their mask.
func (e *emitter) lookUp(v *value) {
	a := e.inRegister(v.args[0])
	temporary := func() int {
		r := e.free()
		e.pinned[r] = true
		return r
	}
	number, slope := temporary(), temporary()
	mask, set := reg.Register(reg.K2), func() { e.out(three(x86.KXNORW), reg.K2, reg.K2, reg.K2) }
	if e.isa == "avx2" {
		all := e.register(temporary())
		mask, set = all.(reg.Register), func() { e.out(e.forms.equal, all, all, all) }
	}
	fraction, bias := 52, 1023
	if e.element == 4 {
		fraction, bias = 23, 127
	}
	e.out(e.forms.shift, operand.U8(fraction-piecewise.PerOctaveBits), e.register(a), e.register(number))
	gather := func(from, to int) {
		set()
		m := operand.Mem{Base: gpTable, Index: e.register(number).(reg.Register), Scale: uint8(e.element), Disp: (from - piecewise.Lowest(bias)) * e.element}
		if e.isa == "avx2" {
			e.out(e.forms.gather, mask, m, e.register(to))
		} else {
			e.out(e.forms.gather, m, mask, e.register(to))
		}
	}
	gather(piecewise.Pieces, slope)
	e.out(e.forms.mul.plain, e.register(a), e.register(slope), e.register(slope))
	e.release(v.args)
	delete(e.pinned, a)
	at := temporary()
	gather(0, at)
	e.out(e.forms.add.plain, e.register(slope), e.register(at), e.register(at))
	e.assign(v, at)
}

func (f form) pick(broadcast bool) instruction {
	if broadcast {
		return f.broadcast
	}
	return f.plain
}

// fused emits a·b ± c into a register whose value ends here, if there is one.
func (e *emitter) fused(v *value) {
	f := map[opcode]fused{opFMA: e.forms.fmadd, opFMS: e.forms.fmsub, opFNMA: e.forms.fnmadd}[v.op]
	a, b, c := v.args[0], v.args[1], v.args[2]
	for _, x := range v.args {
		if e.isIn(x) {
			e.pinned[e.place[x]] = true
		}
	}
	var r int
	switch {
	case e.ends(c):
		r = e.place[c]
	case e.ends(a), e.ends(b):
		if !e.ends(a) {
			a, b = b, a
		}
		r = e.place[a]
		if e.isIn(c) { // a ← a·b + c with b anywhere
			y, bcast := e.anywhere(b)
			e.overwrite(v, r)
			e.out(f.f132.pick(bcast), y, e.register(e.place[c]), e.register(r))
			e.release(v.args)
			return
		}
		x := e.inRegister(b)
		y, bcast := e.anywhere(c)
		e.overwrite(v, r)
		e.out(f.f213.pick(bcast), y, e.register(x), e.register(r))
		e.release(v.args)
		return
	case e.isIn(c):
		r = e.free()
		e.out(e.forms.move, e.register(e.place[c]), e.register(r))
	default:
		r = e.copyOf(c)
	}
	e.pinned[r] = true
	if !e.isIn(a) {
		a, b = b, a
	}
	x := e.inRegister(a)
	y, bcast := e.anywhere(b)
	e.overwrite(v, r)
	e.out(f.f231.pick(bcast), y, e.register(x), e.register(r))
	e.release(v.args)
}

// ends tells whether v is in a register that nothing later reads.
func (e *emitter) ends(v *value) bool {
	return e.isIn(v) && !e.resident[v] && v.lastUse() <= e.at
}

func (v *value) lastUse() int { return v.uses[len(v.uses)-1] }

// overwrite makes r hold v instead of what it held.
func (e *emitter) overwrite(v *value, r int) {
	if old := e.holds[r]; old != nil {
		delete(e.place, old)
	}
	e.assign(v, r)
}

func (e *emitter) assign(v *value, r int) {
	e.place[v], e.holds[r] = r, v
	e.pinned[r] = true
}

// release frees the registers and slots of values that are not needed any more.
func (e *emitter) release(args []*value) {
	e.releaseRegisters(args)
	for _, v := range args {
		if s, ok := e.slot[v]; ok && v.lastUse() <= e.at {
			delete(e.taken, s)
		}
	}
}

func (e *emitter) releaseRegisters(args []*value) {
	for _, v := range args {
		if e.resident[v] || v.lastUse() > e.at && v.op != opConst {
			continue
		}
		if r, ok := e.place[v]; ok {
			e.holds[r] = nil
			delete(e.place, v)
		}
	}
}

// free finds a register, if need be by sending the value that is needed last to
// the stack.
func (e *emitter) free() int {
	victim, latest := -1, -1
	for r, v := range e.holds {
		if v == nil {
			if !e.pinned[r] {
				return r
			}
			continue
		}
		if e.pinned[r] || e.resident[v] {
			continue
		}
		if n := e.nextUse(v); n > latest {
			victim, latest = r, n
		}
	}
	if victim < 0 {
		panic("no register is free")
	}
	v := e.holds[victim]
	if _, ok := e.slot[v]; !ok {
		s := 0
		for e.taken[s] {
			s++
		}
		e.slot[v], e.taken[s] = s, true
		e.slots = max(e.slots, s+1)
		e.spills++
		e.out(e.forms.load, e.register(victim), e.stack(s))
	}
	e.holds[victim] = nil
	delete(e.place, v)
	return victim
}

func (e *emitter) nextUse(v *value) int {
	for _, u := range v.uses {
		if u >= e.at {
			return u
		}
	}
	return math.MaxInt
}

// inRegister brings v into a register.
func (e *emitter) inRegister(v *value) int {
	r, ok := e.place[v]
	if !ok {
		r = e.free()
		e.fetch(v, r)
		e.assign(v, r)
	}
	e.pinned[r] = true
	return r
}

// copyOf brings v, which is in no register, into one that may be overwritten.
func (e *emitter) copyOf(v *value) int {
	r := e.free()
	e.fetch(v, r)
	e.pinned[r] = true
	return r
}

// fetch loads a value that is in no register into r.
func (e *emitter) fetch(v *value, r int) {
	switch {
	case v.op == opConst:
		e.out(e.forms.bcast, e.constant(v), e.register(r))
	case e.folded[v]:
		e.out(e.forms.load, e.population(gpSrc, v), e.register(r))
	default:
		e.out(e.forms.load, e.stack(e.slot[v]), e.register(r))
	}
}

// anywhere is v as the operand that may be in memory; bcast if one element of
// memory stands for all lanes.
func (e *emitter) anywhere(v *value) (op operand.Op, bcast bool) {
	if r, ok := e.place[v]; ok {
		e.pinned[r] = true
		return e.register(r), false
	}
	switch {
	case v.op == opConst && e.isa == "avx512":
		return e.constant(v), true
	case v.op == opConst:
		return e.register(e.inRegister(v)), false
	case e.folded[v]:
		return e.population(gpSrc, v), false
	}
	return e.stack(e.slot[v]), false
}

func (e *emitter) stack(slot int) operand.Mem { return operand.NewStackAddr(slot * e.width) }

func (e *emitter) constant(v *value) operand.Mem {
	for i, f := range constantFields {
		if f == v.field {
			return operand.Mem{Base: gpConstants, Disp: i * e.element}
		}
	}
	panic("constant " + v.field + " is no field of constants")
}

// population is where v is loaded from or stored to; it fetches the pointer.
func (e *emitter) population(table reg.Register, v *value) operand.Mem {
	e.out(general(x86.MOVQ), operand.Mem{Base: table, Disp: 8 * v.pop}, gpPointer)
	return operand.Mem{Base: gpPointer, Index: gpOffset, Scale: 1}
}

// inField is where a field has the lanes of the span, or of the vector of a row, at hand; it fetches the pointer.
func (e *emitter) inField(v *value) operand.Mem {
	if e.fields {
		e.out(general(x86.MOVQ), operand.Mem{Base: gpRowFields, Disp: 8 * v.pop}, gpPointer)
		return operand.Mem{Base: gpPointer, Index: gpOffset, Scale: uint8(e.element / e.stored)}
	}
	e.out(general(x86.MOVQ), operand.Mem{Base: gpFields, Disp: 8 * v.pop}, gpPointer)
	return operand.Mem{Base: gpPointer, Index: gpField, Scale: 1}
}

func (e *emitter) loadMasked(from operand.Mem, to operand.Op) {
	switch {
	case !e.spans:
		e.out(e.forms.load, from, to)
		return
	case e.isa == "avx512":
		e.out(e.forms.zeroing, from, maskK, to)
		return
	}
	e.out(e.forms.masked, from, e.mask(), to)
}

func (e *emitter) storeMasked(from operand.Op, to operand.Mem) {
	switch {
	case !e.spans:
		e.out(e.forms.load, from, to)
		return
	case e.isa == "avx512":
		e.out(e.forms.load, from, maskK, to)
		return
	}
	e.out(e.forms.masked, from, e.mask(), to)
}

// loadNoise loads noise, none for lanes that are not the span's: they keep their bits.
func (e *emitter) loadNoise(from operand.Mem, to operand.Op) {
	e.loadMasked(from, to)
}

func (e *emitter) loadInto(v *value, r int) {
	m := e.population(gpSrc, v)
	if e.half() {
		e.out(x86.VCVTPH2PS, m, e.register(r))
	} else {
		e.out(e.forms.load, m, e.register(r))
	}
	e.assign(v, r)
}

func (e *emitter) storeFrom(r int, v *value) {
	store := e.forms.load // the same mnemonic
	var m operand.Mem
	switch {
	case e.spans:
		m = e.population(gpSrc, v)
	case e.staged():
		m = operand.Mem{Base: gpStage, Disp: v.pop * lineBytes}
	case e.stream:
		m, store = e.population(gpDst, v), e.forms.nts
	default:
		m = e.population(gpDst, v)
	}
	if e.half() {
		const truncate = 3
		e.out(x86.VCVTPS2PH, operand.U8(truncate), e.register(r), m)
	} else {
		e.out(store, e.register(r), m)
	}
}

package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

// target is an instruction set.
type target struct {
	name      string
	width     int // bytes of a register
	registers int
	spec      reg.Spec
}

var targets = []target{{"AVX512", 64, 32, reg.S512}, {"AVX2", 32, 16, reg.S256}}

func (t target) register(i int) operand.Op {
	return reg.FamilyOfKind(reg.KindVector).Lookup(reg.Index(i), t.spec)
}

// emitter turns a program into instructions on registers, in its order. Of values that
// do not fit, those needed last go: what was loaded is loaded again, the rest is kept on
// the stack.
type emitter struct {
	target
	shift int // bytes from the first lanes to those at hand
	code  []*ir.Instruction

	at     int            // position in the program
	place  map[*value]int // register of a value
	holds  []*value       // value of a register
	pinned map[int]bool   // registers that the instruction at hand uses
	slot   map[*value]int // place on the stack of a value
	taken  map[int]bool   // places on the stack in use
	slots  int            // places on the stack needed
}

// emit is the program for lanes from shift on, in bytes, and how many places on the stack it needs.
func emit(t target, p *program, shift int) (code []*ir.Instruction, slots int) {
	e := &emitter{target: t, shift: shift, place: map[*value]int{}, holds: make([]*value, t.registers), slot: map[*value]int{}, taken: map[int]bool{}}
	for k, v := range p.code {
		e.at, e.pinned = k, map[int]bool{}
		e.one(v)
	}
	return e.code, e.slots
}

// out adds an instruction; that there is none for these operands is an error of the generator.
func (e *emitter) out(f instruction, ops ...operand.Op) {
	i, err := f(ops...)
	if err != nil {
		panic(fmt.Sprintf("%v for %v", err, ops))
	}
	e.code = append(e.code, i)
}

type instruction = func(...operand.Op) (*ir.Instruction, error)

var binaries = map[opcode]instruction{
	opAdd: x86.VADDPD, opSub: x86.VSUBPD, opMul: x86.VMULPD, opDiv: x86.VDIVPD,
	opMin: x86.VMINPD, opMax: x86.VMAXPD, opAnd: x86.VANDPD, opXor: x86.VXORPD,
}

// fused are the orders of a fused operation on a, b and c: which is overwritten.
type fused struct{ f132, f213, f231 instruction }

var fusions = map[opcode]fused{
	opFMA:  {x86.VFMADD132PD, x86.VFMADD213PD, x86.VFMADD231PD},
	opFMS:  {x86.VFMSUB132PD, x86.VFMSUB213PD, x86.VFMSUB231PD},
	opFNMA: {x86.VFNMADD132PD, x86.VFNMADD213PD, x86.VFNMADD231PD},
}

// one emits the instruction of v.
func (e *emitter) one(v *value) {
	switch v.op {
	case opStore:
		r := e.inRegister(v.args[0])
		e.out(x86.VMOVUPD, e.register(r), e.memory(v))
		e.release(v.args)
	case opSqrt:
		x := e.anywhere(v.args[0])
		r := e.result(v)
		e.out(x86.VSQRTPD, x, e.register(r))
		e.release(v.args)
	case opFMA, opFMS, opFNMA:
		e.fused(v)
	default:
		a, b := v.args[0], v.args[1]
		if v.op != opSub && v.op != opDiv && e.later(a) && !e.later(b) {
			a, b = b, a
		}
		x := e.inRegister(a)
		y := e.anywhere(b)
		r := e.result(v)
		e.out(binaries[v.op], y, e.register(x), e.register(r))
		e.release(v.args) // only now, as what result sends to the stack must not go where b lies
	}
}

// later tells that v is best an operand in memory.
func (e *emitter) later(v *value) bool { _, in := e.place[v]; return !in && e.loadable(v) }

// fused emits a·b ± c into a register whose value ends here, if there is one.
func (e *emitter) fused(v *value) {
	f := fusions[v.op]
	a, b, c := v.args[0], v.args[1], v.args[2]
	for _, x := range v.args {
		if r, in := e.place[x]; in {
			e.pinned[r] = true
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
		if k, in := e.place[c]; in {
			y := e.anywhere(b)
			e.overwrite(v, r)
			e.out(f.f132, y, e.register(k), e.register(r))
		} else {
			x := e.inRegister(b)
			y := e.anywhere(c)
			e.overwrite(v, r)
			e.out(f.f213, y, e.register(x), e.register(r))
		}
		e.release(v.args)
		return
	default:
		r = e.free()
		if k, in := e.place[c]; in {
			e.out(x86.VMOVAPD, e.register(k), e.register(r))
		} else {
			e.fetch(c, r)
		}
	}
	e.pinned[r] = true
	if e.later(a) {
		a, b = b, a
	}
	x := e.inRegister(a)
	y := e.anywhere(b)
	e.overwrite(v, r)
	e.out(f.f231, y, e.register(x), e.register(r))
	e.release(v.args)
}

// ends tells whether v is in a register that nothing later reads.
func (e *emitter) ends(v *value) bool { _, in := e.place[v]; return in && e.over(v) }

func (e *emitter) over(v *value) bool { return v.uses[len(v.uses)-1] <= e.at }

// overwrite makes r hold v instead of what it held.
func (e *emitter) overwrite(v *value, r int) {
	if old := e.holds[r]; old != nil {
		delete(e.place, old)
	}
	e.assign(v, r)
}

func (e *emitter) assign(v *value, r int) { e.place[v], e.holds[r], e.pinned[r] = r, v, true }

// result is a register for v, one of its arguments' where that is not needed any more.
func (e *emitter) result(v *value) int {
	for _, a := range v.args {
		if e.ends(a) {
			e.overwrite(v, e.place[a])
			return e.place[v]
		}
	}
	r := e.free()
	e.assign(v, r)
	return r
}

// release frees the registers and places on the stack of values that are not needed any more.
func (e *emitter) release(args []*value) {
	for _, v := range args {
		if !e.over(v) {
			continue
		}
		if r, in := e.place[v]; in {
			e.holds[r] = nil
			delete(e.place, v)
		}
		if s, kept := e.slot[v]; kept {
			delete(e.taken, s)
			delete(e.slot, v)
		}
	}
}

// free finds a register, if need be that of the value needed last.
func (e *emitter) free() int {
	victim, latest := -1, -1
	for r, v := range e.holds {
		if e.pinned[r] {
			continue
		}
		if v == nil {
			return r
		}
		if n := e.nextUse(v); n > latest {
			victim, latest = r, n
		}
	}
	if victim < 0 {
		panic("no register is free")
	}
	v := e.holds[victim]
	if _, kept := e.slot[v]; !kept && !e.loadable(v) {
		s := 0
		for e.taken[s] {
			s++
		}
		e.slot[v], e.taken[s] = s, true
		e.slots = max(e.slots, s+1)
		e.out(x86.VMOVUPD, e.register(victim), e.memory(v))
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
	r, in := e.place[v]
	if !in {
		r = e.free()
		e.fetch(v, r)
		e.assign(v, r)
	}
	e.pinned[r] = true
	return r
}

// fetch loads a value that is in no register into r.
func (e *emitter) fetch(v *value, r int) {
	f := x86.VMOVUPD
	if v.op == opScalar {
		f = x86.VBROADCASTSD
	}
	e.out(f, e.memory(v), e.register(r))
}

// anywhere is v as the operand that may be in memory: there is what is needed no more, and constants.
func (e *emitter) anywhere(v *value) operand.Op {
	if _, in := e.place[v]; in || v.op == opScalar || !e.over(v) && v.op != opConst {
		return e.register(e.inRegister(v))
	}
	return e.memory(v)
}

func (e *emitter) loadable(v *value) bool {
	return v.op == opLanes || v.op == opScalar || v.op == opConst
}

// memory is where v is, or goes.
func (e *emitter) memory(v *value) operand.Mem {
	switch v.op {
	case opScalar, opConst:
		return v.mem
	case opLanes, opStore:
		m := v.mem
		m.Disp += e.shift
		return m
	}
	return operand.NewStackAddr(e.slot[v] * e.width)
}

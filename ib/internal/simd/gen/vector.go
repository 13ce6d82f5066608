package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vector is a new register for whole vectors: four elements.
func (r *rowKernel) vector() reg.VecVirtual {
	if r.element == 8 {
		return r.YMM()
	}
	return r.XMM()
}

// broadcast loads an element into all places of a vector.
func (r *rowKernel) broadcast(m operand.Mem) reg.VecVirtual {
	v := r.vector()
	if r.element == 8 {
		r.VBROADCASTSD(m, v)
	} else {
		r.VBROADCASTSS(m, v)
	}
	return v
}

// arithmetic by name: on packed and single float64 and float32.
var arithmetic = map[string]struct {
	pd, sd, ps, ss func(*build.Context, ...operand.Op)
}{
	"MUL": {
		(*build.Context).VMULPD, (*build.Context).VMULSD,
		(*build.Context).VMULPS, (*build.Context).VMULSS,
	},
	"ADD": {
		(*build.Context).VADDPD, (*build.Context).VADDSD,
		(*build.Context).VADDPS, (*build.Context).VADDSS,
	},
	"FMADD231": {
		(*build.Context).VFMADD231PD, (*build.Context).VFMADD231SD,
		(*build.Context).VFMADD231PS, (*build.Context).VFMADD231SS,
	},
}

// op is an operation on a piece; src is in memory or in a register.
func (r *rowKernel) op(name string, p piece, src operand.Op, a, dst reg.VecVirtual) {
	f := arithmetic[name]
	if v, ok := src.(reg.VecVirtual); ok {
		src = r.sized(v, p)
	} else if r.element == 4 && p.n == 2 { // half a register
		v := r.XMM()
		r.VMOVSD(src, v)
		src = v
	}
	a, dst = r.sized(a, p), r.sized(dst, p)
	switch {
	case r.element == 8 && p.n == 1:
		f.sd(r.Context, src, a, dst)
	case r.element == 8:
		f.pd(r.Context, src, a, dst)
	case p.n == 1:
		f.ss(r.Context, src, a, dst)
	default:
		f.ps(r.Context, src, a, dst)
	}
}

// sized is the part of a register that a piece takes.
func (r *rowKernel) sized(v reg.VecVirtual, p piece) reg.VecVirtual {
	if r.element == 8 && p.n == 4 {
		return v.AsY().(reg.VecVirtual)
	}
	return v.AsX().(reg.VecVirtual)
}

func (r *rowKernel) store(p piece, v reg.VecVirtual, m operand.Mem) {
	v = r.sized(v, p)
	switch bytes := p.n * r.element; bytes {
	case 4:
		r.VMOVSS(v, m)
	case 8:
		r.VMOVSD(v, m)
	default:
		r.VMOVUPS(v, m)
	}
}

// sumOf adds up all elements of the pieces of a row. What a piece of half a
// register holds beyond its elements is zero.
func (r *rowKernel) sumOf(v []reg.VecVirtual, pieces []piece) reg.VecVirtual {
	packed, single := arithmetic["ADD"].ps, arithmetic["ADD"].ss
	if r.element == 8 {
		packed, single = arithmetic["ADD"].pd, arithmetic["ADD"].sd
	}
	sum, part := v[0].AsX(), r.XMM()
	if r.element == 8 && pieces[0].n == 4 {
		r.VEXTRACTF128(operand.U8(1), v[0], part)
		packed(r.Context, part, sum, sum)
	}
	for i, p := range pieces[1:] {
		if p.n > 1 {
			packed(r.Context, v[i+1].AsX(), sum, sum)
		}
	}
	if r.element == 4 {
		if pieces[0].n == 4 {
			r.VUNPCKHPD(sum, sum, part)
			packed(r.Context, part, sum, sum)
		}
		r.VMOVSHDUP(sum, part)
	} else {
		r.VUNPCKHPD(sum, sum, part)
	}
	single(r.Context, part, sum, sum)
	for i, p := range pieces[1:] {
		if p.n == 1 {
			single(r.Context, v[i+1].AsX(), sum, sum)
		}
	}
	return sum.(reg.VecVirtual)
}

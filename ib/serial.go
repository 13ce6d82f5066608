package ib

import "lbmib/geometry"

// serial does one point after the other in the order given: Algorithm 2 of
// Kassen, Barrett, Shankar & Fogelson (immersed boundary by sort and reduce)
// and interpolation to match. It is the reference for all other strategies.
type serial[T Float] struct {
	stencils[T]
	scratch rows[T]
	values  []T // of one point
}

func newSerial[T Float](g Grid, d Delta[T]) *serial[T] {
	return &serial[T]{stencils: newStencils(g, d)}
}

func (t *serial[T]) SetPoints(x []geometry.Vec) error {
	t.resize(len(x))
	for k := range x {
		if _, ok := t.grid.cell(t.delta, x[k]); !ok {
			t.n = 0
			return t.grid.pointError(t.delta, k, x[k])
		}
		t.place(k, x[k], &t.scratch)
	}
	return nil
}

func (t *serial[T]) Interpolate(values, field [][]T) {
	mustMatch(field, values, t.grid.Nodes(), t.n)
	for k := range t.n {
		t.rows(k, &t.scratch)
		first, w := t.row(k)
		for c, f := range field {
			values[c][k] = t.interpolate(f, &t.scratch, first, w)
		}
	}
}

func (t *serial[T]) Spread(field, values [][]T) {
	mustMatch(field, values, t.grid.Nodes(), t.n)
	r := &t.scratch
	t.values = grow(t.values, len(values))
	for k := range t.n {
		t.rows(k, r)
		first, w := t.row(k)
		for c := range values {
			t.values[c] = values[c][k]
		}
		for i, offset := range r.offset[:r.n] {
			t.spread(field, t.values, offset, first, w, r.factor[i])
		}
	}
}

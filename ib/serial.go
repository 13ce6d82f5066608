package ib

import "lbmib/geometry"

// serial does one point after the other in the order given: Algorithm 2 of Kassen,
// Shankar & Fogelson, and interpolation to match. It is the reference for all other
// strategies. The loop over shifts is that of the loops in frame.loops.
type serial[T Float] struct {
	*frame[T]
	n int
	x [3][]float64
}

func newSerial[T Float](f *frame[T]) *serial[T] { return &serial[T]{frame: f} }

func (t *serial[T]) SetPoints(x []geometry.Vec) error {
	t.n = len(x)
	t.resize(&t.x, t.n)
	if k := t.local(&t.x, 0, x, nil); k >= 0 {
		t.n = 0
		return t.grid.positionError(k, x[k])
	}
	return nil
}

func (t *serial[T]) Interpolate(values, field [][]T) {
	t.mustMatch(field, values, t.n)
	t.workers[0].interpolate(&t.x, nil, 0, t.n, values, field)
}

func (t *serial[T]) Spread(field, values [][]T) {
	t.mustMatch(field, values, t.n)
	b := &t.workers[0].batch
	for lo := 0; lo < t.n; lo += batchSize { // loop over points
		hi := min(lo+batchSize, t.n)
		b.place(&t.x, lo, hi) // x ← h(⌊X⌋ + g), Δx ← x − X, w ← δ(Δx + hσ) per axis
		for c := range field {
			b.take(nil, lo, hi, values[c])
			b.add(t.site(c), field[c]) // loop over shifts: ℓ_k ← ℓ_k + w·L
		}
	}
}

package ib

import "lbmib/geometry"

// autoThreshold is the number of points from which sorting them pays.
const autoThreshold = 2048

// auto is serial for few points and sort-reduce for many.
type auto[T Float] struct {
	few     *serial[T]
	many    *sortReduce[T]
	current Transfer[T]
}

func newAuto[T Float](f *frame[T]) (*auto[T], error) {
	many, err := newSortReduce(f)
	if err != nil {
		return nil, err
	}
	t := &auto[T]{few: newSerial(f), many: many}
	t.current = t.few
	return t, nil
}

func (t *auto[T]) SetPoints(x []geometry.Vec) error {
	t.current = t.few
	if len(x) >= autoThreshold {
		t.current = t.many
	}
	return t.current.SetPoints(x)
}

// Chosen is the strategy of the points at hand.
func (t *auto[T]) Chosen() string {
	if t.current == Transfer[T](t.few) {
		return "serial"
	}
	return "sort-reduce"
}

func (t *auto[T]) Interpolate(values, field [][]T) { t.current.Interpolate(values, field) }

func (t *auto[T]) Spread(field, values [][]T) { t.current.Spread(field, values) }

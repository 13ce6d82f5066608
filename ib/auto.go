package ib

import "lbmib/geometry"

// autoThreshold is the number of points from which sorting them pays. Markers on a
// sphere, roma3 in f64, four components interpolated and three spread, in µs on an Intel
// Xeon (Sapphire Rapids), 2026-11-21:
//
//	points   serial   sort-reduce on 1 worker   on 2
//	   400       31                        33     36
//	   800       62                        67     41
//	  3200      260                       277    196
//	 25600     2800                      3330   1670
//
// Their order is that of memory. 65536 points in no order, cosine4, three components on
// 128³ staggered nodes, sorting included: 47, 19 and 10 ms.
const autoThreshold = 800

// auto is serial for few points and sort-reduce for many. What is few depends on the
// points alone, not on the workers that there are: else results would.
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

// AutoStrategy is the strategy that auto takes for so many points.
func AutoStrategy(points int) string {
	if points >= autoThreshold {
		return "sort-reduce"
	}
	return "serial"
}

func (t *auto[T]) SetPoints(x []geometry.Vec) error {
	t.current = t.few
	if AutoStrategy(len(x)) == "sort-reduce" {
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

func (t *auto[T]) SpreadToZeros(field, values [][]T) { SpreadToZeros(t.current, field, values) }

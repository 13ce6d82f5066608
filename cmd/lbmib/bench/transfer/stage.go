package transfer

import (
	"math"
	"math/rand/v2"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/parallel"
)

// placings is how many sets of places the points take in turn.
const placings = 3

// stage is a problem with its fields and points, on which strategies take turns.
type stage[T ib.Float] struct {
	Problem
	grids  []ib.Grid
	delta  ib.Delta[T]
	cost   cost
	placed [placings][]geometry.Vec
	near   [2][]geometry.Vec // the first placing, and all of it moved a little
	inLine [2][]geometry.Vec // likewise, in the order of cells; see line

	field, sum    [][]T // what is interpolated, and what is spread to
	values, force [][]T // what comes out, and what is spread
}

func newStage[T ib.Float](p *Problem) (*stage[T], error) {
	d, err := ib.NewDelta[T](p.Delta)
	if err != nil {
		return nil, err
	}
	s := &stage[T]{Problem: *p, grids: p.grids(), delta: d}
	for i := range s.placed {
		s.placed[i] = p.places(uint64(i + 1))
	}
	s.near = [2][]geometry.Vec{s.placed[0], p.nudged(s.placed[0], 1)}
	s.cost = newCost(p, d, s.grids, s.placed[0])
	s.sum, s.values = s.arrays(p.Size.Nodes()), s.arrays(p.Points)
	s.field, s.force = s.arrays(p.Size.Nodes()), s.arrays(p.Points)
	r := rand.New(rand.NewPCG(1, 0x6669656c64))
	for c := range s.field {
		for i := range s.field[c] {
			s.field[c][i] = s.fieldAt(r, i)
		}
		for k := range s.force[c] {
			s.force[c][k] = half[T](r)
		}
	}
	return s, nil
}

// arrays are n values for every component.
func (s *stage[T]) arrays(n int) [][]T {
	a := make([][]T, s.Components)
	for c := range a {
		a[c] = make([]T, n)
	}
	return a
}

// half is between ½ and 1: sums of such values lose no digits.
func half[T ib.Float](r *rand.Rand) T { return T(0.5 + 0.5*r.Float64()) }

// fieldAt is the value at a node: that of the smooth field of the particle–mesh
// test, exp(−|x − ½|²/15) in the unit box, or else random, so that no two nodes can
// be taken for each other.
func (s *stage[T]) fieldAt(r *rand.Rand, node int) T {
	if s.Distribution != "perturbed" {
		return half[T](r)
	}
	square := 0.
	for a := range s.Size.Dim() {
		x := float64(node%s.Size[a])/float64(s.Size[a]) - 0.5
		square += x * x
		node /= s.Size[a]
	}
	return T(math.Exp(-square / 15))
}

// newTransfer is a strategy on the stage's grids.
func (s *stage[T]) newTransfer(algorithm string, pool *parallel.Pool) (ib.Transfer[T], error) {
	if s.Staggered {
		return ib.NewStaggered(algorithm, s.grids, s.delta, pool, ib.Kernel(s.Kernel))
	}
	return ib.NewTransfer(algorithm, s.grids[0], s.delta, pool, ib.Kernel(s.Kernel))
}

// line makes the places of the order sorted: of many points, that takes a while.
func (s *stage[T]) line() {
	x := inOrder(s.placed[0])
	s.inLine = [2][]geometry.Vec{x, s.nudged(x, 1)}
}

// at is where the points are in the i-th call of an order.
func (s *stage[T]) at(order string, i int) []geometry.Vec {
	switch order {
	case kept:
		return s.near[i%len(s.near)]
	case sorted:
		return s.inLine[i%len(s.inLine)]
	}
	return s.placed[i%len(s.placed)]
}

// call is the i-th call of a row.
func (s *stage[T]) call(t ib.Transfer[T], op, order string, i int) error {
	if err := t.SetPoints(s.at(order, i)); err != nil {
		return err
	}
	switch op {
	case interpolate:
		t.Interpolate(s.values, s.field)
	case spread:
		t.Spread(s.sum, s.force)
	}
	return nil
}

package ib

import (
	"fmt"
	"slices"
	"strings"

	"lbmib/geometry"
	"lbmib/internal/parallel"
	"lbmib/internal/precompiled"
)

// Transfer moves values between points and the nodes of a grid by means of a
// regularised delta δ_h = h^-d Π φ(x/h). It is set up once for a grid and a delta, is
// told the points whenever they move, and may then be used any number of times in
// both directions. Repeated calls with the same number of points allocate nothing.
//
// Nodes beyond the ends of a bounded axis take no part: what a point there spreads
// to them is lost, and what it interpolates is less by them. Values are to be finite:
// one that is not may spoil nodes beside those that it reaches.
//
// A Transfer is used by one goroutine at a time.
type Transfer[T Float] interface {
	// SetPoints tells where the points are, in the units of the grid's offset and
	// spacing. A position that is not finite is an error that names its point; the
	// transfer then holds no points. At most 2³¹−1 points are taken. x is not kept.
	SetPoints(x []geometry.Vec) error
	// Interpolate computes values[c][k] = Σ_x field[c][x] δ_h(x−X_k) h^d for every
	// component c and point k. A field has as many values as its grid has nodes, and
	// values[c] as many as there are points; other lengths panic.
	Interpolate(values, field [][]T)
	// Spread adds values to fields: field[c][x] += Σ_k values[c][k] δ_h(x−X_k). It is
	// the adjoint of Interpolate, Σ field·u h^d = Σ values·U, and takes the same
	// lengths. Fields are different memory; nodes beside supports, in the same rows, may be read
	// and written back as they are.
	Spread(field, values [][]T)
}

// SpreadToZeros is t.Spread to fields that are zero on nodes that supports reach. What a node holds afterwards where its field was not is not defined,
// and nodes beside, in the same rows, may be made zero.
func SpreadToZeros[T Float](t Transfer[T], field, values [][]T) {
	if s, ok := t.(interface{ SpreadToZeros(field, values [][]T) }); ok {
		s.SpreadToZeros(field, values)
		return
	}
	t.Spread(field, values)
}

// strategies make transfers.
func strategies[T Float]() []strategy[T] {
	return []strategy[T]{
		{"auto", func(f *frame[T]) (Transfer[T], error) { return newAuto(f) }},
		{"serial", func(f *frame[T]) (Transfer[T], error) { return newSerial(f), nil }},
		{"atomic", func(f *frame[T]) (Transfer[T], error) { return newAtomic(f), nil }},
		{"columns", func(f *frame[T]) (Transfer[T], error) { return newColumns(f) }},
		{"columns-pruned", func(f *frame[T]) (Transfer[T], error) { return newColumnsPruned(f) }},
		{"cells", func(f *frame[T]) (Transfer[T], error) { return newCells(f) }},
		{"sort-reduce", func(f *frame[T]) (Transfer[T], error) { return newSortReduce(f) }},
		{"buffered", func(f *frame[T]) (Transfer[T], error) { return newBuffered(f, false) }},
		{"buffered-otf", func(f *frame[T]) (Transfer[T], error) { return newBuffered(f, true) }},
		{"blocks", func(f *frame[T]) (Transfer[T], error) { return newBlocks(f) }},
		{"shift-reduce", func(f *frame[T]) (Transfer[T], error) { return newShiftReduce(f) }},
	}
}

type strategy[T Float] struct {
	name string
	make func(*frame[T]) (Transfer[T], error)
}

// TransferNames are the strategies that there are.
func TransferNames() []string { return slices.Clone(transferNames) }

var transferNames = func() (names []string) {
	for _, s := range strategies[float64]() {
		names = append(names, s.name)
	}
	return names
}()

// NewTransfer is a transfer between points and any number of components on the grid
// g, by the given strategy, on the workers of pool (nil: on the caller alone).
// Unknown names and grids that are too narrow for the delta are refused.
func NewTransfer[T Float](strategy string, g Grid, d Delta[T], pool *parallel.Pool, options ...Option) (Transfer[T], error) {
	return NewStaggered(strategy, []Grid{g}, d, pool, options...)
}

// NewStaggered is a transfer between points and a field whose component c lies on
// grids[c]; see MAC. Grids differ in nothing but their staggering and, along bounded
// axes, their size.
func NewStaggered[T Float](strategy string, grids []Grid, d Delta[T], pool *parallel.Pool, options ...Option) (Transfer[T], error) {
	return precompiled.Of[func(string, []Grid, Delta[T], *parallel.Pool, []Option) (Transfer[T], error)](transfers)(strategy, grids, d, pool, options)
}

// transfers make those of each precision, by all strategies: see package precompiled.
var transfers = []any{newTransfer[float32], newTransfer[float64]}

func newTransfer[T Float](strategy string, grids []Grid, d Delta[T], pool *parallel.Pool, options []Option) (Transfer[T], error) {
	for _, s := range strategies[T]() {
		if s.name != strategy {
			continue
		}
		f, err := frameOf(grids, d, pool, options)
		if err != nil {
			return nil, err
		}
		return s.make(f)
	}
	return nil, fmt.Errorf("ib: spread strategy %q is unknown: use one of %s", strategy, strings.Join(TransferNames(), ", "))
}

// frameOf is the frame of a transfer with options.
func frameOf[T Float](grids []Grid, d Delta[T], pool *parallel.Pool, options []Option) (*frame[T], error) {
	var o settings
	for _, set := range options {
		set(&o)
	}
	return newFrame(grids, d, pool, o.kernel)
}

// Option is a choice that a transfer leaves to whoever makes it.
type Option func(*settings)

type settings struct{ kernel string }

// Kernel chooses the innermost loops: go, avx2 (avx512 means the same here), auto.
// Loops agree to rounding, not to the bit.
func Kernel(name string) Option { return func(s *settings) { s.kernel = name } }

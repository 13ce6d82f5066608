// Package transfer interpolates from nodes to points and spreads to nodes on a GPU by nine
// strategies: package ib's, for points, values and fields in device memory (Transfer) or in the
// host's (Host, an ib.Transfer). It knows no fluid.
package transfer

import (
	"fmt"
	"slices"
	"strings"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/ib"
)

// Names are the strategies of spreading on the device, by the names that they
// have on the CPU (package ib):
//
//	sort-reduce   points sorted by cell, each node gathers what is its own (Algorithm 4)
//	buffered      sweeps of shifts into a buffer that is kept (5)
//	buffered-otf  likewise, into a buffer that every call zeroes (6; the paper's allocates
//	              it, too, which the device does not do between other work)
//	atomic        atomic additions
//	auto          sort-reduce
//	columns       sets of columns of cells that are far apart, a thread for each
//	columns-pruned  likewise, for those that have points
//	cells         sets of single cells that are far apart, a thread for each that has points
//	blocks        sets of blocks of cells, a block of threads for each, in shared memory
//
// All but atomic give the same bits whatever the launch. By numbers: Kassen, Shankar &
// Fogelson; columns and cells: their note, after McQueen & Peskin 1997; blocks: Büyükkeçeci,
// Awile & Sbalzarini 2013; atomics: Valero-Lara et al. 2015. With N nodes along an axis,
// sort-reduce is one launch with one write a node, where the buffered ones have N^(d−1) sweeps
// and go through 2N values a node: of those that give the same bits in every run it is the fastest,
// so auto takes it. Atomics are faster still: 3 to 12 times on an NVIDIA H200 (validation/gpu).
// Columns have N^(d−1) sets and cells N^d, more where a periodic axis is no multiple of N, with
// as few threads as a set has tiles; blocks some 2^d, with a barrier after every shift. The CPU's
// shift-reduce, Algorithm 4 as printed, is not made: what it differs by from sort-reduce is that
// all threads wait for each other N^d times. serial is atomic with one thread.
func Names() []string {
	return []string{"auto", "sort-reduce", "buffered", "buffered-otf", "atomic", "columns", "columns-pruned", "cells", "blocks"}
}

// Transfer is ib.Transfer for points, values and fields in device memory. Calls queue
// work on a stream and return; with as many points as before they allocate nothing, so
// that all can be captured into a graph.
type Transfer[T ib.Float] struct {
	*device.Launcher
	strategy string
	support  int
	grids    []ib.Grid
	Sites    []*site[T]
	of       []int // the site of each component; nil: all are on site 0

	list [maxComponents]int // of components, in each

	n, Capacity int
	invalid     *driver.Memory // the first point without a position, noInvalid if none is
	found       [1]int32       // the same, for Invalid
	Values      device.Buffer  // of maxComponents components, by place
	Buffer      device.Buffer
	take, fold  device.Kernel
}

// maxComponents are handled in one launch: kernels/transfer.h.
const maxComponents = 4

// noInvalid are four bytes 7f, more than there can be points.
const noInvalid = 0x7f7f7f7f

// New makes a transfer by the given strategy for a field whose component c lies
// on grids[c], or all on the only one. What package ib refuses is refused in its words;
// grids of 2³¹ nodes or more and strategies of the CPU alone are refused, too.
// It must be closed.
func New[T ib.Float](l *device.Library, s *driver.Stream, strategy string, grids []ib.Grid, d ib.Delta[T]) (*Transfer[T], error) {
	if err := CheckStrategy(strategy); err != nil {
		return nil, err
	}
	strategy = Resolve(strategy)
	if _, err := ib.NewStaggered("serial", grids, d, nil); err != nil {
		return nil, err
	}
	t := &Transfer[T]{Launcher: device.NewLauncher(l, s), strategy: strategy, support: d.Support(), grids: slices.Clone(grids)}
	if err := t.prepare(d); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// CheckStrategy refuses names that are none of Names.
func CheckStrategy(name string) error {
	if slices.Contains(Names(), name) {
		return nil
	}
	return fmt.Errorf("cuda: spread strategy %q is not one of the device's: use one of %s, or let the CPU couple (schedule serial or pipelined)", name, strings.Join(Names(), ", "))
}

// Resolve is what a name stands for.
func Resolve(name string) string {
	if name == "auto" {
		return "sort-reduce"
	}
	return name
}

// prepare makes the sites and finds the kernels.
func (t *Transfer[T]) prepare(d ib.Delta[T]) error {
	for c, g := range t.grids {
		i := slices.Index(t.grids, g)
		if i == c {
			s, err := newSite[T](t.Launcher, t.strategy, g, t.grids[0], d)
			t.Sites = append(t.Sites, s)
			if err != nil {
				return err
			}
			t.of = append(t.of, len(t.Sites)-1)
			continue
		}
		t.of = append(t.of, t.of[i])
	}
	if len(t.grids) == 1 {
		t.of = nil
	}
	var err error
	if t.invalid, err = t.Context.Alloc(4); err != nil {
		return err
	}
	if err := t.Stream.Fill(t.invalid, 0, 4, 0x7f); err != nil {
		return err
	}
	if t.take, err = t.Kernel("transfer", "take_values_"+device.Precision[T](), 10); err != nil {
		return err
	}
	if t.fold, err = t.Kernel("transfer", "fold_buffer_"+device.Precision[T](), 4); err != nil {
		return err
	}
	if t.Buffered() {
		return t.makeBuffer()
	}
	return nil
}

func (t *Transfer[T]) Buffered() bool {
	return t.strategy == "buffered" || t.strategy == "buffered-otf"
}

// makeBuffer makes room for as many vectors of nodes as a sweep has shifts. They are
// zero between calls.
func (t *Transfer[T]) makeBuffer() error {
	most := 0
	for _, s := range t.Sites {
		most = max(most, s.Nodes)
	}
	if _, err := t.Buffer.Reserve(t.Context, t.support*most, device.SizeOf[T]()); err != nil {
		return err
	}
	return t.Stream.Zero(t.Buffer.Memory, 0, t.Buffer.Bytes())
}

// SetGrid makes the grid of a transfer on one grid another, in the same memory where it
// suffices. There are no points then.
func (t *Transfer[T]) SetGrid(g ib.Grid, d ib.Delta[T]) error {
	if _, err := ib.NewTransfer("serial", g, d, nil); err != nil {
		return err
	}
	t.n, t.grids[0] = 0, g
	if err := t.Sites[0].setGrid(g, g, d); err != nil || !t.Buffered() {
		return err
	}
	return t.makeBuffer()
}

// Close frees all memory of the transfer.
func (t *Transfer[T]) Close() {
	for _, s := range t.Sites {
		s.close()
	}
	t.invalid.Free()
	t.Values.Free()
	t.Buffer.Free()
}

// Strategy is the one chosen.
func (t *Transfer[T]) Strategy() string { return t.strategy }

// Points is the number of points held.
func (t *Transfer[T]) Points() int { return t.n }

// WindowBytes is the device memory that depends on the number of nodes, but for an index.
func (t *Transfer[T]) WindowBytes() int { return t.Sites[0].Cells.Size() + t.Buffer.Size() }

// SetPoints tells where n points are: x, y and z of one after the other, float64, in the
// units of the grid's offset and spacing. They may change when the call's work is done.
// Invalid tells about points without a position.
func (t *Transfer[T]) SetPoints(position device.Slot, n int) error {
	if n >= noInvalid {
		return fmt.Errorf("cuda: %d points: a transfer on the device takes fewer than %d: use several", n, noInvalid)
	}
	t.n = 0
	if err := t.Reserve(n); err != nil {
		return err
	}
	if err := t.Stream.Fill(t.invalid, 0, 4, 0x7f); err != nil {
		return err
	}
	for _, s := range t.Sites {
		if err := s.place(position, n, t.Capacity, t.invalid, Indexed{}); err != nil {
			return err
		}
	}
	t.n = n
	return nil
}

// SetMarkers is SetPoints of points that all have positions, on the only grid, with the
// nodes of an index that go with them.
func (t *Transfer[T]) SetMarkers(position device.Slot, n int, nodes Indexed) error {
	t.n = n
	return t.Sites[0].place(position, n, t.Capacity, nil, nodes)
}

// Reserve makes room for n points. The tables are empty where it is new.
func (t *Transfer[T]) Reserve(n int) error {
	if n <= t.Capacity {
		return nil
	}
	for _, s := range t.Sites {
		if err := s.forget(); err != nil {
			return err
		}
	}
	return t.grow(n)
}

// grow is hold for more points than before. Work under way must not be using what is freed:
// memory is freed in the order of the device's work.
func (t *Transfer[T]) grow(n int) error {
	t.Capacity = 0
	if _, err := t.Values.Reserve(t.Context, maxComponents*n, device.SizeOf[T]()); err != nil {
		return err
	}
	for _, s := range t.Sites {
		if err := s.hold(n); err != nil {
			return err
		}
	}
	t.Capacity = n
	return nil
}

// Invalid waits, and is the number of the first point that had no position when points
// were set, −1 if all had one. Points without one take no part.
func (t *Transfer[T]) Invalid() (int, error) {
	if err := device.CopyOut(t.Stream, t.found[:], device.At(t.invalid, 0)); err != nil {
		return 0, err
	}
	if err := t.Stream.Synchronize(); err != nil {
		return 0, err
	}
	if t.found[0] == noInvalid {
		return -1, nil
	}
	return int(t.found[0]), nil
}

// Interpolate computes values[c][k] = Σ_x field[c][x] δ_h(x−X_k) h^d (Algorithm 3).
func (t *Transfer[T]) Interpolate(values, field []device.Slot) error {
	return t.each(len(field), func(s *site[T], list []int) error {
		return s.interpolateTo(t.n, t.Capacity, list, values, field)
	})
}

// Spread adds to fields: field[c][x] += Σ_k values[c][k] δ_h(x−X_k).
func (t *Transfer[T]) Spread(field, values []device.Slot) error {
	return t.each(len(field), func(s *site[T], list []int) error {
		if err := t.takeFrom(s, list, values); err != nil {
			return err
		}
		switch {
		case t.Buffered():
			return t.spreadBuffered(s, list, field)
		case t.strategy == "atomic":
			return s.SpreadAtomic(t.n, t.Capacity, t.Values.Memory, list, field, nil)
		case s.Sets.Used():
			return s.SpreadSets(t.n, t.Capacity, t.Values.Memory, list, field, nil)
		}
		return s.spread(t.n, t.Capacity, t.Values.Memory, list, field, false)
	})
}

// SetTaken sets fields, on the only grid, to what is spread of values that lie in the order of places already, times h^−d: component c of
// place t at Values[c·Capacity + t]. Nodes that no point touches are left as they are: sort-reduce over a list (UseList) alone can do so.
func (t *Transfer[T]) SetTaken(field []device.Slot) error {
	s, list := t.Sites[0], t.list[:0]
	for c := range field {
		list = append(list, c)
	}
	return s.spread(t.n, t.Capacity, t.Values.Memory, list, field, true)
}

// each calls do for every site with lists of those of m components that are on it, none
// of them longer than a launch takes.
func (t *Transfer[T]) each(m int, do func(s *site[T], list []int) error) error {
	if t.of != nil && m > len(t.of) {
		return fmt.Errorf("cuda: transfer of %d fields on %d grids: a staggered field has one grid for each component", m, len(t.of))
	}
	if t.n == 0 {
		return nil
	}
	for i, s := range t.Sites {
		list := t.list[:0]
		for c := range m {
			if t.of != nil && t.of[c] != i {
				continue
			}
			if list = append(list, c); len(list) == maxComponents {
				if err := do(s, list); err != nil {
					return err
				}
				list = list[:0]
			}
		}
		if len(list) > 0 {
			if err := do(s, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeFrom brings values into the order of places, times h^−d.
func (t *Transfer[T]) takeFrom(s *site[T], list []int, values []device.Slot) error {
	k := &t.take
	k.Args.Pointer(0, s.Record, 0)
	k.Args.Pointer(1, s.Order(), 0)
	k.Args.Pointer(2, t.Values.Memory, 0)
	k.Args.Int64(3, int64(t.Capacity))
	pointComponents(k, 4, list, values)
	k.Args.Int32(8, int32(len(list)))
	k.Args.Int32(9, int32(t.n))
	return t.Over(k, t.n)
}

// spreadBuffered is Algorithm 5, or 6, for one component after the other.
func (t *Transfer[T]) spreadBuffered(s *site[T], list []int, field []device.Slot) error {
	size := device.SizeOf[T]()
	for i, c := range list {
		if t.strategy == "buffered-otf" {
			if err := t.Stream.Zero(t.Buffer.Memory, 0, t.support*s.Nodes*size); err != nil {
				return err
			}
		}
		if err := s.Sweeps(t.n, t.Capacity, device.At(t.Values.Memory, i*t.Capacity*size), t.Buffer.Memory); err != nil {
			return err
		}
		k := &t.fold
		k.Args.Pointer(0, t.Buffer.Memory, 0)
		k.Point(1, field[c])
		k.Args.Int64(2, int64(s.Nodes))
		k.Args.Int32(3, int32(t.support))
		if err := t.Over(k, s.Nodes); err != nil {
			return err
		}
	}
	return nil
}

// pointComponents sets maxComponents arguments from i on to the listed slots.
func pointComponents(k *device.Kernel, i int, list []int, slots []device.Slot) {
	for j := range maxComponents {
		if j < len(list) {
			k.Point(i+j, slots[list[j]])
		} else {
			k.Args.Pointer(i+j, nil, 0)
		}
	}
}

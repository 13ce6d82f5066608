package cuda

import (
	"fmt"
	"math/bits"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/ib"
)

// transferSite is a grid of one or more components, with the points as they lie in its
// cells.
type transferSite[T ib.Float] struct {
	*device.Launcher
	dim, support, nodes int
	cells               uint32
	host                *driver.Host   // the grid's siteRecord, page-locked
	record              *driver.Memory // the same on the device
	copied              *driver.Event  // from host to record
	first, weight       device.Buffer  // of places: kernels/transfer.h

	sorter *sorter       // nil: places are in the order given
	start  device.Buffer // all zeros but for cells with points
	placed device.Buffer // how many points are in it
	list   nodeList

	weights, interpolate device.Kernel
	keys, empty          device.Kernel
	atomic, owned, sweep device.Kernel
	sets                 tileSets
}

func newTransferSite[T ib.Float](t *device.Launcher, strategy string, g, reference ib.Grid, d ib.Stencil) (*transferSite[T], error) {
	s := &transferSite[T]{Launcher: t, dim: g.Dim, support: d.Support(), sets: tileSets{strategy: strategy}}
	if err := s.find(strategy); err != nil {
		return s, err
	}
	if strategy != "atomic" {
		var err error
		if s.sorter, err = newSorter(t); err != nil {
			return s, err
		}
	}
	return s, s.setGrid(g, reference, d)
}

// setGrid makes the grid another; the site has no points then.
func (s *transferSite[T]) setGrid(g, reference ib.Grid, d ib.Stencil) error {
	r, err := newSiteRecord(s.sets.strategy, g, reference, d)
	if err != nil {
		return err
	}
	if err := s.forget(); err != nil {
		return err
	}
	s.nodes, s.cells = g.Nodes(), r.cells
	s.sets.count(&r)
	if err := s.describe(r); err != nil || s.sorter == nil {
		return err
	}
	s.sorter.bits = bits.Len32(s.cells)
	if err := s.placed.ReserveZero(s.Launcher, 1, 4); err != nil {
		return err
	}
	return s.start.ReserveZero(s.Launcher, int(s.cells), 4)
}

// describe copies what the kernels are to know of the grid to the device, once the last
// such copy is done.
func (s *transferSite[T]) describe(r siteRecord) (err error) {
	const bytes = int(unsafe.Sizeof(r))
	if s.record == nil {
		if s.record, err = s.Context.Alloc(bytes); err != nil {
			return err
		}
		if s.host, err = s.Context.Pinned(bytes); err != nil {
			return err
		}
		if s.copied, err = s.Context.EventUntimed(); err != nil {
			return err
		}
	} else if err := s.copied.Synchronize(); err != nil {
		return err
	}
	driver.View[siteRecord](s.host, 0, 1)[0] = r
	if err := s.Stream.CopyTo(s.record, 0, s.host.Pointer(0), bytes); err != nil {
		return err
	}
	return s.Stream.Record(s.copied)
}

// find finds the kernels.
func (s *transferSite[T]) find(strategy string) error {
	type use struct {
		to         *device.Kernel
		stem, name string
		arguments  int
	}
	stem := fmt.Sprintf("transfer_n%d", s.support)
	own := func(name string) string { return fmt.Sprintf("%s_n%d_%s", name, s.support, device.Precision[T]()) }
	uses := []use{{&s.weights, stem, own("place_weights"), 18}, {&s.interpolate, stem, own("interpolate"), 15}}
	if strategy != "atomic" {
		uses = append(uses, use{&s.keys, "transfer_place", "place_keys", 13}, use{&s.empty, "transfer_place", "place_forget", 4})
	}
	switch strategy {
	case "atomic":
		uses = append(uses, use{&s.atomic, stem, own("spread_atomic"), 12})
	case "sort-reduce":
		uses = append(uses, use{&s.owned, stem, own("spread_owned"), 15},
			use{&s.list.find, stem, fmt.Sprintf("list_nodes_n%d", s.support), 8}, use{&s.list.unmark, "transfer", "list_clear", 3})
	case "columns", "columns-pruned", "cells":
		uses = append(uses, use{&s.sets.spread, stem, own("spread_sets"), 15})
	case "blocks":
		uses = append(uses, use{&s.sets.spread, stem, own("spread_blocks"), 14})
	default:
		uses = append(uses, use{&s.sweep, stem, own("spread_sweep"), 11})
	}
	for _, u := range uses {
		var err error
		if *u.to, err = s.Kernel(u.stem, u.name, u.arguments); err != nil {
			return err
		}
	}
	return nil
}

func (s *transferSite[T]) close() {
	s.record.Free()
	s.host.Free()
	s.copied.Close()
	s.first.Free()
	s.weight.Free()
	s.start.Free()
	s.placed.Free()
	s.list.free()
	if s.sorter != nil {
		s.sorter.free()
	}
}

// hold makes room for n points.
func (s *transferSite[T]) hold(n int) error {
	if _, err := s.first.Reserve(s.Context, s.dim*n, 4); err != nil {
		return err
	}
	if _, err := s.weight.Reserve(s.Context, s.dim*s.support*n, device.SizeOf[T]()); err != nil {
		return err
	}
	if s.sorter == nil {
		return nil
	}
	return s.sorter.hold(n)
}

// key and order are those of places: order is nil where a point's place is its number.
func (s *transferSite[T]) key() *driver.Memory {
	key, _ := s.sorter.out()
	return key
}

func (s *transferSite[T]) order() *driver.Memory {
	if s.sorter == nil {
		return nil
	}
	_, order := s.sorter.out()
	return order
}

// forget takes the points out of the tables, before there is another grid or other memory.
func (s *transferSite[T]) forget() error {
	if s.sorter == nil || s.placed.Memory == nil || s.key() == nil {
		return nil
	}
	if err := s.list.clear(s.Launcher); err != nil {
		return err
	}
	k := &s.empty
	k.Args.Pointer(0, s.record, 0)
	k.Args.Pointer(1, s.key(), 0)
	k.Args.Pointer(2, s.start.Memory, 0)
	k.Args.Pointer(3, s.placed.Memory, 0)
	if err := s.Over(k, s.key().Bytes()/4); err != nil {
		return err
	}
	return s.Stream.Zero(s.placed.Memory, 0, 4)
}

// indexed are nodes that are to have places in an index, in place of those before: see
// Listed in kernels/transfer.h. The zero value changes none.
type indexed struct {
	at, nodes     device.Slot
	index, listed *driver.Memory
	heads, next   *driver.Memory // nil: the fluid does not find them
	count         int
}

// place sorts n points and finds their supports: two launches for as many as a block
// sorts. Points without a position are told where invalid is not nil.
func (s *transferSite[T]) place(position device.Slot, n, stride int, invalid *driver.Memory, nodes indexed) error {
	if n == 0 {
		return s.forget()
	}
	if s.sorter != nil {
		if err := s.list.clear(s.Launcher); err != nil {
			return err
		}
		if err := s.sort(position, n, invalid, nodes); err != nil {
			return err
		}
	}
	k := &s.weights
	k.Args.Pointer(0, s.record, 0)
	k.Point(1, position)
	k.Args.Pointer(2, s.order(), 0)
	k.Args.Pointer(3, s.first.Memory, 0)
	k.Args.Pointer(4, s.weight.Memory, 0)
	k.Args.Int64(5, int64(stride))
	k.Args.Pointer(6, invalid, 0)
	k.Args.Int32(7, int32(n))
	for i := range 3 {
		k.Args.Pointer(8+i, nil, 0)
	}
	if s.sorter != nil {
		k.Args.Pointer(8, s.key(), 0)
		k.Args.Pointer(9, s.start.Memory, 0)
		k.Args.Pointer(10, s.placed.Memory, 0)
	}
	k.Args.Int32(11, int32(nodes.count))
	k.Point(12, nodes.at)
	k.Args.Pointer(13, nodes.index, 0)
	k.Args.Pointer(14, nodes.listed, 0)
	k.Point(15, nodes.nodes)
	k.Args.Pointer(16, nodes.heads, 0)
	k.Args.Pointer(17, nodes.next, 0)
	if err := s.Over(k, max(n, nodes.count)); err != nil {
		return err
	}
	return s.listNodes(n, stride)
}

// sort queues the sorting of n points by cell, and takes what was placed before out of the
// tables.
func (s *transferSite[T]) sort(position device.Slot, n int, invalid *driver.Memory, nodes indexed) error {
	key, order := s.sorter.in(n)
	if inBlock(n) {
		k := s.sorter.blockFor(n)
		k.Args.Pointer(blockSite, s.record, 0)
		k.Point(blockPosition, position)
		k.Args.Pointer(blockStart, s.start.Memory, 0)
		k.Args.Pointer(blockPlaced, s.placed.Memory, 0)
		k.Args.Pointer(blockInvalid, invalid, 0)
		k.Args.Pointer(blockIndex, nodes.index, 0)
		k.Args.Pointer(blockListed, nodes.listed, 0)
		k.Args.Pointer(blockHeads, nodes.heads, 0)
		k.Args.Int32(blockNodes, int32(nodes.count))
		blocks := 1
		if nodes.index != nil {
			const each = 4096 // nodes
			blocks += min(1+nodes.count/each, s.Shape.Blocks)
		}
		return s.sorter.sortInBlock(k, n, blocks)
	}
	k := &s.keys
	k.Args.Pointer(0, s.record, 0)
	k.Point(1, position)
	k.Args.Pointer(2, key, 0)
	k.Args.Pointer(3, order, 0)
	k.Args.Pointer(4, s.key(), 0)
	k.Args.Pointer(5, s.start.Memory, 0)
	k.Args.Pointer(6, s.placed.Memory, 0)
	k.Args.Pointer(7, invalid, 0)
	k.Args.Int32(8, int32(n))
	k.Args.Pointer(9, nodes.index, 0)
	k.Args.Pointer(10, nodes.listed, 0)
	k.Args.Pointer(11, nodes.heads, 0)
	k.Args.Int32(12, int32(nodes.count))
	if err := s.Over(k, n); err != nil {
		return err
	}
	return s.sorter.sort(n)
}

// supports sets the first arguments of kernels that go over places.
func (s *transferSite[T]) supports(k *device.Kernel, stride int) {
	k.Args.Pointer(0, s.record, 0)
	k.Args.Pointer(1, s.first.Memory, 0)
	k.Args.Pointer(2, s.weight.Memory, 0)
	k.Args.Int64(3, int64(stride))
}

// interpolateTo interpolates the listed components to n points.
func (s *transferSite[T]) interpolateTo(n, stride int, list []int, values, field []device.Slot) error {
	k := &s.interpolate
	s.supports(k, stride)
	k.Args.Pointer(4, s.order(), 0)
	pointComponents(k, 5, list, field)
	pointComponents(k, 9, list, values)
	k.Args.Int32(13, int32(len(list)))
	k.Args.Int32(14, int32(n))
	return s.Over(k, n)
}

// spread spreads values of n places to the listed components, by owners.
func (s *transferSite[T]) spread(stride int, values *driver.Memory, list []int, field []device.Slot) error {
	k := &s.owned
	s.supports(k, stride)
	k.Args.Pointer(4, values, 0)
	pointComponents(k, 5, list, field)
	k.Args.Int32(9, int32(len(list)))
	k.Args.Pointer(10, s.key(), 0)
	k.Args.Pointer(11, s.start.Memory, 0)
	k.Args.Int32(14, int32(s.nodes))
	if !s.list.used {
		k.Args.Pointer(12, nil, 0)
		k.Args.Pointer(13, nil, 0)
		return s.Over(k, s.nodes)
	}
	k.Args.Pointer(12, s.list.nodes.Memory, 0)
	k.Args.Pointer(13, s.list.count.Memory, 0)
	return s.Over(k, s.list.most)
}

// spreadAtomic spreads values of n places to the listed components, by atomics. index
// tells where nodes are in fields that have a few nodes only; nil: they have all.
func (s *transferSite[T]) spreadAtomic(n, stride int, values *driver.Memory, list []int, field []device.Slot, index *driver.Memory) error {
	k := &s.atomic
	s.supports(k, stride)
	k.Args.Pointer(4, values, 0)
	pointComponents(k, 5, list, field)
	k.Args.Int32(9, int32(len(list)))
	k.Args.Pointer(10, index, 0)
	k.Args.Int32(11, int32(n))
	return s.Over(k, n*s.support)
}

// sweeps are those of Algorithm 5 of one component, into a buffer.
func (s *transferSite[T]) sweeps(n, stride int, values device.Slot, buffer *driver.Memory) error {
	k := &s.sweep
	s.supports(k, stride)
	k.Args.Pointer(4, s.key(), 0)
	k.Point(5, values)
	k.Args.Pointer(6, buffer, 0)
	k.Args.Int64(7, int64(s.nodes))
	planes := 1
	if s.dim == 3 {
		planes = s.support
	}
	k.Args.Int32(10, int32(n))
	for z := range planes {
		for y := range s.support {
			k.Args.Int32(8, int32(y))
			k.Args.Int32(9, int32(z))
			if err := s.Over(k, n); err != nil {
				return err
			}
		}
	}
	return nil
}

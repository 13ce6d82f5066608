package transfer

import (
	"fmt"
	"math/bits"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/ib"
)

// site is a grid of one or more components, with the points as they lie in its
// cells.
type site[T ib.Float] struct {
	*device.Launcher
	dim, support, Nodes int
	size                [3]int // nodes along each axis
	cells               uint32
	host                *driver.Host   // the grid's siteRecord, page-locked
	Record              *driver.Memory // the same on the device
	copied              *driver.Event  // from host to record
	First, Weight       device.Buffer  // of places: kernels/transfer.h

	sorter *sorter       // nil: places are in the order given
	Cells  device.Buffer // the places of points in every cell: kernels/transfer.h
	placed device.Buffer // how many points are in it
	list   nodeList

	weights, interpolate device.Kernel
	keys, empty          device.Kernel
	atomic, sweep        device.Kernel
	owned, tiles         device.Kernel // sort-reduce: to the nodes of a list, and to all
	Sets                 tileSets
}

func newSite[T ib.Float](t *device.Launcher, strategy string, g, reference ib.Grid, d ib.Stencil) (*site[T], error) {
	s := &site[T]{Launcher: t, dim: g.Dim, support: d.Support(), Sets: tileSets{strategy: strategy}}
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
func (s *site[T]) setGrid(g, reference ib.Grid, d ib.Stencil) error {
	r, err := newSiteRecord(s.Sets.strategy, g, reference, d)
	if err != nil {
		return err
	}
	if err := s.forget(); err != nil {
		return err
	}
	s.Nodes, s.size, s.cells = g.Nodes(), g.Size, r.cells
	s.Sets.count(&r)
	if err := s.describe(r); err != nil || s.sorter == nil {
		return err
	}
	s.sorter.bits = bits.Len32(s.cells)
	if err := s.placed.ReserveZero(s.Launcher, 1, 4); err != nil {
		return err
	}
	return s.Cells.ReserveZero(s.Launcher, 2*int(s.cells), 4)
}

// describe copies what the kernels are to know of the grid to the device, once the last
// such copy is done.
func (s *site[T]) describe(r siteRecord) (err error) {
	const bytes = int(unsafe.Sizeof(r))
	if s.Record == nil {
		if s.Record, err = s.Context.Alloc(bytes); err != nil {
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
	if err := s.Stream.CopyTo(s.Record, 0, s.host.Pointer(0), bytes); err != nil {
		return err
	}
	return s.Stream.Record(s.copied)
}

// find finds the kernels.
func (s *site[T]) find(strategy string) error {
	type use struct {
		to         *device.Kernel
		stem, name string
		arguments  int
	}
	stem := fmt.Sprintf("transfer_n%d", s.support)
	own := func(name string) string { return fmt.Sprintf("%s_n%d_%s", name, s.support, device.Precision[T]()) }
	uses := []use{{&s.weights, stem, own("place_weights"), 20}, {&s.interpolate, stem, own("interpolate"), 15}}
	if strategy != "atomic" {
		uses = append(uses, use{&s.keys, "transfer_place", "place_keys", 13}, use{&s.empty, "transfer_place", "place_forget", 4})
	}
	switch strategy {
	case "atomic":
		uses = append(uses, use{&s.atomic, stem, own("spread_atomic"), 12})
	case "sort-reduce":
		uses = append(uses, use{&s.owned, stem, own("spread_owned"), 15}, use{&s.tiles, stem, own("spread_tiles"), 11},
			use{&s.list.find, "transfer", "list_marked", 4}, use{&s.list.unmark, "transfer", "list_clear", 3})
	case "columns", "columns-pruned", "cells":
		uses = append(uses, use{&s.Sets.spread, stem, own("spread_sets"), 15})
	case "blocks":
		uses = append(uses, use{&s.Sets.spread, stem, own("spread_blocks"), 13})
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

func (s *site[T]) close() {
	s.Record.Free()
	s.host.Free()
	s.copied.Close()
	s.First.Free()
	s.Weight.Free()
	s.Cells.Free()
	s.placed.Free()
	s.list.free()
	if s.sorter != nil {
		s.sorter.free()
	}
}

// Sorts tells whether points are sorted by cell.
func (s *site[T]) Sorts() bool { return s.sorter != nil }

// hold makes room for n points.
func (s *site[T]) hold(n int) error {
	if _, err := s.First.Reserve(s.Context, s.dim*n, 4); err != nil {
		return err
	}
	if _, err := s.Weight.Reserve(s.Context, s.dim*s.support*n, device.SizeOf[T]()); err != nil {
		return err
	}
	if s.sorter == nil {
		return nil
	}
	return s.sorter.hold(n)
}

// Key and order are those of places: order is nil where a point's place is its number.
func (s *site[T]) Key() *driver.Memory {
	key, _ := s.sorter.out()
	return key
}

func (s *site[T]) Order() *driver.Memory {
	if s.sorter == nil {
		return nil
	}
	_, order := s.sorter.out()
	return order
}

// forget takes the points out of the tables, before there is another grid or other memory.
func (s *site[T]) forget() error {
	if s.sorter == nil || s.placed.Memory == nil || s.Key() == nil {
		return nil
	}
	if err := s.list.clear(s.Launcher); err != nil {
		return err
	}
	k := &s.empty
	k.Args.Pointer(0, s.Record, 0)
	k.Args.Pointer(1, s.Key(), 0)
	k.Args.Pointer(2, s.Cells.Memory, 0)
	k.Args.Pointer(3, s.placed.Memory, 0)
	if err := s.Over(k, s.Key().Bytes()/4); err != nil {
		return err
	}
	return s.Stream.Zero(s.placed.Memory, 0, 4)
}

// Indexed are nodes that are to have places in an index, in place of those before: see
// Listed in kernels/transfer.h. The zero value changes none.
type Indexed struct {
	At, Nodes     device.Slot
	Index, Listed *driver.Memory
	Heads, Next   *driver.Memory // nil: the fluid does not find them
	Count         int
}

// place sorts n points and finds their supports: two launches for as many as a block
// sorts. Points without a position are told where invalid is not nil.
func (s *site[T]) place(position device.Slot, n, stride int, invalid *driver.Memory, nodes Indexed) error {
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
	k.Args.Pointer(0, s.Record, 0)
	k.Point(1, position)
	k.Args.Pointer(2, s.Order(), 0)
	k.Args.Pointer(3, s.First.Memory, 0)
	k.Args.Pointer(4, s.Weight.Memory, 0)
	k.Args.Int64(5, int64(stride))
	k.Args.Pointer(6, invalid, 0)
	k.Args.Int32(7, int32(n))
	for i := range 3 {
		k.Args.Pointer(8+i, nil, 0)
	}
	if s.sorter != nil {
		k.Args.Pointer(8, s.Key(), 0)
		k.Args.Pointer(9, s.Cells.Memory, 0)
		k.Args.Pointer(10, s.placed.Memory, 0)
	}
	k.Args.Int32(11, int32(nodes.Count))
	k.Point(12, nodes.At)
	k.Args.Pointer(13, nodes.Index, 0)
	k.Args.Pointer(14, nodes.Listed, 0)
	k.Point(15, nodes.Nodes)
	k.Args.Pointer(16, nodes.Heads, 0)
	k.Args.Pointer(17, nodes.Next, 0)
	if err := s.chooseList(n); err != nil {
		return err
	}
	k.Args.Pointer(18, nil, 0)
	k.Args.Pointer(19, nil, 0)
	if s.list.used {
		k.Args.Pointer(18, s.list.marked.Memory, 0)
		k.Args.Pointer(19, s.list.count.Memory, 0)
	}
	if err := s.Over(k, max(n, nodes.Count)); err != nil {
		return err
	}
	return s.listNodes()
}

// sort queues the sorting of n points by cell, and takes what was placed before out of the
// tables.
func (s *site[T]) sort(position device.Slot, n int, invalid *driver.Memory, nodes Indexed) error {
	key, order := s.sorter.in(n)
	if inBlock(n) {
		k := s.sorter.blockFor(n)
		k.Args.Pointer(blockSite, s.Record, 0)
		k.Point(blockPosition, position)
		k.Args.Pointer(blockCells, s.Cells.Memory, 0)
		k.Args.Pointer(blockPlaced, s.placed.Memory, 0)
		k.Args.Pointer(blockInvalid, invalid, 0)
		k.Args.Pointer(blockIndex, nodes.Index, 0)
		k.Args.Pointer(blockListed, nodes.Listed, 0)
		k.Args.Pointer(blockHeads, nodes.Heads, 0)
		k.Args.Int32(blockNodes, int32(nodes.Count))
		blocks := 1
		if nodes.Index != nil {
			const each = 4096 // nodes
			blocks += min(1+nodes.Count/each, s.Shape.Blocks)
		}
		return s.sorter.sortInBlock(k, n, blocks)
	}
	k := &s.keys
	k.Args.Pointer(0, s.Record, 0)
	k.Point(1, position)
	k.Args.Pointer(2, key, 0)
	k.Args.Pointer(3, order, 0)
	k.Args.Pointer(4, s.Key(), 0)
	k.Args.Pointer(5, s.Cells.Memory, 0)
	k.Args.Pointer(6, s.placed.Memory, 0)
	k.Args.Pointer(7, invalid, 0)
	k.Args.Int32(8, int32(n))
	k.Args.Pointer(9, nodes.Index, 0)
	k.Args.Pointer(10, nodes.Listed, 0)
	k.Args.Pointer(11, nodes.Heads, 0)
	k.Args.Int32(12, int32(nodes.Count))
	if err := s.Over(k, n); err != nil {
		return err
	}
	return s.sorter.sort(n)
}

// Supports sets the first arguments of kernels that go over places.
func (s *site[T]) Supports(k *device.Kernel, stride int) {
	k.Args.Pointer(0, s.Record, 0)
	k.Args.Pointer(1, s.First.Memory, 0)
	k.Args.Pointer(2, s.Weight.Memory, 0)
	k.Args.Int64(3, int64(stride))
}

// interpolateTo interpolates the listed components to n points.
func (s *site[T]) interpolateTo(n, stride int, list []int, values, field []device.Slot) error {
	k := &s.interpolate
	s.Supports(k, stride)
	k.Args.Pointer(4, s.Order(), 0)
	pointComponents(k, 5, list, field)
	pointComponents(k, 9, list, values)
	k.Args.Int32(13, int32(len(list)))
	k.Args.Int32(14, int32(n))
	return s.Over(k, n)
}

// Numbers of kernels/transfer_support.h: the nodes of a warp's tile along x and y, and the
// warps of a block at most.
const tileX, tileY, tileWarps = 8, 4, 6

// spread spreads values of n places to the listed components, by owners; what fields had before is added to, or, by node, replaced (set). A thread for a node is
// fast where nodes have points, and a warp for a tile of nodes where most have none: on an NVIDIA
// H200 2¹⁶ points on 16³ and 32³ take 0.08 and 0.06 ms a component with the former,
// 0.23 and 0.08 with the latter; 2¹⁸ points on 128³ 1.2 and 0.6 ms.
func (s *site[T]) spread(n, stride int, values *driver.Memory, list []int, field []device.Slot, set bool) error {
	byNode := s.list.used || n >= s.Nodes
	k := &s.tiles
	if byNode {
		k = &s.owned
	}
	s.Supports(k, stride)
	k.Args.Pointer(4, values, 0)
	pointComponents(k, 5, list, field)
	k.Args.Int32(9, int32(len(list)))
	k.Args.Pointer(10, s.Cells.Memory, 0)
	if byNode {
		return s.spreadByNode(k, set)
	}
	const warp = 32
	planes := 1
	if s.dim == 3 {
		planes = s.support
	}
	together := max(1, 4/planes) // tiles of a block
	tiles := (s.size[0] + tileX - 1) / tileX * ((s.size[1] + tileY - 1) / tileY) * s.size[2]
	grid := [3]int{min((tiles+together-1)/together, s.Shape.Blocks), 1, 1}
	return s.Stream.Launch(k.Function, grid, [3]int{together * planes * warp, 1, 1}, 0, k.Args)
}

// spreadByNode queues the kernel over the nodes of the list, or over all.
func (s *site[T]) spreadByNode(k *device.Kernel, set bool) error {
	nodes := s.Nodes
	k.Args.Pointer(11, nil, 0)
	k.Args.Pointer(12, nil, 0)
	k.Args.Int32(13, int32(nodes))
	replace := int32(0)
	if set {
		replace = 1
	}
	k.Args.Int32(14, replace)
	if s.list.used && !s.list.all {
		k.Args.Pointer(11, s.list.nodes.Memory, 0)
		k.Args.Pointer(12, s.list.count.Memory, 0)
		nodes = s.list.most
	}
	each := 1 // threads of a node
	if s.dim == 3 {
		each = 1 << bits.Len(uint(s.support-1))
	}
	return s.Over(k, each*nodes)
}

// SpreadAtomic spreads values of n places to the listed components, by atomics. index
// tells where nodes are in fields that have a few nodes only; nil: they have all.
func (s *site[T]) SpreadAtomic(n, stride int, values *driver.Memory, list []int, field []device.Slot, index *driver.Memory) error {
	k := &s.atomic
	s.Supports(k, stride)
	k.Args.Pointer(4, values, 0)
	pointComponents(k, 5, list, field)
	k.Args.Int32(9, int32(len(list)))
	k.Args.Pointer(10, index, 0)
	k.Args.Int32(11, int32(n))
	return s.Over(k, n*s.support)
}

// Sweeps are those of Algorithm 5 of one component, into a buffer.
func (s *site[T]) Sweeps(n, stride int, values device.Slot, buffer *driver.Memory) error {
	k := &s.sweep
	s.Supports(k, stride)
	k.Args.Pointer(4, s.Key(), 0)
	k.Point(5, values)
	k.Args.Pointer(6, buffer, 0)
	k.Args.Int64(7, int64(s.Nodes))
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

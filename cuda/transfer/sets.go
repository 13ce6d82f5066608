package transfer

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
)

// tileSets are the sets of tiles by which a strategy spreads: kernels/transfer_sets.h.
type tileSets struct {
	strategy     string
	all, items   int // sets, and columns or blocks in each
	spread       device.Kernel
	blockThreads int
}

// blockTile is how many cells a block of threads has along each axis, in 2D and 3D: blockTile2 and
// blockTile3 of kernels/transfer_sets.h.
var blockTile = [2][3]int{{8, 4, 1}, {4, 4, 2}}

// tileLength is how many cells along an axis a tile of a strategy has, at most; 0: all.
func tileLength(strategy string, axis, dim int) int {
	switch strategy {
	case "cells":
		return 1
	case "columns", "columns-pruned":
		return min(axis, 1)
	case "blocks":
		return blockTile[dim-2][axis]
	}
	return 0
}

// cut cuts the cells along the axis into tiles of at most so many, and these into groups so that
// tiles with the same place in theirs have no node in common. Along a bounded axis every group has
// as many tiles as a support reaches over; a periodic one is gone round in groups as even as can
// be, and its tiles are so short that what they reach does not come round to themselves.
func (x *siteAxis) cut(length, support int) {
	n := int(x.cells)
	if length == 0 {
		length = n
	} else if x.periodic != 0 {
		length = min(length, n-support+1)
	}
	tiles := (n + length - 1) / length
	shortest := n / tiles
	apart := 1 + (support-2+shortest)/shortest // tiles from one to the next of its colour
	groups, span := (tiles+apart-1)/apart, 0
	span = groups * apart
	if x.periodic != 0 {
		groups = max(1, tiles/apart)
		span = tiles
	}
	x.tiles, x.span, x.groups = int32(tiles), int32(span), int32(groups)
	x.colours = int32(min(tiles, (span+groups-1)/groups))
}

// count finds how many sets there are of a grid.
func (s *tileSets) count(r *siteRecord) {
	x := &r.axis
	s.all = int(x[0].colours) * int(x[1].colours) * int(x[2].colours)
	s.items = int(x[0].groups) * int(x[1].groups) * int(x[2].groups)
	s.blockThreads = 1
	for _, n := range blockTile[max(r.dim, 2)-2] {
		s.blockThreads *= n
	}
}

// Used tells whether the strategy is one of them.
func (s *tileSets) Used() bool { return s.spread.Function != nil }

// SpreadSets spreads values of n places to the listed components, set after set. index is that of
// spreadAtomic.
func (s *site[T]) SpreadSets(n, stride int, values *driver.Memory, list []int, field []device.Slot, index *driver.Memory) error {
	t := &s.Sets
	k := &t.spread
	s.Supports(k, stride)
	k.Args.Pointer(4, values, 0)
	pointComponents(k, 5, list, field)
	k.Args.Int32(9, int32(len(list)))
	k.Args.Pointer(10, index, 0)
	if t.strategy == "blocks" {
		k.Args.Pointer(11, s.Cells.Memory, 0)
		grid, block := [3]int{min(t.items, s.Shape.Blocks), 1, 1}, [3]int{t.blockThreads, 1, 1}
		for set := range t.all {
			k.Args.Int32(12, int32(set))
			if err := s.Stream.Launch(k.Function, grid, block, 0, k.Args); err != nil {
				return err
			}
		}
		return nil
	}
	k.Args.Pointer(11, s.Key(), 0)
	every, items := int32(0), n
	if t.strategy == "columns" {
		every, items = 1, t.items
	}
	k.Args.Int32(13, every)
	k.Args.Int32(14, int32(n))
	for set := range t.all {
		k.Args.Int32(12, int32(set))
		if err := s.Over(k, items); err != nil {
			return err
		}
	}
	return nil
}

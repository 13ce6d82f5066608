package transfer

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
)

// Numbers of kernels/sort.cu.
const (
	sortItems   = 4
	sortThreads = 256
	sortTile    = sortItems * sortThreads
	sortBits    = 8 // of a pass
	sortDigits  = 1 << sortBits
	sortShared  = 9280 // bytes of SortSpace
)

// Numbers of kernels/sort_block.h.
const (
	blockThreads = 1024
	blockKeys    = 16 * blockThreads // that one block sorts, at most
)

// blockItems are the keys that a thread may have: few, where there are threads enough.
var blockItems = [2]int{4, 16}

// blockShared is the shared memory of a block of so many threads, in bytes.
func blockShared(threads int) int { return 128 + 32*threads }

// sorter sorts keys of 32 bits, and with them the numbers of what they belong to. Equal
// keys keep their order.
type sorter struct {
	*device.Launcher
	bits                 int              // of a key
	block                [2]device.Kernel // for either of blockItems
	count, scan, scatter device.Kernel
	counts               device.Buffer
	side                 [2]struct{ key, order device.Buffer }
}

// newSorter makes a sorter; bits are to be set.
func newSorter(t *device.Launcher) (*sorter, error) {
	s := &sorter{Launcher: t}
	for _, k := range []struct {
		to         *device.Kernel
		stem, name string
		arguments  int
	}{
		{&s.block[0], "transfer_place", fmt.Sprintf("place_block_%d", blockItems[0]), blockArgs},
		{&s.block[1], "transfer_place", fmt.Sprintf("place_block_%d", blockItems[1]), blockArgs},
		{&s.count, "sort", "sort_count", 4}, {&s.scan, "sort", "sort_scan", 2}, {&s.scatter, "sort", "sort_scatter", 7},
	} {
		var err error
		if *k.to, err = t.Kernel(k.stem, k.name, k.arguments); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// hold makes room for n keys and one behind them.
func (s *sorter) hold(n int) error {
	blocks := (n + sortTile - 1) / sortTile
	if _, err := s.counts.Reserve(s.Context, sortDigits*(blocks+1), 4); err != nil {
		return err
	}
	for i := range s.side {
		if _, err := s.side[i].key.Reserve(s.Context, n+1, 4); err != nil {
			return err
		}
		if _, err := s.side[i].order.Reserve(s.Context, n, 4); err != nil {
			return err
		}
	}
	return nil
}

func (s *sorter) free() {
	s.counts.Free()
	for i := range s.side {
		s.side[i].key.Free()
		s.side[i].order.Free()
	}
}

// passes over n keys.
func (s *sorter) passes() int { return (s.bits + sortBits - 1) / sortBits }

// inBlock tells whether n keys are sorted by one block.
func inBlock(n int) bool { return n <= blockKeys }

// in is where n keys and their numbers are put before they are sorted. A block, which needs
// no numbers, leaves the keys where they are.
func (s *sorter) in(n int) (key, order *driver.Memory) {
	from := &s.side[0]
	if inBlock(n) || s.passes()%2 == 1 {
		from = &s.side[1]
	}
	return from.key.Memory, from.order.Memory
}

// out is where they are when they have been.
func (s *sorter) out() (key, order *driver.Memory) {
	return s.side[0].key.Memory, s.side[0].order.Memory
}

// sort queues the sorting of n keys.
func (s *sorter) sort(n int) error {
	if inBlock(n) {
		k := s.blockFor(n)
		for _, i := range []int{blockSite, blockPosition, blockCells, blockPlaced, blockInvalid, blockIndex, blockListed, blockHeads} {
			k.Args.Pointer(i, nil, 0)
		}
		k.Args.Int32(blockNodes, 0)
		return s.sortInBlock(k, n, 1)
	}
	blocks := (n + sortTile - 1) / sortTile
	grid, block := [3]int{blocks, 1, 1}, [3]int{sortThreads, 1, 1}
	from := s.passes() % 2
	for shift := 0; shift < s.bits; shift += sortBits {
		a, b := &s.side[from], &s.side[1-from]
		s.count.Args.Pointer(0, a.key.Memory, 0)
		s.count.Args.Pointer(1, s.counts.Memory, 0)
		s.count.Args.Int32(2, int32(n))
		s.count.Args.Int32(3, int32(shift))
		s.scan.Args.Pointer(0, s.counts.Memory, 0)
		s.scan.Args.Int32(1, int32(blocks))
		s.scatter.Args.Pointer(0, a.key.Memory, 0)
		s.scatter.Args.Pointer(1, a.order.Memory, 0)
		s.scatter.Args.Pointer(2, b.key.Memory, 0)
		s.scatter.Args.Pointer(3, b.order.Memory, 0)
		s.scatter.Args.Pointer(4, s.counts.Memory, 0)
		s.scatter.Args.Int32(5, int32(n))
		s.scatter.Args.Int32(6, int32(shift))
		if err := s.Stream.Launch(s.count.Function, grid, block, sortShared, s.count.Args); err != nil {
			return err
		}
		if err := s.Stream.Launch(s.scan.Function, [3]int{sortDigits, 1, 1}, block, sortShared, s.scan.Args); err != nil {
			return err
		}
		if err := s.Stream.Launch(s.scatter.Function, grid, block, sortShared, s.scatter.Args); err != nil {
			return err
		}
		from = 1 - from
	}
	return nil
}

// The arguments of place_block.
const (
	blockSite, blockPosition, blockCell, blockKey, blockOrder, blockCells = 0, 1, 2, 3, 4, 5
	blockPlaced, blockInvalid, blockCount, blockBits                      = 6, 7, 8, 9
	blockIndex, blockListed, blockHeads, blockNodes, blockArgs            = 10, 11, 12, 13, 14
)

// blockFor is the kernel by which a block sorts n keys.
func (s *sorter) blockFor(n int) *device.Kernel { return &s.block[blockKind(n)] }

// blockKind is the number of blockItems for n keys.
func blockKind(n int) int {
	if n <= blockItems[0]*blockThreads {
		return 0
	}
	return 1
}

// sortInBlock queues the kernel for n keys, of whose arguments those of the sorter are set
// here, with so many blocks.
func (s *sorter) sortInBlock(k *device.Kernel, n, blocks int) error {
	const warp = 32
	cell, _ := s.in(n)
	key, order := s.out()
	k.Args.Pointer(blockCell, cell, 0)
	k.Args.Pointer(blockKey, key, 0)
	k.Args.Pointer(blockOrder, order, 0)
	k.Args.Int32(blockCount, int32(n))
	k.Args.Int32(blockBits, int32(s.bits))
	each := warp * blockItems[blockKind(n)]
	threads := warp * ((n + each - 1) / each)
	return s.Stream.Launch(k.Function, [3]int{blocks, 1, 1}, [3]int{threads, 1, 1}, blockShared(threads), k.Args)
}

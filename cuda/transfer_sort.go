package cuda

import "lbmib/cuda/driver"

// Numbers of kernels/sort.cu.
const (
	sortItems   = 8
	sortThreads = 256
	sortTile    = sortItems * sortThreads
	sortBits    = 4                       // of a pass
	sortShared  = 9344                    // bytes of SortSpace
	tileShared  = sortShared + 8*sortTile // and of TileSpace
)

// sorter sorts keys of 32 bits, and with them the numbers of what they belong to. Equal
// keys keep their order.
type sorter struct {
	*tools
	bits                       int // of a key
	tile, count, scan, scatter kernel
	counts                     room
	side                       [2]struct{ key, order room }
}

// newSorter makes a sorter; bits are to be set.
func newSorter(t *tools) (*sorter, error) {
	s := &sorter{tools: t}
	for _, k := range []struct {
		to        *kernel
		name      string
		arguments int
	}{{&s.tile, "sort_tile", 4}, {&s.count, "sort_count", 4}, {&s.scan, "sort_scan", 2}, {&s.scatter, "sort_scatter", 7}} {
		var err error
		if *k.to, err = t.kernel("sort", k.name, k.arguments); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// hold makes room for n keys and one behind them.
func (s *sorter) hold(n int) error {
	blocks := (n + sortTile - 1) / sortTile
	if _, err := s.counts.hold(s.context, 1<<sortBits*blocks, 4); err != nil {
		return err
	}
	for i := range s.side {
		if _, err := s.side[i].key.hold(s.context, n+1, 4); err != nil {
			return err
		}
		if _, err := s.side[i].order.hold(s.context, n, 4); err != nil {
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

// in is where n keys and their numbers are put before they are sorted.
func (s *sorter) in(n int) (key, order *driver.Memory) {
	from := &s.side[0]
	if n > sortTile && s.passes()%2 == 1 {
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
	if n <= sortTile {
		return s.sortTile(n)
	}
	blocks := (n + sortTile - 1) / sortTile
	grid, block := [3]int{blocks, 1, 1}, [3]int{sortThreads, 1, 1}
	from := s.passes() % 2
	for shift := 0; shift < s.bits; shift += sortBits {
		a, b := &s.side[from], &s.side[1-from]
		s.count.args.Pointer(0, a.key.Memory, 0)
		s.count.args.Pointer(1, s.counts.Memory, 0)
		s.count.args.Int32(2, int32(n))
		s.count.args.Int32(3, int32(shift))
		s.scan.args.Pointer(0, s.counts.Memory, 0)
		s.scan.args.Int32(1, int32(1<<sortBits*blocks))
		s.scatter.args.Pointer(0, a.key.Memory, 0)
		s.scatter.args.Pointer(1, a.order.Memory, 0)
		s.scatter.args.Pointer(2, b.key.Memory, 0)
		s.scatter.args.Pointer(3, b.order.Memory, 0)
		s.scatter.args.Pointer(4, s.counts.Memory, 0)
		s.scatter.args.Int32(5, int32(n))
		s.scatter.args.Int32(6, int32(shift))
		if err := s.stream.Launch(s.count.f, grid, block, sortShared, s.count.args); err != nil {
			return err
		}
		if err := s.stream.Launch(s.scan.f, [3]int{1, 1, 1}, block, sortShared, s.scan.args); err != nil {
			return err
		}
		if err := s.stream.Launch(s.scatter.f, grid, block, sortShared, s.scatter.args); err != nil {
			return err
		}
		from = 1 - from
	}
	return nil
}

// sortTile sorts in one block of whole warps.
func (s *sorter) sortTile(n int) error {
	const warp = 32
	threads := (n + sortItems*warp - 1) / (sortItems * warp) * warp
	s.tile.args.Pointer(0, s.side[0].key.Memory, 0)
	s.tile.args.Pointer(1, s.side[0].order.Memory, 0)
	s.tile.args.Int32(2, int32(n))
	s.tile.args.Int32(3, int32(s.bits))
	return s.stream.Launch(s.tile.f, [3]int{1, 1, 1}, [3]int{threads, 1, 1}, tileShared, s.tile.args)
}

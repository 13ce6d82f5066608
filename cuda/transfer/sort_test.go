package transfer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
)

// Numbers of keys around those at which work is cut: warps, few keys a thread and many, a
// block, tiles.
func TestSortingIsStable(t *testing.T) {
	devicetest.NumbersAlone(t)
	l, s := bench(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{1, 4, 9, 22, 32} {
		sorter, err := newSorter(device.NewLauncher(l, s))
		if err != nil {
			t.Fatal(err)
		}
		sorter.bits = bits
		defer sorter.free()
		for _, n := range []int{1, 2, 255, 256, 257, 4 * blockThreads, 4*blockThreads + 1, blockKeys - 1, blockKeys, blockKeys + 1, 9*sortTile + 17} {
			keys := make([]uint32, n)
			for i := range keys {
				keys[i] = r.Uint32() >> (32 - bits)
				if i%5 == 0 { // as points in a cell
					keys[i] = keys[i/2]
				}
			}
			check := func(how string) {
				t.Helper()
				got, order := sortOnDevice(t, sorter, keys)
				want := make([]uint32, n)
				for i := range want {
					want[i] = uint32(i)
				}
				slices.SortStableFunc(want, func(a, b uint32) int { return int(int64(keys[a]) - int64(keys[b])) })
				for i, from := range want {
					if got[i] != keys[from] || order[i] != from {
						t.Fatalf("%d keys of %d bits, %s: place %d has key %#x of %d, should have %#x of %d", n, bits, how, i, got[i], order[i], keys[from], from)
					}
				}
			}
			check("random")
			slices.Sort(keys)
			check("in order")
			slices.Reverse(keys)
			check("in reverse")
			for i := range keys {
				keys[i] = keys[0]
			}
			check("all the same")
		}
	}
}

func sortOnDevice(t *testing.T, s *sorter, keys []uint32) (sorted, order []uint32) {
	t.Helper()
	n := len(keys)
	sorted, order = make([]uint32, n), make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.hold(n))
	key, number := s.in(n)
	must(device.CopyIn(s.Stream, device.At(key, 0), keys))
	must(device.CopyIn(s.Stream, device.At(number, 0), order))
	must(s.sort(n))
	key, number = s.out()
	must(device.CopyOut(s.Stream, sorted, device.At(key, 0)))
	must(device.CopyOut(s.Stream, order, device.At(number, 0)))
	must(s.Stream.Synchronize())
	return sorted, order
}

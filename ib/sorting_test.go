package ib

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// Keys of 32 and of 64 bits, sorted anew and after few or many have changed, on any
// number of workers.
func TestSortIsStableAndAscending(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, limit := range []uint64{1, 2, 100, 1 << maxDigit, 1<<maxDigit + 1, 1 << 22, 1<<22 + 1, 1 << 32, 1<<32 + 1, 1 << 50} {
		for _, workers := range []int{1, 3} {
			pool := parallel.NewPool(workers)
			s := newSorter(limit, workers, pool.Run)
			for _, n := range []int{0, 1, 2, 1000, 999} {
				key := make([]uint64, n)
				for _, change := range []int{1, 2, 100, 0, 100, 30} { // one key in so many
					for k := range key {
						if change > 0 && r.IntN(change) == 0 {
							key[k] = r.Uint64N(1 + r.Uint64N(limit))
						}
					}
					calm, keys := s.resize(n), key
					if calm {
						keys = nil
						for _, k := range s.index() {
							keys = append(keys, key[k])
						}
					}
					for w := range workers {
						lo, hi := parallel.Share(n, w, workers)
						if calm {
							s.follow(w, lo, keys[lo:hi])
						} else {
							s.put(w, lo, keys[lo:hi])
						}
					}
					s.sort()
					checkSorted(t, s, key)
				}
			}
			pool.Close()
		}
	}
}

func checkSorted(t *testing.T, s sorter, key []uint64) {
	t.Helper()
	want := make([]int32, len(key))
	for k := range want {
		want[k] = int32(k)
	}
	slices.SortStableFunc(want, func(a, b int32) int {
		if key[a] < key[b] {
			return -1
		}
		return min(1, int(key[a]-key[b]))
	})
	if !slices.Equal(s.index(), want) {
		t.Fatalf("%d items are not in order", len(key))
	}
	groups := []int32{}
	for i, k := range want {
		if i == 0 || key[k] != key[want[i-1]] {
			groups = append(groups, int32(i))
			if at := s.find(key[k]); at != i {
				t.Fatalf("key %d is found at %d, it begins at %d", key[k], at, i)
			}
		}
	}
	if groups = append(groups, int32(len(key))); !slices.Equal(s.groups(), groups) {
		t.Fatalf("%d items have groups %v, want %v", len(key), s.groups(), groups)
	}
	if s.find(1<<63) != len(key) {
		t.Fatal("a key beyond all is found")
	}
}

// On a grid of 2³⁶ nodes no field can be had, but points have an order: that of the
// lines of cells in memory, each eighth cell by eighth cell, also after some or all of them have moved.
func TestPointsAreSortedWhereCellsNeedMoreThan32Bits(t *testing.T) {
	const side = 1 << 12
	r := rand.New(rand.NewPCG(15, 16))
	for _, periodic := range []bool{true, false} {
		g := Grid{Dim: 3, Size: [3]int{side, side, side}, Periodic: [3]bool{periodic, periodic, periodic}}
		transfer, err := NewTransfer[float64]("sort-reduce", g, Hat2[float64]{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := 0 // cells below node 0
		if !periodic {
			before = 1
		}
		x := make([]geometry.Vec, 2000)
		for _, moved := range []int{1, 1, 50, 2, 0} { // one in so many
			for k := range x {
				if moved > 0 && k%moved == 0 {
					x[k] = geometry.Vec{side * r.Float64(), side * r.Float64(), float64(r.IntN(4)) * (side - 1) / 3}
				}
			}
			if err := transfer.SetPoints(x); err != nil {
				t.Fatal(err)
			}
			want := make([]int32, len(x))
			for k := range want {
				want[k] = int32(k)
			}
			slices.SortStableFunc(want, func(a, b int32) int {
				for axis := 2; axis >= 1; axis-- {
					if c := cmp.Compare(math.Floor(x[a][axis]), math.Floor(x[b][axis])); c != 0 {
						return c
					}
				}
				i, j := int(math.Floor(x[a][0]))+before, int(math.Floor(x[b][0]))+before
				return cmp.Or(cmp.Compare(i%apart, j%apart), cmp.Compare(i, j))
			})
			if !slices.Equal(transfer.(*sortReduce[float64]).sorter.index(), want) {
				t.Fatalf("periodic %v: points are not in the order of their cells", periodic)
			}
		}
	}
}

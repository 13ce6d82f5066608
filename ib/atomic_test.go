package ib

import (
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// crowd is n points in a few cells of a grid, some beyond its ends: workers meet at
// the same nodes all the time.
func crowd(n int, size [3]int) []geometry.Vec {
	r := rand.New(rand.NewPCG(7, 8))
	x := make([]geometry.Vec, n)
	for k := range x {
		for a := range 3 {
			x[k][a] = float64(size[a]) - 1 + 3*r.Float64()
		}
	}
	return x
}

// An addition that got lost would be missing from the sum of hundreds alike.
func TestAtomicAdditionsLoseNothing(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	t.Run("f64", func(t *testing.T) { atomicLosesNothing[float64](t, pool, 1e-12) })
	t.Run("f32", func(t *testing.T) { atomicLosesNothing[float32](t, pool, 1e-4) })
}

// atomicLosesNothing compares with serial: tolerance is that of sums of up to 20000
// terms in another order.
func atomicLosesNothing[T Float](t *testing.T, pool *parallel.Pool, tolerance float64) {
	for _, s := range sweepGrids() {
		n := 800
		if s.name == "2D, periodic" {
			n = 50000 // long enough for workers to come in between
		}
		x := crowd(n, s.grids[0].Size)
		want := used(t, transferOn[T](t, "serial", &s, pool), s.grids, x)
		got := used(t, transferOn[T](t, "atomic", &s, pool), s.grids, x)
		nearlyEqual(t, s.name, got, want, tolerance)
	}
}

// Additions round as those of serial do: done by one worker they are the same.
func TestAtomicAdditionsRoundAsPlainOnes(t *testing.T) {
	t.Run("f64", atomicRounds[float64])
	t.Run("f32", atomicRounds[float32])
}

func atomicRounds[T Float](t *testing.T) {
	for _, s := range sweepGrids() {
		d, err := NewDelta[T](s.delta)
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFrame(s.grids, d, nil, s.kernel)
		if err != nil {
			t.Fatal(err)
		}
		transfer := newAtomic(f)
		if err := transfer.SetPoints(crowd(300, s.grids[0].Size)); err != nil {
			t.Fatal(err)
		}
		var got [2][][]T
		for j, alone := range []bool{true, false} {
			for c := range s.grids {
				got[j] = append(got[j], make([]T, s.grids[c].Nodes()))
			}
			values := rowsOf[T](len(s.grids), 300)
			for c := range values {
				for k := range values[c] {
					values[c][k] = T(1) / T(3+k+c)
				}
			}
			transfer.out, transfer.in, transfer.plain = got[j], values, alone
			transfer.spreadShare(0)
		}
		equal(t, s.name, got[1], got[0])
	}
}

package simd

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// All forms find the same neighbours: of soft and other surfaces, across periodic faces, in runs of any length, and skip those of the same surface alone.
func TestFormsFindTheSameNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 300 {
		n := r.IntN(200)
		var m Members
		m.Grow(n)
		for i := range n {
			m.X[i], m.Y[i], m.Z[i], m.Offset[i] = 9*r.Float64(), 9*r.Float64(), 9*r.Float64(), r.Float64()
			m.Point[i], m.Of[i] = int32(1000+i), int32(r.IntN(4))+Hard*int32(r.IntN(2))
		}
		q := Query{At: [3]float64{9 * r.Float64(), 9 * r.Float64(), 9 * r.Float64()}, Base: 2 * r.Float64(), Self: int32(r.IntN(4)), Most: 1<<31 - 1}
		if r.IntN(2) == 0 {
			q.Self, q.Most = q.Self+Hard, Hard-1
		}
		for a := range 3 {
			if r.IntN(2) == 0 {
				q.Size[a], q.Inverse[a] = 9, 1./9
			}
		}
		var b Block
		runs, at := 0, 0
		for runs < MostRuns && at < n {
			end := min(n, at+1+r.IntN(30))
			b.Lo[runs], b.Hi[runs], b.Only[runs] = int32(at), int32(end), -1
			if r.IntN(4) == 0 {
				b.Only[runs] = q.Self
			}
			runs, at = runs+1, end+r.IntN(3)
		}
		var want []int32
		for i, form := range AllNear() {
			out := make([]int32, n+Beyond)
			got := out[:form(&m, &b, runs, &q, out)]
			if i == 0 {
				want = got
				found += len(got)
			} else if !slices.Equal(got, want) {
				t.Fatalf("form %d finds %v, the first %v, of %d members in %d runs", i, got, want, n, runs)
			}
		}
	}
	if found < 300 {
		t.Errorf("%d neighbours in all: too few to tell", found)
	}
}

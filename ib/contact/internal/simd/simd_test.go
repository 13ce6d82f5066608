package simd

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
)

// All forms give the same bits, whatever points fill lists up.
func TestFormsAreTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sites := make([]Site, 300)
	for i := range sites {
		sites[i] = Site{geometry.Vec{9 * r.Float64(), 9 * r.Float64(), 9 * r.Float64()}, r.Float64()}
	}
	law := NewLaw(geometry.Vec{9, 0, 9}, 1.7, 1.7/8, 0.3)
	var point, near []int32
	from := []int32{0}
	for k := range int32(len(sites)) {
		for range r.IntN(40) {
			near = append(near, int32(r.IntN(len(sites))))
		}
		for (len(near)-int(from[k]))%Lanes != 0 {
			near = append(near, k)
		}
		point, from = append(point, k), append(from, int32(len(near)))
	}
	want, acted := make([]Sum, len(sites)), 0
	forces(&law, sites, point, from, near, want)
	for _, s := range want {
		if s.Force != (geometry.Vec{}) {
			acted++
		}
	}
	if acted < 100 {
		t.Fatalf("%d of %d points have a force", acted, len(sites))
	}
	for _, f := range All() {
		out := make([]Sum, len(sites))
		if f.Do(&law, sites, point, from, near, out); !slices.Equal(out, want) {
			t.Errorf("%s is not the loop in Go", f.Name)
		}
	}
}

package transfer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lbmib/cuda/device/devicetest"
	"lbmib/geometry"
	"lbmib/ib"
)

// Points that are placed again, a little further on, elsewhere, or as others in number,
// leave nothing behind: what is spread has the bits of a transfer that never held any.
// They are sorted by a block, with few keys a thread and many, and by passes.
func TestPointsPlacedAgainLeaveNothingBehind(t *testing.T) {
	devicetest.NumbersAlone(t)
	l, s := bench(t)
	d := ib.Roma3[float64]{}
	g := ib.Grid{Dim: 2, Size: [3]int{90, 70, 1}, Periodic: [3]bool{true, false}}
	for _, strategy := range []string{"sort-reduce", "buffered", "columns", "blocks"} {
		h := mustHost(t, l, s, strategy, []ib.Grid{g}, d)
		r := rand.New(rand.NewPCG(11, 12))
		var x []geometry.Vec
		for i, n := range []int{300, 300, 300, 5000, 5000, 20, 17000, 17000, 300, 5000, 300} {
			if len(x) == n && i != 2 { // round 2 leaves them where they are
				for k := range x {
					x[k] = x[k].Add(geometry.Vec{0.02 * float64(1+i*i), 0.01})
				}
			}
			if len(x) != n {
				x = inside(r, g, n)
			}
			f, force := randomFields[float64](r, 2, g.Nodes()), randomFields[float64](r, 2, n)
			want := clones(f)
			fresh := mustHost(t, l, s, strategy, []ib.Grid{g}, d)
			for h, f := range map[*Host[float64]][][]float64{h: f, fresh: want} {
				if err := h.SetPoints(x); err != nil {
					t.Fatal(err)
				}
				h.Spread(f, force)
			}
			mustSucceed(t, h, fresh)
			identicalValues(t, fmt.Sprintf("%s, the %d points of round %d", strategy, n, i), f, want)
			felt, wanted := clones(force), clones(force)
			h.Interpolate(felt, f)
			fresh.Interpolate(wanted, f)
			mustSucceed(t, h, fresh)
			identicalValues(t, fmt.Sprintf("%s, what the %d points of round %d feel", strategy, n, i), felt, wanted)
		}
	}
}

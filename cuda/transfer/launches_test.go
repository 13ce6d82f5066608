package transfer

import (
	"math/rand/v2"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/ib"
)

// Placing is two launches for as many points as a block sorts, and of more three for every
// eight bits of a cell's number besides. It waits for nothing, and copies nothing.
func TestPlacingIsTwoLaunches(t *testing.T) {
	l, s := bench(t)
	d := ib.Roma3[float64]{}
	for _, c := range []struct {
		points, size, launches int
	}{{500, 160, 2}, {3000, 900, 2}, {16000, 4000, 2}, {blockKeys, 4000, 2}, {40000, 4000, 2 + 3*3}} {
		h := mustHost(t, l, s, "sort-reduce", []ib.Grid{{Dim: 2, Size: [3]int{c.size, c.size, 1}}}, d)
		h.Sites[0].list.never = true // as of a coupling, which knows the nodes
		x := inside(rand.New(rand.NewPCG(1, 2)), h.grids[0], c.points)
		if err := h.SetPoints(x); err != nil {
			t.Fatal(err)
		}
		before := l.Context.Counts()
		if err := h.Transfer.SetPoints(device.At(h.positions.Memory, 0), c.points); err != nil {
			t.Fatal(err)
		}
		n := l.Context.Counts().Sub(before)
		if n.Launches != int64(c.launches) || n.Waits+n.WaitsIdle != 0 || n.ToDevice != (driver.Moved{}) {
			t.Errorf("%d points: %d launches, %d waits, %d copies; should be %d and none", c.points, n.Launches, n.Waits+n.WaitsIdle, n.ToDevice.Calls, c.launches)
		}
	}
}

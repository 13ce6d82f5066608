//go:build unix

package cuda

import (
	"math"
	"os"
	"syscall"
	"testing"
	"time"

	"lbmib/lbm"
)

// processorTime is what the process has had of all cores.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// The host's part of an initial state over 256³ nodes, node by node and from a period:
//
//	LBMIB_TEST_LARGE=yes go test ./cuda -run TestTheHostsPartOfAnInitialState -v
func TestTheHostsPartOfAnInitialState(t *testing.T) {
	if os.Getenv("LBMIB_TEST_LARGE") == "" {
		t.Skip("it takes half a minute: set LBMIB_TEST_LARGE")
	}
	collision, err := lbm.NewCollision("bgk", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	c := &lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{256, 256, 256}, Collision: collision}
	wave := func(p [3]float64) (float64, [3]float64) {
		s := 0.02 * math.Sin(2*math.Pi/32*(p[0]+p[1]+p[2]))
		return 1, [3]float64{0.03 + s, 0.02 - s, 0.01}
	}
	const n, q = 1 << 16, 19 // nodes at a time, as many as a passage holds in f32
	values := make([]float32, n*q)
	measure := func(way func() func(first, n int, values []float32)) float64 {
		begin := processorTime(t)
		give := way()
		for first := 0; first < c.Nodes(); first += n {
			give(first, n, values)
		}
		return (processorTime(t) - begin).Seconds()
	}
	nodes := measure(func() func(first, n int, values []float32) { return giveNodes[float32](c, [3]float64{}, wave) })
	period := measure(func() func(first, n int, values []float32) {
		return givePeriods[float32](c, [3]int{32, 32, 32}, [3]float64{}, wave)
	})
	t.Logf("of one core: node by node %.2f s, from a period %.2f s", nodes, period)
	if !(period < nodes/4) {
		t.Errorf("a period brings %.2g times", nodes/period)
	}
}

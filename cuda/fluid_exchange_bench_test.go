package cuda

import (
	"slices"
	"testing"

	"lbmib/cuda/device/devicetest"
	"lbmib/lbm"
)

// BenchmarkExchange fetches and puts populations, by way of the fluid's own memory and
// straight to and from memory that it lends: time per node and direction of exchange, beside
// what kernels and copies take, which on the stand-in the processor does.
func BenchmarkExchange(b *testing.B) {
	l := devicetest.Open(b)
	for _, lent := range []bool{false, true} {
		name := "own"
		if lent {
			name = "lent"
		}
		b.Run(name, func(b *testing.B) {
			c, err := lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille)
			if err != nil {
				b.Fatal(err)
			}
			f, err := NewFluid[float64](l, lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{64, 64, 64}, Collision: c, Streaming: "inplace"})
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			nodes := some(0, 100000, 2)
			memory := make([]float64, 19*len(nodes))
			if lent {
				memory = f.Lend(len(memory))
			}
			g := make([][]float64, 19)
			for i := range g {
				g[i] = memory[i*len(nodes) : (i+1)*len(nodes)]
			}
			each := slices.Repeat(nodes, 19)
			f.Fetch(each, g)
			for b.Loop() {
				f.Fetch(each, g)
				f.Put(nodes, g)
			}
			if err := f.Wait(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(2*b.N*len(nodes))*1e9, "ns/node")
		})
	}
}

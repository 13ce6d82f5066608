//go:build unix

package hybrid

import (
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// BenchmarkSphere is what a fixed sphere of 1,685 markers costs a step in 32³ nodes.
func BenchmarkSphere(b *testing.B) {
	for _, kernel := range []string{"auto", "go"} {
		b.Run(kernel, func(b *testing.B) {
			collision, err := lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille)
			if err != nil {
				b.Fatal(err)
			}
			flow := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{32, 32, 32}, Collision: collision}
			if kernel == "go" {
				flow.Kernel = "go"
			}
			pool := parallel.NewPool(1)
			defer pool.Close()
			fluid, err := lbm.New[float64](flow, pool)
			if err != nil {
				b.Fatal(err)
			}
			fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.05, 0, 0} })
			shape, err := geometry.NewSphere(geometry.Vec{15.7, 15.6, 15.5}, 20)
			if err != nil {
				b.Fatal(err)
			}
			body, err := rigid.NewBody("sphere", shape, 0.85, 0.35)
			if err != nil {
				b.Fatal(err)
			}
			s, err := NewSimulation(fluid, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct"}, []*rigid.Body{body}, pool)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			for range 4 {
				s.Step()
			}
			alone := fluidAlone(b, flow, pool)
			start := processorTime(b)
			for b.Loop() {
				s.Step()
			}
			spent := (processorTime(b) - start).Seconds() / float64(b.N)
			b.ReportMetric((spent-alone)/float64(s.Markers())*1e9, "ns/marker")
			b.ReportMetric((spent-alone)/float64(len(s.coupling.window.Nodes))*1e9, "ns/support-node")
			b.ReportMetric(float64(s.Markers()), "markers")
			b.ReportMetric(alone/float64(flow.Nodes())*1e9, "fluid-ns/node")
			b.ReportMetric(0, "ns/op")
		})
	}
}

package joined_test

import (
	"testing"

	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// BenchmarkStepInSpace is a step of the finest grid of a sphere's domain, 12 by 10 by 10 diameters of 12 nodes, with two levels of boxes.
func BenchmarkStepInSpace(b *testing.B) {
	cfg := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{144, 120, 120}, Collision: collision(b, "trt", 0.04)}
	f := grids[float64](b, cfg, joined.Box{Level: 1, Lo: [3]int{32, 36, 36}, Hi: [3]int{88, 84, 84}}, joined.Box{Level: 2, Lo: [3]int{40, 44, 44}, Hi: [3]int{80, 76, 76}})
	f.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{0.05} })
	updates := f.Grids().Updates()
	b.ResetTimer()
	for b.Loop() {
		f.Step()
	}
	seams, bulk := f.Times()
	b.ReportMetric(float64(b.N)*updates/b.Elapsed().Seconds()/1e6, "MFLUPS")
	b.ReportMetric(100*seams.Seconds()/(seams+bulk).Seconds(), "%seams")
}

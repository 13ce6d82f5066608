package joined_test

import (
	"testing"

	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// BenchmarkStep is a step of the finest grid of a cylinder's domain, 40 by 15 diameters of 40 nodes, with two levels of boxes.
func BenchmarkStep(b *testing.B) {
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{1600, 600, 1}, Collision: collision(b, "trt", 0.04)}
	for i := range 4 {
		cfg.Faces[i] = lbm.Face{Kind: lbm.FreeSlip}
	}
	f := grids[float64](b, cfg, joined.Box{Level: 1, Lo: [3]int{320, 208, 0}, Hi: [3]int{640, 392, 1}}, joined.Box{Level: 2, Lo: [3]int{336, 224, 0}, Hi: [3]int{624, 376, 1}})
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

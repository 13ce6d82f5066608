//go:build unix

package lbm_test

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lbmib/lbm"
)

// BenchmarkOpenFaces takes turns between a box and the same box with open faces, and reports
// what a face node costs more than an inner one, in updates of an inner one, by processor time.
func BenchmarkOpenFaces(b *testing.B) {
	outflow := lbm.Face{Kind: lbm.Outflow}
	pressure := lbm.Face{Kind: lbm.Pressure, Density: 1}
	inflow := uniformFace([3]float64{0.05})
	slip := lbm.Face{Kind: lbm.FreeSlip}
	for _, c := range []struct {
		name    string
		lattice *lbm.Lattice
		size    [3]int
		faces   [6]lbm.Face
	}{
		{"D2Q9/right", lbm.D2Q9, [3]int{500, 500, 1}, [6]lbm.Face{inflow, outflow, slip, slip}},
		{"D2Q9/top", lbm.D2Q9, [3]int{500, 500, 1}, [6]lbm.Face{slip, slip, slip, outflow}},
		{"D2Q9/four", lbm.D2Q9, [3]int{500, 500, 1}, [6]lbm.Face{outflow, outflow, outflow, outflow}},
		{"D2Q9/four-pressure", lbm.D2Q9, [3]int{500, 500, 1}, [6]lbm.Face{pressure, pressure, pressure, pressure}},
		{"D2Q9/four-large", lbm.D2Q9, [3]int{1000, 1000, 1}, [6]lbm.Face{outflow, outflow, outflow, outflow}},
		{"D3Q19/right", lbm.D3Q19, [3]int{96, 96, 96}, [6]lbm.Face{inflow, outflow, slip, slip, slip, slip}},
		{"D3Q19/five", lbm.D3Q19, [3]int{96, 96, 96}, [6]lbm.Face{inflow, outflow, outflow, outflow, outflow, outflow}},
	} {
		for _, streaming := range lbm.StreamingNames {
			b.Run(c.name+"/"+streaming, func(b *testing.B) { benchmarkOpenFaces(b, c.lattice, c.size, c.faces, streaming) })
		}
	}
}

func benchmarkOpenFaces(b *testing.B, l *lbm.Lattice, size [3]int, faces [6]lbm.Face, streaming string) {
	c, err := lbm.NewCollision("bgk", 0.04, 0)
	if err != nil {
		b.Fatal(err)
	}
	var fluids [2]lbm.Fluid[float64]
	var spent [2]time.Duration
	open := 0
	for k := range fluids {
		cfg := lbm.Config{Lattice: l, Size: size, Collision: c}
		if k == 1 {
			cfg.Faces = faces
		}
		for _, o := range cfg.OpenFaces() {
			open += len(o.Absent)
		}
		fluids[k] = factory[float64](lbm.Config{Streaming: streaming}, 1)(b, cfg)
		fluids[k].Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.05} })
	}
	for b.Loop() {
		for k, f := range fluids {
			before := processorTime(b)
			for range 10 {
				f.Step()
			}
			spent[k] += processorTime(b) - before
		}
	}
	nodes := float64(fluids[0].Config().Nodes())
	more := spent[1].Seconds()/spent[0].Seconds() - 1
	b.ReportMetric(more*nodes/float64(open), "updates/facenode")
	b.ReportMetric(100*more, "%more")
	b.ReportMetric(float64(spent[0].Nanoseconds())/nodes/float64(b.N)/10, "ns/update")
	b.ReportMetric(0, "ns/op")
}

// processorTime is what the process has spent.
func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

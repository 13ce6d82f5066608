package lbm_test

import (
	"math"
	"slices"
	"testing"
	"time"
	"unsafe"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// tube is a periodic box all of whose nodes are walls but those of a tube of a radius through its middle, along a direction.
func tube(b testing.TB, size [3]int, radius float64, along [3]float64) lbm.Config {
	c, err := lbm.NewCollision("trt", 0.02, lbm.MagicPoiseuille)
	if err != nil {
		b.Fatal(err)
	}
	cfg := lbm.Config{Lattice: lbm.D3Q19, Size: size, Collision: c, Force: [3]float64{1e-6 * along[0], 1e-6 * along[1], 1e-6 * along[2]}}
	cfg.Solid = make([]bool, cfg.Nodes())
	norm := math.Sqrt(along[0]*along[0] + along[1]*along[1] + along[2]*along[2])
	for k := range cfg.Solid {
		d2, dot := 0., 0.
		for a, x := range cfg.Position(k) {
			r := float64(x) - float64(size[a]-1)/2
			d2 += r * r
			dot += r * along[a] / norm
		}
		cfg.Solid[k] = d2-dot*dot > radius*radius
	}
	return cfg
}

func BenchmarkTubes(b *testing.B) {
	for _, c := range []struct {
		name   string
		size   [3]int
		radius float64
		along  [3]float64
	}{
		{"along-x", [3]int{1000, 48, 48}, 20, [3]float64{1, 0, 0}}, {"along-y", [3]int{48, 1000, 48}, 20, [3]float64{0, 1, 0}},
		{"oblique", [3]int{300, 300, 300}, 20, [3]float64{1, 1, 1}}, {"thin-y", [3]int{24, 4000, 24}, 8, [3]float64{0, 1, 0}},
	} {
		for _, streaming := range lbm.StreamingNames {
			cfg := tube(b, c.size, c.radius, c.along)
			cfg.Streaming = streaming
			b.Run(c.name+"/"+streaming+"/f64", func(b *testing.B) { againstBox[float64](b, cfg) })
			b.Run(c.name+"/"+streaming+"/f32", func(b *testing.B) { againstBox[float32](b, cfg) })
		}
	}
}

// againstBox times a flow by runs and a box of as many nodes of fluid, in turn.
func againstBox[T lbm.Float](b *testing.B, cfg lbm.Config) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	masked := cfg
	cfg = placed(b, masked, [3]int{}, masked.Size)
	n := int(math.Cbrt(float64(cfg.FluidNodes())) + 0.5)
	box := lbm.Config{Lattice: cfg.Lattice, Size: [3]int{n, n, n}, Collision: cfg.Collision, Force: cfg.Force, Streaming: cfg.Streaming}
	var fluids [2]lbm.Fluid[T]
	for k, c := range []lbm.Config{cfg, box} {
		var err error
		if fluids[k], err = lbm.New[T](c, pool); err != nil {
			b.Fatal(err)
		}
	}
	nodes := [2]float64{float64(cfg.FluidNodes()), float64(box.Nodes())}
	var rates [2][]float64
	for b.Loop() {
		for k, f := range fluids {
			begin := time.Now()
			for range 10 {
				f.Step()
			}
			rates[k] = append(rates[k], 10*nodes[k]/time.Since(begin).Seconds()/1e6)
		}
	}
	for k := range rates {
		slices.Sort(rates[k])
	}
	runs, whole := rates[0][len(rates[0])*3/4], rates[1][len(rates[1])*3/4] // others may be at work
	var one T
	b.ReportMetric(runs, "MFLUPS")
	b.ReportMetric(runs/whole, "of-box")
	share := nodes[0] / float64(masked.Nodes())
	dense := masked
	dense.Storage = "box"
	b.ReportMetric(float64(cfg.Bytes(int(unsafe.Sizeof(one))))/share/float64(dense.Bytes(int(unsafe.Sizeof(one)))), "memory")
	b.ReportMetric(0, "ns/op")
}

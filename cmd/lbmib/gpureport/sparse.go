package gpureport

import (
	"math"

	"lbmib/internal/checking"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/run/backend"
)

// sparseFlows are flows that are stored by runs on the device and on the processor, which give the same but for roundings.
var sparseFlows = []struct {
	name string
	make func() (lbm.Config, error)
}{
	{"a porous periodic box by runs", porous},
	{"a vessel with ports", func() (lbm.Config, error) { return vessel(lbm.PortPressure) }},
	{"a vessel with a windkessel", func() (lbm.Config, error) { return vessel(lbm.PortWindkessel) }},
}

// sparse steps them; populations may differ by bound, and what ports tell by some times that.
func sparse[T lbm.Float](j *job, t checking.T, bound float64) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for _, s := range sparseFlows {
		for _, streaming := range lbm.StreamingNames {
			t.Run(s.name+", "+streaming+", as on the processor", func(t checking.T) {
				cfg, err := s.make()
				if err != nil {
					t.Fatal(err)
				}
				cfg.Streaming = streaming
				on, err := lbm.New[T](cfg, pool)
				if err != nil {
					t.Fatal(err)
				}
				f, err := backend.NewFluid[T](j.device, cfg)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				for range 60 {
					on.Step()
					f.Step()
				}
				if err := f.Wait(); err != nil {
					t.Fatal(err)
				}
				compareSparse(t, lbm.StateOf[T](f), lbm.StateOf(on), bound)
				if len(cfg.Cuts) == 0 {
					return
				}
				p := on.(interface {
					PortFlow(int) float64
					WallFlow() float64
				})
				for _, d := range []float64{f.PortFlow(0) - p.PortFlow(0), f.PortFlow(1) - p.PortFlow(1), f.WallFlow() - p.WallFlow()} {
					if !(math.Abs(d) <= 1000*bound) {
						t.Errorf("flow through a port, or of the wall, is off by %.3g, bound %g", d, 1000*bound)
					}
				}
			})
		}
	}
}

func compareSparse[T lbm.Float](t checking.T, got, want lbm.State[T], bound float64) {
	for i := range want.Populations {
		for n, w := range want.Populations[i] {
			if off := math.Abs(float64(got.Populations[i][n]) - float64(w)); !(off <= bound) {
				t.Fatalf("population %d of node %d is off by %.3g, bound %g", i, n, off, bound)
			}
		}
	}
	for k, w := range want.Open {
		if off := math.Abs(got.Open[k] - w); !(off <= 100*bound) {
			t.Fatalf("what ports and walls remember, value %d, is off by %.3g, bound %g", k, off, 100*bound)
		}
	}
}

// porous is a periodic box of which a third are walls, under a force.
func porous() (cfg lbm.Config, err error) {
	cfg = lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{77, 41, 35}, Storage: "runs", Force: [3]float64{1e-5, -2e-5, 1e-5}}
	cfg.Collision, err = lbm.NewCollision("trt", 0.04, lbm.MagicPoiseuille)
	cfg.Solid = make([]bool, cfg.Nodes())
	for n, state := 0, uint32(1); n < len(cfg.Solid); n++ {
		state = state*1664525 + 1013904223
		cfg.Solid[n] = state>>16%3 == 0
	}
	return cfg, err
}

// vessel is a round tube along (2, 1, 0) through a box, that narrows in the middle, from a velocity port to another one.
func vessel(outlet lbm.PortKind) (cfg lbm.Config, err error) {
	const radius, length = 9.2, 40.
	along := [3]float64{2 / math.Sqrt(5), 1 / math.Sqrt(5), 0}
	cfg = lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{60, 42, 24}, Ports: []lbm.Port{
		{Kind: lbm.PortVelocity, FlowRate: 2, Velocity: func([3]float64) [3]float64 { return along }, Amplitude: func(t float64) float64 { return math.Min(1, t/30) }},
		{Kind: outlet, Density: 1.001, Resistance: 1e-3, Capacitance: 2e4},
	}}
	if cfg.Collision, err = lbm.NewCollision("trt", 0.1, lbm.MagicPoiseuille); err != nil {
		return cfg, err
	}
	for side := range cfg.Faces {
		cfg.Faces[side].Kind = lbm.NoSlip
	}
	place := func(x [3]float64) (s, r float64) { // along the axis and from it
		d := 0.
		for a := range x {
			x[a] -= float64(cfg.Size[a]-1)/2 + 0.1
			s, d = s+x[a]*along[a], d+x[a]*x[a]
		}
		return s, math.Sqrt(max(0, d-s*s))
	}
	inside := func(x [3]float64) bool {
		s, r := place(x)
		return r < radius*(1-0.4*math.Exp(-s*s/25))
	}
	point := func(n int) [3]float64 {
		p := cfg.Position(n)
		return [3]float64{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	cfg.Solid = make([]bool, cfg.Nodes())
	for n := range cfg.Solid {
		s, _ := place(point(n))
		cfg.Solid[n] = !inside(point(n)) || math.Abs(s) > length/2
	}
	for n, solid := range cfg.Solid {
		for i := 1; !solid && i < cfg.Lattice.Q; i++ {
			x, c := point(n), cfg.Lattice.C[i]
			on := func(q float64) [3]float64 {
				return [3]float64{x[0] - q*float64(c[0]), x[1] - q*float64(c[1]), x[2] - q*float64(c[2])}
			}
			p := cfg.Position(n)
			if !cfg.Solid[cfg.Node([3]int{p[0] - c[0], p[1] - c[1], p[2] - c[2]})] {
				continue
			}
			cut := lbm.Cut{Node: int32(n), I: uint8(i), Port: -1}
			lo, hi := 0., 1.
			for range 20 {
				if mid := (lo + hi) / 2; inside(on(mid)) {
					lo = mid
				} else {
					hi = mid
				}
			}
			if cut.Q = float32(hi); inside(on(1)) {
				cut.Q, cut.Port = 0.5, 1
				if s, _ := place(on(1)); s < 0 {
					cut.Port = 0
				}
			}
			cfg.Cuts = append(cfg.Cuts, cut)
		}
	}
	return cfg, nil
}

package joined_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/xruns"
	"lbmib/lbm"
)

// Any vessel in any parts on any ranks, whose surface cuts links and has ports of all kinds, also such as several ranks have links of, has the bits of
// one grid: of 100 random ones, of 3000 with LBMIB_TESTS=full. One alone is
//
//	go test ./lbm/joined -run 'TestRandomPartitionsOfVessels/seed=17$'
func TestRandomPartitionsOfVessels(t *testing.T) {
	seeds := 100
	if checkingtest.Full() {
		seeds = 3000
	}
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := random{rand.New(rand.NewPCG(uint64(seed), 23))}
			cfg := r.vessel(t)
			if r.one(2) {
				compareFlow[float32](t, r, cfg, lbm.PatchWidth)
			} else {
				compareFlow[float64](t, r, cfg, lbm.PatchWidth)
			}
		})
	}
}

// vessel is the fluid in some tubes, in a box with any faces: given by its runs or by a mask.
func (r random) vessel(t *testing.T) lbm.Config {
	t.Helper()
	for {
		cfg := r.flow(t)
		cfg.Size = [3]int{r.between(8, 60), r.between(8, 40), 1}
		if cfg.Lattice.Dim == 3 {
			cfg.Size = [3]int{r.between(8, 40), r.between(8, 24), r.between(8, 24)}
		}
		r.tubes(&cfg)
		r.cuts(&cfg)
		if r.one(2) {
			inside(&cfg)
		}
		if cfg.Validate() == nil && len(cfg.Cuts) > 0 {
			return cfg
		}
	}
}

// tubes makes walls of what is in none of some tubes, and of nodes here and there.
func (r random) tubes(cfg *lbm.Config) {
	cfg.Solid = make([]bool, cfg.Nodes())
	for n := range cfg.Solid {
		cfg.Solid[n] = true
	}
	for range r.between(1, 3) {
		var at, along [3]float64
		for a := range cfg.Lattice.Dim {
			at[a], along[a] = r.Float64()*float64(cfg.Size[a]), r.NormFloat64()
		}
		radius, length := 2+4*r.Float64(), 0.
		for _, v := range along {
			length += v * v
		}
		for n := range cfg.Solid {
			dot, square := 0., 0.
			for a, x := range cfg.Position(n) {
				d := float64(x) - at[a]
				dot, square = dot+d*along[a], square+d*d
			}
			if square-dot*dot/length < radius*radius && !r.one(50) {
				cfg.Solid[n] = false
			}
		}
	}
}

// cuts has a surface cut most links into walls anywhere, and some of them be those of ports.
func (r random) cuts(cfg *lbm.Config) {
	for range r.between(0, 3) {
		speed, phase := 0.01*r.NormFloat64(), r.Float64()
		p := lbm.Port{Kind: lbm.PortKind(r.IntN(3)), Density: 1 + 0.01*r.NormFloat64(), Resistance: 1e-3 * (1 + r.Float64()), Capacitance: 1e4}
		p.Velocity = func([3]float64) [3]float64 { return [3]float64{speed * math.Sin(phase), speed, 0} }
		if r.one(2) {
			p.FlowRate = 1 // times what enters: see below
		}
		if r.one(2) {
			p.Amplitude = func(t float64) float64 { return 1 + 0.2*math.Sin(t+phase) }
		}
		cfg.Ports = append(cfg.Ports, p)
	}
	for n, wall := range cfg.Solid {
		for i := 1; i < cfg.Lattice.Q && !wall; i++ {
			p := cfg.Position(n)
			out := false
			for a := range p {
				p[a] -= cfg.Lattice.C[i][a]
				if a < cfg.Lattice.Dim && cfg.Periodic(a) {
					p[a] = (p[a] + cfg.Size[a]) % cfg.Size[a]
				}
				out = out || p[a] < 0 || p[a] >= cfg.Size[a]
			}
			if out || !cfg.Wall(p) || r.one(10) {
				continue
			}
			port := int16(-1)
			if len(cfg.Ports) > 0 && r.one(5) {
				port = int16(r.IntN(len(cfg.Ports)))
			}
			cfg.Cuts = append(cfg.Cuts, lbm.Cut{Node: int32(n), I: uint8(i), Port: port, Q: float32(1 - r.Float64())})
		}
	}
	enters := make([]float64, len(cfg.Ports)) // through links in all directions: any other flow rate may be one of many times these velocities
	for _, c := range cfg.Cuts {
		if c.Port >= 0 {
			var at [3]float64
			for a, x := range cfg.Position(int(c.Node)) {
				at[a] = float64(x)
			}
			u := cfg.Ports[c.Port].Velocity(at)
			for a, v := range cfg.Lattice.C[c.I] {
				enters[c.Port] += 6 * cfg.Lattice.W[c.I] * float64(v) * u[a]
			}
		}
	}
	for k := range cfg.Ports {
		cfg.Ports[k].FlowRate *= 1.2 * enters[k]
	}
}

// inside gives a flow by the runs of its fluid instead of a mask.
func inside(cfg *lbm.Config) {
	set := xruns.New(cfg.Size)
	cfg.EachRun(func(x, n, y, z int) { set.Add(y, z, xruns.Run{X0: int32(x), X1: int32(x + n)}) })
	set.Close()
	for k := range cfg.Cuts {
		p := cfg.Position(int(cfg.Cuts[k].Node))
		cfg.Cuts[k].Node = int32(set.Number(p[0], p[1], p[2]))
	}
	cfg.Solid, cfg.Inside = nil, set
}

// ported is a fluid that tells of ports and walls.
type ported interface {
	PortFlow(port int) float64
	PortDensity(port int) float64
	WallFlow() float64
}

// ports compares what is told of ports and walls, and of all nodes in their order.
func (c *compared[T]) ports() {
	c.t.Helper()
	one, parts := c.one.(ported), c.parts.(ported)
	for k := range c.cfg.Ports {
		if a, b := one.PortFlow(k), parts.PortFlow(k); a != b {
			c.t.Errorf("port %d: %v enters, in parts %v", k, a, b)
		}
		if a, b := one.PortDensity(k), parts.PortDensity(k); a != b {
			c.t.Errorf("port %d: the density is %v, in parts %v", k, a, b)
		}
	}
	if a, b := one.WallFlow(), parts.WallFlow(); a != b {
		c.t.Errorf("walls add %v, in parts %v", a, b)
	}
	if c.cfg.Inside == nil {
		return
	}
	var rho [2][]T
	var u [2][][]T
	for i, f := range []lbm.Fluid[T]{c.one, c.parts} {
		rho[i], u[i] = make([]T, c.cfg.Nodes()), values[T](c.random, c.cfg.Lattice.Dim, c.cfg.Nodes())
		f.(interface{ Fields(rho []T, u [][]T) }).Fields(rho[i], u[i])
	}
	if !slices.Equal(rho[0], rho[1]) || !slices.EqualFunc(u[0], u[1], slices.Equal[[]T]) {
		c.t.Error("fields of all nodes are others")
	}
}

// A step of a vessel in parts allocates nothing, windkessel ports included.
func TestAVesselInPartsAllocatesNothing(t *testing.T) {
	r := random{rand.New(rand.NewPCG(3, 23))}
	for {
		cfg := r.vessel(t)
		boxes, _ := r.parts(&cfg, lbm.PatchWidth)
		if len(boxes) < 2 || !slices.ContainsFunc(cfg.Ports, func(p lbm.Port) bool { return p.Kind == lbm.PortWindkessel }) {
			continue
		}
		f := grids[float64](t, cfg, boxes...)
		advance[float64](f, 4)
		if n := testing.AllocsPerRun(10, f.Step); n > 0 {
			t.Errorf("%v allocations a step", n)
		}
		return
	}
}

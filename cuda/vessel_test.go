package cuda

import (
	"fmt"
	"math"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// narrowing is a tube about an inclined axis through the middle of a box, which narrows in the middle, between two ports.
type narrowing struct {
	radius, length float64
	at, along      [3]float64
}

// from are the distances of a point along the axis and from it.
func (v *narrowing) from(x [3]float64) (s, r float64) {
	d := 0.
	for a := range x {
		s += (x[a] - v.at[a]) * v.along[a]
		d += (x[a] - v.at[a]) * (x[a] - v.at[a])
	}
	return s, math.Sqrt(max(0, d-s*s))
}

// inside tells whether a point is in the tube or its continuation beyond the ports.
func (v *narrowing) inside(x [3]float64) bool {
	s, r := v.from(x)
	return r < v.radius*(1-0.4*math.Exp(-s*s/9))
}

// port is the port that a point is beyond, −1: none.
func (v *narrowing) port(x [3]float64) int16 {
	switch s, _ := v.from(x); {
	case s < -v.length/2:
		return 0
	case s > v.length/2:
		return 1
	}
	return -1
}

// carved is the flow in it.
func (v *narrowing) carved(t testing.TB, ports [2]lbm.Port) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision("trt", 0.1, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	v.along = [3]float64{2 / math.Sqrt(5), 1 / math.Sqrt(5), 0}
	cfg := lbm.Config{Lattice: lbm.D3Q19, Collision: c, Ports: ports[:]}
	for a := range cfg.Size {
		cfg.Size[a] = int(v.length*v.along[a] + 2*v.radius + 6)
		v.at[a] = float64(cfg.Size[a]-1)/2 + 0.1 + 0.03*float64(a)
		cfg.Faces[2*a].Kind, cfg.Faces[2*a+1].Kind = lbm.NoSlip, lbm.NoSlip
	}
	cfg.Solid = make([]bool, cfg.Nodes())
	point := func(p [3]int) [3]float64 { return [3]float64{float64(p[0]), float64(p[1]), float64(p[2])} }
	for n := range cfg.Solid {
		x := point(cfg.Position(n))
		cfg.Solid[n] = !v.inside(x) || v.port(x) >= 0
	}
	for n, solid := range cfg.Solid {
		for i := 1; !solid && i < cfg.Lattice.Q; i++ {
			p, c := cfg.Position(n), cfg.Lattice.C[i]
			x := point(p)
			on := func(q float64) [3]float64 {
				return [3]float64{x[0] - q*float64(c[0]), x[1] - q*float64(c[1]), x[2] - q*float64(c[2])}
			}
			if !cfg.Solid[cfg.Node([3]int{p[0] - c[0], p[1] - c[1], p[2] - c[2]})] {
				continue
			}
			cut := lbm.Cut{Node: int32(n), I: uint8(i), Port: -1, Q: 0.5}
			if v.inside(on(1)) {
				cut.Port = v.port(on(1))
			} else {
				lo, hi := 0., 1.
				for range 20 {
					if mid := (lo + hi) / 2; v.inside(on(mid)) {
						lo = mid
					} else {
						hi = mid
					}
				}
				cut.Q = float32(hi)
			}
			cfg.Cuts = append(cfg.Cuts, cut)
		}
	}
	return cfg
}

// ring is a straight tube along x, which is periodic.
func (v *narrowing) ring(t testing.TB) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision("mrt", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	n := int(2*v.radius + 5)
	cfg := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{9, n, n}, Collision: c, Force: [3]float64{1e-5, 2e-6, 0}}
	cfg.Faces[2].Kind, cfg.Faces[3].Kind = lbm.NoSlip, lbm.NoSlip // those across z are periodic, too
	middle := float64(n-1)/2 + 0.17
	r := func(y, z float64) float64 { return math.Hypot(y-middle, z-middle) }
	cfg.Solid = make([]bool, cfg.Nodes())
	for n := range cfg.Solid {
		p := cfg.Position(n)
		cfg.Solid[n] = r(float64(p[1]), float64(p[2])) >= v.radius
	}
	for n, solid := range cfg.Solid {
		p := cfg.Position(n)
		for i := 1; !solid && i < cfg.Lattice.Q; i++ {
			c := cfg.Lattice.C[i]
			if y, z := p[1]-c[1], p[2]-c[2]; !cfg.Solid[cfg.Node([3]int{(p[0] - c[0] + 9) % 9, y, z})] {
				continue
			}
			q := 0.
			for q < 1 && r(float64(p[1])-q*float64(c[1]), float64(p[2])-q*float64(c[2])) < v.radius {
				q += 1. / 64
			}
			cfg.Cuts = append(cfg.Cuts, lbm.Cut{Node: int32(n), I: uint8(i), Port: -1, Q: float32(max(q, 1./128))})
		}
	}
	return cfg
}

// testPorts drive a flow: one that varies, or one that is steady, and with it steps go in batches.
func testPorts(outlet lbm.PortKind, varies bool) [2]lbm.Port {
	ports := [2]lbm.Port{
		{Kind: lbm.PortVelocity, FlowRate: 0.5, Velocity: func([3]float64) [3]float64 { return [3]float64{2, 1, 0} }},
		{Kind: outlet, Density: 1.001, Resistance: 1e-3, Capacitance: 2e4},
	}
	if varies {
		ports[0].Amplitude = func(t float64) float64 { return 1 + 0.5*math.Sin(t/5) }
		ports[1].Amplitude = func(t float64) float64 { return 1 + 0.2*math.Cos(t/7) }
	}
	return ports
}

type ported interface {
	PortFlow(int) float64
	PortDensity(int) float64
	WallFlow() float64
}

// told is all that a vessel tells beside populations.
func told[T lbm.Float](f lbm.Fluid[T]) []float64 {
	p := f.(ported)
	all := []float64{p.WallFlow()}
	for k := range f.Config().Ports {
		all = append(all, p.PortFlow(k), p.PortDensity(k))
	}
	return append(all, f.OpenFaces()...)
}

// A device adds up what a patch of the wall has gained node by node, the CPU link by link: all else is the same operations.
func TestVesselsAreTheCPUsToRounding(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	l := devicetest.Open(t)
	for _, outlet := range []lbm.PortKind{lbm.PortPressure, lbm.PortWindkessel} {
		for _, varies := range []bool{false, true} {
			t.Run(fmt.Sprintf("outlet %d, varying %t", outlet, varies), func(t *testing.T) {
				sameVessel[float64](t, l, outlet, varies, "", 1e-16)
				sameVessel[float32](t, l, outlet, varies, "", 2e-8)
				sameVessel[float32](t, l, outlet, varies, "f16", 4e-5)
			})
		}
	}
}

// Devices fuse sums of products, everywhere.
func TestVesselsThatFuseProductsAreTheCPUsToRounding(t *testing.T) {
	devicetest.NumbersAlone(t)
	l := devicetest.Fused(t)
	sameVessel[float64](t, l, lbm.PortWindkessel, true, "", 1e-15)
	sameVessel[float32](t, l, lbm.PortWindkessel, true, "", 4e-7)
	sameVessel[float32](t, l, lbm.PortWindkessel, true, "f16", 2e-4)
}

// Without ports, through periodic faces.
func TestARingIsTheCPUsToRounding(t *testing.T) {
	l := devicetest.Open(t)
	v := narrowing{radius: 4.6}
	sameFlowOf[float64](t, l, v.ring(t), true, "", 1e-16)
	sameFlowOf[float32](t, l, v.ring(t), true, "", 2e-8)
}

// More ports than a launch drives.
func TestAVesselWithManyPortsIsTheCPUsToRounding(t *testing.T) {
	l := devicetest.Open(t)
	for _, outlet := range []lbm.PortKind{lbm.PortPressure, lbm.PortWindkessel} {
		v := narrowing{radius: 4.2, length: 14}
		cfg := v.carved(t, testPorts(outlet, false))
		last := int16(2 * drivenPorts)
		for len(cfg.Ports) <= int(last) {
			cfg.Ports = append(cfg.Ports, cfg.Ports[1])
		}
		for k := range cfg.Cuts {
			if cfg.Cuts[k].Port == 1 {
				cfg.Cuts[k].Port = last
			}
		}
		sameFlowOf[float64](t, l, cfg, false, "", 1e-16)
	}
}

func sameVessel[T lbm.Float](t *testing.T, l *device.Library, outlet lbm.PortKind, varies bool, store string, bound float64) {
	t.Helper()
	v := narrowing{radius: 5.2, length: 22}
	cfg := v.carved(t, testPorts(outlet, varies))
	cfg.Force = [3]float64{1e-6, 0, 0}
	sameFlowOf[T](t, l, cfg, !varies, store, bound)
}

// sameFlowOf makes the same steps on device and CPU; those of a steady flow go in batches.
func sameFlowOf[T lbm.Float](t *testing.T, l *device.Library, cfg lbm.Config, steady bool, store string, bound float64) {
	t.Helper()
	pool := parallel.NewPool(1)
	defer pool.Close()
	reference := cfg
	reference.Kernel, reference.Store = "go", store
	cpu, err := lbm.New[T](reference, pool)
	if err != nil {
		t.Fatal(err)
	}
	const steps = 61
	for range steps {
		cpu.Step()
	}
	want, wantTold := lbm.StateOf(cpu), told(cpu)
	for _, streaming := range lbm.StreamingNames {
		f := onDevice[T](l, lbm.Config{Store: store, Streaming: streaming})(t, cfg)
		for k := range steps {
			if f.Step(); k == 17 {
				told(f) // which changes nothing
			}
		}
		most := 0.
		for i, p := range lbm.StateOf(f).Populations {
			for n, g := range p {
				most = max(most, math.Abs(float64(g)-float64(want.Populations[i][n])))
			}
		}
		off := 0.
		for k, got := range told(f) {
			off = max(off, math.Abs(got-wantTold[k]))
			if k <= 2*len(cfg.Ports) && !(math.Abs(got-wantTold[k]) <= 400*bound) {
				t.Errorf("%s %q: value %d of ports and walls is %g, on the CPU %g", streaming, store, k, got, wantTold[k])
			}
		}
		t.Logf("%s %q after %d steps: populations differ by at most %.2g, what ports and walls tell by %.2g; flows %g", streaming, store, steps, most, off, wantTold[:1+2*len(cfg.Ports)])
		if !(most <= bound) {
			t.Errorf("%s %q: populations differ by %g, want at most %g", streaming, store, most, bound)
		}
		if h := f.Health(); !h.OK {
			t.Errorf("%s %q: %+v", streaming, store, h)
		}
		if made := f.(*Fluid[T]).Batches(); (made > 0) != steady {
			t.Errorf("%s %q: %d batches were made", streaming, store, made)
		}
	}
}

func TestAVesselGoesOnFromItsState(t *testing.T) {
	l := devicetest.Open(t)
	for _, streaming := range lbm.StreamingNames {
		v := narrowing{radius: 4.4, length: 16}
		cfg := v.carved(t, testPorts(lbm.PortWindkessel, true))
		var f [2]lbm.Fluid[float64]
		for k := range f {
			f[k] = onDevice[float64](l, lbm.Config{Streaming: streaming})(t, cfg)
		}
		for range 15 {
			f[0].Step()
		}
		nodes, force := make([]int32, cfg.Nodes()), values2(cfg.Nodes())
		for n := range nodes {
			nodes[n] = int32(n)
			force[n%3][n] = 1e-4 * float64(n%7-3)
		}
		f[0].Correct(nodes, nodes, force) // walls take what is there now
		captured := f[0].(*Fluid[float64]).CaptureState()
		state := lbm.StateOf(f[0])
		if open, err := captured.OpenFaces(); err != nil || fmt.Sprint(open) != fmt.Sprint(state.Open) {
			t.Errorf("%s: the captured state differs from that which is asked for: %v", streaming, err)
		}
		captured.Release()
		if err := f[1].SetState(state); err != nil {
			t.Fatal(err)
		}
		for range 9 {
			f[0].Step()
			f[1].Step()
			lbm.StateOf(f[1]) // looking must not change the flow
		}
		a, b := lbm.StateOf(f[0]), lbm.StateOf(f[1])
		for i := range a.Populations {
			for n, w := range a.Populations[i] {
				if b.Populations[i][n] != w {
					t.Fatalf("%s: population %d of node %v is %g, in the flow that was not interrupted %g", streaming, i, cfg.Position(n), b.Populations[i][n], w)
				}
			}
		}
		if fmt.Sprint(a.Open) != fmt.Sprint(b.Open) {
			t.Errorf("%s: ports and walls remember %v, in the flow that was not interrupted %v", streaming, b.Open, a.Open)
		}
	}
}

// values2 are three components of n zeros.
func values2(n int) [][]float64 {
	return [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
}

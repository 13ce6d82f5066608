package cuda

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/lbm"
	"lbmib/lbm/lbmtest"
)

// A fluid that is stored by runs is the CPU's, which is tested to be that of a box, to the bit: whatever the walls in it, and whatever
// faces of the domain are periodic.
func TestRandomFlowsByRunsAreTheCPUsToTheBit(t *testing.T) {
	l := devicetest.Open(t)
	flows := uint64(60)
	if testing.Short() {
		flows = 9
	}
	for seed := range flows {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			switch seed % 3 {
			case 0:
				sameRandomRuns[float64](t, l, seed, "")
			case 1:
				sameRandomRuns[float32](t, l, seed, "")
			case 2:
				sameRandomRuns[float32](t, l, seed, "f16")
			}
		})
	}
}

func sameRandomRuns[T lbm.Float](t *testing.T, l *device.Library, seed uint64, store string) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 43))
	cfg := drawFlow(r)
	for side := range cfg.Faces {
		if cfg.Faces[side].Kind != lbm.Periodic {
			cfg.Faces[side] = lbm.Face{Kind: lbm.NoSlip}
		}
	}
	cfg.Storage = "runs"
	sameFlow[T](t, l, &cfg, r, store)
}

// byRuns has those flows stored by runs that can be, and others in boxes.
func byRuns[T lbm.Float](of lbmtest.Factory[T]) lbmtest.Factory[T] {
	return func(t testing.TB, cfg lbm.Config) lbm.Fluid[T] {
		t.Helper()
		if CheckRuns(&cfg) == nil {
			cfg.Storage = "runs"
		}
		return of(t, cfg)
	}
}

func TestFluidByRunsConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	l := devicetest.Open(t)
	for i, streaming := range lbm.StreamingNames {
		how := lbm.Config{Streaming: streaming}
		if devicetest.Half(i) {
			t.Run(streaming+" f64", func(t *testing.T) { lbmtest.Conform(t, byRuns(onDevice[float64](l, how))) })
		}
		if devicetest.Half(i + 1) {
			t.Run(streaming+" f32", func(t *testing.T) { lbmtest.Conform(t, byRuns(onDevice[float32](l, how))) })
		}
		if how.Store = "f16"; devicetest.Half(i) {
			t.Run(streaming+" f32/f16", func(t *testing.T) { lbmtest.ConformTo(t, byRuns(onDevice[float32](l, how)), 1./(1<<10)) })
		}
	}
}

// tube is a round tube along y in a box whose other nodes are walls.
func tube(t testing.TB, radius, length int) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision("trt", 0.1, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	n := 2*radius + 4
	cfg := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{n, length, n}, Collision: c}
	cfg.Solid = make([]bool, cfg.Nodes())
	for k := range cfg.Solid {
		p := cfg.Position(k)
		x, z := float64(p[0])-float64(n-1)/2, float64(p[2])-float64(n-1)/2
		cfg.Solid[k] = x*x+z*z >= float64(radius*radius)
	}
	return cfg
}

func TestAFluidByRunsTakesTheMemoryThatWasAnnounced(t *testing.T) {
	l := devicetest.Open(t)
	v := narrowing{radius: 5.2, length: 22}
	vessel, plain := v.carved(t, testPorts(lbm.PortWindkessel, true)), tube(t, 20, 40)
	for _, streaming := range lbm.StreamingNames {
		for name, cfg := range map[string]lbm.Config{"tube": plain, "vessel": vessel} {
			cfg.Streaming = streaming
			before, _ := l.Context.Held()
			f, err := NewFluid[float32](l, cfg)
			if err != nil {
				t.Fatal(err)
			}
			f.Step()
			f.Health()
			f.Population(0, make([]float32, cfg.Nodes()))
			after, _ := l.Context.Held()
			n, taken := f.Needs(), int64(after-before)
			if again := NeedsOf(&cfg, 4); again != n {
				t.Errorf("%s %s: announced are %+v, and %+v", name, streaming, n, again)
			}
			if taken > n.Total()+device.ExchangeBytes/8 || taken < n.Lattices+n.Boundary*9/10 {
				t.Errorf("%s %s: the fluid takes %d bytes, announced were %+v", name, streaming, taken, n)
			}
			least := map[string]int64{"ab": 2 * 19 * 4, "inplace": 19 * 4}[streaming] * cfg.FluidNodes()
			if n.Lattices < least || n.Lattices > least+2*19*128 {
				t.Errorf("%s %s: lattices of %d bytes, the populations of the fluid are %d", name, streaming, n.Lattices, least)
			}
			f.Close()
			if now, _ := l.Context.Held(); now != before {
				t.Errorf("%s %s: a closed fluid leaves %d bytes on the device", name, streaming, now-before)
			}
		}
	}
}

func TestADeviceStoresByRunsWhatItCan(t *testing.T) {
	good := tube(t, 6, 4)
	cut := good
	cut.Cuts = make([]lbm.Cut, 1)
	flat := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{4, 4, 1}, Cuts: make([]lbm.Cut, 1)}
	lid := good
	lid.Faces[2], lid.Faces[3] = lbm.Face{Kind: lbm.NoSlip}, lbm.Face{Kind: lbm.MovingWall}
	for _, c := range []struct {
		name, storage string
		cfg           lbm.Config
		want, says    string
	}{
		{"a tube", "auto", good, "runs", ""},
		{"a tube in a box", "box", good, "box", ""},
		{"without solids", "", lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{4, 4, 1}}, "box", ""},
		{"a lid", "auto", lid, "box", ""},
		{"a lid, by runs", "runs", lid, "", "face top is moving-wall"},
		{"a vessel", "auto", cut, "runs", ""},
		{"a vessel in a box", "box", cut, "", "storage auto or runs"},
		{"a vessel in the plane", "auto", flat, "", "D3Q19"},
	} {
		c.cfg.Storage = c.storage
		got, err := StorageOf(&c.cfg)
		if got != c.want || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: storage %q, error %v; want %q, %q", c.name, got, err, c.want, c.says)
		}
	}
}

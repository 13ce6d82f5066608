package cuda

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Rows that sweeps close to rings are the CPU's to the bit: of every form and scheme, of few
// nodes, of whole quads and others, with walls inside that touch the ends, beside every kind
// of face along y, and links by addresses of either size.
func TestRingsAreTheCPUsToTheBit(t *testing.T) {
	l := devicetest.Open(t)
	for k, nx := range []int{1, 4, 7, 8, 36} {
		for _, lattice := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
			size := [3]int{nx, 6, 1}
			if lattice.Dim == 3 {
				size = [3]int{nx, 4, 3}
			}
			faces := [][2]lbm.Face{
				{}, {{Kind: lbm.NoSlip}, {Kind: lbm.FreeSlip}}, {{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.01, 0.005} }}, {Kind: lbm.Outflow}},
			}[k%3]
			for _, streaming := range []string{"ab", "inplace"} {
				cfg := flow(t, lattice, size, lbm.Face{}, lbm.Face{}, faces[0], faces[1])
				cfg.Streaming, cfg.Kernel = streaming, "go"
				if nx > 4 && k%2 == 1 {
					cfg.Solid = make([]bool, cfg.Nodes())
					cfg.Solid[2*nx], cfg.Solid[3*nx-1], cfg.Solid[4*nx-1] = true, true, true
				}
				name := fmt.Sprint(lattice.Name, size, streaming)
				t.Run(name+" f64", func(t *testing.T) { ringsAgree[float64](t, l, cfg) })
				cfg.Store = "f16"
				t.Run(name+" f32/f16", func(t *testing.T) { ringsAgree[float32](t, l, cfg) })
			}
		}
	}
}

func ringsAgree[T lbm.Float](t *testing.T, l *device.Library, cfg lbm.Config) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	cpu, err := lbm.New[T](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Kernel = ""
	f, err := NewFluid[T](l, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if cfg.Size[0] == 7 { // addresses of 64 bits, which only larger lattices need
		f.boundary.phases, f.open.links = nil, nil
		if err := f.compileLinks(true); err != nil {
			t.Fatal(err)
		}
	}
	start := drawState(rand.New(rand.NewPCG(3, 4)), cpu)
	for _, g := range []lbm.Fluid[T]{f, cpu} {
		if err := g.SetState(start); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			g.Step()
		}
	}
	got, want := lbm.StateOf[T](f), lbm.StateOf(cpu)
	for i, p := range want.Populations {
		for n, v := range p {
			if g := got.Populations[i][n]; g != v && (cfg.Solid == nil || !cfg.Solid[n]) {
				t.Fatalf("population %d of node %v is %g, on the CPU %g", i, cfg.Position(n), g, v)
			}
		}
	}
	rings := f.ring() == cfg.Size[0]
	if whole := device.SizeOf[T]() == 8 || cfg.Size[0]%4 == 0; rings != whole {
		t.Errorf("rows of %d nodes are closed: %v", cfg.Size[0], rings)
	}
}

// A periodic box has links for what crosses the faces along y and z alone, and rows of a
// kind share theirs.
func TestAPeriodicBoxHasNoLinksAlongX(t *testing.T) {
	l := devicetest.Open(t)
	for _, streaming := range []string{"ab", "inplace"} {
		cfg := flow(t, lbm.D3Q19, [3]int{12, 7, 6})
		cfg.Streaming = streaming
		f, err := NewFluid[float32](l, cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		nx, ny, nz := 12, 7, 6
		for phase, p := range f.boundary.phases {
			// Five of a node of either of two faces; those along (0, ±1, ±1) at the edges cross both.
			if want := 10*nx*(ny+nz) - 4*nx; p.links != want {
				t.Errorf("%s, phase %d: %d links, want %d", streaming, phase, p.links, want)
			}
			// Kinds of rows: inner ones of the planes at the ends, first and last of inner planes,
			// and the four at the edges, with as many links as have neither of them.
			if most := nx * (2*5 + 2*5 + 4*9); p.listed > most {
				t.Errorf("%s, phase %d: lists of %d links, at most %d are different", streaming, phase, p.listed, most)
			}
		}
	}
}

package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// The stand-in contracts no sums of products, so a fluid on it is the CPU's, computed
// by the plain Go kernels, to the bit: whatever the domain, its faces and solids, and
// whatever is done to it between steps. That holds in half precision, too, as both
// round with the same noise.
func TestRandomFlowsAreTheCPUsToTheBit(t *testing.T) {
	l := devicetest.Open(t)
	flows := uint64(90)
	if testing.Short() {
		flows = 12
	}
	for seed := range flows {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			switch seed % 3 {
			case 0:
				sameRandomFlow[float64](t, l, seed, "")
			case 1:
				sameRandomFlow[float32](t, l, seed, "")
			case 2:
				sameRandomFlow[float32](t, l, seed, "f16")
			}
		})
	}
}

// The sizes that no block, warp or line divides, with all kinds of faces around them.
func TestAwkwardDomainsAreTheCPUsToTheBit(t *testing.T) {
	devicetest.NumbersAlone(t)
	l := devicetest.Open(t)
	for k, size := range [][3]int{{7, 5, 1}, {33, 17, 1}, {5, 6, 7}, {1, 9, 1}, {130, 3, 1}, {65, 2, 3}} {
		for turn := range 3 {
			r := rand.New(rand.NewPCG(uint64(k), uint64(turn)))
			cfg := lbm.Config{Lattice: lbm.D2Q9, Size: size, Force: [3]float64{1e-5, -2e-5}}
			if size[2] > 1 {
				cfg.Lattice = lbm.D3Q19
			}
			cfg.Collision = drawCollision(r)
			for side := range 2 * cfg.Lattice.Dim { // one kind after the other
				cfg.Faces[side] = drawFace(r, cfg.Lattice.Dim)
				cfg.Faces[side].Kind = lbm.FaceKind(1 + (side+2*turn+k)%(len(lbm.FaceKinds)-1))
			}
			t.Run(fmt.Sprint(size, turn), func(t *testing.T) {
				sameFlow[float64](t, l, &cfg, r, "")
				sameFlow[float32](t, l, &cfg, r, "")
				sameFlow[float32](t, l, &cfg, r, "f16")
			})
		}
	}
}

func sameRandomFlow[T lbm.Float](t *testing.T, l *device.Library, seed uint64, store string) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 41))
	cfg := drawFlow(r)
	sameFlow[T](t, l, &cfg, r, store)
}

// sameFlow does the same random things to a fluid on the CPU and to one on the device
// in each scheme, and compares all that they tell.
func sameFlow[T lbm.Float](t *testing.T, l *device.Library, cfg *lbm.Config, r *rand.Rand, store string) {
	t.Helper()
	pool := parallel.NewPool(1)
	defer pool.Close()
	reference := *cfg
	reference.Store, reference.Kernel = store, "go"
	cpu, err := lbm.New[T](reference, pool)
	if err != nil {
		t.Fatal(err)
	}
	fluids := []*player[T]{newPlayer(cpu)}
	for _, streaming := range lbm.StreamingNames {
		f := onDevice[T](l, lbm.Config{Store: store, Streaming: streaming})(t, *cfg)
		f.(*Fluid[T]).batch.single = batchAfter // batches from the first step on
		fluids = append(fluids, newPlayer(f))
	}
	start := drawState(r, cpu)
	steps := 1 + r.IntN(16)
	script := append([]string{"SetState"}, drawScript(r, steps)...)
	for k, what := range append(script, "StateOf") {
		seed := r.Uint64()
		var want []float64
		for i, p := range fluids {
			got := p.play(t, what, rand.New(rand.NewPCG(seed, 1)), start)
			if i == 0 {
				want = got
				continue
			}
			if len(got) != len(want) {
				t.Fatalf("%s: operation %d (%s) tells %d values, the CPU %d", p.f.Config().Streaming, k, what, len(got), len(want))
			}
			for n, w := range want {
				if got[n] != w && (got[n] == got[n] || w == w) { // flows may diverge, alike
					t.Fatalf("%s %v, faces %v, solids %t, collision %+v, %s, store %q: value %d of operation %d (%s, in %v) is %g, on the CPU %g",
						cfg.Lattice.Name, cfg.Size, kindsOf(cfg), cfg.Solid != nil, cfg.Collision, p.f.Config().Streaming, store, n, k, what, script[:min(k+1, len(script))], got[n], w)
				}
			}
		}
	}
}

func kindsOf(cfg *lbm.Config) (kinds []lbm.FaceKind) {
	for _, f := range cfg.Faces[:2*cfg.Lattice.Dim] {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

func drawScript(r *rand.Rand, steps int) (script []string) {
	between := []string{"Correct", "Correct", "StepNodes", "Moments", "Box", "OpenFaces", "Fetch", "Put", "StepFetching", "copy", "Health"}
	busy := r.IntN(4)
	for range steps {
		script = append(script, "Step")
		for range r.IntN(busy + 1) {
			script = append(script, between[r.IntN(len(between))])
		}
	}
	return script
}

// player does things to a fluid.
type player[T lbm.Float] struct {
	f lbm.Fluid[T]
}

func newPlayer[T lbm.Float](f lbm.Fluid[T]) *player[T] { return &player[T]{f} }

// play does something to the fluid and returns what it tells. It is the same for the
// same sequence of random numbers.
func (p *player[T]) play(t *testing.T, what string, r *rand.Rand, start lbm.State[T]) (told []float64) {
	t.Helper()
	f, c := p.f, p.f.Config()
	tell := func(values []T) {
		for _, v := range values {
			told = append(told, float64(v))
		}
	}
	set := func(s lbm.State[T]) {
		if err := f.SetState(s); err != nil {
			t.Fatal(err)
		}
	}
	switch what {
	case "Step":
		f.Step()
	case "SetState":
		set(start)
	case "copy": // what is told is all that the future depends on
		set(lbm.StateOf(f))
	case "Correct", "Moments", "Fetch", "Put", "StepFetching", "StepNodes":
		nodes := drawNodes(r, c)
		at := make([]int32, len(nodes))
		for k := range at {
			at[k] = int32(len(at) - 1 - k)
		}
		rho, u, g := make([]T, len(nodes)), values[T](r, c.Lattice.Dim, len(nodes), 1e-3), values[T](r, c.Lattice.Q, len(nodes), 1e-3)
		switch what {
		case "StepNodes":
			n := &lbm.NodeStep[T]{Force: u, Rho: rho, U: values[T](r, c.Lattice.Dim, len(nodes), 0)}
			n.SetNodes(nodes, at)
			if c.Store == "" {
				lbm.StepNodes(f, n)
			} else {
				lbm.StepAndCorrect(f, n) // whose results are rounded twice
			}
			tell(rho)
			for _, v := range n.U {
				tell(v)
			}
		case "Correct":
			f.Correct(nodes, at, u)
		case "Moments":
			f.Moments(nodes, at, rho, u)
			tell(rho)
		case "Fetch":
			f.(lbm.Exchanger[T]).Fetch(eachTurned(nodes, c.Lattice.Q), g)
		case "Put":
			f.(lbm.Exchanger[T]).Put(nodes, g)
		case "StepFetching":
			if o, ok := f.(lbm.Overlapped[T]); ok {
				o.StepFetching(eachTurned(nodes, c.Lattice.Q), g)
			} else {
				f.(lbm.Exchanger[T]).Fetch(eachTurned(nodes, c.Lattice.Q), g)
				f.Step()
			}
		}
		for _, v := range append(u, g...) {
			tell(v)
		}
	case "Box":
		lo, hi := [3]int{}, [3]int{}
		n := 1
		for a := range lo {
			lo[a] = r.IntN(c.Size[a])
			hi[a] = lo[a] + 1 + r.IntN(c.Size[a]-lo[a])
			n *= hi[a] - lo[a]
		}
		if c.Solid != nil {
			break // solids hold whatever boundaries left there
		}
		rho, u := make([]T, n), values[T](r, c.Lattice.Dim, n, 0)
		f.Box(lo, hi, rho, u)
		tell(rho)
		for _, v := range u {
			tell(v)
		}
	case "OpenFaces":
		told = f.OpenFaces()
	case "Health":
		if h := f.Health(); h.OK {
			told = []float64{h.Speed, h.MaxSpeed, h.MinRho, h.MaxRho}
		}
	case "StateOf":
		s := lbm.StateOf(f)
		for i := range s.Populations {
			for n, v := range s.Populations[i] {
				if c.Solid == nil || !c.Solid[n] {
					told = append(told, float64(v))
				}
			}
		}
		told = append(told, s.Open...)
	}
	return told
}

func values[T lbm.Float](r *rand.Rand, lists, n int, size float64) [][]T {
	v := make([][]T, lists)
	for i := range v {
		v[i] = make([]T, n)
		for k := range v[i] {
			v[i][k] = T(size * (r.Float64() - 0.5))
		}
	}
	return v
}

// drawNodes draws some fluid nodes, each once.
func drawNodes(r *rand.Rand, c *lbm.Config) (nodes []int32) {
	most := 1 + r.IntN(c.Nodes())
	for _, n := range r.Perm(c.Nodes())[:most] {
		if c.Solid == nil || !c.Solid[n] {
			nodes = append(nodes, int32(n))
		}
	}
	return nodes
}

// eachTurned is a list of the same nodes for each of q directions, in another order for each.
func eachTurned(nodes []int32, q int) (each []int32) {
	for i := range q {
		i %= max(1, len(nodes))
		each = append(append(each, nodes[i:]...), nodes[:i]...)
	}
	return each
}

// drawState draws 2 % of noise at some step.
func drawState[T lbm.Float](r *rand.Rand, f lbm.Fluid[T]) lbm.State[T] {
	s := lbm.StateOf(f)
	s.Steps = int64(r.IntN(3000))
	for i, p := range s.Populations {
		for n := range p {
			p[n] = T(0.02 * f.Config().Lattice.W[i] * (2*r.Float64() - 1))
		}
	}
	return s
}

func drawCollision(r *rand.Rand) lbm.Collision {
	c, err := lbm.NewCollision(lbm.CollisionNames[r.IntN(len(lbm.CollisionNames))], 0.02+0.2*r.Float64(), lbm.MagicPoiseuille)
	if err != nil {
		panic(err)
	}
	switch r.IntN(6) {
	case 0, 1:
		c.Smagorinsky = 0.3 * r.Float64()
	case 2:
		c.Rheology = lbm.Rheology{Zero: (1 + 5*r.Float64()) * c.Viscosity(), Time: 1e4 * r.Float64(), Exponent: r.Float64(), Transition: 0.5 + 2*r.Float64()}
	}
	return c
}

// drawFlow draws a small domain, often a node or two wide, with any faces.
func drawFlow(r *rand.Rand) lbm.Config {
	cfg := lbm.Config{Lattice: []*lbm.Lattice{lbm.D3Q19, lbm.D2Q9}[r.IntN(2)], Collision: drawCollision(r), Size: [3]int{1, 1, 1}}
	for a := range cfg.Lattice.Dim {
		cfg.Size[a] = 1 + r.IntN(4)
		if r.IntN(2) == 0 {
			cfg.Size[a] = 1 + r.IntN([3]int{70, 12, 9}[a])
		}
		if r.IntN(3) > 0 { // not periodic
			cfg.Faces[2*a], cfg.Faces[2*a+1] = drawFace(r, cfg.Lattice.Dim), drawFace(r, cfg.Lattice.Dim)
		}
	}
	if r.IntN(2) == 0 {
		cfg.Force = [3]float64{1e-5, -2e-5, 1.5e-5 * float64(cfg.Lattice.Dim-2)}
	}
	if force := cfg.Force; r.IntN(3) == 0 {
		cfg.Acceleration = func(t float64) [3]float64 {
			return [3]float64{force[0] + 2e-5*math.Sin(0.4*t), force[1], force[2] * math.Cos(0.2*t)}
		}
	}
	if share := 0.5 * r.Float64(); r.IntN(2) == 0 {
		cfg.Solid = make([]bool, cfg.Nodes())
		for n := range cfg.Solid {
			cfg.Solid[n] = r.Float64() < share
		}
	}
	return cfg
}

func drawFace(r *rand.Rand, dim int) lbm.Face {
	u, shear := 0.02*r.Float64(), 0.001*r.Float64()
	f := lbm.Face{
		Kind:    lbm.FaceKind(1 + r.IntN(len(lbm.FaceKinds)-1)),
		Density: 1 + 0.002*r.Float64(),
		Velocity: func(p [3]float64) [3]float64 {
			return [3]float64{u + shear*p[1], shear * p[0], u * float64(dim-2)}
		},
	}
	if r.IntN(2) == 0 {
		f.Amplitude = func(t float64) float64 { return 1 + 0.5*math.Sin(0.3*t) }
	}
	return f
}

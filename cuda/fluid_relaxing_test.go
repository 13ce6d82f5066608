package cuda

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/cuda/device/devicetest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Nodes that relax by times of their own have the bits that they have on the processor without assembly, in a step and in its correction,
// by every operator, in every form; and so when times change from step to step, here and there, and where no node has any more.
func TestNodesRelaxByTimesOfTheirOwn(t *testing.T) {
	devicetest.NumbersAlone(t)
	for _, lattice := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		size := [3]int{37, 21, 1}
		if lattice.Dim == 3 {
			size = [3]int{21, 9, 7}
		}
		for _, op := range lbm.CollisionNames {
			for _, streaming := range lbm.StreamingNames {
				cfg := flow(t, lattice, size)
				var err error
				if cfg.Collision, err = lbm.NewCollision(op, 0.05, lbm.MagicPoiseuille); err != nil {
					t.Fatal(err)
				}
				cfg.Streaming = streaming
				name := fmt.Sprint(lattice.Name, " ", op, " ", streaming)
				relaxes[float64](t, name+" f64", cfg)
				relaxes[float32](t, name+" f32", cfg)
				cfg.Store = "f16"
				relaxes[float32](t, name+" f16", cfg)
			}
		}
	}
}

func relaxes[T lbm.Float](t *testing.T, name string, cfg lbm.Config) {
	t.Helper()
	pool := parallel.NewPool(1)
	defer pool.Close()
	unassembled := cfg
	unassembled.Kernel = "go"
	on, err := lbm.New[T](unassembled, pool)
	if err != nil {
		t.Fatal(name, err)
	}
	device, err := NewFluid[T](devicetest.Open(t), cfg)
	if err != nil {
		t.Fatal(name, err)
	}
	defer device.Close()
	random := rand.New(rand.NewPCG(7, 8))
	dim := cfg.Lattice.Dim
	nodes := someNodes(random, cfg.Nodes())
	at := make([]int32, len(nodes))
	for k := range at {
		at[k] = int32(k)
	}
	force := values[T](random, dim, len(nodes), 1e-3)
	free := &lbm.NodeStep[T]{Force: make([][]T, dim), U: make([][]T, dim), Relaxation: lbm.NewRelaxation[T](&cfg)}
	free.SetNodes(nil, nil)
	for _, f := range []lbm.Fluid[T]{on, device} {
		f.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{0.02, 0.001 * p[0], 0} })
	}
	own, r := T(cfg.Collision.Tau()), free.Relaxation
	for step := range 4 {
		for line := range r.First {
			node, n := cfg.Line(line)
			r.First[line], r.End[line] = 0, 0
			if random.IntN(3) == 0 || step == 3 {
				continue
			}
			r.First[line] = int32(random.IntN(n))
			r.End[line] = r.First[line] + int32(random.IntN(n-int(r.First[line]))) + 1
			for x := int(r.First[line]); x < int(r.End[line]); x++ {
				if r.Tau[node+x] = own; random.IntN(3) > 0 {
					r.Tau[node+x] = T(0.52 + random.Float64())
				}
			}
		}
		for _, f := range []lbm.Fluid[T]{on, device} {
			lbm.StepNodes(f, free)
			if step%2 == 0 {
				f.(lbm.Relaxing[T]).CorrectRelaxing(nodes, at, force, r)
			}
		}
	}
	if err := device.Err(); err != nil {
		t.Fatal(name, err)
	}
	want, got := lbm.StateOf(on), lbm.StateOf[T](device)
	for i := range want.Populations {
		if !slices.Equal(want.Populations[i], got.Populations[i]) {
			t.Fatalf("%s: populations of direction %d are others than the processor's", name, i)
		}
	}
}

package cuda

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/lbm"
)

// Forces act in every part of a sweep, and by a correction after it where there is no memory for fields of
// the domain: the same bits, since what acts in the collision is the correction.
func TestForcesActInEveryPartAndWithoutMemory(t *testing.T) {
	devicetest.NumbersAlone(t)
	l := devicetest.Open(t)
	parts := flow(t, lbm.D2Q9, [3]int{1, 8*maxGridYZ + 9, 1})
	box := flow(t, lbm.D3Q19, [3]int{33, 17, 16})
	for _, c := range []struct {
		name string
		cfg  lbm.Config
		make func(t *testing.T, cfg lbm.Config) *Fluid[float64]
	}{
		{"parts", parts, func(t *testing.T, cfg lbm.Config) *Fluid[float64] {
			f := deviceFluid(t, l, cfg)
			if len(f.sweeps) < 2 {
				t.Fatalf("a sweep has %d parts, this is about several", len(f.sweeps))
			}
			return f
		}},
		{"without memory", box, func(t *testing.T, cfg lbm.Config) *Fluid[float64] {
			f := deviceFluid(t, l, cfg)
			if err := f.SetState(lbm.StateOf(f)); err != nil { // what comes and goes has its room
				t.Fatal(err)
			}
			held, _ := l.Context.Held()
			t.Setenv("LBMIB_STANDIN_MEMORY", fmt.Sprint(int64(held)+nodeForcesBytes(&f.cfg, 8)-1))
			return f
		}},
	} {
		want, got := deviceFluid(t, l, c.cfg), c.make(t, c.cfg)
		random := rand.New(rand.NewPCG(3, 4))
		start := drawState(random, want)
		nodes := someNodes(random, c.cfg.Nodes())
		at, dim := make([]int32, len(nodes)), c.cfg.Lattice.Dim
		for k := range at {
			at[k] = int32(k)
		}
		force := values[float64](random, dim, len(nodes), 1e-3)
		var of [2]lbm.NodeStep[float64]
		for i, f := range []*Fluid[float64]{want, got} {
			if err := f.SetState(start); err != nil {
				t.Fatal(err)
			}
			of[i] = lbm.NodeStep[float64]{Force: force, Rho: make([]float64, len(nodes)), U: values[float64](random, dim, len(nodes), 0)}
			of[i].SetNodes(nodes, at)
			for range 2 {
				if i == 0 {
					lbm.StepAndCorrect(f, &of[i])
				} else {
					lbm.StepNodes(f, &of[i])
				}
			}
		}
		if is := got.forces.refused; is != (c.name != "parts") {
			t.Errorf("%s: memory for forces on nodes is refused: %t", c.name, is)
		}
		x, y := lbm.StateOf(want), lbm.StateOf(got)
		for i := range x.Populations {
			if !slices.Equal(x.Populations[i], y.Populations[i]) {
				t.Fatalf("%s: populations of direction %d are others than those of a step that is corrected", c.name, i)
			}
		}
		if !slices.Equal(of[0].Rho, of[1].Rho) || !slices.Equal(of[0].U[1], of[1].U[1]) {
			t.Errorf("%s: moments are others than those of a step that is corrected", c.name)
		}
	}
}

func deviceFluid(t *testing.T, l *device.Library, cfg lbm.Config) *Fluid[float64] {
	t.Helper()
	return onDevice[float64](l, lbm.Config{Streaming: "inplace"})(t, cfg).(*Fluid[float64])
}

package cuda

import (
	"fmt"
	"math/rand/v2"
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
		flows = 18
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
	l := devicetest.Open(t)
	for _, streaming := range lbm.StreamingNames {
		how := lbm.Config{Streaming: streaming}
		t.Run(streaming+" f64", func(t *testing.T) { lbmtest.Conform(t, byRuns(onDevice[float64](l, how))) })
		if testing.Short() {
			return
		}
		t.Run(streaming+" f32", func(t *testing.T) { lbmtest.Conform(t, byRuns(onDevice[float32](l, how))) })
		how.Store = "f16"
		t.Run(streaming+" f32/f16", func(t *testing.T) { lbmtest.ConformTo(t, byRuns(onDevice[float32](l, how)), 1./(1<<10)) })
	}
}

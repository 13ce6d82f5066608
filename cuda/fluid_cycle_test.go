package cuda

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// inGraphs lets levels wait from the first step on, or never.
func inGraphs[T lbm.Float](t testing.TB, l *device.Library, cfg, how lbm.Config, boxes []joined.Box, wait bool) (*joined.Fluid[T], *cycle[T]) {
	t.Helper()
	f, c := levelsTogether[T](t, l, cfg, how, boxes)
	c.single, c.closed = batchAfter*c.every, !wait
	return f, c
}

// Steps of nested grids that are queued as graphs have the bits of those that are queued kernel by kernel, whenever somebody looks, and where faces
// are driven by another factor in every step, of which there are no graphs.
func TestLevelsInGraphsHaveTheSameBits(t *testing.T) {
	l := devicetest.Open(t)
	eddies := flow(t, lbm.D2Q9, [3]int{64, 48, 1})
	eddies.Collision.Smagorinsky, eddies.Force = 0.1, [3]float64{1e-5, 2e-5}
	stream := flow(t, lbm.D2Q9, [3]int{64, 48, 1}, lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }}, lbm.Face{Kind: lbm.Outflow},
		lbm.Face{Kind: lbm.FreeSlip}, lbm.Face{Kind: lbm.FreeSlip})
	driven := stream
	driven.Faces[0].Amplitude = func(t float64) float64 { return min(1, t/40) } // the same from step 40 on
	half := []joined.Box{{Hi: [3]int{32, 48, 1}}, {Lo: [3]int{32, 0, 0}, Hi: [3]int{64, 48, 1}}}
	for _, c := range []struct {
		name  string
		cfg   lbm.Config
		boxes []joined.Box
		looks []int // steps after which somebody looks
		least int   // graphs
		most  int   // that are made; 0: any number
	}{
		{"three levels", eddies, []joined.Box{levelBox(1, 8, 4, 56, 40), levelBox(2, 16, 8, 44, 32)}, nil, 2, 3},
		{"three levels, looked at", eddies, []joined.Box{levelBox(1, 8, 4, 56, 40), levelBox(2, 16, 8, 44, 32)}, []int{10, 13, 14, 30, 50, 51}, 4, 0},
		{"a stream past two boxes", stream, []joined.Box{levelBox(1, 16, 8, 56, 48), levelBox(2, 20, 16, 28, 32), levelBox(2, 36, 20, 48, 48)}, []int{31, 57}, 3, 0},
		{"a stream that begins", driven, []joined.Box{levelBox(1, 16, 8, 56, 48)}, nil, 1, 2},
		{"a stream that begins, three levels", driven, []joined.Box{levelBox(1, 16, 8, 56, 48), levelBox(2, 20, 16, 28, 32)}, nil, 1, 2},
		{"a stream, looked at after every cycle", stream, []joined.Box{levelBox(1, 16, 8, 56, 48)}, []int{8, 12, 16, 20, 24, 28, 32, 36}, 1, 0},
		{"one level in parts", eddies, half, []int{21}, 2, 0},
	} {
		for _, streaming := range lbm.StreamingNames {
			t.Run(c.name+", "+streaming, func(t *testing.T) {
				var fluids [2]*joined.Fluid[float64]
				var cycles [2]*cycle[float64]
				for k := range fluids {
					fluids[k], cycles[k] = inGraphs[float64](t, l, c.cfg, lbm.Config{Streaming: streaming}, c.boxes, k == 0)
					fluids[k].Initialize(swirling)
				}
				looks := c.looks
				for step := range 83 {
					for _, f := range fluids {
						f.Step()
					}
					if len(looks) > 0 && looks[0] == step+1 {
						looks = looks[1:]
						if a, b := fluids[0].Health(), fluids[1].Health(); a != b {
							t.Fatalf("step %d: health is %+v, of steps that do not wait %+v", step+1, a, b)
						}
					}
				}
				if n := len(cycles[0].graphs); n < c.least {
					t.Errorf("%d graphs were made, want at least %d", n, c.least)
				}
				if made := cycles[0].of[0].batch.made; c.most > 0 && made > c.most {
					t.Errorf("%d graphs were made, want at most %d", made, c.most)
				}
				if len(cycles[1].graphs) > 0 {
					t.Error("graphs were made that were refused")
				}
				sameStates(t, fluids[1], fluids[0])
			})
		}
	}
}

// So do half precision, whose noise goes by the step, and single.
func TestLevelsInGraphsRoundLikewise(t *testing.T) {
	l := devicetest.Open(t)
	cfg := flow(t, lbm.D2Q9, [3]int{64, 48, 1})
	cfg.Force = [3]float64{1e-5, 2e-5}
	for _, how := range []lbm.Config{{}, {Store: "f16"}, {Store: "f16", Streaming: "inplace"}} {
		boxes := []joined.Box{levelBox(1, 8, 4, 56, 40)}
		cpu := levelsOnCPU[float32](t, cfg, how, boxes)
		gpu, c := inGraphs[float32](t, l, cfg, how, boxes, true)
		cpu.Initialize(swirling)
		gpu.Initialize(swirling)
		for range 37 {
			cpu.Step()
			gpu.Step()
		}
		if len(c.graphs) == 0 {
			t.Error("no graphs were made")
		}
		sameStates(t, cpu, gpu)
	}
}

// Graphs of nested grids have the corrections of a body in them; what somebody asks for now and then is that of steps that do not wait. Bodies that
// move have their steps queued one by one.
func TestBodiesInLevelsAreInGraphs(t *testing.T) {
	l := devicetest.Open(t)
	for _, name := range []string{"a cylinder, multidirect", "two that move, across seams"} {
		scene := hybridtest.Find(t, name)
		scene.Flow.Size = [3]int{96, 72, 1}
		boxes := []joined.Box{levelBox(1, 0, 0, 64, 48)}
		var sims [2]*hybrid.Simulation[float64]
		var cycles [2]*cycle[float64]
		for k := range sims {
			f, c := inGraphs[float64](t, l, scene.Flow, lbm.Config{}, boxes, k == 0)
			cycles[k] = c
			sims[k] = withBodies(t, &scene, f, hybrid.Plan[float64]{Schedule: "device", Device: ofFinest(t, l, f, scene.Coupling)})
		}
		hybridtest.Follow(t, name, sims[1], sims[0], 60, 0)
		if moves := name != "a cylinder, multidirect"; moves == (len(cycles[0].graphs) > 0) {
			t.Errorf("%s: %d graphs were made", name, len(cycles[0].graphs))
		}
	}
}

package cuda

import (
	"fmt"
	"math"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// levelsOn makes a flow of levels on a device, in a way.
func levelsOn[T lbm.Float](t testing.TB, l *device.Library, cfg lbm.Config, how lbm.Config, boxes []joined.Box) *joined.Fluid[T] {
	t.Helper()
	f, _ := levelsTogether[T](t, l, cfg, how, boxes)
	return f
}

// levelsTogether is levelsOn, and what their parts are together.
func levelsTogether[T lbm.Float](t testing.TB, l *device.Library, cfg lbm.Config, how lbm.Config, boxes []joined.Box) (*joined.Fluid[T], *cycle[T]) {
	t.Helper()
	cfg.Store, cfg.Streaming = how.Store, how.Streaming
	var made []*Fluid[T]
	t.Cleanup(func() {
		for k := range made {
			f := made[len(made)-1-k]
			if err := f.Wait(); err != nil {
				t.Error(err)
			}
			f.Close()
		}
	})
	f, err := joined.New(cfg, boxes, func(part lbm.Config) (lbm.Fluid[T], error) {
		var f *Fluid[T]
		var err error
		if len(made) == 0 {
			f, err = NewFluid[T](l, part)
		} else {
			f, err = NewFluidBeside(l, part, made[0])
		}
		if err != nil {
			return nil, err
		}
		made = append(made, f)
		return f, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f, made[0].together
}

// levelsOnCPU makes it on the processor.
func levelsOnCPU[T lbm.Float](t testing.TB, cfg lbm.Config, how lbm.Config, boxes []joined.Box) *joined.Fluid[T] {
	t.Helper()
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	cfg.Store, cfg.Kernel = how.Store, "go"
	f, err := joined.New(cfg, boxes, func(part lbm.Config) (lbm.Fluid[T], error) { return lbm.New[T](part, pool) })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// levelBox is a box of a level in the plane.
func levelBox(level, x0, y0, x1, y1 int) joined.Box {
	return joined.Box{Level: level, Lo: [3]int{x0, y0, 0}, Hi: [3]int{x1, y1, 1}}
}

// swirling is a state that varies everywhere.
func swirling(p [3]float64) (float64, [3]float64) {
	return 1 + 0.001*math.Sin(p[0]/9), [3]float64{0.03 * math.Sin(p[1]/11), 0.02 * math.Cos(p[0]/7), 0.01 * math.Sin(p[2]/5)}
}

// Levels on a device have the bits that they have on the processor: in every precision and streaming scheme, at walls that move, in periodic domains,
// with two boxes in one, and with a level divided.
func TestLevelsAreTheCPUsToTheBit(t *testing.T) {
	l := devicetest.Open(t)
	wall := lbm.Face{Kind: lbm.MovingWall, Velocity: func(p [3]float64) [3]float64 { return [3]float64{0.02 + 1e-4*p[0]} }, Amplitude: func(t float64) float64 { return math.Sin(t / 40) }}
	plane := flow(t, lbm.D2Q9, [3]int{64, 48, 1}, lbm.Face{}, lbm.Face{}, wall, lbm.Face{Kind: lbm.NoSlip})
	stream := flow(t, lbm.D2Q9, [3]int{64, 48, 1}, lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }}, lbm.Face{Kind: lbm.Outflow},
		lbm.Face{Kind: lbm.FreeSlip}, lbm.Face{Kind: lbm.FreeSlip})
	eddies := flow(t, lbm.D2Q9, [3]int{64, 48, 1})
	eddies.Collision.Smagorinsky, eddies.Force = 0.1, [3]float64{1e-5, 2e-5}
	space := flow(t, lbm.D3Q19, [3]int{32, 24, 16}, lbm.Face{}, lbm.Face{}, lbm.Face{Kind: lbm.NoSlip}, lbm.Face{Kind: lbm.FreeSlip})
	recursive := space
	var err error
	if recursive.Collision, err = lbm.NewCollision("recursive", 0.02, 0.25); err != nil {
		t.Fatal(err)
	}
	half := []joined.Box{{Hi: [3]int{32, 48, 1}}, {Lo: [3]int{32, 0, 0}, Hi: [3]int{64, 48, 1}}}
	for _, c := range []struct {
		name  string
		cfg   lbm.Config
		boxes []joined.Box
	}{
		{"two levels", eddies, []joined.Box{levelBox(1, 16, 12, 40, 32)}},
		{"three levels at a moving wall", plane, []joined.Box{levelBox(1, 8, 0, 56, 40), levelBox(2, 16, 0, 44, 32)}},
		{"a stream past two boxes", stream, []joined.Box{levelBox(1, 16, 8, 56, 48), levelBox(2, 20, 16, 28, 32), levelBox(2, 36, 20, 48, 48)}},
		{"a level in parts", eddies, append(half, levelBox(1, 16, 12, 40, 32))},
		{"one level in parts", plane, half},
		{"space", space, []joined.Box{{Level: 1, Lo: [3]int{8, 0, 4}, Hi: [3]int{24, 12, 12}}}},
		{"space, recursive", recursive, []joined.Box{{Level: 1, Lo: [3]int{8, 0, 4}, Hi: [3]int{24, 24, 12}}}},
	} {
		for i, streaming := range lbm.StreamingNames {
			if testing.Short() && c.cfg.Lattice.Dim == 3 && i > 0 {
				continue // no goroutines that others have not
			}
			t.Run(fmt.Sprint(c.name, ", ", streaming), func(t *testing.T) {
				sameLevels[float64](t, l, c.cfg, lbm.Config{Streaming: streaming}, c.boxes)
				sameLevels[float32](t, l, c.cfg, lbm.Config{Streaming: streaming}, c.boxes)
				sameLevels[float32](t, l, c.cfg, lbm.Config{Streaming: streaming, Store: "f16"}, c.boxes)
			})
		}
	}
}

func sameLevels[T lbm.Float](t *testing.T, l *device.Library, cfg, how lbm.Config, boxes []joined.Box) {
	t.Helper()
	cpu, gpu := levelsOnCPU[T](t, cfg, how, boxes), levelsOn[T](t, l, cfg, how, boxes)
	cpu.Initialize(swirling)
	gpu.Initialize(swirling)
	for range 27 {
		cpu.Step()
		gpu.Step()
	}
	sameStates(t, cpu, gpu)
	if a, b := cpu.Health(), gpu.Health(); a != b {
		t.Errorf("health is %+v, on the processor %+v", b, a)
	}
}

// sameStates compares all that two fluids depend on. Solids hold whatever boundaries left there.
func sameStates[T lbm.Float](t *testing.T, want, got lbm.Fluid[T]) {
	t.Helper()
	a, b := lbm.StateOf(want), lbm.StateOf(got)
	if len(a.Open) != len(b.Open) {
		t.Fatalf("%d values are remembered, on the processor %d", len(b.Open), len(a.Open))
	}
	for k, v := range a.Open {
		if b.Open[k] != v {
			t.Fatalf("value %d of what is remembered is %g, on the processor %g", k, b.Open[k], v)
		}
	}
	for i, f := range a.Populations {
		for n, v := range f {
			if solid := want.Config().Solid; b.Populations[i][n] != v && (solid == nil || !solid[n]) {
				t.Fatalf("population %d of node %v is %g, on the processor %g", i, want.Config().Position(n), b.Populations[i][n], v)
			}
		}
	}
}

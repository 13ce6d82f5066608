package backend

import (
	"math"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/standin"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Parts on a device, of one process and of several ranks, have the flow of one grid on the processor, to rounding.
func TestPartsOnDevices(t *testing.T) {
	standin.Use(t)
	collision, err := lbm.NewCollision("trt", 0.03, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{32, 24, 1}, Collision: collision}
	flow.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }}
	flow.Faces[1] = lbm.Face{Kind: lbm.Outflow}
	state := func(p [3]float64) (float64, [3]float64) {
		return 1 + 0.01*math.Sin(p[1]/4), [3]float64{0.05 + 0.01*math.Cos(p[1]*math.Pi/12), 0.01 * math.Sin(p[0]/5)}
	}
	parts := []joined.Box{{Hi: [3]int{16, 24, 1}}, {Lo: [3]int{16, 0, 0}, Hi: [3]int{32, 24, 1}}}
	request := func(backend string, ranks *joined.Ranks) Request {
		pool := parallel.NewPool(1)
		t.Cleanup(pool.Close)
		r := Request{Backend: backend, Flow: flow, Pool: pool, Ranks: ranks}
		if backend == "cuda" {
			r.Parts = parts
		}
		return r
	}
	after := func(r Request) (lbm.State[float64], error) {
		c, err := Choose[float64](r)
		if err != nil {
			return lbm.State[float64]{}, err
		}
		defer c.Close()
		c.Sim.Fluid.Initialize(state)
		for range 40 {
			c.Sim.Step()
		}
		if c.Backend() != r.Backend {
			t.Errorf("computed on %s", c.Backend())
		}
		return lbm.StateOf(c.Sim.Fluid), c.Wait()
	}
	want, err := after(request("cpu", nil))
	if err != nil {
		t.Fatal(err)
	}
	same := func(name string, got lbm.State[float64]) {
		for i, f := range want.Populations {
			for n, v := range f {
				if d := math.Abs(v - got.Populations[i][n]); !(d < 1e-12) {
					t.Fatalf("%s: population %d of node %v is off by %g", name, i, flow.Position(n), d)
				}
			}
		}
	}
	got, err := after(request("cuda", nil))
	if err != nil {
		t.Fatal(err)
	}
	same("one process", got)
	err = mpi.Together(2, func(c mpi.Comm) error {
		r := request("cuda", &joined.Ranks{Comm: c, Of: []int{0, 1}})
		if c.Rank() > 0 {
			return Serve[float64](r)
		}
		var err error
		got, err = after(r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	same("two ranks", got)
}

// nested is a request of two levels with balls in the finer one, at places along x; none: no bodies.
func nested(t *testing.T, name string, balls ...float64) Request {
	t.Helper()
	collision, err := lbm.NewCollision("trt", 0.03, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{192, 96, 1}, Collision: collision}
	r := Request{Backend: name, Flow: flow, Pool: pool, Coupling: hybrid.CouplingConfig{Delta: "roma3", Forcing: "direct", Transfer: "auto"}}
	if len(balls) < 2 {
		r.Boxes = []joined.Box{{Level: 1, Lo: [3]int{16, 24, 0}, Hi: [3]int{80, 72, 1}}}
	} else {
		r.Boxes = []joined.Box{{Level: 1, Lo: [3]int{16, 24, 0}, Hi: [3]int{80, 72, 1}}, {Level: 1, Lo: [3]int{100, 24, 0}, Hi: [3]int{180, 72, 1}}}
	}
	for _, x := range balls {
		shape, err := geometry.NewCircle(geometry.Vec{x, 47.6}, 14)
		if err != nil {
			t.Fatal(err)
		}
		b, err := rigid.NewBody("ball", shape, 1, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		r.Bodies = append(r.Bodies, b)
	}
	return r
}

// Nested grids on a device have the flow of those on the processor, to rounding, in the memory that was announced. Bodies in the one finest grid are coupled by the
// device, in several by the host, which is told.
func TestNestedGridsOnADevice(t *testing.T) {
	standin.Use(t)
	for _, c := range []struct {
		name, backend, schedule, says string
		balls                         []float64
	}{
		{"no body", "cuda", "device", "", nil},
		{"a body", "cuda", "device", "", []float64{40.3}},
		{"no body, hybrid", "hybrid", "pipelined", "", nil},
		{"a body, beside the next step", "hybrid", "pipelined", "", []float64{40.3}},
		{"bodies in two boxes, beside the next step", "hybrid", "pipelined", "", []float64{40.3, 130.4}},
		{"bodies in two boxes", "cuda", "serial", "the CPU couples the bodies, after each step of the device: a device makes the corrections in one grid", []float64{40.3, 130.4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			after := func(backend, schedule string) (lbm.State[float64], string) {
				var said strings.Builder
				r := nested(t, backend, c.balls...)
				r.Say = &said
				needs, err := NeedsOf[float64](r)
				if err != nil {
					t.Fatal(err)
				}
				chosen, err := Choose[float64](r)
				if err != nil {
					t.Fatal(err)
				}
				defer chosen.Close()
				if chosen.Backend() != backend || chosen.Schedule() != schedule {
					t.Errorf("computed on %s, schedule %s", chosen.Backend(), chosen.Schedule())
				}
				chosen.Sim.Fluid.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{0.05, 0.01 * math.Sin(p[0]/5)} })
				for range 40 {
					chosen.Sim.Step()
				}
				if backend != "cpu" {
					free, _, err := chosen.Device().Memory()
					exchange := int64(1+len(r.Boxes)) * device.ExchangeBytes // at most, of each grid
					if taken := needs.DeviceFree - free; err != nil || taken > needs.Device || taken < (needs.Device-exchange)/2 {
						t.Errorf("%d bytes of the device are taken, %d were announced, %v", taken, needs.Device, err)
					}
				}
				state := lbm.StateOf(chosen.Sim.Fluid)
				if err := chosen.Wait(); err != nil {
					t.Error(err)
				}
				return state, said.String()
			}
			want, _ := after("cpu", "serial")
			got, said := after(c.backend, c.schedule)
			if !strings.HasPrefix(said, c.says) || c.says == "" && said != "" {
				t.Errorf("%q is told", said)
			}
			for i, f := range want.Populations {
				for n, v := range f {
					if d := math.Abs(v - got.Populations[i][n]); !(d < 1e-12) {
						t.Fatalf("population %d of node %d is off by %g", i, n, d)
					}
				}
			}
		})
	}
}

// What nested grids cannot have on devices is refused, before there is any.
func TestNestedGridsOnDevicesThatCannotBe(t *testing.T) {
	for says, change := range map[string]func(r *Request){
		"computes nested grids on one device, of one process, not over ranks":                              func(r *Request) { r.Ranks = &joined.Ranks{} },
		"backend cuda on nested grids goes with schedules device and serial: leave schedule pipelined out": func(r *Request) { r.Schedule = "pipelined" },
		"backend cuda on several parts or ranks goes with schedule serial: leave schedule device out": func(r *Request) {
			r.Schedule, r.Parts = "device", []joined.Box{{Hi: [3]int{96, 96, 1}}, {Lo: [3]int{96, 0, 0}, Hi: [3]int{192, 96, 1}}}
		},
		"ends inside face left (velocity), which this backend cannot divide": func(r *Request) {
			r.Flow.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }}
			r.Flow.Faces[1] = lbm.Face{Kind: lbm.Outflow}
			r.Flow.Faces[2], r.Flow.Faces[3] = lbm.Face{Kind: lbm.FreeSlip}, lbm.Face{Kind: lbm.FreeSlip}
			r.Parts = []joined.Box{{Hi: [3]int{192, 48, 1}}, {Lo: [3]int{0, 48, 0}, Hi: [3]int{192, 96, 1}}}
		},
		"backend hybrid does not divide grids, which run.parts and ranks ask for": func(r *Request) {
			r.Backend, r.Parts = "hybrid", []joined.Box{{Hi: [3]int{96, 96, 1}}, {Lo: [3]int{96, 0, 0}, Hi: [3]int{192, 96, 1}}}
		},
		"backend hybrid computes nested grids on one device, of one process, not over ranks":                 func(r *Request) { r.Backend, r.Ranks = "hybrid", &joined.Ranks{} },
		"backend hybrid on nested grids goes with schedules pipelined and serial: leave schedule device out": func(r *Request) { r.Backend, r.Schedule = "hybrid", "device" },
	} {
		r := nested(t, "cuda", 40.3)
		change(&r)
		if _, err := Choose[float64](r); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
}

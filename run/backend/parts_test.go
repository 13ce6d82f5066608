package backend

import (
	"math"
	"testing"

	"lbmib/cuda/standin"
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

package lbm

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"lbmib/internal/parallel"
)

// A shift moves all populations by whole nodes, bit for bit, in whatever way they are stored and after odd and even steps; what comes in ahead has
// the density of the outermost nodes and the velocity that Initialize sets.
func TestAShiftMovesPopulationsBitForBit(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for _, l := range []*Lattice{D2Q9, D3Q19} {
		for name, set := range map[string]func(c *Config){
			"as it is": func(*Config) {}, "two lattices": func(c *Config) { c.Streaming = "ab" }, "aos": func(c *Config) { c.Layout = "aos" },
			"soaos": func(c *Config) { c.Layout, c.Block = "soaos", 32 }, "halves": func(c *Config) { c.Store = "f16" }, "two steps a sweep": func(c *Config) { c.StepsPerSweep = 2 },
		} {
			for axis := range l.Dim {
				if axis > 0 && name != "as it is" && testing.Short() {
					continue
				}
				c := Config{Lattice: l, Size: [3]int{19, 14, 1}}
				if l.Dim == 3 {
					c.Size = [3]int{13, 10, 9}
				}
				c.Collision, _ = NewCollision("trt", 0.02, 0.1875)
				c.Faces[2*axis], c.Faces[2*axis+1] = Face{Kind: NoSlip}, Face{Kind: Outflow}
				set(&c)
				for steps := range 4 {
					for _, by := range []int{1, -4, 3, c.Size[axis] + 2} {
						if c.Store == "f16" {
							checkShift[float32](t, fmt.Sprintf("%s %s along %d after %d steps", l.Name, name, axis, steps), c, axis, by, steps, pool)
						} else {
							checkShift[float64](t, fmt.Sprintf("%s %s along %d after %d steps", l.Name, name, axis, steps), c, axis, by, steps, pool)
						}
					}
				}
			}
		}
	}
}

func checkShift[T Float](t *testing.T, name string, c Config, axis, by, steps int, pool *parallel.Pool) {
	t.Helper()
	made, err := New[T](c, pool)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	fluid := made.(interface {
		Fluid[T]
		Exchanger[T]
	})
	far := [3]float64{0.01, 0.005, 0}
	fluid.Initialize(func(p [3]float64) (float64, [3]float64) {
		return 1 + 0.01*math.Sin(p[0]+p[1]), [3]float64{0.02 * math.Cos(p[1]), 0.03 * math.Sin(p[0]), 0}
	})
	for range steps {
		fluid.Step()
	}
	before := StateOf[T](fluid)
	Shift(fluid, axis, by, func([3]float64) [3]float64 { return far })
	after := StateOf[T](fluid)
	if fluid.Steps() != int64(steps) {
		t.Errorf("%s: it is at step %d", name, fluid.Steps())
	}
	for n := range c.Nodes() {
		p := c.Position(n)
		from := p
		from[axis] += by
		came := from[axis] >= 0 && from[axis] < c.Size[axis]
		outermost, rho := p, 1.
		if outermost[axis] = 0; by > 0 {
			outermost[axis] = c.Size[axis] - 1
		}
		for i := range c.Lattice.Q {
			rho += float64(before.Populations[i][c.Node(outermost)])
		}
		g := c.Initial([3]float64{}, [3]float64{}, func([3]float64) (float64, [3]float64) { return rho, far })
		for i := range c.Lattice.Q {
			want, close := T(g[i]), 0.
			if came {
				want = before.Populations[i][c.Node(from)]
			} else if c.Store == "f16" {
				close = 1e-3 * math.Abs(g[i])
			}
			if got := after.Populations[i][n]; math.Abs(float64(got-want)) > close {
				t.Fatalf("%s by %d: population %d of node %v is %v, want %v", name, by, i, p, got, want)
			}
		}
	}
}

// What a shift takes is what is planned for it.
func TestAShiftTakesItsBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, which the race detector makes, too")
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	c := Config{Lattice: D3Q19, Size: [3]int{12, 64, 64}}
	c.Collision, _ = NewCollision("trt", 0.02, 0.1875)
	c.Faces[0], c.Faces[1] = Face{Kind: NoSlip}, Face{Kind: Outflow}
	made, err := New[float64](c, pool)
	if err != nil {
		t.Fatal(err)
	}
	fluid := made.(interface {
		Fluid[float64]
		Exchanger[float64]
	})
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Shift(fluid, 0, 4, func([3]float64) [3]float64 { return [3]float64{} })
	runtime.ReadMemStats(&after)
	if took, planned := float64(after.TotalAlloc-before.TotalAlloc), float64(c.ShiftBytes(0, 4, 8)); took > 1.1*planned || took < 0.9*planned {
		t.Errorf("it took %.4g bytes, planned are %.4g", took, planned)
	}
}

package cuda

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
	"lbmib/lbm/lbmtest"
)

// Random nested grids have the processor's bits: any faces, boxes, operators, schemes and precisions. 12 flows, 300 with LBMIB_TESTS=full; one alone is
//
//	go test ./cuda -run 'TestRandomLevelsAreTheCPUsToTheBit/seed=7$'
func TestRandomLevelsAreTheCPUsToTheBit(t *testing.T) {
	l := devicetest.Open(t)
	seeds := 12
	if checkingtest.Full() {
		seeds = 300
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 19))
			cfg, boxes := drawLevels(r)
			how := lbm.Config{Streaming: lbm.StreamingNames[r.IntN(len(lbm.StreamingNames))]}
			defer func() {
				if t.Failed() {
					t.Logf("%s %v, faces %v, %+v, %s, force %v, accelerated %t, solids %t, boxes %v", cfg.Lattice.Name, cfg.Size, kindsOf(&cfg), cfg.Collision, how.Streaming, cfg.Force, cfg.Acceleration != nil, cfg.Solid != nil, boxes)
				}
			}()
			switch seed % 3 {
			case 0:
				sameLevels[float64](t, l, cfg, how, boxes)
			case 1:
				sameLevels[float32](t, l, cfg, how, boxes)
			case 2:
				how.Store = "f16"
				sameLevels[float32](t, l, cfg, how, boxes)
			}
		})
	}
}

// drawLevels draws a small domain with boxes of finer nodes, sometimes in parts.
func drawLevels(r *rand.Rand) (cfg lbm.Config, boxes []joined.Box) {
	for {
		cfg = drawFlow(r)
		cfg.Solid = nil
		finest := 1 + r.IntN(2)
		for a := range cfg.Lattice.Dim {
			cfg.Size[a] = (6 + r.IntN(9-3*(cfg.Lattice.Dim-1))) << finest
		}
		boxes = nil
		for l := 1; l <= finest; l++ {
			for range 1 + r.IntN(2) {
				more := append(boxes[:len(boxes):len(boxes)], drawBox(r, &cfg, boxes, l, finest))
				if _, err := joined.Plan(cfg, more); err == nil {
					boxes = more
				}
			}
		}
		if len(boxes) > 0 && boxes[len(boxes)-1].Level == finest {
			boxes = append(drawParts(r, &cfg, finest), boxes...)
			if r.IntN(2) == 0 {
				cfg.Solid = drawBlocks(r, &cfg, boxes, 1<<finest)
			}
			return cfg, boxes
		}
	}
}

// drawBlocks draws solid cells of the coarsest level, so many nodes wide, where nested grids may have them; nil: nowhere.
func drawBlocks(r *rand.Rand, cfg *lbm.Config, boxes []joined.Box, width int) (solid []bool) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	for range 4 {
		more := make([]bool, cfg.Nodes())
		copy(more, solid)
		var lo [3]int
		for a := range cfg.Lattice.Dim {
			lo[a] = r.IntN(cfg.Size[a]/width) * width
		}
		for n := range more {
			inside := true
			p := cfg.Position(n)
			for a, x := range p[:cfg.Lattice.Dim] {
				inside = inside && x >= lo[a] && x < lo[a]+width
			}
			more[n] = more[n] || inside
		}
		try := *cfg
		try.Solid, try.Kernel = more, "go"
		if _, err := joined.New(try, boxes, func(c lbm.Config) (lbm.Fluid[float32], error) { return lbm.New[float32](c, pool) }); err == nil {
			solid = more
		}
	}
	return solid
}

// drawBox draws a box in one of the level above.
func drawBox(r *rand.Rand, cfg *lbm.Config, boxes []joined.Box, level, finest int) joined.Box {
	b := joined.Box{Level: level, Hi: cfg.Size}
	for _, o := range boxes {
		if o.Level == level-1 {
			b.Lo, b.Hi = o.Lo, o.Hi
		}
	}
	w := 2 << (finest - level)
	for a := range cfg.Lattice.Dim {
		if n := (b.Hi[a] - b.Lo[a]) / w; n >= 2 && r.IntN(4) > 0 { // else it spans the axis
			lo := r.IntN(n - 1)
			hi := lo + 2 + r.IntN(n-lo-1)
			b.Lo[a], b.Hi[a] = b.Lo[a]+lo*w, b.Lo[a]+hi*w
		}
	}
	return b
}

// drawParts draws parts of the domain, or none: no part ends in an open face.
func drawParts(r *rand.Rand, cfg *lbm.Config, finest int) []joined.Box {
	if r.IntN(2) == 0 {
		return nil
	}
	return halves(cfg, 1<<finest)
}

// halves are two parts of a domain that end between cells so wide and in no open face; nil: there are none.
func halves(cfg *lbm.Config, width int) []joined.Box {
	axis := 0
	for a := range cfg.Lattice.Dim {
		if cfg.Faces[2*a].Kind.IsOpen() || cfg.Faces[2*a+1].Kind.IsOpen() {
			axis = a
		}
	}
	for side := range 2 * cfg.Lattice.Dim {
		if side/2 != axis && cfg.Faces[side].Kind.IsOpen() {
			return nil
		}
	}
	low, high := joined.Box{Hi: cfg.Size}, joined.Box{Hi: cfg.Size}
	at := cfg.Size[axis] / 3 / width * width
	if at < 2*width {
		return nil
	}
	low.Hi[axis], high.Lo[axis] = at, at
	return []joined.Box{low, high}
}

// A flow in two parts on a device is what a fluid is to be.
func TestPartsOnADeviceConform(t *testing.T) {
	l := devicetest.Open(t)
	lbmtest.Conform(t, partsOn[float64](l, "inplace"))
	if !testing.Short() {
		t.Run("f32", func(t *testing.T) { lbmtest.Conform(t, partsOn[float32](l, "ab")) })
	}
}

// partsOn makes fluids in two parts, where no open face is in the way.
func partsOn[T lbm.Float](l *device.Library, streaming string) lbmtest.Factory[T] {
	return func(t testing.TB, cfg lbm.Config) lbm.Fluid[T] {
		t.Helper()
		return levelsOn[T](t, l, cfg, lbm.Config{Streaming: streaming}, halves(&cfg, 1))
	}
}

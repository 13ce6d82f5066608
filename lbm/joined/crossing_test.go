package joined

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/internal/parallel"
	"lbmib/internal/partition"
	"lbmib/lbm"
)

// What parts exchange is what is told of a division beforehand: as many populations of each part, with as many others.
func TestPartsExchangeWhatWasTold(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	pool := parallel.NewPool(1)
	defer pool.Close()
	tried := 0
	for range 60 {
		cfg := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{4 + r.IntN(12), 4 + r.IntN(12), 4 + r.IntN(12)}}
		if r.IntN(3) == 0 {
			cfg.Lattice, cfg.Size[2] = lbm.D2Q9, 1
		}
		var err error
		if cfg.Collision, err = lbm.NewCollision("bgk", 0.1, 0); err != nil {
			t.Fatal(err)
		}
		b := &partition.Blocks{Size: cfg.Size, Width: 2}
		for a := range cfg.Lattice.Dim {
			if b.Periodic[a] = r.IntN(2) == 0; !b.Periodic[a] {
				cfg.Faces[2*a].Kind, cfg.Faces[2*a+1].Kind = lbm.NoSlip, lbm.NoSlip
			}
		}
		n := 2 + r.IntN(6)
		cuts, err := b.Boxes(n, nil)
		if err != nil {
			continue // too few blocks
		}
		var boxes []Box
		for _, c := range cuts {
			boxes = append(boxes, Box{Lo: c.Lo, Hi: c.Hi})
		}
		f, err := New(cfg, boxes, func(c lbm.Config) (lbm.Fluid[float64], error) { return lbm.New[float64](c, pool) })
		if err != nil {
			t.Fatal(err)
		}
		m := b.Measure(b.InBoxes(cuts), nil)
		for k, from := range f.levels[0] {
			sent, to := 0, 0
			for _, into := range f.levels[0] {
				for _, s := range into.from {
					if into != from && s.from == from.fluid.(lbm.Exchanger[float64]) {
						sent, to = sent+s.values(), to+1
					}
				}
			}
			if math.Abs(float64(sent)-m.Crossing[k]) > 1e-6 || to != m.Neighbours[k] {
				t.Errorf("%v, periodic %v: part %v … %v sends %d populations to %d others, told were %g to %d", cfg.Size, b.Periodic, from.lo, from.hi, sent, to, m.Crossing[k], m.Neighbours[k])
			}
		}
		f.Close()
		tried++
	}
	if tried < 40 {
		t.Errorf("%d divisions were tried", tried)
	}
}

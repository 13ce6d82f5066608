package joined_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Nested grids in any parts on any ranks have the bits of undivided ones, and states do not tell how they were divided: 20 random flows,
// 1500 with LBMIB_TESTS=full. One alone is
//
//	go test ./lbm/joined -run 'TestRandomPartitionsOfLevels/seed=17$'
func TestRandomPartitionsOfLevels(t *testing.T) {
	seeds := 20
	if checkingtest.Full() {
		seeds = 1500
	}
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := random{rand.New(rand.NewPCG(uint64(seed), 22))}
			if r.one(2) {
				compareLevels[float32](t, r)
			} else {
				compareLevels[float64](t, r)
			}
		})
	}
}

// levels is a small flow of any kind, with boxes of finer nodes.
func (r random) levels(t *testing.T) (cfg lbm.Config, boxes []joined.Box) {
	t.Helper()
	for {
		cfg = r.flow(t)
		cfg.Solid = nil
		finest := r.between(1, 2)
		if cfg.Lattice.Dim == 2 {
			finest = r.between(1, 3)
		}
		for a := range cfg.Lattice.Dim {
			cfg.Size[a] = r.between(6, 12) << finest
			if cfg.Lattice.Dim == 3 {
				cfg.Size[a] = r.between(4, 6) << finest
			}
		}
		boxes = nil
		for l := range finest {
			for range r.between(1, 2) {
				more := append(slices.Clone(boxes), r.within(&cfg, boxes, l+1, finest))
				if _, err := joined.Plan(cfg, more); err == nil {
					boxes = more
				}
			}
		}
		if len(boxes) == 0 || boxes[len(boxes)-1].Level < finest {
			continue
		}
		if r.one(2) {
			r.blocks(&cfg, boxes)
		}
		return cfg, boxes
	}
}

// within is a box in one of the level above, of which it often spans an axis.
func (r random) within(cfg *lbm.Config, boxes []joined.Box, level, finest int) joined.Box {
	b := joined.Box{Level: level, Hi: cfg.Size}
	var above []joined.Box
	for _, o := range boxes {
		if o.Level == level-1 {
			above = append(above, o)
		}
	}
	if len(above) > 0 {
		b.Lo, b.Hi = above[r.IntN(len(above))].Lo, above[0].Hi
	}
	w := 2 << (finest - level)
	for a := range cfg.Lattice.Dim {
		if r.one(4) {
			continue
		}
		n := (b.Hi[a] - b.Lo[a]) / w
		lo := r.between(0, max(0, n-2))
		hi := r.between(min(lo+2, n), n)
		b.Lo[a], b.Hi[a] = b.Lo[a]+lo*w, b.Lo[a]+hi*w
	}
	return b
}

// blocks are solid cells of the coarsest level, those that joined takes.
func (r random) blocks(cfg *lbm.Config, boxes []joined.Box) {
	solid := make([]bool, cfg.Nodes())
	w := 1 << boxes[len(boxes)-1].Level
	pool := parallel.NewPool(1)
	defer pool.Close()
	for range 4 {
		var lo [3]int
		for a := range cfg.Lattice.Dim {
			lo[a] = r.IntN(cfg.Size[a]/w) * w
		}
		more := slices.Clone(solid)
		for n := range more {
			inside := true
			p := cfg.Position(n)
			for a := range cfg.Lattice.Dim {
				inside = inside && p[a] >= lo[a] && p[a] < lo[a]+w
			}
			more[n] = more[n] || inside
		}
		try := *cfg
		try.Solid = more
		if _, err := joined.New(try, boxes, func(c lbm.Config) (lbm.Fluid[float32], error) { return lbm.New[float32](c, pool) }); err == nil {
			solid = more
		}
	}
	cfg.Solid = solid
}

// divide cuts the domain and boxes anywhere, several times, and gives the parts to ranks, each of which has one at least.
func (r random) divide(cfg *lbm.Config, boxes []joined.Box) (parts []joined.Box, of []int) {
	finest := boxes[len(boxes)-1].Level
	for _, whole := range append([]joined.Box{{Hi: cfg.Size}}, boxes...) {
		if whole.Level > 0 && r.one(4) {
			continue // not divided
		}
		w := 1 << (finest - whole.Level)
		least := 2 * w // what a part has, and
		even := w      // where it may end
		if whole.Level > 0 {
			even = 2 * w
		}
		whole.Part = whole.Level > 0
		own := []joined.Box{whole}
		for range r.between(0, 4) {
			k, a := r.IntN(len(own)), r.IntN(cfg.Lattice.Dim)
			low, high := own[k], own[k]
			if high.Hi[a]-low.Lo[a] < 2*least {
				continue
			}
			at := low.Lo[a] + least + r.between(0, (high.Hi[a]-low.Lo[a]-2*least)/even)*even
			low.Hi[a], high.Lo[a] = at, at
			own[k] = low
			own = append(own, high)
		}
		parts = append(parts, own...)
	}
	ranks := min(r.between(1, 4), len(parts))
	for k := range parts {
		if k < ranks {
			of = append(of, k)
		} else {
			of = append(of, r.IntN(ranks))
		}
	}
	r.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return parts, of
}

func compareLevels[T lbm.Float](t *testing.T, r random) {
	cfg, boxes := r.levels(t)
	parts, of := r.divide(&cfg, boxes)
	finest := boxes[len(boxes)-1].Level
	all := slices.Concat(parts, boxes)
	c := compared[T]{random: r, t: t, cfg: cfg, one: grids[T](t, cfg, boxes...), parts: sharedOut[T](t, cfg, all, of, r.between(1, 2))}
	defer func() {
		if t.Failed() {
			t.Logf("%s %v, faces %v, %+v, %s, force %v, accelerated %v, solids %v, boxes %v, parts %v of ranks %v", cfg.Lattice.Name, cfg.Size, cfg.Faces, cfg.Collision, cfg.Streaming, cfg.Force, cfg.Acceleration != nil, cfg.Solid != nil, boxes, parts, of)
		}
	}()
	in := func(lo, hi [3]int, margin int) bool {
		return slices.ContainsFunc(boxes, func(b joined.Box) bool {
			is := b.Level == finest
			for a := range cfg.Lattice.Dim {
				is = is && lo[a]-margin >= b.Lo[a] && hi[a]+margin <= b.Hi[a]
			}
			return is
		})
	}
	c.takes = func(p [3]int) bool { return in(p, [3]int{p[0] + 1, p[1] + 1, p[2] + 1}, 0) }
	c.balances = func(lo, hi [3]int) bool { return in(lo, hi, 1) }
	c.begin()
	forces := sameWithForces(&cfg, slices.DeleteFunc(slices.Clone(parts), func(b joined.Box) bool {
		return b.Level < finest || slices.ContainsFunc(boxes, func(o joined.Box) bool { return o.Level == finest && o.Lo[0] == b.Lo[0] })
	}))
	c.run(forces)
	if t.Failed() {
		return
	}
	c.goOn(boxes)
}

// goOn has undivided grids take the state of divided ones, which others that are divided in another way take again.
func (c *compared[T]) goOn(boxes []joined.Box) {
	c.t.Helper()
	state := byParts(c.parts)
	if !reflect.DeepEqual(state, byParts(c.one)) {
		c.t.Error("the state tells how boxes are divided")
	}
	parts, of := c.divide(&c.cfg, boxes)
	other := sharedOut[T](c.t, c.cfg, slices.Concat(parts, boxes), of, 1)
	advance[T](other, c.IntN(3))
	if err := lbm.SetParts[T](other, state); err != nil {
		c.t.Fatal(err)
	}
	advance(c.one, 3)
	advance[T](other, 3)
	if !reflect.DeepEqual(byParts[T](other).Populations, byParts(c.one).Populations) { // what seams will have read again may be another
		c.t.Errorf("goes on to another state in parts %v of ranks %v", parts, of)
	}
}

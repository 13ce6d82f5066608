package ellipsoid

import (
	"slices"
	"testing"
)

// TestPartsComputeTheirOwnParticles: a domain is shared by three irregular parts. Every particle is one part's own, each part finds the forces on its own particles, to
// the bit, from these and the external ones, and what it asks for is what the others call frontier.
func TestPartsComputeTheirOwnParticles(t *testing.T) {
	cfg := Config{Size: [3]int{30, 24, 36}, Periodic: [3]bool{true, false, true}, Shape: oblate, Mass: 1, Repulsion: Repulsion{Strength: 1}}
	whole := mustNew(t, cfg, 1200, 2)
	packed(t, whole, 9)
	whole.Forces()
	var cells [3]int
	for a, n := range cfg.Size {
		cells[a] = int(float64(n) / whole.law.reach)
	}
	const parts = 3
	owned := make([][][3]int, parts)
	rnd := newRandom(2)
	for z := range cells[2] {
		for y := range cells[1] {
			for x := range cells[0] {
				k := z * parts / cells[2]
				if rnd.IntN(6) == 0 {
					k = rnd.IntN(parts)
				}
				owned[k] = append(owned[k], [3]int{x, y, z})
			}
		}
	}
	seen := make([]int, whole.Len())
	frontiers := map[int32]bool{}
	var asked []int32
	for k := range parts {
		tiling, err := NewTiling(cfg.Size, cfg.Periodic, cells, owned[k])
		if err != nil {
			t.Fatal(err)
		}
		internal, frontier, external := tiling.Split(&whole.Particles)
		if len(frontier) == 0 || len(external) == 0 {
			t.Fatalf("part %d: %d internal, %d frontier, %d external", k, len(internal), len(frontier), len(external))
		}
		for _, i := range frontier {
			frontiers[i] = true
		}
		asked = append(asked, external...)
		all := slices.Sorted(slices.Values(slices.Concat(internal, frontier, external)))
		part := mustNew(t, cfg, len(all), 1)
		for at, i := range all {
			part.X[at], part.Axes[at] = whole.X[i], whole.Axes[i]
		}
		part.Forces()
		for at, i := range all {
			cell, class := tiling.Of(whole.X[i])
			if class == External {
				continue
			}
			seen[i]++
			if part.force[at] != whole.force[i] || part.torque[at] != whole.torque[i] {
				t.Fatalf("part %d, particle %d: force %v, want %v", k, i, part.force[at], whole.force[i])
			}
			if !slices.Contains(tiling.Around(cell)[:], int32(cell)) {
				t.Fatal("a cell is not among those around it")
			}
		}
	}
	for i, n := range seen {
		if n != 1 {
			t.Errorf("particle %d is %d parts' own", i, n)
		}
	}
	for _, i := range asked {
		if !frontiers[i] {
			t.Errorf("particle %d is asked for, and in no frontier", i)
		}
	}
	if _, class := must(NewTiling(cfg.Size, cfg.Periodic, cells, owned[0][:1])).Of([3]float64{20, 20, 20}); class != Elsewhere {
		t.Errorf("a cell that is far is %d", class)
	}
	for _, bad := range []struct {
		cells [3]int
		owned [][3]int
	}{{[3]int{0, 1, 1}, nil}, {[3]int{2, 2, 2}, [][3]int{{0, 2, 0}}}} {
		if _, err := NewTiling(cfg.Size, cfg.Periodic, bad.cells, bad.owned); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

func must(t *Tiling, err error) *Tiling {
	if err != nil {
		panic(err)
	}
	return t
}

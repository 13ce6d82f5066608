package partition

import (
	"cmp"
	"slices"
)

// mostRegular is how many lattices of boxes are tried.
const mostRegular = 6

// lattices are p × q × r of so many boxes, those first that divide an even domain through fewest nodes, and then those with longer rows.
func (c *cutter) lattices(ranks int) (best [][3]int) {
	type lattice struct {
		parts [3]int
		cut   float64
	}
	var all []lattice
	for p := 1; p <= min(ranks, c.n[0]); p++ {
		for q := 1; ranks%p == 0 && q <= min(ranks/p, c.n[1]); q++ {
			of := lattice{parts: [3]int{p, q, ranks / p / q}}
			if ranks/p%q != 0 || of.parts[2] > c.n[2] {
				continue
			}
			for a, k := range of.parts {
				if k > 1 {
					cuts := k - 1
					if c.Periodic[a] {
						cuts = k
					}
					of.cut += float64(cuts) * (float64(c.Size[0]) * float64(c.Size[1]) * float64(c.Size[2]) / float64(c.Size[a]))
				}
			}
			all = append(all, of)
		}
	}
	slices.SortStableFunc(all, func(a, b lattice) int { return cmp.Compare(a.cut, b.cut) })
	for _, of := range all[:min(mostRegular, len(all))] {
		best = append(best, of.parts)
	}
	return best
}

// regular divides a box into parts along each axis, the slowest first, each of as many ranks; fewer boxes than ranks: its blocks do not allow that.
func (c *cutter) regular(boxes []Box, of Box, from, to int, parts [3]int) []Box {
	for a := 2; a >= 0; a-- {
		if parts[a] == 1 {
			continue
		}
		below, above := parts, parts
		below[a], above[a] = parts[a]/2, parts[a]-parts[a]/2
		middle := from + (to-from)/parts[a]*below[a]
		axis, at, _ := c.cut(of, from, to, middle, middle, a)
		if axis < 0 {
			return nil
		}
		low, high := of, of
		low.Hi[a], high.Lo[a] = at, at
		if boxes = c.regular(boxes, low, from, middle, below); boxes == nil {
			return nil
		}
		return c.regular(boxes, high, middle, to, above)
	}
	return append(boxes, of)
}

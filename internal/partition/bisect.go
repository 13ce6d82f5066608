package partition

import (
	"cmp"
	"slices"
)

// orders are ways to put some vertices in a row: what a bisection gives to the lower side stands first.
type orders func(vertices []int32) [][]int32

// bisect divides the graph again and again: its vertices are put in rows, each is cut where the ranks' speeds tell, and the cut is moved vertex by vertex
// as long as that shortens it; the best of them is kept.
func (g *graph) bisect(ranks int, shares []float64, order orders) []int32 {
	rank := make([]int32, len(g.at))
	all := make([]int32, len(g.at))
	for v := range all {
		all[v] = int32(v)
	}
	c := &bisection{graph: g, before: make([]float64, ranks+1)}
	for r := range ranks {
		share := 1.
		if shares != nil {
			share = shares[r]
		}
		c.before[r+1] = c.before[r] + share
	}
	c.divide(rank, all, 0, ranks, order)
	return rank
}

// bisection divides a graph.
type bisection struct {
	*graph
	before []float64 // speeds of the ranks before each
}

// divide shares vertices among the ranks from ≤ r < to.
func (c *bisection) divide(rank, vertices []int32, from, to int, order orders) {
	if to-from == 1 {
		for _, v := range vertices {
			rank[v] = int32(from)
		}
		return
	}
	middle := (from + to) / 2
	share := (c.before[middle] - c.before[from]) / (c.before[to] - c.before[from])
	var best []int8
	var least cost
	for _, row := range order(vertices) {
		c.cutRow(row, share, middle-from, to-middle)
		c.move(row, share, middle-from, to-middle)
		if of := c.cost(row, share); best == nil || of.less(least) {
			best, least = best[:0], of
			for _, v := range vertices {
				best = append(best, c.side[v])
			}
		}
	}
	var sides [2][]int32
	for k, v := range vertices {
		sides[best[k]] = append(sides[best[k]], v)
		c.side[v] = -1
	}
	c.divide(rank, sides[0], from, middle, order)
	c.divide(rank, sides[1], middle, to, order)
}

// cutRow cuts a row where the lower side has its share, or next to that, and at least as many vertices on each side as ranks.
func (c *bisection) cutRow(row []int32, share float64, below, above int) {
	all, sum := int64(0), int64(0)
	for _, v := range row {
		all += c.weight[v]
		c.side[v] = 1
	}
	wanted := float64(all) * share
	for k, v := range row {
		w := float64(c.weight[v])
		if k >= len(row)-above || k >= below && float64(sum)+w/2 > wanted {
			break
		}
		sum += c.weight[v]
		c.side[v] = 0
	}
}

// cost is that of the sides: the work of the slower one, as a whole, and the cut.
func (c *bisection) cost(row []int32, share float64) cost {
	var weight [2]int64
	cut := int64(0)
	for _, v := range row {
		weight[c.side[v]] += c.weight[v]
		for _, e := range c.edges[v] {
			if c.side[e.vertex] == 1-c.side[v] {
				cut += e.pairs
			}
		}
	}
	extra := float64(c.seamWork() * float64(cut/2) * c.update)
	return cost{max((float64(weight[0])+extra)/share, (float64(weight[1])+extra)/(1-share)), cut / 2}
}

// rounds bounds how often a cut is gone over.
const rounds = 8

// move moves vertices over the cut, one after the other in the order of the row, as long as one is found by which the cut becomes shorter and no side
// heavier than is tolerated.
func (c *bisection) move(row []int32, share float64, below, above int) {
	var weight [2]int64
	var count [2]int
	for _, v := range row {
		weight[c.side[v]] += c.weight[v]
		count[c.side[v]]++
	}
	all := float64(weight[0] + weight[1])
	most := [2]float64{max(all*share*moved, float64(weight[0])), max(all*(1-share)*moved, float64(weight[1]))}
	least := [2]int{below, above}
	for range rounds {
		changed := false
		for _, v := range row {
			own := c.side[v]
			gain := int64(0)
			for _, e := range c.edges[v] {
				switch c.side[e.vertex] {
				case own:
					gain -= e.pairs
				case 1 - own:
					gain += e.pairs
				}
			}
			if gain <= 0 || count[own] <= least[own] || float64(weight[1-own]+c.weight[v]) > most[1-own] {
				continue
			}
			c.side[v] = 1 - own
			weight[own], weight[1-own] = weight[own]-c.weight[v], weight[1-own]+c.weight[v]
			count[own], count[1-own] = count[own]-1, count[1-own]+1
			changed = true
		}
		if !changed {
			return
		}
	}
}

// moved is by how much a side may be above its share for a shorter cut.
const moved = 1.01

// byCoordinates are rows along each axis, the slowest first.
func (g *graph) byCoordinates(vertices []int32) (rows [][]int32) {
	for a := 2; a >= 0; a-- {
		row := slices.Clone(vertices)
		slices.SortStableFunc(row, func(v, w int32) int {
			p, q := g.at[v], g.at[w]
			return cmp.Or(cmp.Compare(p[a], q[a]), cmp.Compare(p[(a+2)%3], q[(a+2)%3]), cmp.Compare(p[(a+1)%3], q[(a+1)%3]))
		})
		rows = append(rows, row)
	}
	return rows
}

// byGrowth is a row that begins at one end of the vertices and goes on with those next to it: first the nearest, a part that hangs together after the other.
func (g *graph) byGrowth(vertices []int32) [][]int32 {
	waiting := g.waiting
	spread := func(from int32) (row []int32) {
		row = append(row, from)
		waiting[from] = false
		for k := 0; k < len(row); k++ {
			for _, e := range g.edges[row[k]] {
				if waiting[e.vertex] {
					waiting[e.vertex] = false
					row = append(row, e.vertex)
				}
			}
		}
		return row
	}
	var row []int32
	for _, v := range vertices {
		waiting[v] = true
	}
	for _, v := range vertices {
		if !waiting[v] {
			continue
		}
		part := spread(v)
		for range 2 { // from one end, and from the other
			for _, w := range part {
				waiting[w] = true
			}
			part = spread(part[len(part)-1])
		}
		row = append(row, part...)
	}
	return [][]int32{row}
}

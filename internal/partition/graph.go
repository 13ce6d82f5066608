package partition

import (
	"errors"
	"math"

	"lbmib/internal/metis"
)

// tolerated is by how much METIS may load a rank above its share.
const tolerated = 1.03

// Graph gives every block that has weight to a rank, whatever shape that makes. It is found in boxes, by bisection along axes, by bisection of the
// graph of blocks and, where its library is, by METIS; the one is kept whose slowest rank is fastest, seams included, and of those as good the
// one with the smallest cut. Errors are those of Boxes.
//
// The answer of METIS may be another with another version of its library: ranks take the answer of one of them.
func (b *Blocks) Graph(ranks int, shares []float64) (*Assignment, error) {
	boxes, err := b.Boxes(ranks, shares)
	if err != nil {
		return nil, err
	}
	all := []*Assignment{b.InBoxes(boxes)}
	for i, w := range all[0].Rank {
		if b.Weight != nil && b.Weight[i] == 0 {
			all[0].Rank[i] = -1
		} else {
			all[0].Rank[i] = w
		}
	}
	g := newGraph(b)
	for _, way := range []struct {
		how   string
		order orders
	}{{"coordinates", g.byCoordinates}, {"graph", g.byGrowth}} {
		all = append(all, g.assign(g.bisect(ranks, shares, way.order), ranks, way.how))
	}
	kway, bisected, err := g.metis(ranks, shares)
	if err == nil {
		all = append(all, g.assign(kway, ranks, "metis"), g.assign(bisected, ranks, "metis, bisected"))
	}
	var best *Assignment
	var least cost
	for _, a := range all {
		if a == nil {
			continue
		}
		m := b.Measure(a, shares)
		if of := (cost{m.Slowest, int64(math.Round(m.Cut))}); best == nil || of.less(least) {
			best, least = a, of
		}
	}
	return best, nil
}

// graph is that of the blocks that have weight.
type graph struct {
	*Blocks
	vertex []int32    // of each block; −1: it is empty
	at     [][3]int   // where a vertex's block is
	weight []int64    // of vertices
	edges  [][]beside // of each vertex, in the order of axes
	update float64    // in units of weight

	side    []int8 // of vertices that are being divided: 0 below, 1 above; −1 of all others
	waiting []bool
}

// beside is a neighbour, and the pairs of nodes between, those across x as what they cost.
type beside struct {
	vertex int32
	pairs  int64
}

func newGraph(b *Blocks) *graph {
	n := b.Grid()
	weights, update := b.weights()
	g := &graph{Blocks: b, vertex: make([]int32, len(weights)), update: update}
	for i, w := range weights {
		g.vertex[i] = -1
		if w == 0 {
			continue
		}
		g.vertex[i] = int32(len(g.at))
		g.at, g.weight = append(g.at, place(i, n)), append(g.weight, w)
	}
	g.edges, g.side, g.waiting = make([][]beside, len(g.at)), make([]int8, len(g.at)), make([]bool, len(g.at))
	for v := range g.side {
		g.side[v] = -1
	}
	for axis, step := range axes {
		for i, pairs := range b.faces(axis) {
			if j := b.next(place(i, n), step, n); j >= 0 && pairs > 0 && g.vertex[i] >= 0 && g.vertex[j] >= 0 && g.vertex[i] != g.vertex[j] {
				if axis == 0 {
					pairs *= acrossRow
				}
				g.join(g.vertex[i], g.vertex[j], pairs)
				g.join(g.vertex[j], g.vertex[i], pairs)
			}
		}
	}
	return g
}

// join adds pairs of nodes between two vertices.
func (g *graph) join(v, w int32, pairs int64) {
	for k := range g.edges[v] {
		if g.edges[v][k].vertex == w {
			g.edges[v][k].pairs += pairs
			return
		}
	}
	g.edges[v] = append(g.edges[v], beside{w, pairs})
}

// assign is the assignment of blocks that one of vertices is; nil: there is none.
func (g *graph) assign(rank []int32, ranks int, how string) *Assignment {
	if rank == nil {
		return nil
	}
	a := &Assignment{Ranks: ranks, Rank: make([]int32, len(g.vertex)), How: how}
	for i, v := range g.vertex {
		a.Rank[i] = -1
		if v >= 0 {
			a.Rank[i] = rank[v]
		}
	}
	return a
}

// metis asks METIS.
func (g *graph) metis(ranks int, shares []float64) (kway, bisected []int32, err error) {
	if err := metis.Load(); err != nil {
		return nil, nil, err
	}
	of := &metis.Graph{Start: make([]int32, 1, len(g.at)+1)}
	most := int64(0)
	for v := range g.at {
		most += g.weight[v]
		for _, e := range g.edges[v] {
			if e.pairs > math.MaxInt32 {
				return nil, nil, errors.New("partition: blocks are too large for METIS")
			}
			of.Neighbours, of.Edges = append(of.Neighbours, e.vertex), append(of.Edges, int32(e.pairs))
		}
		of.Start = append(of.Start, int32(len(of.Neighbours)))
	}
	for _, w := range g.weight {
		of.Weight = append(of.Weight, int32(max(1, math.Round(float64(w)/float64(most)*(1<<28)))))
	}
	return metis.Partition(of, ranks, shares, tolerated)
}

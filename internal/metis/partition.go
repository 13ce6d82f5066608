package metis

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// Graph is one to be divided: vertices with weights, and edges between them with theirs.
type Graph struct {
	Start      []int32 // of each vertex's edges in Neighbours, and the end
	Neighbours []int32 // each edge stands with both of its vertices
	Edges      []int32 // weights of the edges, above 0
	Weight     []int32 // of vertices, 0 or more; their sum fits 31 bits
}

// What METIS returns.
const (
	ok          = 1
	errInput    = -2
	errNoMemory = -3
)

// Partition divides a graph into parts, by both of METIS's ways: kway divides at once, bisected again and again in two. shares are what
// parts of all weight are to have, in any unit; nil: as much each. imbalance is by how much the heaviest part may be above its
// share: 1.03 is 3 %, of which METIS may take more. An answer that leaves a part without vertices is none.
//
// An error tells what library is missing, what is wrong with the graph, or what METIS returned.
func Partition(g *Graph, parts int, shares []float64, imbalance float64) (kway, bisected []int32, err error) {
	if err := g.check(parts, shares); err != nil {
		return nil, nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	if err := load(); err != nil {
		return nil, nil, err
	}
	if parts == 1 {
		return make([]int32, len(g.Weight)), make([]int32, len(g.Weight)), nil
	}
	total, target := 0., make([]float64, parts)
	for r := range target {
		target[r] = 1
		if shares != nil {
			target[r] = shares[r]
		}
		total += target[r]
	}
	for r := range target {
		target[r] /= total
	}
	for _, by := range []struct {
		f  partitioner
		to *[]int32
	}{{lib.kway, &kway}, {lib.split, &bisected}} {
		part, failed := lib.call(by.f, g, parts, reals(lib.long, target), reals(lib.long, []float64{imbalance}))
		if failed == nil {
			failed = allHave(part, parts)
		}
		if failed == nil {
			*by.to = part
		} else {
			err = errors.Join(err, failed)
		}
	}
	if kway != nil || bisected != nil {
		err = nil
	}
	return kway, bisected, err
}

// check refuses what METIS would fail at, or print about.
func (g *Graph) check(parts int, shares []float64) error {
	n := len(g.Weight)
	switch {
	case n == 0 || len(g.Start) != n+1 || len(g.Edges) != len(g.Neighbours) || int(g.Start[n]) != len(g.Neighbours):
		return fmt.Errorf("metis: %d vertices with %d starts, %d neighbours and %d weights of edges do not fit together", n, len(g.Start), len(g.Neighbours), len(g.Edges))
	case parts < 1 || parts > n:
		return fmt.Errorf("metis: %d parts of %d vertices: there can be 1 to %d", parts, n, n)
	case shares != nil && len(shares) != parts:
		return fmt.Errorf("metis: %d shares of %d parts", len(shares), parts)
	case !slices.IsSorted(g.Start):
		return errors.New("metis: the starts of vertices' edges are not in order")
	}
	sum := int64(0)
	for i, w := range g.Weight {
		if sum += int64(w); w < 0 || sum > math.MaxInt32 {
			return fmt.Errorf("metis: vertex %d has weight %d, all up to it %d: weights are 0 or more, their sum fits 31 bits", i, w, sum)
		}
	}
	sum = 0
	for k, j := range g.Neighbours {
		if sum += int64(g.Edges[k]); j < 0 || int(j) >= n || g.Edges[k] < 1 || sum > math.MaxInt32 {
			return fmt.Errorf("metis: edge %d leads to vertex %d of %d with weight %d: weights are 1 or more, their sum fits 31 bits", k, j, n, g.Edges[k])
		}
	}
	for r, s := range shares {
		if !(s > 0) || math.IsInf(s, 0) {
			return fmt.Errorf("metis: part %d has share %v: it must be a number above 0", r, s)
		}
	}
	return nil
}

// call calls a partitioner. Shares and imbalance are as the library has them.
func (l *library) call(f partitioner, g *Graph, parts int, shares, imbalance unsafe.Pointer) ([]int32, error) {
	one, cut := numbers(l.wide, []int{1}), numbers(l.wide, []int{0})
	vertices, want := numbers(l.wide, []int{len(g.Weight)}), numbers(l.wide, []int{parts})
	start, neighbours, edges, weight := numbers(l.wide, g.Start), numbers(l.wide, g.Neighbours), numbers(l.wide, g.Edges), numbers(l.wide, g.Weight)
	out := numbers(l.wide, g.Weight)
	switch code := l.keepSignals(func() int32 {
		return f(vertices, one, start, neighbours, weight, nil, edges, want, shares, imbalance, nil, cut, out)
	}); code {
	case ok:
	case errInput:
		return nil, errors.New("metis: the library finds the graph wrong")
	case errNoMemory:
		return nil, errors.New("metis: the library has not enough memory")
	default:
		return nil, fmt.Errorf("metis: the library fails with code %d", code)
	}
	part := make([]int32, len(g.Weight))
	for i := range part {
		if l.wide {
			part[i] = int32(*(*int64)(unsafe.Add(out, 8*i)))
		} else {
			part[i] = *(*int32)(unsafe.Add(out, 4*i))
		}
		if part[i] < 0 || int(part[i]) >= parts {
			return nil, fmt.Errorf("metis: the library puts vertex %d into part %d of %d", i, part[i], parts)
		}
	}
	return part, nil
}

// allHave refuses an answer that leaves a part without vertices.
func allHave(part []int32, parts int) error {
	have := make([]bool, parts)
	for _, p := range part {
		have[p] = true
	}
	if r := slices.Index(have, false); r >= 0 {
		return fmt.Errorf("metis: the library gives part %d of %d no vertex", r, parts)
	}
	return nil
}

// METIS catches these signals while it works (gk_sigtrap: SIGABRT, SIGTERM), and puts back handlers without the flags that Go's need: they are
// put back whole. A SIGTERM that comes while it works may end the process at once.
var caught = [2]int32{6, 15}

// keepSignals calls f and leaves the handlers of signals as they were.
func (l *library) keepSignals(f func() int32) int32 {
	var kept [len(caught)][64]uint64 // as long as any struct sigaction
	for i, s := range caught {
		l.action(s, nil, unsafe.Pointer(&kept[i]))
	}
	defer func() {
		for i, s := range caught {
			l.action(s, unsafe.Pointer(&kept[i]), nil)
		}
	}()
	return f()
}

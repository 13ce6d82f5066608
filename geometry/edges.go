package geometry

import (
	"cmp"
	"math"
	"slices"
)

// edge is a side of triangles between points a < b.
type edge struct {
	a, b        int32
	forth, back int  // triangles that pass it from a to b, and from b to a
	sharp       bool // the surface ends there or turns by more than 30°
}

// edgesOf are the edges of a mesh in the order of their points.
func edgesOf(points []Vec, triangles [][3]int32) (edges []edge) {
	type side struct {
		a, b     int32
		back     bool
		triangle int32
	}
	sides := make([]side, 0, 3*len(triangles))
	for k, t := range triangles {
		for i := range 3 {
			a, b := t[i], t[(i+1)%3]
			sides = append(sides, side{min(a, b), max(a, b), a > b, int32(k)})
		}
	}
	slices.SortFunc(sides, func(s, t side) int {
		return cmp.Or(cmp.Compare(s.a, t.a), cmp.Compare(s.b, t.b), cmp.Compare(s.triangle, t.triangle))
	})
	normal := func(k int32) Vec {
		t := triangles[k]
		return normalOf(points[t[0]], points[t[1]], points[t[2]])
	}
	for k, s := range sides {
		if k == 0 || s.a != sides[k-1].a || s.b != sides[k-1].b {
			edges = append(edges, edge{a: s.a, b: s.b, sharp: true})
		}
		e := &edges[len(edges)-1]
		if s.back {
			e.back++
		} else {
			e.forth++
		}
		if e.back == 1 && e.forth == 1 {
			e.sharp = normal(sides[k-1].triangle).Dot(normal(s.triangle)) < math.Cos(sharp)
		} else {
			e.sharp = true
		}
	}
	return edges
}

// section are the polylines in which the plane z = 0 cuts a mesh turned by r.
func (m *mesh) section(r Mat) (lines [][]Vec) {
	turned := make([]Vec, len(m.points))
	for k, p := range m.points {
		turned[k] = r.Apply(p)
	}
	ends := make(map[[2]int32][][2]int32) // of every cut edge: the edges that triangles join it to
	var order [][2]int32
	for _, t := range m.triangles {
		var cut [][2]int32
		for i := range 3 {
			a, b := t[i], t[(i+1)%3]
			if (turned[a][2] < 0) != (turned[b][2] < 0) {
				cut = append(cut, [2]int32{min(a, b), max(a, b)})
			}
		}
		if len(cut) == 2 {
			ends[cut[0]] = append(ends[cut[0]], cut[1])
			ends[cut[1]] = append(ends[cut[1]], cut[0])
			order = append(order, cut[0], cut[1])
		}
	}
	slices.SortStableFunc(order, func(a, b [2]int32) int { // open lines from their ends
		return cmp.Compare(min(len(ends[a]), 2), min(len(ends[b]), 2))
	})
	seen := make(map[[2]int32]bool)
	for _, start := range order {
		if seen[start] {
			continue
		}
		var line []Vec
		for at, more := start, true; more; {
			seen[at] = true
			a, b := turned[at[0]], turned[at[1]]
			line = append(line, a.Add(b.Sub(a).Scale(a[2]/(a[2]-b[2]))))
			more = false
			for _, next := range ends[at] {
				if !seen[next] {
					at, more = next, true
					break
				}
			}
		}
		if len(ends[start]) > 1 {
			line = append(line, line[0])
		}
		lines = append(lines, line)
	}
	return lines
}

func (m *mesh) outline(r Mat, n int) []Vec { return joinLines(m.section(r), n) }

// joinLines is one closed polyline through all lines, which goes from each to
// the next and back along the same way, so that it encloses what they enclose.
// Together they keep about n segments.
func joinLines(lines [][]Vec, n int) (joined []Vec) {
	total := 0
	for _, line := range lines {
		total += len(line)
	}
	stride := max(1, total/n)
	for _, line := range lines {
		for k := 0; k < len(line)-1; k += stride {
			joined = append(joined, line[k])
		}
		joined = append(joined, line[len(line)-1])
		if line[0] != line[len(line)-1] { // back along an open one
			for k := len(line) - 2; k >= 0; k -= stride {
				joined = append(joined, line[k])
			}
		}
	}
	for k := len(lines) - 1; k >= 0; k-- {
		joined = append(joined, lines[k][0])
	}
	return joined
}

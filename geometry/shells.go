package geometry

import "slices"

// distinct are the triangles without those that stood before, with the same corners and the same side out, which would count twice in areas and forces.
func distinct(triangles [][3]int32) [][3]int32 {
	seen := make(map[[3]int32]bool, len(triangles))
	return slices.DeleteFunc(triangles, func(t [3]int32) bool {
		least := slices.Index(t[:], min(t[0], t[1], t[2]))
		key := [3]int32{t[least], t[(least+1)%3], t[(least+2)%3]}
		before := seen[key]
		seen[key] = true
		return before
	})
}

// shells numbers the pieces that triangles hang together in by their points, and tells how many there are.
func shells(points int, triangles [][3]int32) (of []int, count int) {
	parent := make([]int32, points)
	for k := range parent {
		parent[k] = int32(k)
	}
	root := func(k int32) int32 {
		for parent[k] != k {
			parent[k] = parent[parent[k]]
			k = parent[k]
		}
		return k
	}
	for _, t := range triangles {
		parent[root(t[1])] = root(t[0])
		parent[root(t[2])] = root(t[0])
	}
	number := map[int32]int{}
	of = make([]int, len(triangles))
	for k, t := range triangles {
		r := root(t[0])
		if _, known := number[r]; !known {
			number[r] = len(number)
		}
		of[k] = number[r]
	}
	return of, len(number)
}

// backToBack is the middle of a triangle whose back is another one: two solids meet there that share its corners, and hang together as one shell. nil: there is none.
func (m *mesh) backToBack() *Vec {
	seen := make(map[[3]int32]bool, len(m.triangles))
	for k, t := range m.triangles {
		slices.Sort(t[:])
		if seen[t] { // those with the same side out are left out
			a, b, c := m.corners(k)
			at := a.Add(b).Add(c).Scale(1. / 3)
			return &at
		}
		seen[t] = true
	}
	return nil
}

// mostAsked is of how many facets it is asked what is in front of them.
const mostAsked = 2000

// overlap is a place in front of a closed mesh that is inside it: a place on a facet that lies within another shell or, touches, on another shell that begins
// there, or of the same shell, with the same corners; nil where there is none among those asked. What is in front of a shell that faces outwards, and of the wall of a cavity, is outside.
func (m *mesh) overlap() (within, touches *Vec) {
	if m.isOpen {
		return nil, nil
	}
	touches = m.backToBack()
	if _, n := shells(len(m.points), m.triangles); n < 2 {
		return nil, touches
	}
	off := 1e-6 * m.reach()
	stride := 1 + (len(m.triangles)-1)/mostAsked
	for k := 0; k < len(m.triangles); k += stride {
		a, b, c := m.corners(k)
		middle := a.Add(b).Add(c).Scale(1. / 3)
		for _, p := range [...]Vec{middle, a, b, c} { // near the corners, but on this facet
			p = p.Add(middle.Sub(p).Scale(0.02))
			out := m.normal(k).Scale(off)
			if !m.contains(p.Add(out)) {
				continue
			}
			if m.tree().winding(p.Sub(out)) > 1 { // behind the facet both are
				return &p, nil
			}
			if touches == nil {
				touches = &p
			}
		}
	}
	return nil, touches
}

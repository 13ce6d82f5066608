package vessel

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"lbmib/geometry"
)

// hole is where triangles do not meet: a set of edges, joined by points, that are passed more often in one direction.
type hole struct {
	center geometry.Vec // mean of its edges
	edges  int
	length float64 // of them
	area   float64 // of its vector, ½ Σ x × dx
	across float64 // diagonal of the box around it
}

// width is that of a slit of the same area and length.
func (h *hole) width() float64 { return 2 * h.area / h.length }

// open are the holes of a surface, in the order of their points, and places at which two neighbours face opposite sides.
func (s *surface) open() (holes []hole, opposite []geometry.Vec) {
	edges := s.unbalanced()
	parts := newJoints(len(s.points))
	for _, e := range edges {
		if e.only && e.net*e.net == 4 {
			opposite = append(opposite, s.points[e.a].Add(s.points[e.b]).Scale(0.5))
			continue
		}
		parts.join(e.a, e.b)
	}
	type sums struct {
		hole
		area, lo, hi geometry.Vec
	}
	number := map[int32]int{}
	var all []sums
	for _, e := range edges {
		if e.only && e.net*e.net == 4 {
			continue
		}
		root := parts.root(e.a)
		i, known := number[root]
		a, b := s.points[e.a], s.points[e.b]
		if !known {
			i = len(all)
			number[root] = i
			all = append(all, sums{lo: a, hi: a})
		}
		h := &all[i]
		h.edges++
		l := b.Sub(a).Norm()
		h.length += l
		h.center = h.center.Add(a.Add(b).Scale(l / 2))
		o := s.points[root]
		h.area = h.area.Add(a.Sub(o).Cross(b.Sub(o)).Scale(float64(e.net) / 2))
		for k := range 3 {
			h.lo[k], h.hi[k] = min(h.lo[k], a[k], b[k]), max(h.hi[k], a[k], b[k])
		}
	}
	for _, h := range all {
		h.hole.center = h.center.Scale(1 / h.length)
		h.hole.area, h.hole.across = h.area.Norm(), h.hi.Sub(h.lo).Norm()
		holes = append(holes, h.hole)
	}
	return holes, opposite
}

// side is an edge between points a < b that triangles pass net times more often from a to b than back.
type side struct {
	a, b int32
	net  int
	only bool // two triangles have it
}

// unbalanced are the edges that are not passed as often in one direction as in the other, in the order of their points.
func (s *surface) unbalanced() (edges []side) {
	all := make([]side, 0, 3*len(s.triangles))
	for _, t := range s.triangles {
		for i := range 3 {
			if a, b := t[i], t[(i+1)%3]; a < b {
				all = append(all, side{a: a, b: b, net: 1})
			} else {
				all = append(all, side{a: b, b: a, net: -1})
			}
		}
	}
	slices.SortFunc(all, func(s, t side) int { return cmp.Or(cmp.Compare(s.a, t.a), cmp.Compare(s.b, t.b)) })
	for i := 0; i < len(all); {
		e, n := all[i], 0
		for e.net = 0; i < len(all) && all[i].a == e.a && all[i].b == e.b; i++ {
			e.net += all[i].net
			n++
		}
		if e.only = n == 2; e.net != 0 {
			edges = append(edges, e)
		}
	}
	return edges
}

// onHierarchy is at most so many triangles that the thickness is measured from.
const onHierarchy = 20000

// wallRough is how far from the wall, in spacings, ways across it begin, beyond folds of slivers.
const wallRough = 0.1

// Thickness is how wide the vessel is. The least is the shortest way from the middle of a triangle of the wall straight across to
// wall that faces it, to 60°; the largest is the diameter of the largest ball around the middle of such a way that
// touches the wall, to 1 %; both over at most 20000 triangles. Parts without wall across count for neither.
func (v *Vessel) Thickness() (least, largest float64) {
	least = math.Inf(1)
	lo, hi := v.Bounds()
	most := hi.Sub(lo).Norm()
	walls, h := 0, v.wall()
	for _, of := range v.closed.of {
		if of == wall {
			walls++
		}
	}
	stride, seen := 1+walls/onHierarchy, 0
	for k, of := range v.closed.of {
		if of != wall {
			continue
		}
		if seen++; seen%stride != 0 {
			continue
		}
		a, b, c := v.closed.corners(k)
		n := b.Sub(a).Cross(c.Sub(a))
		sides := max(b.Sub(a).Norm(), c.Sub(a).Norm())
		if !(n.Norm() > 1e-3*sides*sides) { // a sliver has no normal to go by
			continue
		}
		n = n.Scale(1 / n.Norm())
		from := a.Add(b).Add(c).Scale(1. / 3)
		start := wallRough * v.spacing
		across := h.Across(from.Sub(n.Scale(start)), n, most)
		if across >= most {
			continue
		}
		across += start
		least = min(least, across)
		if across > 1.01*largest {
			largest = max(largest, 2*h.Distance(from.Sub(n.Scale(across/2)), across/2))
		}
	}
	if math.IsInf(least, 1) {
		return 0, 0
	}
	return least, largest
}

// hierarchies makes those of the wall and of all, when they are asked for.
func (v *Vessel) hierarchies() {
	v.wall = sync.OnceValue(func() *geometry.Hierarchy {
		points, triangles := v.Wall()
		return geometry.NewHierarchy(points, triangles)
	})
	v.all = sync.OnceValue(func() *geometry.Hierarchy { return geometry.NewHierarchy(v.closed.points, v.closed.triangles) })
}

// Winding is the generalised winding number of wall and ports around p: see geometry.Hierarchy.
func (v *Vessel) Winding(p geometry.Vec) float64 { return v.all().Winding(p) }

// Contains tells whether p is in the fluid.
func (v *Vessel) Contains(p geometry.Vec) bool { return v.Winding(p) > 0.5 }

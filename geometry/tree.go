package geometry

import (
	"cmp"
	"math"
	"slices"
)

// tree is a hierarchy of boxes around a mesh's triangles: node k has the
// children 2k+1 and 2k+2, each with half of its triangles.
type tree struct {
	m     *mesh
	order []int32 // triangles along a space-filling curve
	boxes [][2]Vec
}

// leaf is the largest number of triangles that is not divided further.
const leaf = 4

func newTree(m *mesh) *tree {
	lo, hi := boxOf(m.points...)
	key := make([]uint64, len(m.triangles))
	t := &tree{m: m, order: make([]int32, len(m.triangles))}
	for k := range m.triangles {
		a, b, c := m.corners(k)
		key[k] = morton(a.Add(b).Add(c).Scale(1./3), lo, hi)
		t.order[k] = int32(k)
	}
	slices.SortFunc(t.order, func(a, b int32) int { return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(a, b)) })
	t.fill(0, 0, len(t.order))
	return t
}

// morton interleaves 21 bits of each coordinate between lo and hi.
func morton(p, lo, hi Vec) (key uint64) {
	for a := range 3 {
		if !(hi[a] > lo[a]) {
			continue
		}
		u := uint64(min(max((p[a]-lo[a])/(hi[a]-lo[a]), 0), 1) * (1<<21 - 1))
		for bit := range 21 {
			key |= u >> bit & 1 << (3*bit + a)
		}
	}
	return key
}

func boxOf(points ...Vec) (lo, hi Vec) {
	lo, hi = points[0], points[0]
	for _, p := range points {
		for a := range 3 {
			lo[a], hi[a] = min(lo[a], p[a]), max(hi[a], p[a])
		}
	}
	return lo, hi
}

// fill makes node k, of the triangles from … to−1, and those below it.
func (t *tree) fill(k, from, to int) (lo, hi Vec) {
	for len(t.boxes) <= k {
		t.boxes = append(t.boxes, [2]Vec{})
	}
	if to-from <= leaf {
		a, b, c := t.m.corners(int(t.order[from]))
		lo, hi = boxOf(a, b, c)
		for _, i := range t.order[from:to] {
			a, b, c = t.m.corners(int(i))
			lo, hi = boxOf(lo, hi, a, b, c)
		}
	} else {
		mid := (from + to) / 2
		l, h := t.fill(2*k+1, from, mid)
		lo, hi = t.fill(2*k+2, mid, to)
		lo, hi = boxOf(lo, hi, l, h)
	}
	t.boxes[k] = [2]Vec{lo, hi}
	return lo, hi
}

// visit calls do with the triangles in boxes that pass meets, from node k of
// the triangles from … to−1 on.
func (t *tree) visit(k, from, to int, pass func(lo, hi *Vec) bool, do func(triangle int)) {
	if !pass(&t.boxes[k][0], &t.boxes[k][1]) {
		return
	}
	if to-from <= leaf {
		for _, i := range t.order[from:to] {
			do(int(i))
		}
		return
	}
	mid := (from + to) / 2
	t.visit(2*k+1, from, mid, pass, do)
	t.visit(2*k+2, mid, to, pass, do)
}

// winding is how often the surface winds around p: what a ray along x leaves
// less what it enters.
func (t *tree) winding(p Vec) (n int) {
	ahead := func(lo, hi *Vec) bool {
		return lo[1] <= p[1] && p[1] <= hi[1] && lo[2] <= p[2] && p[2] <= hi[2] && hi[0] >= p[0]
	}
	t.visit(0, 0, len(t.order), ahead, func(k int) { n += t.m.crosses(k, p) })
	return n
}

// crosses is 1 where the ray from p along x leaves through triangle k, −1 where
// it enters, else 0. A ray through an edge or a corner is taken a little beside
// it, so that it passes exactly one of the triangles that meet there.
func (m *mesh) crosses(k int, p Vec) int {
	t := m.triangles[k]
	side := m.beside(t[0], t[1], p)
	if side == 0 || m.beside(t[1], t[2], p) != side || m.beside(t[2], t[0], p) != side {
		return 0
	}
	a, b, c := m.corners(k)
	n := b.Sub(a).Cross(c.Sub(a))
	if n[0] == 0 || a.Sub(p).Dot(n)/n[0] < 0 {
		return 0
	}
	return side
}

// beside tells on which side of the line from point i to point j, seen along x,
// p is: never on it, unless that line is a point.
func (m *mesh) beside(i, j int32, p Vec) int {
	if i > j { // both triangles of an edge round alike
		return -m.beside(j, i, p)
	}
	a, b := m.points[i], m.points[j]
	_, side := Orient([2]float64{a[1], a[2]}, [2]float64{b[1], b[2]}, [2]float64{p[1], p[2]})
	// On the line: as if p were moved along y, and by less along z.
	return cmp.Or(side, cmp.Compare(a[2], b[2]), cmp.Compare(b[1], a[1]))
}

// thickness is how far it is from p against the unit normal n to the next
// triangle that faces the other way; most where there is none nearer than that.
func (t *tree) thickness(p, n Vec, most float64) float64 {
	d := n.Scale(-1)
	nearest := most
	meets := func(lo, hi *Vec) bool {
		from, to := 0., nearest
		for a := range 3 {
			if d[a] == 0 {
				if p[a] < lo[a] || p[a] > hi[a] {
					return false
				}
				continue
			}
			u, v := (lo[a]-p[a])/d[a], (hi[a]-p[a])/d[a]
			from, to = max(from, min(u, v)), min(to, max(u, v))
		}
		return from <= to
	}
	t.visit(0, 0, len(t.order), meets, func(k int) {
		if t.m.normal(k).Dot(d) < 0.5 { // itself, or the other side of a wedge
			return
		}
		a, b, c := t.m.corners(k)
		if s, hit := hits(p, d, a, b, c); hit {
			nearest = min(nearest, s)
		}
	})
	return nearest
}

// hits is where the ray p + s d meets a triangle (Möller & Trumbore, J. Graph.
// Tools 2 (1997) 21).
func hits(p, d, a, b, c Vec) (s float64, hit bool) {
	e, f := b.Sub(a), c.Sub(a)
	h := d.Cross(f)
	det := e.Dot(h)
	if det == 0 {
		return 0, false
	}
	o := p.Sub(a)
	u := o.Dot(h) / det
	q := o.Cross(e)
	v := d.Dot(q) / det
	s = f.Dot(q) / det
	return s, u >= 0 && v >= 0 && u+v <= 1 && s > 0
}

// thinnest is the least thickness behind the middle of a facet, of at most
// 20000 of them; 0 of an open mesh.
func (m *mesh) thinnest() float64 {
	if m.isOpen {
		return 0
	}
	least := math.Inf(1)
	for k := 0; k < len(m.triangles); k += 1 + len(m.triangles)/20000 {
		a, b, c := m.corners(k)
		least = min(least, m.tree().thickness(a.Add(b).Add(c).Scale(1./3), m.normal(k), least))
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

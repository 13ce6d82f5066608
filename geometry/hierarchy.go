package geometry

import "math"

// Hierarchy finds triangles by place, and sums over far ones at once. The triangles need not be a
// closed surface, nor even joined: Winding tells what is inside all the same.
type Hierarchy struct {
	t        *tree
	clusters []cluster // of the nodes of the tree
}

// cluster is a group of triangles seen from far away.
type cluster struct {
	center Vec // of their area
	normal Vec // Σ area · unit normal
	radius float64
}

// NewHierarchy is that of triangles, at least one, between points. It keeps both.
func NewHierarchy(points []Vec, triangles [][3]int32) *Hierarchy {
	m := newMeshForm(points, triangles)
	h := &Hierarchy{t: m.tree()}
	h.clusters = make([]cluster, len(h.t.boxes))
	h.gather(0, 0, len(h.t.order))
	return h
}

// gather makes the cluster of node k, of the triangles from … to−1, and those below it; area is theirs.
func (h *Hierarchy) gather(k, from, to int) (area float64) {
	c := &h.clusters[k]
	if to-from <= leaf {
		for _, i := range h.t.order[from:to] {
			p, q, r := h.t.m.corners(int(i))
			n := q.Sub(p).Cross(r.Sub(p)).Scale(0.5)
			a := n.Norm()
			area, c.normal = area+a, c.normal.Add(n)
			c.center = c.center.Add(p.Add(q).Add(r).Scale(a / 3))
		}
	} else {
		mid := (from + to) / 2
		for child, a := range [2]float64{h.gather(2*k+1, from, mid), h.gather(2*k+2, mid, to)} {
			below := &h.clusters[2*k+1+child]
			area, c.normal = area+a, c.normal.Add(below.normal)
			c.center = c.center.Add(below.center.Scale(a))
		}
	}
	lo, hi := h.t.boxes[k][0], h.t.boxes[k][1]
	if area > 0 {
		c.center = c.center.Scale(1 / area)
	} else {
		c.center = lo.Add(hi).Scale(0.5)
	}
	var far Vec // the corner of the box that is farthest away
	for a := range 3 {
		far[a] = max(hi[a]-c.center[a], c.center[a]-lo[a])
	}
	c.radius = far.Norm()
	return area
}

// farFrom is from how many radii on a cluster is a dipole: the winding number is then right to 0.03.
const farFrom = 2.5

// Winding is the generalised winding number of the triangles around p (Jacobson, Kavan & Sorkine-Hornung,
// ACM Trans. Graph. 32 (2013) 33): the solid angle that they fill over 4π, which is 1 inside a closed
// surface, 0 outside, and between them near holes. Clusters far away count as dipoles (Barill, Dickson,
// Schmidt, Levin & Jacobson, ACM Trans. Graph. 37 (2018) 43).
func (h *Hierarchy) Winding(p Vec) float64 {
	return h.winding(p, 0, 0, len(h.t.order)) / (4 * math.Pi)
}

func (h *Hierarchy) winding(p Vec, k, from, to int) (angle float64) {
	c := &h.clusters[k]
	d := c.center.Sub(p)
	if r := d.Norm(); r > farFrom*c.radius {
		return c.normal.Dot(d) / (r * r * r)
	}
	if to-from <= leaf {
		for _, i := range h.t.order[from:to] {
			a, b, c := h.t.m.corners(int(i))
			angle += solidAngle(a.Sub(p), b.Sub(p), c.Sub(p))
		}
		return angle
	}
	mid := (from + to) / 2
	return h.winding(p, 2*k+1, from, mid) + h.winding(p, 2*k+2, mid, to)
}

// solidAngle is that of a triangle seen from the origin, positive from inside (van Oosterom & Strackee, IEEE Trans.
// Biomed. Eng. 30 (1983) 125).
func solidAngle(a, b, c Vec) float64 {
	la, lb, lc := a.Norm(), b.Norm(), c.Norm()
	return 2 * math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
}

// Across is how far it is from p against the unit normal n to the next triangle that faces the other
// way, to 60°; most where there is none nearer than that.
func (h *Hierarchy) Across(p, n Vec, most float64) float64 { return h.t.thickness(p, n, most) }

// Distance is how far the nearest triangle is from p; most where there is none nearer than that.
func (h *Hierarchy) Distance(p Vec, most float64) float64 {
	nearest := most * most
	pass := func(lo, hi *Vec) bool {
		r := 0.
		for a := range 3 {
			d := max(lo[a]-p[a], p[a]-hi[a], 0)
			r += d * d
		}
		return r < nearest
	}
	h.t.visit(0, 0, len(h.t.order), pass, func(k int) {
		a, b, c := h.t.m.corners(k)
		d := p.Sub(closest(p, a, b, c))
		nearest = min(nearest, d.Dot(d))
	})
	return math.Sqrt(nearest)
}

// closest is the point of a triangle that is nearest to p (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
func closest(p, a, b, c Vec) Vec {
	ab, ac, ap := b.Sub(a), c.Sub(a), p.Sub(a)
	d1, d2 := ab.Dot(ap), ac.Dot(ap)
	if d1 <= 0 && d2 <= 0 {
		return a
	}
	bp := p.Sub(b)
	d3, d4 := ab.Dot(bp), ac.Dot(bp)
	if d3 >= 0 && d4 <= d3 {
		return b
	}
	vc := d1*d4 - d3*d2
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return a.Add(ab.Scale(d1 / (d1 - d3)))
	}
	cp := p.Sub(c)
	d5, d6 := ab.Dot(cp), ac.Dot(cp)
	if d6 >= 0 && d5 <= d6 {
		return c
	}
	vb := d5*d2 - d1*d6
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return a.Add(ac.Scale(d2 / (d2 - d6)))
	}
	va := d3*d6 - d5*d4
	if va <= 0 && d4 >= d3 && d5 >= d6 {
		return b.Add(c.Sub(b).Scale((d4 - d3) / (d4 - d3 + d5 - d6)))
	}
	s := 1 / (va + vb + vc)
	return a.Add(ab.Scale(vb * s)).Add(ac.Scale(vc * s))
}

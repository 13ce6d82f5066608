package geometry

import "math"

// Crossing is where two polylines in the x–y plane cross each other, the first place along a; a polyline and itself (the same slice) cross where two
// segments of it do. Lines that only touch, by a point of one on the other or by ends that meet, do not cross. It compares all segments whose ranges along x overlap.
func Crossing(a, b []Vec) (at Vec, crossed bool) {
	itself := len(a) > 0 && len(b) > 0 && &a[0] == &b[0]
	for i := 1; i < len(a); i++ {
		p, q := a[i-1], a[i]
		least, most := math.Min(p[0], q[0]), math.Max(p[0], q[0])
		first := 1
		if itself {
			first = i + 2 // neighbours meet
		}
		for j := first; j < len(b); j++ {
			r, s := b[j-1], b[j]
			if r[0] < least && s[0] < least || r[0] > most && s[0] > most {
				continue
			}
			ends := [4]bool{i == 1, i == len(a)-1, j == 1, j == len(b)-1}
			if u, ok := crossingOf(p, q, r, s, ends); ok {
				return p.Add(q.Sub(p).Scale(u)), true
			}
		}
	}
	return at, false
}

// crossingOf is the part of the way from p to q at which it crosses the segment from r to s. A point of one on the other is taken to lie to the left
// of it, so that lines cross at their nodes, too; an end of a line that does only touches.
func crossingOf(p, q, r, s Vec, ends [4]bool) (part float64, ok bool) {
	side := func(a, b, x Vec) float64 { return (b[0]-a[0])*(x[1]-a[1]) - (b[1]-a[1])*(x[0]-a[0]) }
	on := [4]float64{side(r, s, p), side(r, s, q), side(p, q, r), side(p, q, s)}
	for k, v := range on {
		if v == 0 && ends[k] || v != v {
			return 0, false
		}
	}
	if (on[0] < 0) == (on[1] < 0) || (on[2] < 0) == (on[3] < 0) {
		return 0, false
	}
	return on[0] / (on[0] - on[1]), true
}

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
			if u, ok := crossingOf(p, q, r, s); ok {
				return p.Add(q.Sub(p).Scale(u)), true
			}
		}
	}
	return at, false
}

// crossingOf is the part of the way from p to q at which it crosses the segment from r to s.
func crossingOf(p, q, r, s Vec) (part float64, ok bool) {
	side := func(a, b, x Vec) float64 { return (b[0]-a[0])*(x[1]-a[1]) - (b[1]-a[1])*(x[0]-a[0]) }
	onP, onQ := side(r, s, p), side(r, s, q)
	onR, onS := side(p, q, r), side(p, q, s)
	if !(onP*onQ < 0 && onR*onS < 0) {
		return 0, false
	}
	return onP / (onP - onQ), true
}

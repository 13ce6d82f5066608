package vessel

import (
	"cmp"
	"math"
	"slices"

	"lbmib/geometry"
)

// lines are those of a lattice along one direction c, of components −1, 0 and 1. With c_a = 1 for the axis a, node x is the
// place s = x_a of the line with the whole numbers u = x_b − c_b x_a and v = x_d − c_d x_a: a shear of the lattice onto itself.
type lines struct {
	c       [3]int
	a, b, d int
	u0, v0  int // least numbers of lines through the box
	nu, nv  int
}

// newLines are the lines through a box of nodes along c.
func newLines(c [3]int, size [3]int) lines {
	l := lines{c: c}
	for c[l.a] == 0 {
		l.a++
	}
	if c[l.a] < 0 {
		panic("vessel: the first component of a direction that is not 0 must be 1")
	}
	l.b, l.d = (l.a+1)%3, (l.a+2)%3
	l.u0, l.nu = sheared(size[l.b], size[l.a], c[l.b])
	l.v0, l.nv = sheared(size[l.d], size[l.a], c[l.d])
	return l
}

// sheared are the numbers x − c y of nodes x < n, y < m: the least, and how many.
func sheared(n, m, c int) (least, count int) {
	if c > 0 {
		least = -(m - 1)
	}
	if c != 0 {
		n += m - 1
	}
	return least, n
}

// node is that at place s of line k.
func (l *lines) node(k int64, s int) (x [3]int) {
	x[l.a] = s
	x[l.b] = int(k%int64(l.nu)) + l.u0 + l.c[l.b]*s
	x[l.d] = int(k/int64(l.nu)) + l.v0 + l.c[l.d]*s
	return x
}

// place is a point in the coordinates s, u, v, from the first line on.
func (l *lines) place(p geometry.Vec) geometry.Vec {
	s := p[l.a]
	return geometry.Vec{s, p[l.b] - float64(l.c[l.b])*s - float64(l.u0), p[l.d] - float64(l.c[l.d])*s - float64(l.v0)}
}

// crossing is where a line meets a triangle.
type crossing struct {
	s   float64
	of  int16
	out int8 // 1: along the line the surface is left, −1: it is entered
}

// crossings are those of all lines, line by line, sorted along each: those of line line[k] are of[first[k]:first[k+1]]. Lines that cross
// nothing are left out, so that memory goes by the surface, whatever the box around it.
type crossings struct {
	lines
	line  []int64
	first []int32
	of    []crossing
}

// cross finds where the lines cross a surface in node coordinates.
func (l lines) cross(s *surface) *crossings {
	placed := make([]geometry.Vec, len(s.points))
	for i, p := range s.points {
		placed[i] = l.place(p)
	}
	type found struct {
		line int64
		crossing
	}
	var all []found
	for k, t := range s.triangles {
		l.each(placed, t, func(line int64, s float64, out int8, of int16) {
			all = append(all, found{line, crossing{s, of, out}})
		}, s.of[k])
	}
	ends := make([]int, l.nv+1) // of those of each plane of lines, for few of them are sorted fast
	for i := range all {
		ends[all[i].line/int64(l.nu)+1]++
	}
	for v := range l.nv {
		ends[v+1] += ends[v]
	}
	sorted, next := make([]found, len(all)), slices.Clone(ends)
	for _, f := range all {
		v := f.line / int64(l.nu)
		sorted[next[v]] = f
		next[v]++
	}
	c := &crossings{lines: l, of: make([]crossing, 0, len(all))}
	for v := range l.nv {
		plane := sorted[ends[v]:ends[v+1]]
		slices.SortFunc(plane, func(a, b found) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.s, b.s), cmp.Compare(a.of, b.of), cmp.Compare(a.out, b.out))
		})
		for _, f := range plane {
			if last := len(c.line) - 1; last < 0 || c.line[last] != f.line {
				c.line, c.first = append(c.line, f.line), append(c.first, int32(len(c.of)))
			}
			c.of = append(c.of, f.crossing)
		}
	}
	c.first = append(c.first, int32(len(c.of)))
	c.unfold()
	return c
}

// unfold leaves out pairs of crossings in which a line passes a port's disc forth and back: the triangles around its middle
// lie on each other where the disc is not seen whole from there.
func (c *crossings) unfold() {
	const same = 1e-9 // what rounding leaves of one plane
	kept, n := c.of[:0], int32(0)
	for k := range c.line {
		from, to := c.first[k], c.first[k+1]
		c.first[k] = n
		for i := from; i < to; i++ {
			x := c.of[i]
			if n > c.first[k] {
				if y := kept[n-1]; x.of != wall && y.of == x.of && y.out == -x.out && x.s-y.s < same {
					kept, n = kept[:n-1], n-1
					continue
				}
			}
			kept, n = append(kept, x), n+1
		}
	}
	c.first[len(c.first)-1], c.of = n, kept
}

// each calls do with the lines that cross a triangle between points in the coordinates of the lines.
func (l *lines) each(placed []geometry.Vec, t [3]int32, do func(line int64, s float64, out int8, of int16), of int16) {
	p := [3]*geometry.Vec{&placed[t[0]], &placed[t[1]], &placed[t[2]]}
	lo := max(int(math.Ceil(min(p[0][2], p[1][2], p[2][2]))), 0)
	hi := min(int(math.Floor(max(p[0][2], p[1][2], p[2][2]))), l.nv-1)
	for v := lo; v <= hi; v++ {
		from, to := rangeAt(float64(v), p)
		for u := max(int(math.Ceil(from)), 0); u <= min(int(math.Floor(to)), l.nu-1); u++ {
			x, y := float64(u), float64(v)
			w0, a := beside(t[1], t[2], p[1], p[2], x, y)
			w1, b := beside(t[2], t[0], p[2], p[0], x, y)
			w2, c := beside(t[0], t[1], p[0], p[1], x, y)
			if a != b || b != c {
				continue
			}
			s := p[0][0]
			if sum := w0 + w1 + w2; sum != 0 {
				s = (w0*p[0][0] + w1*p[1][0] + w2*p[2][0]) / sum
			}
			do(int64(u)+int64(v)*int64(l.nu), s, a, of)
		}
	}
}

// rangeAt is where a triangle lies at the height v, and a little more.
func rangeAt(v float64, p [3]*geometry.Vec) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for i := range 3 {
		a, b := p[i], p[(i+1)%3]
		if a[2] > b[2] {
			a, b = b, a
		}
		if v < a[2] || v > b[2] {
			continue
		}
		if a[2] == b[2] {
			from, to = min(from, a[1], b[1]), max(to, a[1], b[1])
			continue
		}
		u := a[1] + (b[1]-a[1])*(v-a[2])/(b[2]-a[2])
		from, to = min(from, u), max(to, u)
	}
	const slack = 1e-6
	return from - slack, to + slack
}

// beside tells on which side of the way from point i to point j the line (u, v) passes, and twice the area between them:
// never on it, as if the line were moved along u, and by less along v. Both triangles of an edge are told the same.
func beside(i, j int32, a, b *geometry.Vec, u, v float64) (area float64, side int8) {
	turned := i > j
	if turned {
		a, b = b, a
	}
	area, exact := geometry.Orient([2]float64{a[1], a[2]}, [2]float64{b[1], b[2]}, [2]float64{u, v})
	if side = int8(exact); side == 0 {
		side = int8(cmp.Or(cmp.Compare(a[2], b[2]), cmp.Compare(b[1], a[1])))
	}
	if turned {
		return -area, -side
	}
	return area, side
}

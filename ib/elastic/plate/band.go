package plate

import "lbmib/geometry"

// band is the factors L D Lᵀ of a whole matrix, whose nodes are numbered along the side with fewer of them first.
type band struct {
	grid
	width   int // elements of a column below the diagonal
	columns []float64
	b       []float64
}

// bandWidth is that of a grid: bending reaches two lines of the shorter side further.
func bandWidth(g grid) int { return 6*min(g.n[0], g.n[1]) + 2 }

func newBand(g grid) *band {
	w, rows := bandWidth(g), 3*g.n[0]*g.n[1]
	return &band{grid: g, width: w, columns: make([]float64, (rows+w)*(w+1)), b: make([]float64, rows+w)}
}

// number is that of node k.
func (d *band) number(k int) int {
	if d.n[0] <= d.n[1] {
		return k
	}
	i, j := d.at(k)
	return i*d.n[1] + j
}

// put stores the block of two nodes.
func (d *band) put(node, other int, b *block) {
	p, q := 3*d.number(node), 3*d.number(other)
	for r := range 3 {
		for c := range 3 {
			lo, hi := min(p+r, q+c), max(p+r, q+c)
			d.columns[lo*(d.width+1)+hi-lo] = b[3*r+c]
		}
	}
}

// factor takes over the matrix, that of the unit matrix at held nodes. It is false where it is not positive definite.
func (d *band) factor(s *system, isHeld []bool) bool {
	clear(d.columns)
	for k := range s.rows {
		if isHeld[k] {
			d.put(k, k, &block{0: 1, 4: 1, 8: 1})
			continue
		}
		r := &s.rows[k]
		d.put(k, k, &r.near[self])
		i, j := d.at(k)
		for n, o := range [far + 2][2]int{{}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}, {2, 0}, {0, 2}} {
			other := k + o[0] + d.n[0]*o[1]
			if n == self || i+o[0] < 0 || i+o[0] >= d.n[0] || j+o[1] >= d.n[1] || isHeld[other] {
				continue
			}
			if n < far {
				d.put(k, other, &r.near[n])
			} else {
				f := r.far[n-far]
				d.put(k, other, &block{0: f, 4: f, 8: f})
			}
		}
	}
	return d.eliminate()
}

// eliminate replaces the matrix by its factors, the diagonal by its inverse.
func (d *band) eliminate() bool {
	w := d.width
	rows := len(d.b) - w
	for p := range rows {
		c := d.columns[p*(w+1) : (p+1)*(w+1)]
		if !(c[0] > 0) {
			return false
		}
		c[0] = 1 / c[0]
		for k := 1; k <= w; k++ {
			if c[k] == 0 {
				continue
			}
			l, from := c[k]*c[0], c[k:]
			to := d.columns[(p+k)*(w+1):][:len(from)]
			m := 0
			for ; m+4 <= len(from); m += 4 {
				t, f := to[m:m+4:m+4], from[m:m+4:m+4]
				t[0] -= l * f[0]
				t[1] -= l * f[1]
				t[2] -= l * f[2]
				t[3] -= l * f[3]
			}
			for ; m < len(from); m++ {
				to[m] -= l * from[m]
			}
		}
	}
	return true
}

// solve stores the solution for the right-hand side r in z.
func (d *band) solve(z, r []geometry.Vec) {
	w := d.width
	rows := len(d.b) - w
	b := d.b
	clear(b)
	for k := range rows / 3 {
		copy(b[3*d.number(k):][:3], r[k][:])
	}
	for p := range rows {
		c := d.columns[p*(w+1) : (p+1)*(w+1)]
		v, to := b[p]*c[0], b[p:p+w+1]
		for k := 1; k <= w; k++ {
			to[k] -= v * c[k]
		}
	}
	clear(b[rows:])
	for p := rows - 1; p >= 0; p-- {
		c, from := d.columns[p*(w+1):(p+1)*(w+1)], b[p:p+w+1]
		sum := from[0]
		for k := 1; k <= w; k++ {
			sum -= c[k] * from[k]
		}
		b[p] = sum * c[0]
	}
	for k := range rows / 3 {
		copy(z[k][:], b[3*d.number(k):])
	}
}

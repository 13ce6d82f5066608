package beam

// The matrices are symmetric, positive definite and banded: bending couples a node with two on
// either side, so that a column has three times as many elements from its diagonal down as a node has unknowns. Each matrix is
// followed by as many columns that take what is subtracted beyond its end and that nobody
// reads. Their loops are written out: they take half the time of loops over k.

// planar is that of a line in the plane, 3·2 elements: column p, from its diagonal down.
type planar [][6]float64

// solve replaces the right-hand side b, of the length of m, by the solution and the matrix by
// its factors L D Lᵀ. It returns the first row without a positive pivot, where the matrix is
// not positive definite or not finite; −1: none.
func (m planar) solve(b []float64) (bad int) {
	rows := len(m) - 6
	for p := range rows {
		c := &m[p]
		if !(c[0] > 0) {
			return p
		}
		d, y := 1/c[0], b[p]
		c[0] = d
		c1, c2, c3, c4, c5 := c[1], c[2], c[3], c[4], c[5]
		t, r := m[p+1:p+6:p+6], b[p+1:p+6:p+6]
		l := c1 * d
		t[0][0], t[0][1], t[0][2], t[0][3] = t[0][0]-l*c1, t[0][1]-l*c2, t[0][2]-l*c3, t[0][3]-l*c4
		t[0][4] = t[0][4] - l*c5
		r[0] -= l * y
		l = c2 * d
		t[1][0], t[1][1], t[1][2], t[1][3] = t[1][0]-l*c2, t[1][1]-l*c3, t[1][2]-l*c4, t[1][3]-l*c5
		r[1] -= l * y
		l = c3 * d
		t[2][0], t[2][1], t[2][2] = t[2][0]-l*c3, t[2][1]-l*c4, t[2][2]-l*c5
		r[2] -= l * y
		l = c4 * d
		t[3][0], t[3][1] = t[3][0]-l*c4, t[3][1]-l*c5
		r[3] -= l * y
		l = c5 * d
		t[4][0] = t[4][0] - l*c5
		r[4] -= l * y
	}
	m.back(b)
	return -1
}

// again replaces another right-hand side by its solution, once solve has left the factors.
func (m planar) again(b []float64) {
	for p := range len(m) - 6 {
		c, r := &m[p], b[p+1:p+6:p+6]
		y := c[0] * b[p]
		r[0] -= c[1] * y
		r[1] -= c[2] * y
		r[2] -= c[3] * y
		r[3] -= c[4] * y
		r[4] -= c[5] * y
	}
	m.back(b)
}

// back is the second half of a solution: b is L⁻¹ times the right-hand side.
func (m planar) back(b []float64) {
	rows := len(m) - 6
	clear(b[rows:])
	for p := rows - 1; p >= 0; p-- {
		c, r := &m[p], b[p:p+6:p+6]
		r[0] = c[0] * (r[0] - c[1]*r[1] - c[2]*r[2] - c[3]*r[3] - c[4]*r[4] - c[5]*r[5])
	}
}

// spatial is that of a line in space, 3·3 elements: column p, from its diagonal down.
type spatial [][9]float64

// solve replaces the right-hand side b, of the length of m, by the solution and the matrix by
// its factors L D Lᵀ. It returns the first row without a positive pivot, where the matrix is
// not positive definite or not finite; −1: none.
func (m spatial) solve(b []float64) (bad int) {
	rows := len(m) - 9
	for p := range rows {
		c := &m[p]
		if !(c[0] > 0) {
			return p
		}
		d, y := 1/c[0], b[p]
		c[0] = d
		c1, c2, c3, c4, c5, c6, c7, c8 := c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8]
		t, r := m[p+1:p+9:p+9], b[p+1:p+9:p+9]
		l := c1 * d
		t[0][0], t[0][1], t[0][2], t[0][3] = t[0][0]-l*c1, t[0][1]-l*c2, t[0][2]-l*c3, t[0][3]-l*c4
		t[0][4], t[0][5], t[0][6], t[0][7] = t[0][4]-l*c5, t[0][5]-l*c6, t[0][6]-l*c7, t[0][7]-l*c8
		r[0] -= l * y
		l = c2 * d
		t[1][0], t[1][1], t[1][2], t[1][3] = t[1][0]-l*c2, t[1][1]-l*c3, t[1][2]-l*c4, t[1][3]-l*c5
		t[1][4], t[1][5], t[1][6] = t[1][4]-l*c6, t[1][5]-l*c7, t[1][6]-l*c8
		r[1] -= l * y
		l = c3 * d
		t[2][0], t[2][1], t[2][2], t[2][3] = t[2][0]-l*c3, t[2][1]-l*c4, t[2][2]-l*c5, t[2][3]-l*c6
		t[2][4], t[2][5] = t[2][4]-l*c7, t[2][5]-l*c8
		r[2] -= l * y
		l = c4 * d
		t[3][0], t[3][1], t[3][2], t[3][3] = t[3][0]-l*c4, t[3][1]-l*c5, t[3][2]-l*c6, t[3][3]-l*c7
		t[3][4] = t[3][4] - l*c8
		r[3] -= l * y
		l = c5 * d
		t[4][0], t[4][1], t[4][2], t[4][3] = t[4][0]-l*c5, t[4][1]-l*c6, t[4][2]-l*c7, t[4][3]-l*c8
		r[4] -= l * y
		l = c6 * d
		t[5][0], t[5][1], t[5][2] = t[5][0]-l*c6, t[5][1]-l*c7, t[5][2]-l*c8
		r[5] -= l * y
		l = c7 * d
		t[6][0], t[6][1] = t[6][0]-l*c7, t[6][1]-l*c8
		r[6] -= l * y
		l = c8 * d
		t[7][0] = t[7][0] - l*c8
		r[7] -= l * y
	}
	m.back(b)
	return -1
}

// again replaces another right-hand side by its solution, once solve has left the factors.
func (m spatial) again(b []float64) {
	for p := range len(m) - 9 {
		c, r := &m[p], b[p+1:p+9:p+9]
		y := c[0] * b[p]
		r[0] -= c[1] * y
		r[1] -= c[2] * y
		r[2] -= c[3] * y
		r[3] -= c[4] * y
		r[4] -= c[5] * y
		r[5] -= c[6] * y
		r[6] -= c[7] * y
		r[7] -= c[8] * y
	}
	m.back(b)
}

// back is the second half of a solution: b is L⁻¹ times the right-hand side.
func (m spatial) back(b []float64) {
	rows := len(m) - 9
	clear(b[rows:])
	for p := rows - 1; p >= 0; p-- {
		c, r := &m[p], b[p:p+9:p+9]
		r[0] = c[0] * (r[0] - (c[1]*r[1] + c[2]*r[2] + c[3]*r[3] + c[4]*r[4]) - (c[5]*r[5] + c[6]*r[6] + c[7]*r[7] + c[8]*r[8]))
	}
}

// spun is that of a line in space whose segments spin: 3·4 elements: column p, from its diagonal down.
type spun [][12]float64

// solve is that of spatial. Its loops are loops: damped lines in space are few.
func (m spun) solve(b []float64) (bad int) {
	const width = 12
	rows := len(m) - width
	for p := range rows {
		c := &m[p]
		if !(c[0] > 0) {
			return p
		}
		d, y := 1/c[0], b[p]
		c[0] = d
		t, r := m[p:p+width:p+width], b[p:p+width:p+width]
		for k := 1; k < width; k++ {
			l := c[k] * d
			for j := k; j < width; j++ {
				t[k][j-k] -= l * c[j]
			}
			r[k] -= l * y
		}
	}
	m.back(b)
	return -1
}

// again replaces another right-hand side by its solution, once solve has left the factors.
func (m spun) again(b []float64) {
	for p := range len(m) - len(m[0]) {
		c, r := &m[p], b[p:p+len(m[0])]
		y := c[0] * r[0]
		for k := 1; k < len(c); k++ {
			r[k] -= c[k] * y
		}
	}
	m.back(b)
}

// back is the second half of a solution: b is L⁻¹ times the right-hand side.
func (m spun) back(b []float64) {
	rows := len(m) - len(m[0])
	clear(b[rows:])
	for p := rows - 1; p >= 0; p-- {
		c, r := &m[p], b[p:p+len(m[0])]
		sum := r[0]
		for k := 1; k < len(c); k++ {
			sum -= c[k] * r[k]
		}
		r[0] = c[0] * sum
	}
}

// column is a column of one of the three.
type column interface {
	[6]float64 | [9]float64 | [12]float64
}

// reach is how far from the diagonal a row has elements.
const reach = 11

// rowOf is row r of the matrix, its diagonal in the middle.
func rowOf[C column](m []C, r int) (v [2*reach + 1]float64) {
	for k := range len(m[r]) {
		v[reach+k] = m[r][k]
		if k > 0 && r >= k {
			v[reach-k] = m[r-k][k]
		}
	}
	return v
}

// holdRow makes value the solution's element r: its column goes to the right-hand side b, its
// row becomes that of the unit matrix.
func holdRow[C column](m []C, r int, value float64, b []float64) {
	for k, v := range rowOf(m, r) {
		if c := r + k - reach; v != 0 && c != r {
			b[c] -= v * value
			m[min(r, c)][max(c-r, r-c)] = 0
		}
	}
	m[r][0], b[r] = 1, value
}

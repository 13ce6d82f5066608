package beam

// column is a column of a symmetric band matrix from its diagonal down: 3·dim rows, because
// bending couples a node with two on either side.
type column interface{ [6]float64 | [9]float64 }

// banded is a symmetric positive definite band matrix of rows unknowns. It is followed by as
// many columns that nobody reads as a column is long: loops then need no end.
type banded[C column] struct {
	rows    int
	columns []C
}

func newBanded[C column](rows int) *banded[C] {
	var c C
	return &banded[C]{rows, make([]C, rows+len(c))}
}

// solve replaces the right-hand side b, which has the length of columns, by the solution and
// the matrix by its factors L D Lᵀ. It returns the first row without a positive pivot: the
// matrix is not positive definite, or not finite; −1: none.
func (m *banded[C]) solve(b []float64) (bad int) {
	columns := m.columns
	b = b[:len(columns)]
	for p := range m.rows {
		c := columns[p]
		if !(c[0] > 0) {
			return p
		}
		inverse := 1 / c[0]
		y := b[p]
		for i := 1; i < len(c); i++ {
			l := c[i] * inverse
			for k := i; k < len(c); k++ {
				columns[p+i][k-i] -= l * c[k]
			}
			b[p+i] -= l * y
		}
		columns[p][0] = inverse
	}
	clear(b[m.rows:])
	for p := m.rows - 1; p >= 0; p-- {
		c := columns[p]
		y := b[p]
		for i := 1; i < len(c); i++ {
			y -= c[i] * b[p+i]
		}
		b[p] = y * c[0] // L = c/D, and D⁻¹ y: both share the factor
	}
	return -1
}

// reach is how far from the diagonal a row has elements.
const reach = 8

// row is row r of the matrix, its diagonal in the middle.
func (m *banded[C]) row(r int) (v [2*reach + 1]float64) {
	var c C
	for k := range len(c) {
		v[reach+k] = m.columns[r][k]
		if k > 0 && r >= k {
			v[reach-k] = m.columns[r-k][k]
		}
	}
	return v
}

// hold makes value the solution's element r: its column goes to the right-hand side b, its row
// becomes that of the unit matrix.
func (m *banded[C]) hold(r int, value float64, b []float64) {
	v := m.row(r)
	for k := range v {
		if c := r + k - reach; v[k] != 0 && c != r {
			b[c] -= v[k] * value
			m.columns[min(r, c)][max(c-r, r-c)] = 0
		}
	}
	m.columns[r][0], b[r] = 1, value
}

// add adds to the element of rows r and c, and to its mirror image.
func (m *banded[C]) add(r, c int, v float64) { m.columns[min(r, c)][max(c-r, r-c)] += v }

package ib

// lines are the rows of cells along x that have points, found by their y and z,
// and the box of rows of nodes that those points reach.
type lines struct {
	size, support [2]int // along y and z
	periodic      [2]bool
	row           []int32 // y + size·z of each line
	first         []int32 // place among the cells where each line begins, and the end
	at            []int32 // 1 + the line at each row, 0 where there is none
	low, count    [2]int  // the box: its first row, its rows along y and z
}

func newLines(g Grid, support [3]int) lines {
	return lines{
		size:     [2]int{g.Size[1], g.Size[2]},
		support:  [2]int{support[1], support[2]},
		periodic: [2]bool{g.Periodic[1], g.Periodic[2] && g.Dim == 3},
		at:       make([]int32, g.Size[1]*g.Size[2]),
	}
}

// build finds the lines of cells with the given ascending places in the grid,
// whose rows along x have width nodes.
func (l *lines) build(cells []uint32, width int) {
	for _, row := range l.row {
		l.at[row] = 0
	}
	l.row, l.first = l.row[:0], l.first[:0]
	for i, cell := range cells {
		row := int32(int(cell) / width)
		if i == 0 || row != l.row[len(l.row)-1] {
			l.row, l.first = append(l.row, row), append(l.first, int32(i))
			l.at[row] = int32(len(l.row))
		}
	}
	l.first = append(l.first, int32(len(cells)))
	l.bound()
}

// bound finds the box. On a periodic axis it may run over the upper end.
func (l *lines) bound() {
	l.count = [2]int{}
	if len(l.row) == 0 {
		return
	}
	high := [2]int{}
	l.low = l.size
	for _, row := range l.row {
		for a, i := range [2]int{int(row) % l.size[0], int(row) / l.size[0]} {
			l.low[a], high[a] = min(l.low[a], i), max(high[a], i)
		}
	}
	for a := range l.count {
		l.count[a] = min(high[a]-l.low[a]+l.support[a], l.size[a])
	}
}

// rows is the number of rows in the box.
func (l *lines) rows() int { return l.count[0] * l.count[1] }

// node is the y and z of row i of the box.
func (l *lines) node(i int) (y, z int) {
	y, z = l.low[0]+i%l.count[0], l.low[1]+i/l.count[0]
	if y >= l.size[0] {
		y -= l.size[0]
	}
	if z >= l.size[1] {
		z -= l.size[1]
	}
	return y, z
}

// middle is about the row of the box in the middle of what a cell reaches.
func (l *lines) middle(cell uint32, width int) int {
	row := int(cell) / width
	y, z := row%l.size[0]-l.low[0]+l.support[0]/2, row/l.size[0]-l.low[1]+l.support[1]/2
	return min(z*l.count[0]+y, l.rows())
}

// cells are the places among the cells of the line at (y, z), which may lie one
// support below a periodic axis; empty if there is no line.
func (l *lines) cells(y, z int) (begin, end int) {
	if y < 0 && l.periodic[0] {
		y += l.size[0]
	}
	if z < 0 && l.periodic[1] {
		z += l.size[1]
	}
	if y < 0 || z < 0 {
		return 0, 0
	}
	line := l.at[y+l.size[0]*z]
	if line == 0 {
		return 0, 0
	}
	return int(l.first[line-1]), int(l.first[line])
}

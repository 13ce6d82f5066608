package partition

// table has the sums of a value of blocks over all boxes that begin at the first block.
type table struct {
	n   [3]int // blocks along each axis, and one
	sum []int64
}

func newTable(n [3]int, values []int64) *table {
	t := &table{n: [3]int{n[0] + 1, n[1] + 1, n[2] + 1}}
	t.sum = make([]int64, t.n[0]*t.n[1]*t.n[2])
	for i, v := range values {
		p := place(i, n)
		for a := range p {
			p[a]++
		}
		at := number(p, t.n)
		x, y, z := 1, t.n[0], t.n[0]*t.n[1]
		s := t.sum
		s[at] = v + s[at-x] + s[at-y] + s[at-z] - s[at-x-y] - s[at-x-z] - s[at-y-z] + s[at-x-y-z]
	}
	return t
}

// of is the sum over a box of blocks.
func (t *table) of(b Box) int64 {
	var at [8]int64
	for k := range at {
		var p [3]int
		for a := range p {
			p[a] = b.Lo[a]
			if k>>a&1 == 1 {
				p[a] = b.Hi[a]
			}
		}
		at[k] = t.sum[number(p, t.n)]
	}
	return at[7] - at[6] - at[5] - at[3] + at[4] + at[2] + at[1] - at[0]
}

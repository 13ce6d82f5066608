package ib

// block is the support of a point on its own: what it spreads, of which some rows go to
// the grid.
type block[T Float] struct {
	sum []T // support^(dim−1) rows
	row [2][]int
}

func newBlock[T Float](f *frame[T]) block[T] {
	rows := f.support
	if f.dim == 3 {
		rows *= f.support
	}
	b := block[T]{sum: make([]T, rows*f.support)}
	for i := range MaxSupport {
		b.row[0], b.row[1] = append(b.row[0], i*f.support), append(b.row[1], i*f.support*f.support)
	}
	return b
}

// sub directs b.part at the points from ≤ k < to of what the loops are aimed at.
func (b *batch[T]) sub(from, to int) {
	f := b.f
	b.part.N, b.part.Field, b.part.Row = to-from, b.at.Field, b.at.Row
	b.part.Values, b.part.From, b.part.To = b.at.Values[from:], b.zero[:], b.all[:]
	for a := range f.dim {
		b.part.First[a], b.part.Weight[a] = b.at.First[a][from:], b.at.Weight[a][from*f.stride:]
	}
}

// compute stores what b.part, one point, spreads in the block.
func (b *batch[T]) compute() {
	f := b.f
	clear(b.block.sum)
	b.part.Field, b.part.Row = b.block.sum, b.block.row
	for a := range f.dim {
		b.part.First[a] = b.zero[:]
	}
	f.loops.Spread(&b.part)
}

// writeRows adds the block to the support of point k of b.at, to those of its rows
// along x that have numbers lo ≤ y + Size[1]·z < hi.
func (b *batch[T]) writeRows(s *site, k, lo, hi int) {
	f := b.f
	x, y, z := int(b.at.First[0][k]), int(b.at.First[1][k]), 0
	planes, size := 1, &s.grid.Size
	if f.dim == 3 {
		z, planes = int(b.at.First[2][k]), f.support
	}
	sum := b.block.sum
	for range planes {
		j := y
		for range f.support {
			row, from := j+size[1]*z, sum[:f.support]
			sum = sum[f.support:]
			if row >= lo && row < hi {
				addTo(b.at.Field[size[0]*row+x:], from)
			}
			if j++; j == size[1] {
				j = 0
			}
		}
		if z++; z == size[2] {
			z = 0
		}
	}
}

package ib

// block is the support of a cell on its own: what the points in the cell spread is
// summed in it, before it goes to the grid or to some rows of it.
type block[T Float] struct {
	sum []T // support^dim
	row [2][]int
}

func newBlock[T Float](f *frame[T]) block[T] {
	s, size := f.support, f.support*f.support
	if f.dim == 3 {
		size *= s
	}
	b := block[T]{sum: make([]T, size)}
	for i := range MaxSupport {
		b.row[0], b.row[1] = append(b.row[0], i*s), append(b.row[1], i*s*s)
	}
	return b
}

// sub directs b.part at the points from ≤ k < to of what the loops are aimed at.
func (f *frame[T]) sub(b *batch[T], from, to int) {
	b.part.N, b.part.Field, b.part.Row = to-from, b.at.Field, b.at.Row
	b.part.Values, b.part.From, b.part.To = b.at.Values[from:], 0, f.support
	for a := range f.dim {
		b.part.First[a], b.part.Weight[a] = b.at.First[a][from:], b.at.Weight[a][from*f.stride:]
	}
}

// reduce sums what b.part spreads, whose points share a cell, in the block.
func (f *frame[T]) reduce(b *batch[T]) {
	clear(b.block.sum)
	b.part.Field, b.part.Row = b.block.sum, b.block.row
	for a := range f.dim {
		b.part.First[a] = b.zero[:]
	}
	f.loops.Spread(&b.part)
}

// write adds the block to the support of point k of b.at, to those of its rows
// along x that have numbers lo ≤ y + Size[1]·z < hi.
func (f *frame[T]) write(b *batch[T], s *site, k, lo, hi int) {
	x, y, z := int(b.at.First[0][k]), int(b.at.First[1][k]), 0
	planes := 1
	if f.dim == 3 {
		z, planes = int(b.at.First[2][k]), f.support
	}
	for l := range planes {
		plane := (z + l) % s.grid.Size[2]
		for j := range f.support {
			row := (y+j)%s.grid.Size[1] + s.grid.Size[1]*plane
			if row < lo || row >= hi {
				continue
			}
			to := b.at.Field[s.grid.Size[0]*row+x:][:f.support]
			for i, v := range b.block.sum[(l*f.support+j)*f.support:][:f.support] {
				to[i] += v
			}
		}
	}
}

package ib

// bins finds the points whose supports may overlap that of another. Bins are at
// least as wide as a support, so only next neighbours matter.
type bins struct {
	count  [3]int // bins per axis
	bin    [][3]int32
	points map[[3]int32][]int32
	wraps  [3]bool
}

func newBins[T Float](s *stencils[T]) *bins {
	b := &bins{bin: make([][3]int32, s.n), points: map[[3]int32][]int32{}, wraps: s.grid.Periodic}
	for a := range b.count {
		b.count[a] = max(1, s.grid.Size[a]/s.support[a])
	}
	if s.grid.Dim == 2 {
		b.count[2] = 1
	}
	for k := range s.n {
		for a := range b.count {
			b.bin[k][a] = int32(int(s.first[a][k]) * b.count[a] / s.grid.Size[a])
		}
		b.points[b.bin[k]] = append(b.points[b.bin[k]], int32(k))
	}
	return b
}

// near appends to list all points in the bin of point k and the bins around it,
// k among them, each once.
func (b *bins) near(k int, list []int32) []int32 {
	var around [3][]int32
	var store [3][3]int32
	for a := range around {
		around[a] = b.neighbours(a, b.bin[k][a], store[a][:0])
	}
	for _, z := range around[2] {
		for _, y := range around[1] {
			for _, x := range around[0] {
				list = append(list, b.points[[3]int32{x, y, z}]...)
			}
		}
	}
	return list
}

// neighbours appends bin i of an axis and those next to it, each once.
func (b *bins) neighbours(axis int, i int32, list []int32) []int32 {
	n := int32(b.count[axis])
	list = append(list, i)
	for _, j := range [2]int32{i - 1, i + 1} {
		if b.wraps[axis] {
			j = (j + n) % n
		}
		known := false
		for _, l := range list {
			known = known || l == j
		}
		if j >= 0 && j < n && !known {
			list = append(list, j)
		}
	}
	return list
}

package hdf5

import "slices"

const (
	// chunkBytes is the target size of a chunk: big enough to compress well
	// and to keep the index small, small enough to read a part of a field.
	chunkBytes = 1 << 20
	// window bounds the elements per layer where a chunk holds repeated layers:
	// after the shuffle equal bytes then lie within deflate's window of 32 KiB,
	// and the second layer costs next to nothing.
	window = 30000
)

// grid is a dataset cut into chunks, the last axis fastest. For copying, the
// trailing axes that a chunk spans entirely are merged into one axis, so that
// runs are long.
type grid struct {
	shape, extent []int // of the dataset and of one chunk
	count         []int // chunks along each axis
	chunks        int   // all of them
	level         int   // of deflate

	merged struct {
		shape, extent, stride []int // stride in elements of the data; 0: repeated
		inner                 int   // elements of the merged trailing axes
	}
}

// cut chooses the chunks of a dataset that is not empty.
func cut(shape, repeat []int, size int) *grid {
	budget := chunkBytes / size
	if len(repeat) > 0 {
		budget = window
	}
	extent := make([]int, len(shape))
	for axis := len(shape) - 1; axis >= 0; axis-- {
		if slices.Contains(repeat, axis) {
			extent[axis] = shape[axis]
			continue
		}
		// Even parts rather than a small one at the end.
		parts := ceilDiv(shape[axis], max(budget, 1))
		extent[axis] = ceilDiv(shape[axis], parts)
		budget /= extent[axis]
		if parts > 1 {
			budget = 0
		}
	}
	return newGrid(shape, extent, repeat)
}

// wholeChunk is a dataset that is one chunk.
func wholeChunk(shape, repeat []int) *grid {
	return newGrid(shape, shape, repeat)
}

func newGrid(shape, extent, repeat []int) *grid {
	g := &grid{shape: shape, extent: extent, count: make([]int, len(shape)), chunks: 1, level: levelPlain}
	if len(repeat) > 0 {
		g.level = levelRepeated
	}
	for axis := range shape {
		g.count[axis] = ceilDiv(shape[axis], extent[axis])
		g.chunks *= g.count[axis]
	}
	m := &g.merged
	m.shape, m.extent = slices.Clone(shape), slices.Clone(extent)
	m.stride = make([]int, len(shape))
	for axis, stride := len(shape)-1, 1; axis >= 0; axis-- {
		if !slices.Contains(repeat, axis) {
			m.stride[axis] = stride
			stride *= shape[axis]
		}
	}
	m.inner = 1
	for last := len(shape) - 1; last > 0 && m.extent[last] == m.shape[last] && m.stride[last-1] != 0; last-- {
		m.inner *= shape[last]
		m.shape[last-1] *= m.shape[last]
		m.extent[last-1] *= m.extent[last]
		m.stride[last-1] = 1
		m.shape, m.extent, m.stride = m.shape[:last], m.extent[:last], m.stride[:last]
	}
	return g
}

// elements is the number of elements of a chunk.
func (g *grid) elements() int {
	n := 1
	for _, e := range g.extent {
		n *= e
	}
	return n
}

// origin stores the first index of chunk i in at.
func (g *grid) origin(at []uint64, i int) {
	for axis := len(g.shape) - 1; axis >= 0; axis-- {
		at[axis] = uint64(i % g.count[axis] * g.extent[axis])
		i /= g.count[axis]
	}
}

// gather copies chunk i of e into dst (grown as needed), padded with zeros
// where the chunk reaches beyond the dataset.
func (g *grid) gather(dst []byte, e elements, i int) []byte {
	n := g.elements() * e.size
	dst = slices.Grow(dst[:0], n)[:n]
	m := &g.merged
	from, valid, full := g.part(i)
	if !full {
		clear(dst)
	}
	last := len(m.shape) - 1
	run := valid[last] * e.size
	index := make([]int, len(m.shape)) // within the chunk; its last entry stays 0
	for {
		src, to := 0, 0
		for axis, k := range index {
			src += (from[axis] + k) * m.stride[axis]
			to = to*m.extent[axis] + k
		}
		copy(dst[to*e.size:][:run], e.bytes[src*e.size:][:run])
		axis := last - 1
		for ; axis >= 0; axis-- {
			if index[axis]++; index[axis] < valid[axis] {
				break
			}
			index[axis] = 0
		}
		if axis < 0 {
			return dst
		}
	}
}

// part is where chunk i begins and how far it lies within the dataset, in
// merged axes; full tells whether all of it does.
func (g *grid) part(i int) (from, valid []int, full bool) {
	at := make([]uint64, len(g.shape))
	g.origin(at, i)
	m := &g.merged
	from, valid, full = make([]int, len(m.shape)), make([]int, len(m.shape)), true
	for axis := range m.shape {
		from[axis] = int(at[axis])
		if axis == len(m.shape)-1 {
			from[axis] *= m.inner
		}
		valid[axis] = min(m.extent[axis], m.shape[axis]-from[axis])
		full = full && valid[axis] == m.extent[axis]
	}
	return from, valid, full
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

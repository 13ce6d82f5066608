package transfer

import (
	"math/bits"

	"lbmib/geometry"
	"lbmib/ib"
)

// lineBytes is the size of a cache line.
const lineBytes = 64

// cost is what the calls of a problem have to touch, in bytes, and the products of
// weights that they use.
type cost struct {
	fieldLines int64 // of all components, each once
	values     int64 // of all points and components
	positions  int64
	uses       int64 // products of weights: points · nodes of a support · components
	perNode    float64
}

// newCost counts for points x.
func newCost(p *Problem, d ib.Stencil, grids []ib.Grid, x []geometry.Vec) cost {
	b, n := int64(p.bytes()), int64(len(x))
	support := int64(1)
	for range p.Size.Dim() {
		support *= int64(d.Support())
	}
	c := cost{
		values: n * int64(p.Components) * b, positions: n * int64(p.Size.Dim()) * 8,
		uses: n * support * int64(p.Components),
	}
	for i := range grids {
		lines := countLines(&grids[i], d, p.bytes(), x)
		if len(grids) == 1 {
			lines *= int64(p.Components)
		}
		c.fieldLines += lines
	}
	if c.fieldLines > 0 {
		c.perNode = float64(c.uses) / float64(c.fieldLines*lineBytes/b)
	}
	return c
}

// of is the bytes of a call.
func (c *cost) of(op string) int64 {
	switch op {
	case interpolate:
		return c.positions + c.values + c.fieldLines*lineBytes
	case spread:
		return c.positions + c.values + 2*c.fieldLines*lineBytes
	}
	return c.positions
}

// countLines is the number of lines of a field of values of so many bytes that the
// supports of the points touch.
func countLines(g *ib.Grid, d ib.Stencil, bytes int, x []geometry.Vec) (n int64) {
	perLine := lineBytes / bytes
	touched := make([]uint64, g.Nodes()/perLine/64+1)
	mark := func(node int) { touched[node/perLine/64] |= 1 << (node / perLine % 64) }
	width := g.Size[0]
	eachRow(g, d, x, func(row, first int) {
		last := first + d.Support() - 1
		if last < width { // shorter than a line: on one or two
			mark(row + first)
			mark(row + last)
			return
		}
		for i := first; i <= last; i++ {
			mark(row + i%width)
		}
	})
	for _, w := range touched {
		n += int64(bits.OnesCount64(w))
	}
	return n
}

// eachRow visits the rows of the points' supports on a periodic grid: the index of
// the row's node 0 and the first node along x.
func eachRow(g *ib.Grid, d ib.Stencil, x []geometry.Vec, do func(row, first int)) {
	s, sz := d.Support(), d.Support()
	if g.Dim == 2 {
		sz = 1
	}
	for k := range x {
		var first [3]int
		for a := range g.Dim {
			first[a] = wrap(d.First(x[k][a]-g.Staggering[a]), g.Size[a])
		}
		for z := range sz {
			plane := (first[2] + z) % g.Size[2] * g.Size[1]
			for y := range s {
				do((plane+(first[1]+y)%g.Size[1])*g.Size[0], first[0])
			}
		}
	}
}

// wrap is n modulo size, not negative.
func wrap(n, size int) int {
	if n %= size; n < 0 {
		n += size
	}
	return n
}

package lbm

import "fmt"

// Repeating is a fluid that can be initialised from one period of a state: a grid of
// 512³ nodes would take a host seconds of evaluating a wave node by node.
type Repeating interface {
	// InitializeRepeating is Initialize for a state that repeats itself after so many
	// nodes along each axis: its function is asked for one period alone, and the rest
	// are copies of it.
	InitializeRepeating(period [3]int, state func(p [3]float64) (rho float64, u [3]float64))
}

// Tile is the populations of one period of a state.
type Tile[T Float] struct {
	period [3]int
	f      [][]T // [direction][node of the period, x fastest]
}

// NewTile computes a tile under a body force; share calls its argument for the shares of
// n items, maybe at the same time.
func NewTile[T Float](c *Config, period [3]int, force [3]float64, state func(p [3]float64) (rho float64, u [3]float64), share func(n int, do func(lo, hi int))) *Tile[T] {
	n := 1
	for a, nodes := range period {
		if nodes < 1 || nodes > c.Size[a] {
			panic(fmt.Sprintf("lbm: a period of %d nodes along axis %d: must be 1 to the domain's %d", nodes, a, c.Size[a]))
		}
		n *= nodes
	}
	t := &Tile[T]{period, make([][]T, c.Lattice.Q)}
	for i := range t.f {
		t.f[i] = make([]T, n)
	}
	share(n, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			p := [3]float64{float64(k % period[0]), float64(k / period[0] % period[1]), float64(k / (period[0] * period[1]))}
			g := c.Initial(p, force, state)
			for i := range t.f {
				t.f[i][k] = T(g[i])
			}
		}
	})
	return t
}

// Fill stores a direction's populations of the nodes from first on, of a grid of this
// size, x fastest.
func (t *Tile[T]) Fill(dst []T, direction, first int, size [3]int) {
	nx := t.period[0]
	for len(dst) > 0 {
		x, y, z := first%size[0], first/size[0]%size[1], first/(size[0]*size[1])
		from := (y%t.period[1] + z%t.period[2]*t.period[1]) * nx
		wave := t.f[direction][from : from+nx]
		row := dst[:min(len(dst), size[0]-x)]
		dst, first = dst[len(row):], first+len(row)
		n := copy(row, wave[x%nx:])
		for n < len(row) {
			n += copy(row[n:], wave)
		}
	}
}

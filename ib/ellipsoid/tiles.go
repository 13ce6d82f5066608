package ellipsoid

import (
	"fmt"
	"slices"
)

// Class is what a cell is to a part of the domain (Bisson, Bernaschi & Melchionna, Commun. Comput. Phys. 10 (2011) 1071).
type Class int8

// Cells of a part, the 26 cells around which belong to it, too; those that others lie beside, whose particles the others ask for; and those of others that lie
// beside them, whose particles the part asks for.
const (
	Elsewhere Class = iota // neither of the part nor beside it
	Internal
	Frontier
	External
)

// Tiling is the cells of a part of the domain, however irregular, and those around. As in MUPHY only these are stored: their numbers, ascending
// (COO2CELL), which bisection finds, and the neighbours of each (CNEIGH).
type Tiling struct {
	box     box
	cells   [3]int
	numbers []uint64
	class   []Class
	around  [][27]int32 // of those of the part: places in numbers; −1: beyond the domain, or, along an axis of few cells, a second time
}

// NewTiling cuts a domain of nodes into as many cells along each axis, and gives those owned to the part. Cells must be as long as pairs reach.
func NewTiling(size [3]int, periodic [3]bool, cells [3]int, owned [][3]int) (*Tiling, error) {
	t := &Tiling{box: newBox(size, periodic), cells: cells}
	for a, n := range cells {
		if n < 1 || n > size[a] || n > 1<<20 {
			return nil, fmt.Errorf("ellipsoid: %d cells along %s: use 1 to %d, the nodes there, and at most 2^20", n, "xyz"[a:a+1], size[a])
		}
	}
	of := map[uint64]Class{}
	for _, c := range owned {
		for a, k := range c {
			if k < 0 || k >= cells[a] {
				return nil, fmt.Errorf("ellipsoid: cell %v is none of %v: cells begin at 0", c, cells)
			}
		}
		of[t.number(c)] = Internal
	}
	for _, c := range owned {
		for _, n := range t.beside(c) {
			if n >= 0 && (of[uint64(n)] == Elsewhere || of[uint64(n)] == External) {
				of[uint64(n)], of[t.number(c)] = External, Frontier
			}
		}
	}
	for n := range of {
		t.numbers = append(t.numbers, n)
	}
	slices.Sort(t.numbers)
	t.around = make([][27]int32, len(t.numbers))
	for i, n := range t.numbers {
		t.class = append(t.class, of[n])
		for k, m := range t.beside(t.cell(n)) {
			t.around[i][k] = -1
			if at, ok := slices.BinarySearch(t.numbers, uint64(m)); m >= 0 && ok && of[n] != External {
				t.around[i][k] = int32(at)
			}
		}
	}
	return t, nil
}

func (t *Tiling) number(c [3]int) uint64 {
	return uint64(c[0]) + uint64(t.cells[0])*(uint64(c[1])+uint64(t.cells[1])*uint64(c[2]))
}

func (t *Tiling) cell(n uint64) [3]int {
	x, y := uint64(t.cells[0]), uint64(t.cells[1])
	return [3]int{int(n % x), int(n / x % y), int(n / x / y)}
}

// beside are the numbers of a cell and of those around it, each once; −1: there is none.
func (t *Tiling) beside(c [3]int) (all [27]int64) {
	for k := range all {
		all[k] = -1
		to := [3]int{c[0] + k%3 - 1, c[1] + k/3%3 - 1, c[2] + k/9 - 1}
		inside := true
		for a, n := range t.cells {
			if t.box.size[a] > 0 {
				to[a] = (to[a] + n) % n
			}
			inside = inside && to[a] >= 0 && to[a] < n
		}
		if m := int64(t.number(to)); inside && !slices.Contains(all[:k], m) {
			all[k] = m
		}
	}
	return all
}

// Of is the place of the cell that a point of the domain is in among those stored, and its class; −1 and Elsewhere where it is none of them.
func (t *Tiling) Of(x [3]float64) (at int, class Class) {
	var c [3]int
	for a, n := range t.cells {
		c[a] = min(max(int((x[a]+0.5)*float64(n)/t.box.extent[a]), 0), n-1)
	}
	if at, ok := slices.BinarySearch(t.numbers, t.number(c)); ok {
		return at, t.class[at]
	}
	return -1, Elsewhere
}

// Around are the places of the cells around one of the part, itself among them, in a fixed order; −1: none.
func (t *Tiling) Around(at int) *[27]int32 { return &t.around[at] }

// Split orders particles by what they are to the part, by number in each: those of its own that no others ask for, those that others do, and those
// of others that it asks for. All that act on the first two are in the three.
func (t *Tiling) Split(p *Particles) (internal, frontier, external []int32) {
	for i, x := range p.X {
		switch _, class := t.Of(x); class {
		case Internal:
			internal = append(internal, int32(i))
		case Frontier:
			frontier = append(frontier, int32(i))
		case External:
			external = append(external, int32(i))
		}
	}
	return internal, frontier, external
}

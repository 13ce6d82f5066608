package partition

import (
	"fmt"
	"math"
)

// Box is a box of nodes, Lo ≤ p < Hi. In the plane Lo[2] is 0 and Hi[2] 1.
type Box struct{ Lo, Hi [3]int }

// Nodes is how many nodes a box has.
func (b Box) Nodes() int { return (b.Hi[0] - b.Lo[0]) * (b.Hi[1] - b.Lo[1]) * (b.Hi[2] - b.Lo[2]) }

// Blocks are a domain of Size nodes divided into blocks of Width nodes a side, in the order of their nodes: x fastest. The last
// ones along an axis may be narrower, or by one node wider.
type Blocks struct {
	Size     [3]int  // nodes; Size[2] is 1 in the plane
	Width    int     // nodes of a block along each axis
	Periodic [3]bool // nodes at one end of an axis exchange with those at the other

	// Weight is the work of each block in a step, in updates of nodes: its fluid and what bodies cost. A block of weight 0 is empty.
	// nil: as many as it has nodes.
	Weight []float64
	// Faces are, along each axis, how many pairs of nodes of fluid there are between a block and the next one, that of the last
	// block of a periodic axis being the first. nil: all nodes of the face, where both blocks have weight.
	Faces [3][]float64

	Seam float64 // work of a node beside one of another rank, in updates; 0: SeamWork of the dimension
	Row  float64 // work of a row along x beside that of its nodes, in updates; 0: RowWork of the dimension

	// Points is what points of bodies near a node beside one of another rank take beyond Seam, in updates: both ranks work on them.
	Points float64
}

// What seams and rows take, in updates of nodes, by dimension, as measured on a thread of a processor with AVX-512, single and double precision together. A pair
// of nodes at a seam across z, by lists: 22 to 34 ns beside 5 to 12 ns a node in space in double precision, 9 to 17 beside 3 to 5 in single: 2.2 to 4.4 updates; 26 to 47 ns
// beside 1.4 to 3, and 4 to 7 beside 1.5 to 3 in the plane: 13 to 18 updates, and 2 to 3. A row of 32 nodes takes 47 ns more than long ones in the plane at 2.5 ns a
// node, 50 ns in space at 6.6 ns.
var (
	SeamWork = [4]float64{2: 12, 3: 4}
	RowWork  = [4]float64{2: 18, 3: 8}
)

// acrossRow is as many times as others a seam across x takes, where no two of its nodes lie side by side: 117 beside 33 ns, and 130 beside 38, of which some is
// already in the rows.
const acrossRow = 2

// seamWork and rowWork are those of the domain, with what bodies take.
func (b *Blocks) seamWork() float64 {
	if b.Seam == 0 {
		return SeamWork[b.dim()] + b.Points
	}
	return b.Seam + b.Points
}

func (b *Blocks) rowWork() float64 {
	if b.Row == 0 {
		return RowWork[b.dim()]
	}
	return b.Row
}

// narrowest is how many nodes a box has along an axis that is cut, at least: of those in a single layer what flies would pass to
// and fro between two neighbours in one step.
const narrowest = 2

// Grid is how many blocks there are along each axis.
func (b *Blocks) Grid() (n [3]int) {
	for a, size := range b.Size {
		n[a] = (size + b.Width - 1) / b.Width
		if n[a] > 1 && size-(n[a]-1)*b.Width < min(narrowest, b.Width) {
			n[a]--
		}
	}
	return n
}

// Count is the number of blocks.
func (b *Blocks) Count() int {
	n := b.Grid()
	return n[0] * n[1] * n[2]
}

// dim is how many axes the domain has.
func (b *Blocks) dim() int {
	if b.Size[2] == 1 {
		return 2
	}
	return 3
}

// Block is the box of block i.
func (b *Blocks) Block(i int) Box {
	n := b.Grid()
	return b.nodes(Box{Lo: [3]int{i % n[0], i / n[0] % n[1], i / n[0] / n[1]}, Hi: [3]int{i%n[0] + 1, i/n[0]%n[1] + 1, i/n[0]/n[1] + 1}}, n)
}

// nodes is a box of blocks in nodes.
func (b *Blocks) nodes(of Box, n [3]int) (box Box) {
	for a := range n {
		box.Lo[a], box.Hi[a] = of.Lo[a]*b.Width, of.Hi[a]*b.Width
		if of.Hi[a] == n[a] {
			box.Hi[a] = b.Size[a]
		}
	}
	return box
}

// check refuses what is no domain of blocks, and shares that are none of so many ranks.
func (b *Blocks) check(ranks int, shares []float64) error {
	for a, size := range b.Size {
		if size < 1 {
			return fmt.Errorf("partition: the domain has %d nodes along %c: it must have some", size, "xyz"[a])
		}
	}
	switch {
	case b.Width < 1:
		return fmt.Errorf("partition: blocks of %d nodes a side: they need 1 or more", b.Width)
	case b.Weight != nil && len(b.Weight) != b.Count():
		return fmt.Errorf("partition: %d weights of %d blocks: give one of each", len(b.Weight), b.Count())
	case !(b.Seam >= 0) || !(b.Row >= 0) || !(b.Points >= 0) || math.IsInf(b.Seam+b.Row+b.Points, 0):
		return fmt.Errorf("partition: work of %v for a node at a seam, %v for points there and %v for a row: none may be negative", b.Seam, b.Points, b.Row)
	case ranks < 1:
		return fmt.Errorf("partition: %d ranks: there must be 1 or more", ranks)
	case shares != nil && len(shares) != ranks:
		return fmt.Errorf("partition: %d speeds of %d ranks: give one of each", len(shares), ranks)
	}
	for a, of := range b.Faces {
		if of != nil && len(of) != b.Count() {
			return fmt.Errorf("partition: %d faces along %c of %d blocks: give one of each", len(of), "xyz"[a], b.Count())
		}
		if i := unusable(of, 0); i >= 0 {
			return fmt.Errorf("partition: %v pairs of nodes beyond block %d along %c: they are counted from 0", of[i], i, "xyz"[a])
		}
	}
	if i := unusable(b.Weight, 0); i >= 0 {
		return fmt.Errorf("partition: block %d has weight %v: a weight is a number, 0 or more", i, b.Weight[i])
	}
	if i := unusable(shares, math.SmallestNonzeroFloat64); i >= 0 {
		return fmt.Errorf("partition: rank %d has speed %v: it must be a number above 0", i, shares[i])
	}
	return nil
}

// unusable is the first of some values that is no number, or below least; −1: all are.
func unusable(values []float64, least float64) int {
	for i, v := range values {
		if !(v >= least) || math.IsInf(v, 0) {
			return i
		}
	}
	return -1
}

// weightBits is how many bits the sum of all weights has as a whole number: sums in any order are then the same.
const weightBits = 44

// weights are those of all blocks as whole numbers of which one update has so many.
func (b *Blocks) weights() (w []int64, update float64) {
	w = make([]int64, b.Count())
	value := func(i int) float64 {
		if b.Weight == nil {
			return float64(b.Block(i).Nodes())
		}
		return b.Weight[i]
	}
	total := 0.
	for i := range w {
		total += value(i)
	}
	_, exponent := math.Frexp(total)
	update = math.Ldexp(1, weightBits-exponent) // whole weights stay exact
	for i := range w {
		if v := value(i); v > 0 {
			w[i] = max(1, int64(math.Round(v*update)))
		}
	}
	return w, update
}

// faces are the pairs of nodes beyond each block along an axis, those of the last block only where the axis is periodic.
func (b *Blocks) faces(axis int) []int64 {
	n := b.Grid()
	f := make([]int64, b.Count())
	for i := range f {
		p := place(i, n)
		if p[axis]++; p[axis] == n[axis] {
			if !b.Periodic[axis] {
				continue
			}
			p[axis] = 0
		}
		if b.Weight != nil && (b.Weight[i] == 0 || b.Weight[number(p, n)] == 0) {
			continue
		}
		if b.Faces[axis] != nil {
			f[i] = int64(math.Round(b.Faces[axis][i]))
			continue
		}
		box := b.Block(i)
		f[i] = int64(box.Nodes() / (box.Hi[axis] - box.Lo[axis]))
	}
	return f
}

// place is where block i is among n.
func place(i int, n [3]int) [3]int { return [3]int{i % n[0], i / n[0] % n[1], i / n[0] / n[1]} }

// number is which block is at a place among n.
func number(p, n [3]int) int { return p[0] + n[0]*(p[1]+n[1]*p[2]) }

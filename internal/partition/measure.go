package partition

import "slices"

// Assignment is which rank has which block.
type Assignment struct {
	Ranks int
	Rank  []int32 // of each block, −1 where it is empty and no rank needs it
	How   string  // it was found: "boxes", "coordinates", "graph", "metis" or "metis, bisected"
}

// InBoxes is the assignment that boxes are, of Boxes.
func (b *Blocks) InBoxes(boxes []Box) *Assignment {
	a := &Assignment{Ranks: len(boxes), Rank: make([]int32, b.Count()), How: "boxes"}
	n := b.Grid()
	for r, box := range boxes {
		var lo, hi [3]int
		for k := range n {
			lo[k], hi[k] = box.Lo[k]/b.Width, min((box.Hi[k]+b.Width-1)/b.Width, n[k])
		}
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				for x := lo[0]; x < hi[0]; x++ {
					a.Rank[number([3]int{x, y, z}, n)] = int32(r)
				}
			}
		}
	}
	return a
}

// Measure tells of an assignment.
type Measure struct {
	Weight     []float64 // of each rank
	Seams      []float64 // work of its seams, in updates
	Pairs      []float64 // of nodes of fluid, one of the rank and one of another, across faces
	Crossing   []float64 // populations that leave the rank for others in a step: in D3Q19, or D2Q9 in the plane
	Neighbours []int     // ranks that those go to
	Imbalance  float64   // the largest of weight over speed, over the mean of all
	Cut        float64   // pairs of nodes of different ranks
	Slowest    float64   // the largest of work over speed, seams included, in updates at the mean speed
}

// Measure measures an assignment to ranks of these speeds; nil: they are equal.
//
// From each node of a face populations of one direction cross straight, and of four in space or two in the plane aslant: less at the face's ends, where those leave
// it for a block beyond an edge, to which one direction leads. That is exact where all nodes have fluid; where not, an edge counts as far as both blocks are filled.
func (b *Blocks) Measure(a *Assignment, shares []float64) *Measure {
	m := &Measure{Weight: make([]float64, a.Ranks), Seams: make([]float64, a.Ranks), Pairs: make([]float64, a.Ranks), Crossing: make([]float64, a.Ranks), Neighbours: make([]int, a.Ranks)}
	weights, update := b.weights()
	for i, r := range a.Rank {
		if r >= 0 {
			m.Weight[r] += float64(weights[i]) / update
		}
	}
	near := map[[2]int32]bool{}
	b.eachMeeting(a, func(one, other int32, axis int, pairs, crossing float64) {
		seam := b.seamWork()
		if axis == 0 {
			seam *= acrossRow
		}
		for _, r := range [2]int32{one, other} {
			m.Pairs[r] += pairs
			m.Crossing[r] += crossing
			m.Seams[r] += float64(seam * pairs)
		}
		m.Cut += pairs
		if crossing > 0 {
			near[[2]int32{one, other}], near[[2]int32{other, one}] = true, true
		}
	})
	for k := range near {
		m.Neighbours[k[0]]++
	}
	total, speeds, weight := 0., 0., 0.
	for r := range a.Ranks {
		share := 1.
		if shares != nil {
			share = shares[r]
		}
		speeds, weight = speeds+share, weight+m.Weight[r]
		total = max(total, (m.Weight[r]+m.Seams[r])/share)
		m.Imbalance = max(m.Imbalance, m.Weight[r]/share)
	}
	m.Imbalance /= weight / speeds
	m.Slowest = total * (speeds / float64(a.Ranks))
	return m
}

// eachMeeting calls do for every two blocks of different ranks that meet: at a face, with its axis and the pairs of nodes there, or at an edge, without.
func (b *Blocks) eachMeeting(a *Assignment, do func(one, other int32, axis int, pairs, crossing float64)) {
	n := b.Grid()
	var faces [3][]int64
	for k := range faces {
		faces[k] = b.faces(k)
	}
	for i, r := range a.Rank {
		for _, step := range steps {
			if step[2] != 0 && b.dim() == 2 {
				continue
			}
			j := b.next(place(i, n), step, n)
			if j < 0 || a.Rank[j] == r || r < 0 || a.Rank[j] < 0 {
				continue
			}
			own, other := b.Block(i), b.Block(j)
			if axis := slices.Index(step[:], 1); step == axes[axis] {
				pairs := float64(faces[axis][i])
				do(r, a.Rank[j], axis, pairs, pairs*b.crossing(own, axis))
			} else {
				do(r, a.Rank[j], -1, 0, b.filling(i)*b.filling(j)*edge(own, other, step))
			}
		}
	}
}

// axes are the steps to the next blocks; steps those and the ones to blocks beyond edges, of each two opposite ones one.
var (
	axes  = [3][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	steps = [9][3]int{axes[0], axes[1], axes[2], {1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}}
)

// next is the block a step away; −1: there is none, or it is itself.
func (b *Blocks) next(p, step, n [3]int) int {
	from := p
	for k := range p {
		if p[k] += step[k]; p[k] < 0 || p[k] >= n[k] {
			if !b.Periodic[k] {
				return -1
			}
			p[k] = (p[k] + n[k]) % n[k]
		}
	}
	if p == from {
		return -1
	}
	return number(p, n)
}

// crossing is how many populations cross a pair of nodes at a face, the mean over the face: less at its ends, where those that fly aslant leave it.
func (b *Blocks) crossing(of Box, axis int) float64 {
	n := 1.
	for k := range b.dim() {
		if k != axis {
			n += 2 - 2/float64(of.Hi[k]-of.Lo[k])
		}
	}
	return n
}

// edge is how many nodes two blocks beyond an edge have there.
func edge(own, other Box, step [3]int) float64 {
	for k := range step {
		if step[k] == 0 {
			return float64(own.Hi[k] - own.Lo[k])
		}
	}
	return 0
}

// filling is how much of a block is fluid, by its weight.
func (b *Blocks) filling(i int) float64 {
	if b.Weight == nil {
		return 1
	}
	return min(1, b.Weight[i]/float64(b.Block(i).Nodes()))
}

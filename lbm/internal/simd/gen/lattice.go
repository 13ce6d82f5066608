package main

// lattice is a set of velocities, rest first and then ± pairs. Weights are in
// units of the smallest, 1/36.
type lattice struct {
	name  string
	dim   int
	rest  int // weight of the rest population
	pairs []pair
}

// pair is a velocity, its opposite being the next population, and its weight.
type pair struct {
	c      [3]int
	weight int
}

// q is the number of populations.
func (l *lattice) q() int { return 1 + 2*len(l.pairs) }

// plus and minus are the populations of pair k; of restOnly, plus is 0.
func plus(k int) int  { return max(2*k+1, 0) }
func minus(k int) int { return 2*k + 2 }

var lattices = []*lattice{
	{"D2Q9", 2, 16, []pair{
		{[3]int{1, 0, 0}, 4}, {[3]int{0, 1, 0}, 4},
		{[3]int{1, 1, 0}, 1}, {[3]int{1, -1, 0}, 1},
	}},
	{"D3Q19", 3, 12, []pair{
		{[3]int{1, 0, 0}, 2}, {[3]int{0, 1, 0}, 2}, {[3]int{0, 0, 1}, 2},
		{[3]int{1, 1, 0}, 1}, {[3]int{1, -1, 0}, 1},
		{[3]int{1, 0, 1}, 1}, {[3]int{1, 0, -1}, 1},
		{[3]int{0, 1, 1}, 1}, {[3]int{0, 1, -1}, 1},
	}},
}

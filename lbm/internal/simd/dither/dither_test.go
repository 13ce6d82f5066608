package dither

import (
	"fmt"
	"math"
	"testing"
)

// sampled are nodes of a few rows of a few steps.
const nodes, rows, steps = 200, 40, 40

// each calls f for every node with its dithers in units of [0, 1).
func each(f func(step, row, x int, d *[10]float64)) {
	var d [10]float64
	for step := range steps {
		for row := range rows {
			seed := Seed(int64(step), row)
			for x := range nodes {
				for k := range d {
					d[k] = (float64(Of(Noise(seed, x), k)) + 0.5) / (Mask + 1)
				}
				f(step, row, x, &d)
			}
		}
	}
}

// deviation is how far the mean of n numbers in [0, 1) is from 1/2, in standard
// deviations of that mean.
func deviation(sum float64, n int) float64 { return (sum/float64(n) - 0.5) * math.Sqrt(12*float64(n)) }

func TestMeansAreOneHalf(t *testing.T) {
	var all [10]float64
	inRow, inTime, inNode := make([]float64, steps*rows), make([]float64, nodes*rows), make([]float64, steps*rows*nodes)
	each(func(step, row, x int, d *[10]float64) {
		for k, v := range d {
			all[k] += v
			inNode[x+nodes*(row+rows*step)] += v
		}
		inRow[row+rows*step] += d[1]
		inTime[x+nodes*row] += d[1]
	})
	for k, sum := range all {
		// five standard deviations: once in two million
		if v := deviation(sum, steps*rows*nodes); math.Abs(v) > 5 {
			t.Errorf("dither %d is %.1f standard deviations off 1/2 over all nodes and steps", k, v)
		}
	}
	for name, means := range map[string]struct {
		sums []float64
		n    int
	}{"along rows": {inRow, nodes}, "at nodes over steps": {inTime, steps}, "over directions of a node": {inNode, 10}} {
		worst, square := 0., 0.
		for _, sum := range means.sums {
			v := deviation(sum, means.n)
			worst, square = max(worst, math.Abs(v)), square+v*v
		}
		square /= float64(len(means.sums))
		t.Logf("means %s deviate by %.2f² standard deviations in the mean, %.1f at most", name, math.Sqrt(square), worst)
		if worst > 6 || math.Abs(square-1) > 0.2 { // as independent numbers would
			t.Errorf("means %s deviate by %.2f² standard deviations in the mean, want 1², and %.1f at most, bound 6", name, math.Sqrt(square), worst)
		}
	}
}

func TestEveryValueIsAsLikely(t *testing.T) {
	const bins, n = 64, steps * rows * nodes
	var high, low [10][bins]float64
	for step := range steps {
		for row := range rows {
			seed := Seed(int64(step), row)
			for x := range nodes {
				for k := range high {
					d := Of(Noise(seed, x), k)
					if d > Mask {
						t.Fatalf("a dither is %d, bound %d", d, Mask)
					}
					high[k][d*bins/(Mask+1)]++
					low[k][d%bins]++
				}
			}
		}
	}
	for k := range high {
		for name, h := range map[string]*[bins]float64{"high": &high[k], "low": &low[k]} {
			chi2 := 0.
			for _, count := range h {
				chi2 += (count - n/bins) * (count - n/bins) / (n / bins)
			}
			// mean 63, standard deviation 11
			if math.Abs(chi2-bins+1) > 5.5*math.Sqrt(2*bins) {
				t.Errorf("dither %d: χ² of its %s bits is %.0f, want %d", k, name, chi2, bins-1)
			}
		}
	}
}

// What streams meets the dither of the neighbour in the next step; what is summed
// over a node, a row or a time meets all of theirs.
func TestNeighboursAreUncorrelated(t *testing.T) {
	const rootN = 566. // √(steps·rows·nodes)
	pairs := [][3]int{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {16, 0, 0}, {32, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {-1, 1, 1}, {1, 1, 0}, {2, 0, 1}, {1, 0, 2}, {0, 0, 2}}
	for _, p := range pairs {
		var sum [10]float64
		n := 0.
		for step := range steps {
			for row := range rows {
				here, there := Seed(int64(step), row), Seed(int64(step+p[2]), row+p[1])
				for x := max(0, -p[0]); x < nodes; x++ {
					a, b := Noise(here, x), Noise(there, x+p[0])
					n++
					for k := range sum {
						sum[k] += (float64(Of(a, k))/(Mask+1) - 0.5) * (float64(Of(b, k))/(Mask+1) - 0.5) * 12
					}
				}
			}
		}
		for k, s := range sum {
			if c := s / n; math.Abs(c) > 5/rootN {
				t.Errorf("dither %d: correlation with that %v (nodes, rows, steps) away is %.4f, bound 5/√n = %.4f", k, p, c, 5/rootN)
			}
		}
	}
}

func TestDirectionsOfANodeAreUncorrelated(t *testing.T) {
	var sum [10][10]float64
	each(func(step, row, x int, d *[10]float64) {
		for a := range d {
			for b := range a {
				sum[a][b] += (d[a] - 0.5) * (d[b] - 0.5) * 12
			}
		}
	})
	for a := range sum {
		for b := range a {
			// 2⁻⁶ from the bits shared by shifts 6 apart, and 5/√n
			if c := sum[a][b] / (steps * rows * nodes); math.Abs(c) > 1./64+5/566. {
				t.Errorf("dithers %s of a node have correlation %.4f", fmt.Sprint(b, " and ", a), c)
			}
		}
	}
}

package dither

import (
	"math"
	"slices"
	"testing"
)

func TestAPeriodHasEveryPartOfAUnitOnce(t *testing.T) {
	for k := range directions {
		var sorted []uint32
		for place := range uint32(Period) {
			sorted = append(sorted, Of(place, k))
		}
		slices.Sort(sorted)
		for i, d := range sorted {
			if part := Values / Period; int(d)/part != i {
				t.Fatalf("direction %d: value %d of %d is %d, want one of %d to %d", k, i, Period, d, i*part, (i+1)*part-1)
			}
		}
	}
}

func TestTheTableHoldsTheNodesOfAVectorAnywhere(t *testing.T) {
	if need := Period - 1 + (directions-1)*Spacing + widest; len(Table) < need {
		t.Errorf("the table has %d entries, vectors read up to %d", len(Table), need)
	}
	for i := Period; i < len(Table); i++ {
		if Table[i] != Table[i%Period] {
			t.Errorf("entry %d is %d, that a period before %d", i, Table[i], Table[i%Period])
		}
	}
}

// A flow of some size for some time.
const nodes, rows, steps = 200, 40, 40

// each calls f for every node with its noises in units of [0, 1).
func each(f func(step, row, x int, d *[directions]float64)) {
	var d [directions]float64
	for step := range steps {
		for row := range rows {
			seed := Seed(int64(step), row)
			for x := range nodes {
				for k := range d {
					d[k] = unit(Place(seed, x), k)
				}
				f(step, row, x, &d)
			}
		}
	}
}

func unit(place uint32, k int) float64 { return (float64(Of(place, k)) + 0.5) / Values }

func TestMeansAreOneHalf(t *testing.T) {
	var inNode, inRow, inTime moments
	atNode := make([]float64, nodes*rows)
	all := 0.
	each(func(step, row, x int, d *[directions]float64) {
		sum := 0.
		for _, v := range d {
			sum += v
		}
		all += sum
		inNode.add(sum, directions)
		atNode[x+nodes*row] += d[1]
	})
	for step := range steps {
		for row := range rows {
			sum := 0.
			for x := range nodes {
				sum += unit(Place(Seed(int64(step), row), x), 1)
			}
			inRow.add(sum, nodes)
		}
	}
	for _, sum := range atNode {
		inTime.add(sum, steps)
	}
	// rows are pieces of one period: 2000 of them vary like some ten
	if mean := all / (steps * rows * nodes * directions); math.Abs(mean-0.5) > 5/math.Sqrt(12*steps*rows) {
		t.Errorf("the mean of all noise is %g, want 1/2", mean)
	}
	inNode.check(t, "over directions of a node")
	inRow.check(t, "along rows")
	inTime.check(t, "at nodes over steps")
}

// moments are of the deviations of sums from their mean, in standard deviations of
// sums of independent numbers.
type moments struct{ worst, square, count float64 }

func (m *moments) add(sum float64, n int) {
	v := (sum - float64(n)/2) * math.Sqrt(12/float64(n))
	m.worst, m.square, m.count = max(m.worst, math.Abs(v)), m.square+v*v, m.count+1
}

func (m *moments) check(t *testing.T, where string) {
	spread := math.Sqrt(m.square / m.count)
	t.Logf("means %s deviate by %.2f standard deviations, %.1f at most", where, spread, m.worst)
	if !(spread < 1.15) || !(m.worst < 6) { // less than independent numbers is as well
		t.Errorf("means %s deviate by %.2f standard deviations, want at most 1, and by up to %.1f, bound 6", where, spread, m.worst)
	}
}

// What streams meets the noise of the neighbour in the next step; what is summed
// over a node, a row or a time meets all of theirs.
func TestNeighboursAreUncorrelated(t *testing.T) {
	for _, p := range [][3]int{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {16, 0, 0}, {32, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {-1, 1, 1}, {1, 1, 0}, {2, 0, 1}, {1, 0, 2}, {0, 0, 2}} {
		sum, n := 0., 0.
		for step := range steps {
			for row := range rows {
				here, there := Seed(int64(step), row), Seed(int64(step+p[2]), row+p[1])
				for x := max(0, -p[0]); x < nodes; x++ {
					sum += (unit(Place(here, x), 1) - 0.5) * (unit(Place(there, x+p[0]), 1) - 0.5) * 12
					n++
				}
			}
		}
		// 3.5 % from the shuffle, and as much at random for 1600 pairs of pieces
		if c := sum / n; math.Abs(c) > 0.07 {
			t.Errorf("correlation with the noise %v (nodes, rows, steps) away is %.3f, bound 0.07", p, c)
		}
	}
}

func TestTheShuffleLeavesNoPattern(t *testing.T) {
	lags := []int{}
	for lag := 1; lag <= 40; lag++ {
		lags = append(lags, lag)
	}
	for k := 1; k < directions; k++ {
		for beside := -2; beside <= 2; beside++ {
			lags = append(lags, k*Spacing+beside)
		}
	}
	for _, lag := range lags {
		sum := 0.
		for i := range uint32(Period) {
			sum += (unit(i, 0) - 0.5) * (unit((i+uint32(lag))%Period, 0) - 0.5) * 12
		}
		// 1.6 times the standard deviation of random shuffles, 1/√Period
		if c := sum / Period; math.Abs(c) > 0.036 {
			t.Errorf("entries %d apart have correlation %.3f, bound 0.036", lag, c)
		}
	}
}

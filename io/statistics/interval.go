package statistics

import (
	"fmt"
	"math"
)

// Interval is the mean of a record over a window with what it is known to.
type Interval struct {
	Mean      float64 // of the window's samples, but for those at its beginning that make no whole block
	HalfWidth float64 // of the 95 % confidence interval of the mean; NaN: not known
	Blocks    int     // whose means it was found from
	Note      string  // why HalfWidth is not known
}

// The settings of MeanWithin.
const (
	// The window is cut into blocks, fewer and longer ones until the means
	// of neighbours are independent. Each holds this many samples or more.
	mostBlocks   = 64
	leastBlocks  = 8
	leastInBlock = 5
	// A correlation of neighbours up to this many standard deviations of that of
	// independent blocks, 1/√blocks, is chance.
	chance = 0.5
	// The interval is never widened for a correlation beyond this.
	mostCorrelated = 0.9
)

// MeanWithin is the mean over the window from ≤ t ≤ to with the half width of its 95 % confidence interval, of the samples in the
// window and no others. It follows from the scatter of block averages (Law, Simulation Modeling and Analysis, ch. 9): Student's t
// over blocks that are as short as the correlation between neighbours allows, and where it does not vanish even for the longest,
// widened by √((1+r)/(1−r)) for the correlation r that remains (Tafazzoli et al., INFORMS J. Comput. 23 (2011) 416).
//
// Periods need not be known: blocks that do not hold whole ones scatter more than
// the mean does, which errs on the safe side.
//
// t increases evenly up to rounding; y has its length. A window with too few samples to tell
// has the half width NaN and a Note.
func MeanWithin(t, y []float64, from, to float64) Interval {
	if len(t) != len(y) {
		panic(fmt.Sprintf("statistics: %d times for %d values", len(t), len(y)))
	}
	i, j := within(t, from, to)
	t, y = t[i:j], y[i:j]
	nan := math.NaN()
	if need := leastInBlock * leastBlocks; len(y) < need {
		return Interval{Mean: nan, HalfWidth: nan,
			Note: fmt.Sprintf("only %d samples in the window: %d are needed for a confidence interval: run longer or write forces more often", len(y), need)}
	}
	for k, v := range y {
		if !finite(v) {
			return Interval{Mean: nan, HalfWidth: nan, Note: fmt.Sprintf("sample %d (t = %g) is %g, it must be finite: the flow diverged", i+k, t[k], v)}
		}
	}
	var r Interval
	r.Mean, r.HalfWidth, r.Blocks = blockInterval(y)
	return r
}

// DragWithin is MeanWithin of the drag. While the lift oscillates from the window's beginning on with a growing
// amplitude, however small, nothing is known: the drag is about to change.
func DragWithin(h History, from, to float64) Interval {
	r := MeanWithin(h.T, h.Cd, from, to)
	if math.IsNaN(r.HalfWidth) {
		return r
	}
	if amplitude, growing := newAnalysis(h, 1).growing(from); growing {
		r.HalfWidth, r.Note = math.NaN(), fmt.Sprintf("the lift oscillates with a growing amplitude (%.2g at the end): shedding sets in: run longer", amplitude)
	}
	return r
}

// within are the samples i ≤ k < j of from ≤ t ≤ to; none where a bound is no number.
func within(t []float64, from, to float64) (i, j int) {
	if math.IsNaN(from) || math.IsNaN(to) {
		return 0, 0
	}
	s := series{t: t}
	i, j = s.index(from), s.index(to)
	if j < len(t) && t[j] == to {
		j++
	}
	return i, max(i, j)
}

// blockInterval is the mean of a record and the half width of its 95 %
// confidence interval.
func blockInterval(y []float64) (mean, half float64, blocks int) {
	for blocks = mostBlocks; ; blocks /= 2 {
		if len(y) < blocks*leastInBlock && blocks > leastBlocks {
			continue
		}
		m := blockMeans(y, blocks)
		var deviation, r float64
		mean, deviation, r = neighbours(m)
		if r > chance/math.Sqrt(float64(blocks)) && blocks > leastBlocks {
			continue
		}
		r = math.Min(math.Max(r, 0), mostCorrelated)
		return mean, studentT[blocks] * deviation / math.Sqrt(float64(blocks)) * math.Sqrt((1+r)/(1-r)), blocks
	}
}

// studentT is the 97.5 % quantile of Student's t for blocks − 1 degrees of freedom.
var studentT = map[int]float64{8: 2.3646, 16: 2.1314, 32: 2.0395, 64: 1.9983}

// blockMeans are the means of the last samples in blocks of equal length.
func blockMeans(y []float64, blocks int) []float64 {
	size := len(y) / blocks
	y = y[len(y)-size*blocks:]
	m := make([]float64, blocks)
	for i := range m {
		for _, v := range y[i*size:][:size] {
			m[i] += v / float64(size)
		}
	}
	return m
}

// neighbours are mean, standard deviation and the correlation of neighbours of
// block means, that freed of the bias −1/n which it has about their own mean.
func neighbours(m []float64) (mean, deviation, r float64) {
	n := float64(len(m))
	for _, v := range m {
		mean += v / n
	}
	var square, product float64
	for i, v := range m {
		square += (v - mean) * (v - mean)
		if i > 0 {
			product += (v - mean) * (m[i-1] - mean)
		}
	}
	if square == 0 {
		return mean, 0, 0
	}
	return mean, math.Sqrt(square / (n - 1)), product/square + 1/n
}

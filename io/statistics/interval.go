package statistics

import (
	"fmt"
	"math"
)

// Interval is the mean of the settled part of a record with what it is known to.
type Interval struct {
	From      float64 // time at which the settled part begins
	Mean      float64 // over it
	HalfWidth float64 // of the 95 % confidence interval of the mean; NaN: not known
	Blocks    int     // whose means it was found from
	Note      string  // why HalfWidth is not known
}

// The settings of MeanInterval.
const (
	// Samples are averaged by fives before the transient is looked for (the 5 of
	// MSER-5); longer records by more, so that there are at most this many parts.
	mserBatch = 5
	mserParts = 2000
	// The settled part is cut into blocks, fewer and longer ones until the means
	// of neighbours are independent.
	mostBlocks  = 64
	leastBlocks = 8
	// A correlation of neighbours up to this many standard deviations of that of
	// independent blocks, 1/√blocks, is chance.
	chance = 0.5
	// The interval is never widened for a correlation beyond this.
	mostCorrelated = 0.9
)

// MeanInterval finds the beginning of the settled part of a record by MSER-5
// (White, Cobb & Spratt, Simulation 69 (1997) 323; White, Winter Simulation
// Conference 2000, 755): what is left out minimises the estimated error of the
// mean of the rest, up to half of the record. The error of that mean follows from
// the scatter of block averages (Law, Simulation Modeling and Analysis, ch. 9):
// Student's t over blocks that are as short as the correlation between neighbours
// allows, and where it does not vanish even for the longest, widened by
// √((1+r)/(1−r)) for the correlation r that remains (Tafazzoli et al., INFORMS J.
// Comput. 23 (2011) 416).
//
// Periods need not be known: blocks that do not hold whole ones scatter more than
// the mean does, which errs on the safe side.
//
// t increases evenly up to rounding; y has its length. A record too short to tell
// has the half width NaN and a Note.
func MeanInterval(t, y []float64) Interval {
	if len(t) != len(y) {
		panic(fmt.Sprintf("statistics: %d times for %d values", len(t), len(y)))
	}
	nan := math.NaN()
	if need := 2 * mserBatch * leastBlocks; len(y) < need {
		return Interval{From: nan, Mean: nan, HalfWidth: nan,
			Note: fmt.Sprintf("only %d samples: %d are needed for a confidence interval: run longer or write forces more often", len(y), need)}
	}
	for i, v := range y {
		if !finite(v) {
			return Interval{From: nan, Mean: nan, HalfWidth: nan, Note: fmt.Sprintf("sample %d (t = %g) is %g, it must be finite: the flow diverged", i, t[i], v)}
		}
	}
	first := truncation(y)
	r := Interval{From: t[first]}
	r.Mean, r.HalfWidth, r.Blocks = blockInterval(y[first:])
	return r
}

// MeanDrag is MeanInterval of the drag. While the lift oscillates with a growing
// amplitude, however small, nothing is known: the drag is about to change.
func MeanDrag(h History) Interval {
	r := MeanInterval(h.T, h.Cd)
	if math.IsNaN(r.HalfWidth) {
		return r
	}
	a := newAnalysis(h, 1)
	if amplitude, growing := a.growing(a.middle()); growing {
		r.HalfWidth, r.Note = math.NaN(), fmt.Sprintf("the lift oscillates with a growing amplitude (%.2g at the end): shedding sets in: run longer", amplitude)
	}
	return r
}

// truncation is the first sample of the settled part.
func truncation(y []float64) int {
	batch := max(mserBatch, len(y)/mserParts)
	n := len(y) / batch
	skip := len(y) - n*batch // samples that make no whole part, at the beginning
	means := make([]float64, n)
	for i := range means {
		for _, v := range y[skip+i*batch:][:batch] {
			means[i] += v / float64(batch)
		}
	}
	// Sums from the end, about the last part: differences of large sums of squares
	// would lose a small scatter.
	best, at := math.Inf(1), 0
	var sum, square float64
	for i := n - 1; i >= 0; i-- {
		d := means[i] - means[n-1]
		sum += d
		square += d * d
		m := float64(n - i)
		if i > n/2 {
			continue
		}
		if e := math.Max(0, square-sum*sum/m) / (m * m); e <= best {
			best, at = e, i
		}
	}
	if at == 0 {
		return 0
	}
	return skip + at*batch
}

// blockInterval is the mean of a settled record and the half width of its 95 %
// confidence interval.
func blockInterval(y []float64) (mean, half float64, blocks int) {
	for blocks = mostBlocks; ; blocks /= 2 {
		if len(y) < blocks*mserBatch && blocks > leastBlocks {
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

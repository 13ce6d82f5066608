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

// MeanOf is the mean of a record over the window of a result, with what it is known to: MeanWithin, but where the result has converged over enoughPeriods whole periods or
// more the blocks are these, whose means do not scatter by where in a period they begin. Where it has not, periods may be those of sound in a flow that still drifts.
func (r *Result) MeanOf(t, y []float64) Interval {
	i := MeanWithin(t, y, r.From, r.To)
	if !r.Converged || r.Periods < enoughPeriods || math.IsNaN(i.HalfWidth) {
		return i
	}
	span, s, n := (r.To-r.From)/float64(r.Periods), series{t, y}, float64(r.Periods)
	m := make([]float64, r.Periods)
	for k := range m {
		m[k] = s.mean(r.From+float64(k)*span, r.From+float64(k+1)*span)
	}
	mean, deviation, correlation := neighbours(m)
	return Interval{Mean: mean, HalfWidth: studentT(r.Periods) * deviation / math.Sqrt(n) * widening(correlation), Blocks: r.Periods}
}

// DragOf is MeanOf of the drag. While the lift oscillates from the window's beginning on with a growing
// amplitude, however small, nothing is known: the drag is about to change.
func (r *Result) DragOf(h History) Interval {
	i := r.MeanOf(h.T, h.Cd)
	if math.IsNaN(i.HalfWidth) {
		return i
	}
	if amplitude, growing := newAnalysis(h, 1).growing(r.From); growing {
		i.HalfWidth, i.Note = math.NaN(), fmt.Sprintf("the lift oscillates with a growing amplitude (%.2g at the end): shedding sets in: run longer", amplitude)
	}
	return i
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
		return mean, studentT(blocks) * deviation / math.Sqrt(float64(blocks)) * widening(r), blocks
	}
}

// widening is that of an interval by a correlation of neighbours.
func widening(r float64) float64 {
	r = math.Min(math.Max(r, 0), mostCorrelated)
	return math.Sqrt((1 + r) / (1 - r))
}

// studentT is the 97.5 % quantile of Student's t for n − 1 degrees of freedom, from 3 on to 0.2 %: the expansion about the normal
// distribution's 1.959964 of Abramowitz & Stegun, 26.7.5.
func studentT(n int) float64 {
	v := 1 / float64(n-1)
	return 1.959964 + v*(2.372272+v*(2.822499+v*(2.555853+v*1.589536)))
}

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

package harness

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Effort is how long to measure.
type Effort struct {
	Repeats int           // at least LeastRepeats
	Step    time.Duration // of work in each repeat, about; each bandwidth gets a quarter
	Long    int           // repeats of what takes longer than Step at once; 0: as many
}

// String tells how often is measured: "5 repeats of about 100ms (3 of what takes longer
// at once)".
func (e Effort) String() string {
	text := fmt.Sprintf("%d repeats of about %v", e.Repeats, e.Step)
	if e.Long > 0 {
		text += fmt.Sprintf(" (%d of what takes longer at once)", e.Long)
	}
	return text
}

// LeastRepeats makes a median out of what may be one disturbed repeat.
const LeastRepeats = 5

// longest is the most that a repeat may take, in seconds.
const longest = 60

// NewEffort is the effort that the flags --repeats and --seconds ask for.
func NewEffort(repeats int, seconds float64) (Effort, error) {
	switch {
	case repeats < LeastRepeats:
		return Effort{}, fmt.Errorf("--repeats %d must be at least %d: a median of fewer says little", repeats, LeastRepeats)
	case !(seconds > 0 && seconds <= longest):
		return Effort{}, fmt.Errorf("--seconds %g must be more than 0 and at most %d: 0.3 is usual", seconds, longest)
	}
	return Effort{Repeats: repeats, Step: time.Duration(seconds * float64(time.Second))}, nil
}

// StepsFor is the number of steps, two at least, that take so long together, by runs of
// more and more of them. An error is that of a run.
func StepsFor(duration time.Duration, run func(steps int) (time.Duration, error)) (int, error) {
	const most = 1 << 24
	for n := 2; ; n *= 2 {
		taken, err := run(n)
		if err != nil {
			return 0, err
		}
		if taken >= duration/8 || n >= most {
			return max(2, int(float64(n)*float64(duration)/float64(max(taken, 1)))), nil
		}
	}
}

// Median sorts the values; of an even number it is the mean of the two in the middle.
func Median(values []float64) float64 {
	slices.SortFunc(values, cmp.Compare[float64])
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// Range is the median of a value of all samples, the least and the most.
func Range[S any](all []S, value func(S) float64) (median, least, most float64) {
	values := make([]float64, len(all))
	for i, s := range all {
		values[i] = value(s)
	}
	median = Median(values) // sorts
	return median, values[0], values[len(values)-1]
}

// MedianOf is the median of a value of all samples.
func MedianOf[S any](all []S, value func(S) float64) float64 {
	median, _, _ := Range(all, value)
	return median
}

// Largest is the row with the most threads, and of these the one with the most bytes:
// its bandwidth is the memory's own. Rows without a bandwidth are passed over; nil if no
// row has one.
func Largest[R any](rows []R, of func(*R) (threads int, bytes int64, gbs float64)) (best *R) {
	var most [2]int64
	for i := range rows {
		threads, bytes, gbs := of(&rows[i])
		if now := [2]int64{int64(threads), bytes}; gbs > 0 && (best == nil || slices.Compare(now[:], most[:]) > 0) {
			best, most = &rows[i], now
		}
	}
	return best
}

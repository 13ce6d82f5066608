package lbm

import (
	"sync"
	"time"
)

// times keeps account of where steps spend their time. What is done row by row
// takes less time than looking at the clock, so the boundary's share of a sweep
// is measured on one worker in one step of many.
type times struct {
	before, sweeps time.Duration // before and in sweeps, all steps
	fill, kernel   time.Duration // in sampled sweeps
}

const sampleEvery = 64

func (t *times) add(before, sweep time.Duration) {
	t.before += before
	t.sweeps += sweep
}

// sampling tells whether the sweep after so many steps is sampled. Two in a row
// are, as schemes have two kinds of sweeps.
func (t *times) sampling(steps int64) bool { return steps%sampleEvery < 2 }

// of is what a worker times its rows with in the step after so many, or nil.
func (t *times) of(worker int, steps int64) *times {
	if worker == 0 && t.sampling(steps) {
		return t
	}
	return nil
}

// filled and swept account for what a sampled sweep has done since last.
func (t *times) filled(last time.Time) time.Time {
	now := time.Now()
	t.fill += now.Sub(last) - clockCost()
	return now
}

func (t *times) swept(last time.Time) { t.kernel += time.Since(last) - clockCost() }

// clockCost is what looking at the clock takes, which is not little beside a row.
var clockCost = sync.OnceValue(func() time.Duration {
	least := time.Second
	for range 100 {
		begin := time.Now()
		least = min(least, time.Since(begin))
	}
	return least
})

// Times divides all steps' time between boundaries and the bulk.
func (t *times) Times() (boundary, bulk time.Duration) {
	if t.fill > 0 && t.kernel > 0 {
		share := float64(t.fill) / float64(t.fill+t.kernel)
		boundary = time.Duration(share * float64(t.sweeps))
	}
	return t.before + boundary, t.sweeps - boundary
}

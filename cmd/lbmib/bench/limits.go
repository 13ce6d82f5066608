package bench

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"lbmib/internal/bandwidth"
	"lbmib/internal/parallel"
)

// meter passes over memory once, in GB/s, read plus written.
type meter interface {
	Copy() float64
	Update() float64
	Release()
}

// limits keeps the workers and the meter of the last row for the next one, which
// often needs the same.
type limits struct {
	pool  *parallel.Pool
	meter meter
	bytes int64 // of the meter
}

// workers is a pool of so many.
func (l *limits) workers(threads int) *parallel.Pool {
	if l.pool == nil || l.pool.Workers() != threads {
		l.close()
		l.pool = parallel.NewPool(threads)
	}
	return l.pool
}

// over is a meter on the workers of threads and so much memory.
func (l *limits) over(bytes int64, threads int) (meter, error) {
	pool := l.workers(threads)
	if l.meter != nil && l.bytes == bytes {
		return l.meter, nil
	}
	l.release()
	runtime.GC()
	m, err := bandwidth.NewMeter(pool, bytes)
	if err != nil {
		return nil, err
	}
	l.meter, l.bytes = m, bytes
	return m, nil
}

func (l *limits) release() {
	if l.meter != nil {
		l.meter.Release()
		l.meter = nil
	}
}

func (l *limits) close() {
	l.release()
	if l.pool != nil {
		l.pool.Close()
		l.pool = nil
	}
}

// rateOf is the rate of passes that take so long together, after one that is not
// counted: over memory that fits into a cache, that one brings it there.
func rateOf(pass func() float64, duration time.Duration) float64 {
	pass()
	slowness, n := 0., 0.
	for begin := time.Now(); n == 0 || time.Since(begin) < duration; n++ {
		slowness += 1 / pass()
	}
	return n / slowness
}

// median sorts the values; of an even number it is the mean of the two in the middle.
func median(values []float64) float64 {
	slices.SortFunc(values, cmp.Compare[float64])
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

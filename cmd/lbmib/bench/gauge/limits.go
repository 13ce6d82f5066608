package gauge

import (
	"runtime"
	"time"

	"lbmib/internal/bandwidth"
	"lbmib/internal/parallel"
)

// Meter passes over memory once, in GB/s, read plus written.
type Meter interface {
	Copy() float64
	Update() float64
	Release()
}

// Limits keeps the workers and the meter of the last row for the next one, which
// often needs the same. The zero value is ready.
type Limits struct {
	pool  *parallel.Pool
	meter Meter
	bytes int64 // of the meter
}

// Workers is a pool of so many.
func (l *Limits) Workers(threads int) *parallel.Pool {
	if l.pool == nil || l.pool.Workers() != threads {
		l.Close()
		l.pool = parallel.NewPool(threads)
	}
	return l.pool
}

// Over is a meter on the workers of threads and so much memory.
func (l *Limits) Over(bytes int64, threads int) (Meter, error) {
	pool := l.Workers(threads)
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

func (l *Limits) release() {
	if l.meter != nil {
		l.meter.Release()
		l.meter = nil
	}
}

// Close ends the workers and gives the memory back.
func (l *Limits) Close() {
	l.release()
	if l.pool != nil {
		l.pool.Close()
		l.pool = nil
	}
}

// RateOf is the rate of passes that take so long together, after one that is not
// counted: over memory that fits into a cache, that one brings it there.
func RateOf(pass func() float64, duration time.Duration) float64 {
	pass()
	slowness, n := 0., 0.
	for begin := time.Now(); n == 0 || time.Since(begin) < duration; n++ {
		slowness += 1 / pass()
	}
	return n / slowness
}

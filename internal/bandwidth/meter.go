package bandwidth

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lbmib/internal/hugepage"
	"lbmib/internal/machine"
	"lbmib/internal/parallel"
)

// minShare is the least memory of a worker in bytes: two shares, each a whole
// row of chunks for the way with the most streams.
const minShare = 2 * maxStreams * chunkBytes

// Meter holds memory on which the limits can be measured again and again, so
// that a benchmark can take turns with them: only rates of the same minutes
// compare. It is used by one goroutine at a time.
type Meter struct {
	pool     *parallel.Pool
	from, to []float64 // the halves; a copy goes from the one to the other
	copies   []way
	updates  []way
	fastest  struct{ copy, update way }
}

// way is one way to pass over memory with all workers.
type way struct {
	name  string
	bytes int // read and written by a pass
	share func(worker int)
}

// tuning is the number of passes of each way by which NewMeter finds the fastest.
const tuning = 3

// NewMeter takes bytes of memory, which the workers touch first, each its share,
// and finds the fastest copy and the fastest update by a few passes of each way.
// Errors as those of Measure.
func NewMeter(pool *parallel.Pool, bytes int64) (*Meter, error) {
	m, err := newMeter(pool, bytes)
	if err != nil {
		return nil, err
	}
	m.compare(tuning)
	return m, nil
}

func newMeter(pool *parallel.Pool, bytes int64) (*Meter, error) {
	workers := pool.Workers()
	if least := int64(workers) * minShare; bytes < least {
		return nil, fmt.Errorf("bandwidth: %d bytes of memory for %d workers: at least %d are needed: take more memory or fewer threads",
			bytes, workers, least)
	}
	if memory, err := machine.Memory(); err == nil && bytes > memory {
		return nil, fmt.Errorf("bandwidth: %d bytes of memory are asked for, the machine has %d: take less", bytes, memory)
	}
	half := int(bytes / 2 / chunkBytes * chunk)
	memory := hugepage.Make[float64](2 * half)
	m := &Meter{pool: pool, from: memory[:half], to: memory[half:]}
	pool.Run(func(worker int) {
		lo, hi := m.part(worker)
		fill(m.from[lo:hi], 1)
		fill(m.to[lo:hi], 2)
	})
	for _, c := range copies() {
		m.copies = append(m.copies, way{c.name, 2 * 8 * half, func(worker int) {
			lo, hi := m.part(worker)
			c.do(m.to[lo:hi], m.from[lo:hi])
		}})
	}
	for _, u := range updates() {
		m.updates = append(m.updates, way{u.name, 2 * 8 * 2 * half, func(worker int) {
			lo, hi := m.part(worker)
			u.do(m.from[lo:hi], factor) // one after the other: a worker's
			u.do(m.to[lo:hi], factor)   // memory is what it touched first
		}})
	}
	m.fastest.copy, m.fastest.update = m.copies[0], m.updates[0]
	return m, nil
}

// factor keeps the values of an update finite and normal for ever.
const factor = -1

func fill(a []float64, value float64) {
	for i := range a {
		a[i] = value
	}
}

// part is the worker's part [lo, hi) of each half, in whole chunks.
func (m *Meter) part(worker int) (lo, hi int) {
	lo, hi = parallel.Share(len(m.from)/chunk, worker, m.pool.Workers())
	return lo * chunk, hi * chunk
}

// Copy is the rate in GB/s, read plus written, of one pass of the fastest copy.
func (m *Meter) Copy() float64 { return m.time(m.fastest.copy) }

// Update is the rate in GB/s, read plus written, of one pass of the fastest
// in-place update.
func (m *Meter) Update() float64 { return m.time(m.fastest.update) }

// Release gives the memory back to the collector. The Meter must not be used afterwards.
func (m *Meter) Release() { *m = Meter{} }

// time runs one pass.
func (m *Meter) time(w way) float64 {
	if m.pool == nil {
		panic("bandwidth: a Meter was used after Release")
	}
	start := time.Now()
	m.pool.Run(w.share)
	return float64(w.bytes) / time.Since(start).Seconds() / 1e9
}

// compare times all ways in turns and keeps the fastest copy and update.
func (m *Meter) compare(repeats int) Result {
	all := slices.Concat(m.copies, m.updates)
	rates := make([][]float64, len(all))
	for range repeats {
		for i, w := range all {
			rates[i] = append(rates[i], m.time(w))
		}
	}
	var r Result
	for i, w := range all {
		r.Ways = append(r.Ways, Way{w.name, i >= len(m.copies), median(rates[i])})
	}
	n := len(m.copies)
	c, u := fastest(r.Ways[:n]), fastest(r.Ways[n:])
	m.fastest.copy, m.fastest.update = m.copies[c], m.updates[u]
	r.CopyGBs, r.CopyWith = r.Ways[c].GBs, r.Ways[c].Name
	r.UpdateGBs, r.UpdateWith = r.Ways[n+u].GBs, r.Ways[n+u].Name
	return r
}

func fastest(ways []Way) (index int) {
	for i := range ways {
		if ways[i].GBs > ways[index].GBs {
			index = i
		}
	}
	return index
}

// median is the middle rate, of an even number the mean of the two.
func median(rates []float64) float64 {
	slices.SortFunc(rates, cmp.Compare[float64])
	n := len(rates)
	return (rates[(n-1)/2] + rates[n/2]) / 2
}

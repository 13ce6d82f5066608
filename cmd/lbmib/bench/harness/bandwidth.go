package harness

import (
	"fmt"
	"runtime"
	"time"

	"lbmib/cuda/device"
	"lbmib/internal/bandwidth"
	"lbmib/internal/parallel"
	"lbmib/run/backend"
)

// Bandwidth passes over memory once, in GB/s, read plus written.
type Bandwidth interface {
	Copy() float64
	Update() float64
	Release()
}

// Limits keeps the workers, the device and the memory of the last row for the next one,
// which often needs the same. The zero value is ready.
type Limits struct {
	pool   *parallel.Pool
	device *backend.Device
	memory Bandwidth
	bytes  int64 // of the memory
	of     bool  // the device's memory

	byThreads map[int]*Limits
}

// Of keeps the same for rows that take turns with others, of so many threads.
func (l *Limits) Of(threads int) *Limits {
	if l.byThreads == nil {
		l.byThreads = map[int]*Limits{}
	}
	if l.byThreads[threads] == nil {
		l.byThreads[threads] = &Limits{}
	}
	return l.byThreads[threads]
}

// Workers is a pool of so many.
func (l *Limits) Workers(threads int) *parallel.Pool {
	if l.pool == nil || l.pool.Workers() != threads {
		if !l.of {
			l.release()
		}
		l.closePool()
		l.pool = parallel.NewPool(threads)
	}
	return l.pool
}

// Over is the bandwidth of so much memory with the workers of threads.
func (l *Limits) Over(bytes int64, threads int) (Bandwidth, error) {
	pool := l.Workers(threads)
	if l.memory != nil && !l.of && l.bytes == bytes {
		return l.memory, nil
	}
	l.release()
	runtime.GC()
	m, err := bandwidth.NewMeter(pool, bytes)
	if err != nil {
		return nil, err
	}
	l.memory, l.bytes, l.of = m, bytes, false
	return m, nil
}

// Device is the device that rows share.
func (l *Limits) Device() (*backend.Device, error) {
	if l.device == nil {
		d, err := backend.OpenDevice()
		if err != nil {
			return nil, err
		}
		l.device = d
	}
	return l.device, nil
}

// leastBytes of a device's memory tell what it gives.
const leastBytes = 1 << 20

// OverDevice is the bandwidth of so many bytes of the device's memory, or of what is left of it
// where besides is needed for other things.
func (l *Limits) OverDevice(bytes, besides int64) (Bandwidth, error) {
	d, err := l.Device()
	if err != nil {
		return nil, err
	}
	if l.memory != nil && l.of && l.bytes == bytes {
		if free, _, err := d.Memory(); err == nil && free >= besides {
			return l.memory, nil
		}
	}
	l.release()
	free, _, err := d.Memory()
	if err != nil {
		return nil, err
	}
	left := free - besides - free/64
	if left < leastBytes {
		return nil, fmt.Errorf("%.3g GB of device memory are needed, %.3g GB are free: choose fewer nodes or a smaller precision", float64(besides)/1e9, float64(free)/1e9)
	}
	m, err := device.NewBandwidth(d.Library(), min(bytes, left))
	if err != nil {
		return nil, err
	}
	l.memory, l.bytes, l.of = m, bytes, true
	return m, nil
}

func (l *Limits) release() {
	if l.memory != nil {
		l.memory.Release()
		l.memory = nil
	}
}

// Close ends the workers and gives the memory and the device back.
func (l *Limits) Close() {
	for _, of := range l.byThreads {
		of.Close()
	}
	l.release()
	l.closePool()
	l.device.Close()
	l.device = nil
}

func (l *Limits) closePool() {
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

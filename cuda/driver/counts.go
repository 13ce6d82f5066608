package driver

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Counts is work that a context's streams, events and graphs have been asked for. What is
// captured counts when its graph is launched. Differences of two Counts tell what was asked
// for in between.
type Counts struct {
	Launches  int64 // kernels launched one by one
	Nodes     int64 // kernels launched as nodes of graphs
	Graphs    int64 // graphs launched
	Captures  int64 // graphs made
	ToDevice  Moved // copies from the host
	ToHost    Moved // copies to the host
	Within    Moved // copies between places of device memory
	Filled    Moved // settings of memory to a value
	Marks     int64 // untimed events recorded, and events waited for by streams, but for those in graphs: no work, but calls
	Timings   int64 // timed events recorded
	Waits     int64 // calls in which the host waits for an event, unless it has been reached
	WaitsIdle int64 // calls in which it waits for all that a stream or the device does
}

var _ [unsafe.Sizeof(Counts{})]byte = [8 * countersInTotal]byte{} // they are alike

// Moved is copies or fills.
type Moved struct {
	Calls int64 // those in graphs, too
	Bytes int64
}

// Kernels is the kernels that the device runs.
func (c Counts) Kernels() int64 { return c.Launches + c.Nodes }

// The counters, in the order of the fields of Counts.
const (
	countLaunches = iota
	countNodes
	countGraphs
	countCaptures
	countToDevice
	countToHost     = countToDevice + 2
	countWithin     = countToHost + 2
	countFilled     = countWithin + 2
	countMarks      = countFilled + 2
	countTimings    = countMarks + 1
	countWaits      = countTimings + 1
	countWaitsIdle  = countWaits + 1
	countersInTotal = countWaitsIdle + 1
)

// counters are those of a context; any goroutine may add.
type counters [countersInTotal]atomic.Int64

// Counts is what has been asked for so far.
func (c *Context) Counts() (n Counts) {
	var all [countersInTotal]int64
	for i := range all {
		all[i] = c.counted[i].Load()
	}
	return *(*Counts)(unsafe.Pointer(&all))
}

// Sub is what has been asked for since before.
func (c Counts) Sub(before Counts) Counts {
	a, b := (*[countersInTotal]int64)(unsafe.Pointer(&c)), (*[countersInTotal]int64)(unsafe.Pointer(&before))
	for i := range a {
		a[i] -= b[i]
	}
	return c
}

// capture is what is recorded of streams between Begin and End.
type capture struct {
	ended   atomic.Bool
	counted [countersInTotal]int64 // Launches are those of the kernels
	kernels []*Function            // all of them, in order
}

// recording is the capture that the stream takes part in, or nil.
func (s *Stream) recording() *capture {
	if s.capture != nil && s.capture.ended.Load() {
		s.capture = nil
	}
	return s.capture
}

// count adds to a counter: of the capture, if there is one.
func (s *Stream) count(i int, n int64) {
	if r := s.recording(); r != nil {
		r.counted[i] += n
		return
	}
	s.c.counted[i].Add(n)
}

func (s *Stream) countMoved(i, bytes int) {
	s.count(i, 1)
	s.count(i+1, int64(bytes))
}

// countLaunch counts the launch of a kernel.
func (s *Stream) countLaunch(f *Function) {
	s.count(countLaunches, 1)
	if r := s.recording(); r != nil {
		r.kernels = append(r.kernels, f)
		return
	}
	f.launched.Add(1)
}

// countHost counts a copy between device and host, which waits where host memory is not
// page-locked.
func (s *Stream) countHost(i, bytes int, host unsafe.Pointer) {
	s.countMoved(i, bytes)
	if !s.c.pages.hold(host, bytes) {
		s.count(countWaitsIdle, 1)
	}
}

// countLaunch counts the launch of a graph, and what is in it.
func (g *Graph) countLaunch() {
	g.c.counted[countGraphs].Add(1)
	for i, n := range g.counted {
		if i == countLaunches {
			i = countNodes
		}
		if n != 0 && i != countMarks { // in a graph they are edges
			g.c.counted[i].Add(n)
		}
	}
	for _, f := range g.kernels {
		f.launched.Add(1)
	}
}

// Launched is how often the kernel has been launched, in graphs or by itself.
func (f *Function) Launched() int64 { return f.launched.Load() }

// pages are the page-locked memory of a context.
type pages struct {
	mu  sync.RWMutex
	all [][2]uintptr // first byte, and one behind the last
}

func (p *pages) add(at unsafe.Pointer, bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, [2]uintptr{uintptr(at), uintptr(at) + uintptr(bytes)})
}

func (p *pages) remove(at unsafe.Pointer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = slices.DeleteFunc(p.all, func(r [2]uintptr) bool { return r[0] == uintptr(at) })
}

// hold tells whether bytes from at are page-locked.
func (p *pages) hold(at unsafe.Pointer, bytes int) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, r := range p.all {
		if uintptr(at) >= r[0] && uintptr(at)+uintptr(bytes) <= r[1] {
			return true
		}
	}
	return false
}

package driver_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"lbmib/cuda/driver"
)

// gate holds the rig's stream back until it is opened: the stream waits for
// another, which waits for a number in memory that a third one sets.
type gate struct {
	r           *rig
	other, last *driver.Stream
	event       *driver.Event
	flag        *driver.Memory
}

func newGate(r *rig) *gate {
	r.t.Helper()
	g := &gate{r: r, other: must(r.Stream())(r.t), last: must(r.Stream())(r.t), event: must(r.EventUntimed())(r.t), flag: upload(r, []int32{0})}
	check(r.t, r.stream.Synchronize())
	return g
}

func (g *gate) hold() {
	check(g.r.t, g.other.Launch(g.r.kernel("wait_for"), [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0, arguments(g.r.t, g.flag)))
	check(g.r.t, g.other.Record(g.event))
	check(g.r.t, g.r.stream.Wait(g.event))
}

func (g *gate) open() {
	check(g.r.t, g.last.Fill(g.flag, 0, 4, 1))
	check(g.r.t, g.event.Synchronize())
}

func TestEventsOrderStreams(t *testing.T) {
	r := device(t)
	g := newGate(r)
	x, y := upload(r, []float64{1}), upload(r, []float64{0})
	check(t, r.stream.Synchronize())
	last := must(r.Stream())(t)
	done := must(r.Event())(t)
	g.hold()
	r.launch("axpy_f64", 1, 1, 0, y, x, 2., int64(1)) // y = 2, late
	check(t, r.stream.Record(done))
	check(t, last.Wait(done))
	h := must(r.Pinned(8))(t)
	check(t, last.CopyFrom(h.Pointer(0), y, 0, 8))
	if done.Done() {
		t.Error("the event was reached before what it waits for")
	}
	g.open()
	check(t, last.Synchronize())
	if got := driver.View[float64](h, 0, 1)[0]; got != 2 || !done.Done() {
		t.Errorf("the other stream read %v, want 2", got)
	}
}

func TestEventsTakeTheTime(t *testing.T) {
	r := device(t)
	g := newGate(r)
	a, b := must(r.Event())(t), must(r.Event())(t)
	check(t, r.stream.Record(a))
	begin := time.Now()
	g.hold()
	check(t, r.stream.Record(b))
	if _, err := driver.Elapsed(a, b); err == nil {
		t.Error("the time to an event that has not been reached")
	}
	g.open()
	check(t, b.Synchronize())
	wall := time.Since(begin).Seconds()
	if s := must(driver.Elapsed(a, b))(t); s <= 0 || s > wall+1e-3 { // a was recorded a little before
		t.Errorf("%g s between the events, %g s by the host", s, wall)
	}
}

func TestAGraphRepeatsWhatWasCaptured(t *testing.T) {
	r := device(t)
	x, y := upload(r, []float64{1, 2, 3}), upload(r, []float64{0, 0, 0})
	h := must(r.Pinned(24))(t)
	other := must(r.Stream())(t)
	fork, join := must(r.EventUntimed())(t), must(r.EventUntimed())(t)
	check(t, r.stream.Synchronize())
	f, a := r.kernel("axpy_f64"), arguments(t, y, x, 1., int64(3))
	check(t, r.stream.Begin())
	check(t, r.stream.Launch(f, [3]int{3, 1, 1}, [3]int{1, 1, 1}, 0, a))
	check(t, r.stream.Record(fork)) // the capture spreads to streams that wait
	check(t, other.Wait(fork))
	check(t, other.Launch(f, [3]int{3, 1, 1}, [3]int{1, 1, 1}, 0, a))
	check(t, other.Record(join))
	check(t, r.stream.Wait(join))
	check(t, r.stream.CopyFrom(h.Pointer(0), y, 0, 24))
	g := must(r.stream.End())(t)
	defer g.Close()
	a.Float64(2, 1000) // the graph has the arguments of then
	if got := download[float64](r, y); !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("%v while capturing, want nothing done", got)
	}
	for range 5 {
		check(t, g.Launch(r.stream))
	}
	check(t, r.stream.Synchronize())
	if got := driver.View[float64](h, 0, 3); !slices.Equal(got, []float64{10, 20, 30}) {
		t.Errorf("%v after five graphs of two sums, want [10 20 30]", got)
	}
}

func TestAFaultInAGraphNamesItsKernels(t *testing.T) {
	r := device(t)
	m := must(r.Alloc(4))(t)
	check(t, r.stream.Begin())
	r.launch("unchecked", 2, 1, 0, m, int32(1))
	g := must(r.stream.End())(t)
	check(t, g.Launch(r.stream))
	err := r.stream.Synchronize()
	if f, ok := err.(*driver.Fault); !ok || f.Kernel != "unchecked" {
		t.Errorf("error %v, want a fault of unchecked", err)
	}
}

// Two goroutines drive two streams of one context, and move between threads.
func TestGoroutinesUseTheirOwnStreams(t *testing.T) {
	r := device(t)
	const n = 300
	var failures [2]error
	var wait sync.WaitGroup
	for k := range failures {
		x := upload(r, numbers(n, func(int) float64 { return float64(k + 1) }))
		y := upload(r, make([]float64, n))
		check(t, r.stream.Synchronize())
		wait.Go(func() { failures[k] = r.accumulate(y, x, n, float64(k+1)) })
	}
	wait.Wait()
	check(t, errors.Join(failures[:]...))
}

// accumulate adds i·x to y for i = 0, 1, … on a stream of its own, where x holds
// n times the value, and looks at y each time.
func (r *rig) accumulate(y, x *driver.Memory, n int, value float64) error {
	s, err := r.Stream()
	if err != nil {
		return err
	}
	f, err := r.module.Function("axpy_f64")
	if err != nil {
		return err
	}
	h, err := r.Pinned(8 * n)
	if err != nil {
		return err
	}
	a := driver.NewArgs(4)
	a.Pointer(0, y, 0)
	a.Pointer(1, x, 0)
	a.Int64(3, int64(n))
	for i := range 40 {
		a.Float64(2, float64(i))
		if err := errors.Join(
			s.Launch(f, [3]int{10, 1, 1}, [3]int{30, 1, 1}, 0, a),
			s.CopyFrom(h.Pointer(0), y, 0, 8*n),
			s.Synchronize(),
		); err != nil {
			return err
		}
		want := value * float64(i*(i+1)/2)
		for _, v := range driver.View[float64](h, 0, n) {
			if v != want {
				return fmt.Errorf("round %d: %v, want %v", i, v, want)
			}
		}
	}
	return s.Close()
}

// Lateness, so that a host that does not wait reads too early.
func TestOperationsAreLateOnRequest(t *testing.T) {
	t.Setenv("LBMIB_STANDIN_DELAY", "20000")
	r := device(t)
	h := must(r.Pinned(8))(t)
	m := must(r.Alloc(8))(t)
	check(t, r.stream.Fill(m, 0, 8, 1))
	check(t, r.stream.CopyFrom(h.Pointer(0), m, 0, 8))
	if h.Bytes()[0] != 0 {
		t.Error("the copy was done before the host waited")
	}
	check(t, r.stream.Synchronize())
	if h.Bytes()[0] != 1 {
		t.Error("the copy was not done when the host had waited")
	}
}

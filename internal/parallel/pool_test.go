package parallel

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// everyKind runs a test on pools that sleep at once, that sleep and spin by turns,
// and that spin; alone and in a crowd; with more workers than most machines have
// processors, too.
func everyKind(t *testing.T, test func(t *testing.T, p *Pool)) {
	t.Helper()
	for _, c := range []struct {
		workers int
		spin    time.Duration
	}{{1, 0}, {2, 0}, {7, 0}, {2, time.Microsecond}, {3, time.Microsecond}, {1, spinFor}, {2, spinFor}} {
		for _, crowd := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d workers that spin %v, crowd %v", c.workers, c.spin, crowd), func(t *testing.T) {
				p := newPool(c.workers, c.spin)
				defer p.Close()
				p.Crowd(crowd)
				test(t, p)
			})
		}
	}
}

// soon waits for what other goroutines bring about.
func soon(t *testing.T, what string, done func() bool) {
	t.Helper()
	for begin := time.Now(); !done(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.Fatalf("not within 10 s: %s", what)
		}
	}
}

// panicOf is what f panics with, nil if it does not.
func panicOf(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

func TestEveryWorkerRunsOnce(t *testing.T) {
	everyKind(t, func(t *testing.T, p *Pool) {
		const runs = 300
		seen := make([]int, p.Workers()) // not atomic: Run orders what workers and caller do
		for k := range runs {
			p.Run(func(w int) { seen[w]++ })
			for w, n := range seen {
				if n != k+1 {
					t.Fatalf("after %d runs worker %d has run %d times", k+1, w, n)
				}
			}
		}
	})
}

func TestRunsThatComeRarelyAreNotLost(t *testing.T) {
	everyKind(t, func(t *testing.T, p *Pool) {
		var sum atomic.Int64
		f := func(int) { sum.Add(1) }
		for k := range 60 { // gaps around the time that workers spin
			p.Run(f)
			for end := time.Now().Add(time.Duration(k) * 3 * time.Microsecond); time.Now().Before(end); {
			}
		}
		if want := int64(60 * p.Workers()); sum.Load() != want {
			t.Errorf("%d calls, want %d", sum.Load(), want)
		}
	})
}

func TestRunWaitsForTheSlowest(t *testing.T) {
	everyKind(t, func(t *testing.T, p *Pool) {
		for late := range p.Workers() {
			finished := false
			p.Run(func(w int) {
				if w == late {
					time.Sleep(2 * time.Millisecond) // longer than anybody spins
					finished = true
				}
			})
			if !finished {
				t.Fatalf("Run has returned before worker %d", late)
			}
		}
	})
}

func TestAnIdlePoolSleeps(t *testing.T) {
	everyKind(t, func(t *testing.T, p *Pool) {
		p.Run(func(int) {})
		soon(t, "all workers are asleep", func() bool {
			for i := range p.workers {
				if p.workers[i].asleep.Load() == awake {
					return false
				}
			}
			return true
		})
	})
}

func TestAPoolOfMoreWorkersThanProcessorsDoesNotSpin(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for n, want := range map[int]time.Duration{1: spinFor, 2: 0, 7: 0} {
		p := NewPool(n)
		if p.caller.most != want {
			t.Errorf("%d workers on one processor spin %v, want %v", n, p.caller.most, want)
		}
		p.Close()
	}
}

func TestCollectionsGoOnWhileWorkersSpin(t *testing.T) {
	everyKind(t, func(t *testing.T, p *Pool) {
		var collections atomic.Int64
		stop := make(chan struct{})
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for {
				runtime.GC()
				if collections.Add(1); collections.Load() == 3 {
					close(stop)
					return
				}
			}
		}()
		f := func(int) {}
		for {
			p.Run(f)
			select {
			case <-stop:
				<-ended
				return
			default:
			}
		}
	})
}

func TestACrowdMayComeAndGoBetweenRuns(t *testing.T) {
	everyKind(t, func(t *testing.T, p *Pool) {
		var sum atomic.Int64
		f := func(int) { sum.Add(1) }
		for k := range 300 {
			p.Crowd(k%3 == 0)
			p.Run(f)
			if k%5 == 0 {
				time.Sleep(20 * time.Microsecond) // some fall asleep
			}
		}
		if want := int64(300 * p.Workers()); sum.Load() != want {
			t.Errorf("%d calls, want %d", sum.Load(), want)
		}
	})
}

func TestSharesCoverEverythingOnce(t *testing.T) {
	for _, n := range []int{0, 1, 3, 17, 100} {
		for workers := 1; workers < 8; workers++ {
			next := 0
			for w := range workers {
				lo, hi := Share(n, w, workers)
				if lo != next || hi < lo {
					t.Fatalf("n=%d workers=%d: share %d is [%d,%d), want start %d", n, workers, w, lo, hi, next)
				}
				next = hi
			}
			if next != n {
				t.Fatalf("n=%d workers=%d: shares end at %d", n, workers, next)
			}
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	everyKind(t, func(t *testing.T, p *Pool) {
		var sum atomic.Int64
		f := func(w int) { sum.Add(int64(w)) }
		if a := testing.AllocsPerRun(100, func() { p.Run(f) }); a != 0 {
			t.Errorf("a Run allocates %v times, want 0", a)
		}
	})
}

func TestAPanicReachesTheCallerAndThePoolGoesOn(t *testing.T) {
	everyKind(t, func(t *testing.T, p *Pool) {
		for lost := range p.Workers() {
			var others atomic.Int64
			r := panicOf(func() {
				p.Run(func(w int) {
					if w == lost {
						panic("lost")
					}
					time.Sleep(time.Millisecond)
					others.Add(1)
				})
			})
			if r != "lost" {
				t.Errorf("worker %d panics, Run panics with %v, want the worker's", lost, r)
			}
			if n := others.Load(); n != int64(p.Workers()-1) {
				t.Errorf("worker %d panics, Run does so when %d others have finished, want %d", lost, n, p.Workers()-1)
			}
			if r := panicOf(func() { p.Run(func(int) {}) }); r != nil {
				t.Errorf("the Run after it panics too: %v", r)
			}
		}
	})
}

func TestMistakesAreToldInsteadOfHanging(t *testing.T) {
	nothing := func(int) {}
	for name, c := range map[string]struct {
		use  func(p *Pool)
		want string
	}{
		"a Run in the caller's part":  {func(p *Pool) { p.Run(func(w int) { inWorker(w, 0, func() { p.Run(nothing) }) }) }, "running or closed"},
		"a Run in another's part":     {func(p *Pool) { p.Run(func(w int) { inWorker(w, 1, func() { p.Run(nothing) }) }) }, "running or closed"},
		"Close in a Run":              {func(p *Pool) { p.Run(func(w int) { inWorker(w, 1, p.Close) }) }, "running or closed"},
		"a Run of nothing":            {func(p *Pool) { p.Run(nil) }, "nil function"},
		"a worker that ends its life": {func(p *Pool) { p.Run(func(w int) { inWorker(w, 1, runtime.Goexit) }) }, "runtime.Goexit"},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPool(3)
			defer p.Close()
			if r := fmt.Sprint(panicOf(func() { c.use(p) })); !strings.Contains(r, c.want) {
				t.Errorf("panic %q, want one that says %q", r, c.want)
			}
		})
	}
}

func inWorker(worker, this int, do func()) {
	if worker == this {
		do()
	}
}

func TestCloseEndsTheWorkers(t *testing.T) {
	before := runtime.NumGoroutine()
	p := NewPool(5)
	p.Run(func(int) {})
	p.Close()
	soon(t, "the workers are gone", func() bool { return runtime.NumGoroutine() <= before })
	if r := panicOf(func() { p.Run(func(int) {}) }); r == nil {
		t.Error("a Run after Close does not panic")
	}
}

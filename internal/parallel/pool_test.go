package parallel

import (
	"sync/atomic"
	"testing"
)

func TestEveryWorkerRunsOnce(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		p := NewPool(n)
		seen := make([]int, n)
		for range 100 {
			p.Run(func(w int) { seen[w]++ })
		}
		p.Close()
		for w, k := range seen {
			if k != 100 {
				t.Errorf("%d workers: worker %d ran %d times, want 100", n, w, k)
			}
		}
	}
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
	p := NewPool(3)
	defer p.Close()
	var sum atomic.Int64
	f := func(w int) { sum.Add(int64(w)) }
	if a := testing.AllocsPerRun(100, func() { p.Run(f) }); a != 0 {
		t.Errorf("a Run allocates %v times, want 0", a)
	}
}

func TestAWorkersPanicReachesTheCaller(t *testing.T) {
	p := NewPool(3)
	defer p.Close()
	defer func() {
		if r := recover(); r != "lost" {
			t.Errorf("Run panics with %v, want the worker's", r)
		}
	}()
	p.Run(func(w int) {
		if w == 2 {
			panic("lost")
		}
	})
}

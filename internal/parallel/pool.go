// Package parallel runs the phases of a time step on persistent workers.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool is a fixed set of workers that lives as long as the run. The caller of
// Run is worker 0; the others are goroutines that wait for work. A Run
// allocates nothing when its function value was made before.
//
// A Pool is used by one goroutine at a time.
type Pool struct {
	work  []chan func(worker int) // one per extra worker
	done  sync.WaitGroup
	panic atomic.Pointer[any] // of a worker, for the caller of Run
}

// NewPool starts a pool of n workers; n ≤ 0 takes one per available CPU.
func NewPool(n int) *Pool {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	p := &Pool{work: make([]chan func(int), n-1)}
	for i := range p.work {
		p.work[i] = make(chan func(int), 1)
		go p.serve(p.work[i], i+1)
	}
	return p
}

func (p *Pool) serve(work <-chan func(int), worker int) {
	for f := range work {
		p.do(f, worker)
	}
}

func (p *Pool) do(f func(int), worker int) {
	defer p.done.Done()
	defer func() {
		if r := recover(); r != nil {
			lost := r // r itself must stay off the heap
			p.panic.Store(&lost)
		}
	}()
	f(worker)
}

// Workers is the number of workers, the caller included.
func (p *Pool) Workers() int { return len(p.work) + 1 }

// Run calls f(worker) once on every worker, 0 ≤ worker < Workers(), and
// returns when all have finished. A worker's panic becomes the caller's.
func (p *Pool) Run(f func(worker int)) {
	p.done.Add(len(p.work))
	for _, w := range p.work {
		w <- f
	}
	f(0)
	p.done.Wait()
	if r := p.panic.Swap(nil); r != nil {
		panic(*r)
	}
}

// Close ends the workers. The pool must not be used afterwards.
func (p *Pool) Close() {
	for _, w := range p.work {
		close(w)
	}
}

// Share is the part [lo, hi) of n items that falls to a worker: contiguous,
// in worker order, sizes that differ by at most one.
func Share(n, worker, workers int) (lo, hi int) {
	return n * worker / workers, n * (worker + 1) / workers
}

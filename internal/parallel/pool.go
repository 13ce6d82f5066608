// Package parallel runs the phases of a time step on persistent workers.
package parallel

import (
	"runtime"
	"sync/atomic"
	"time"
)

// line keeps what one goroutine writes away from what others read: two cache
// lines, because processors fetch them in pairs.
const line = 128

// spinFor bounds how long a waiting worker looks for work before it sleeps. A phase
// of a small domain takes some 10 µs, and so do the pauses between phases. Waking a
// thread takes about 50 µs where its processor is awake; where it has been halted, as
// virtual ones are at once, it is several hundred: with 50 µs of spinning a coupled step
// of 960,000 nodes took 2.7 ms on two such processors, with 200 µs or more 1.7.
// Spinning as long as waking takes costs at most twice what the better of the two would.
const spinFor = 200 * time.Microsecond

// MaxThreads bounds what users may ask for: more workers than any machine has
// processors, and few enough that all their stacks fit into memory.
const MaxThreads = 4096

// Pool is a fixed set of workers that lives as long as the run. The caller of
// Run is worker 0; the others are goroutines that wait for work: they spin for
// a bounded time, then sleep, so that phases that follow each other closely
// meet them awake and an idle pool takes no processor time. A Run allocates
// nothing when its function value was made before.
//
// A Pool of more workers than processors never spins. A Pool is used by one
// goroutine at a time.
type Pool struct {
	f       func(worker int) // of the Run at hand; nil ends the workers
	workers []waiter         // the extra ones: worker i+1 waits with workers[i]
	busy    atomic.Bool
	crowd   atomic.Bool
	panic   atomic.Pointer[any] // of a worker, for the caller of Run
	_       [line]byte
	run     atomic.Uint32 // number of the Run at hand: what workers wait for
	_       [line]byte
	left    atomic.Uint32 // workers that have not finished it: what the caller waits for
	_       [line]byte
	caller  waiter
}

// NewPool starts a pool of n workers; n ≤ 0 takes one per available CPU.
func NewPool(n int) *Pool {
	processors := runtime.GOMAXPROCS(0)
	if n <= 0 {
		n = processors
	}
	if n > min(processors, runtime.NumCPU()) {
		return newPool(n, 0) // spinning would keep others from working
	}
	return newPool(n, spinFor)
}

// newPool starts a pool whose workers spin for at most spin.
func newPool(n int, spin time.Duration) *Pool {
	p := &Pool{workers: make([]waiter, n-1)}
	p.caller.init(spin)
	for i := range p.workers {
		p.workers[i].init(spin)
		go p.serve(i + 1)
	}
	return p
}

// serve is the life of an extra worker.
func (p *Pool) serve(worker int) {
	for run := uint32(1); ; run++ {
		p.workers[worker-1].await(&p.run, run, p.crowd.Load())
		f := p.f
		if f == nil {
			return
		}
		p.do(f, worker)
	}
}

// do is worker's part of a Run.
func (p *Pool) do(f func(int), worker int) {
	returned := false
	defer func() {
		if r := recover(); r != nil {
			lost := r // r itself must stay off the heap
			p.panic.Store(&lost)
		} else if !returned {
			var exit any = "parallel: a worker called runtime.Goexit, as testing's FailNow does, and is gone: return from the function instead"
			p.panic.Store(&exit)
		}
		if p.left.Add(^uint32(0)) == 0 {
			p.caller.rouse()
		}
	}()
	f(worker)
	returned = true
}

// Workers is the number of workers, the caller included.
func (p *Pool) Workers() int { return len(p.workers) + 1 }

// Run calls f(worker) once on every worker, 0 ≤ worker < Workers(), and
// returns when all have finished. A worker's panic becomes the caller's.
//
// A Run inside another of the same pool panics, as do a Run after Close and
// Runs of two goroutines at once.
func (p *Pool) Run(f func(worker int)) {
	if f == nil {
		panic("parallel: Run of a nil function")
	}
	p.start(f)
	defer p.finish() // also when f panics here: the workers still use what it refers to
	f(0)
}

// start hands f to the workers.
func (p *Pool) start(f func(int)) {
	if !p.busy.CompareAndSwap(false, true) {
		panic("parallel: Run of a pool that is running or closed: a pool runs one phase at a time, for one goroutine")
	}
	p.f = f
	p.left.Store(uint32(len(p.workers)))
	p.run.Add(1)
	for i := range p.workers {
		p.workers[i].rouse()
	}
}

// finish waits for the workers.
func (p *Pool) finish() {
	p.caller.await(&p.left, 0, p.crowd.Load())
	p.busy.Store(false)
	if p.panic.Load() != nil {
		panic(*p.panic.Swap(nil))
	}
}

// Crowd tells whether goroutines other than the workers want the processors for a
// while. Workers that wait then do not spin, and share the processors with the
// others as goroutines do, where else they would come last.
func (p *Pool) Crowd(others bool) { p.crowd.Store(others) }

// Close ends the workers. The pool must not be used afterwards.
func (p *Pool) Close() { p.start(nil) } // and stays busy

// Share is the part [lo, hi) of n items that falls to a worker: contiguous,
// in worker order, sizes that differ by at most one.
func Share(n, worker, workers int) (lo, hi int) {
	return n * worker / workers, n * (worker + 1) / workers
}

//go:build !nompi

package mpi

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

// How the thread polls. Libraries move long messages only while they are called, so that
// it polls whenever there are messages under way.
const (
	// Where somebody waits, it looks again at once, so many times where the ranks have a
	// core each, and where they have not, a few times,
	eagerPolls, crowdedPolls = 2000, 4
	// and then sleeps after each: so long, a sixteenth longer each time, until it sleeps
	shortNap, waitingNap = 20 * time.Microsecond, 160 * time.Microsecond
	// Beside the computation it sleeps from shortNap on, twice as long each time, until it sleeps
	longNap = 640 * time.Microsecond
	// Measured with two ranks on two busy cores (roles rates and overlap of the tests): an
	// exchange of 2.6 MB each way takes the thread 0.3 to 0.4 ms, of which 0.2 ms are the copy;
	// while nothing comes, 1 to 1.5 % of a core. With both cores free, an exchange of 8 bytes
	// takes 5 to 6 µs, most of it in waking the two threads, of 64 KB 11 to 13 µs, of 2.6 MB 0.21 ms.
)

// thread is the one that makes all calls of MPI: a goroutine locked to the thread that has
// initialised it (MPI_THREAD_FUNNELED).
type thread struct {
	lib     *library
	rank    int
	host    string
	crowded atomic.Bool  // this machine has more ranks than cores
	waiting atomic.Int32 // goroutines that wait for an operation
	news    event        // something is posted, or somebody has begun to wait

	mu     sync.Mutex
	posted []*operation
	ended  bool // by Finalize

	begun, active []*operation // of the thread alone
}

// operation is what the thread does for somebody: it begins, and is done when all its
// requests are.
type operation struct {
	begin    func()
	requests []byte // handles of the library, n of them; memory of Buffer, as the statuses
	statuses []byte
	n        int
	flag     *int32    // of MPI_Testall
	test     []uintptr // its arguments, kept, so that a call allocates nothing
	done     event
	last     bool // the thread ends after it
}

// initialise makes an operation of n requests.
func (o *operation) initialise(w *world, n int) {
	o.done.init()
	if o.n = n; n == 0 {
		return
	}
	o.requests, o.statuses, o.flag = w.Buffer(n*w.lib.request), w.Buffer(n*w.lib.status), new(int32)
	o.test = []uintptr{uintptr(n), pointer(o.requests), uintptr(unsafe.Pointer(o.flag)), pointer(o.statuses)}
}

// run is the life of the thread.
func (t *thread) run() {
	runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
	sharpenTimer()
	for polls, nap := 0, shortNap; ; {
		if t.news.isSet() {
			t.news.clear()
			polls, nap = 0, shortNap
			if t.begin() {
				return
			}
		}
		t.poll()
		switch {
		case len(t.active) == 0:
			t.news.wait(0)
		case t.waiting.Load() > 0:
			if polls++; polls > eagerPolls || polls > crowdedPolls && t.crowded.Load() {
				t.news.wait(nap)
				nap = min(nap+nap/16, waitingNap)
			}
		default:
			t.news.wait(nap)
			nap = min(2*nap, longNap)
		}
	}
}

// begin begins what is posted; last tells that the thread's work is over.
func (t *thread) begin() (last bool) {
	t.mu.Lock()
	t.begun, t.posted = t.posted, t.begun[:0]
	for _, o := range t.begun {
		t.ended = t.ended || o.last
	}
	t.mu.Unlock()
	for _, o := range t.begun {
		o.begin()
		if last = last || o.last; o.n > 0 {
			t.active = append(t.active, o)
		} else {
			o.done.set()
		}
	}
	return last
}

// poll looks after all that is under way.
func (t *thread) poll() {
	for i := 0; i < len(t.active); {
		o := t.active[i]
		r, _, _ := purego.SyscallN(t.lib.testall, o.test...)
		if int32(r) != 0 || *o.flag != 0 && t.lib.tellsError(o.statuses) {
			t.fail("MPI_Testall", t.lib.reasons(int32(r), o.statuses))
		}
		if *o.flag == 0 {
			i++
			continue
		}
		t.active = slices.Delete(t.active, i, i+1)
		o.done.set()
	}
}

func pointer(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// call makes a call, and ends all ranks where it fails. Only the thread calls it.
func (t *thread) call(name string, function uintptr, a ...uintptr) {
	if r, _, _ := purego.SyscallN(function, a...); int32(r) != 0 {
		t.fail(name, t.lib.message(int32(r)))
	}
}

// failed is the exit status after a call of MPI that fails, that of a failed input or output.
const failed = 4

// forwarding is how long the launcher gets to pass on what a rank prints before it aborts:
// MPICH's drops what it has not read when it ends.
const forwarding = 200 * time.Millisecond

// fail ends all ranks after a call that has failed.
func (t *thread) fail(name, reason string) {
	fmt.Fprintf(os.Stderr, "rank %d on %s: %s: %s\n", t.rank, t.host, name, reason)
	time.Sleep(forwarding)
	purego.SyscallN(t.lib.abort, t.lib.world, failed)
	os.Exit(failed)
}

// post lets the thread begin an operation.
func (t *thread) post(o *operation) {
	o.done.clear()
	t.mu.Lock()
	if t.ended {
		t.mu.Unlock()
		panic(fmt.Sprintf("mpi: a call on rank %d after Finalize", t.rank))
	}
	t.posted = append(t.posted, o)
	t.mu.Unlock()
	t.news.set()
}

// await returns when an operation is done.
func (t *thread) await(o *operation) {
	if o.done.isSet() {
		return
	}
	t.waiting.Add(1)
	t.news.set() // it may be asleep for long
	for !o.done.isSet() {
		o.done.wait(0)
	}
	t.waiting.Add(-1)
}

// do has something done by the thread, and waits.
func (t *thread) do(f func()) {
	o := &operation{begin: f}
	o.done.init()
	t.post(o)
	t.await(o)
}

//go:build !nompi

package mpi

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Connect joins the processes that a launcher has started, through the MPI library that
// LBMIB_MPI names or that is found. All processes call it, once; Finalize or Abort ends what
// it has begun. It raises GOMAXPROCS by one, for the thread that makes the calls: see [Cores].
func Connect() (Comm, error) {
	launcher, ok := Launched()
	if !ok {
		return nil, errors.New("mpi: no launcher has started this process: start it with mpirun, mpiexec or srun")
	}
	restore := keepHandlers()
	defer restore()
	l, err := find(candidates(os.Getenv, runtime.GOOS, launcher.family), launcher)
	if err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(processors() + 1)
	w := &world{thread: thread{lib: l, host: hostName()}, memory: buffers{mapped: true}, piece: 1 << 30, stage: 64 << 20}
	w.thread.news.init()
	go w.thread.run()
	w.thread.do(func() { err = w.start(launcher) })
	if err != nil {
		return nil, err
	}
	w.collective.initialise(w, 1)
	w.counts, w.starts = View[int32](w.Buffer(4*w.size)), View[int32](w.Buffer(4*w.size))
	w.meet()
	return w, nil
}

// meet tells the ranks where the others run.
func (w *world) meet() {
	own := affinity()
	all, lengths := AllGatherV(w, []byte(w.host+"\n"+own))
	for r, n := range lengths {
		host, processors, _ := strings.Cut(string(all[:n]), "\n")
		all = all[n:]
		w.hosts = append(w.hosts, host)
		if host == w.host && processors == own {
			if r < w.rank {
				w.sharer++
			}
			w.sharing++
		}
	}
	w.crowded.Store(w.sharing > processors())
}

// world is MPI_COMM_WORLD.
type world struct {
	thread
	size                 int
	hosts                []string
	localRank, localSize int // among those that share this machine's memory,
	sharer, sharing      int // and its processors
	memory               buffers

	collective     operation // the call that all make together
	counts, starts []int32   // of it
	staged         []byte    // what it sends and receives: Go's memory is none that a network should know
	piece          int       // the most bytes of one message of MPI, whose counts have 31 bits
	stage          int       // the most bytes of staged
}

// start initialises MPI, on the thread.
func (w *world) start(launcher Launcher) error {
	l := w.lib
	provided := new(int32)
	if r, _, _ := purego.SyscallN(l.initThread, 0, 0, l.funneled, uintptr(unsafe.Pointer(provided))); int32(r) != 0 {
		return fmt.Errorf("mpi: MPI_Init_thread of %s fails: %s", l.File, l.message(int32(r)))
	}
	w.call("MPI_Comm_set_errhandler", l.setErrhandler, l.world, l.errorsReturn)
	w.rank, w.size = int(w.number("MPI_Comm_rank", l.commRank, l.world)), int(w.number("MPI_Comm_size", l.commSize, l.world))
	if err := crossed(launcher, w.size, l.Library); err != nil {
		w.call("MPI_Finalize", l.finalize)
		return err
	}
	if int32(l.funneled) > *provided {
		w.call("MPI_Finalize", l.finalize)
		return fmt.Errorf("mpi: %s (%s) serves no program with threads (MPI_THREAD_FUNNELED): set %s to one that does", l.File, l.Version, LibraryVariable)
	}
	var code uintptr
	if name := l.text(8192, func(p, n uintptr) { code, _, _ = purego.SyscallN(l.processorName, p, n) }); name != "" && int32(code) == 0 {
		w.host = name
	}
	here := new(uintptr) // as wide as any handle
	w.call("MPI_Comm_split_type", l.splitType, l.world, l.shared, uintptr(w.rank), l.infoNull, uintptr(unsafe.Pointer(here)))
	w.localRank, w.localSize = int(w.number("MPI_Comm_rank", l.commRank, *here)), int(w.number("MPI_Comm_size", l.commSize, *here))
	w.call("MPI_Comm_free", l.commFree, uintptr(unsafe.Pointer(here)))
	return nil
}

// crossed is the error where a library sees other ranks than the launcher has started.
func crossed(launcher Launcher, size int, l Library) error {
	many := fmt.Sprint(launcher.Size)
	switch {
	case launcher.Size == size:
		return nil
	case launcher.Size == 0 && launcher.Rank < size:
		return nil
	case launcher.Size == 0:
		many = "several"
	}
	other := "the launcher of that library"
	if launcher.Name == "srun" {
		other += ", or with srun --mpi=pmix or pmi2, as that library asks for it"
	}
	return fmt.Errorf("mpi: %s has started this process as rank %d of %s, but it is one of %d to %s (%s): start it with %s, or set %s to the file of the launcher's library",
		launcher.Name, launcher.Rank, many, size, l.File, l.Version, other, LibraryVariable)
}

// number is what MPI_Comm_rank and MPI_Comm_size tell of a communicator.
func (w *world) number(name string, function, of uintptr) int32 {
	n := new(int32)
	w.call(name, function, of, uintptr(unsafe.Pointer(n)))
	return *n
}

func (w *world) Rank() int               { return w.rank }
func (w *world) Size() int               { return w.size }
func (w *world) Host(rank int) string    { return w.hosts[rank] }
func (w *world) Buffer(bytes int) []byte { return w.memory.get(bytes) }
func (w *world) Free(buffer []byte)      { w.memory.put(buffer) }
func (w *world) library() Library        { return w.lib.Library }
func (w *world) local() (rank, size int) { return w.localRank, w.localSize }

// patience is how long Abort waits for the library to end the process.
const patience = 5 * time.Second

func (w *world) Abort(status int, reason string) {
	fmt.Fprintln(os.Stderr, &RankError{Rank: w.rank, Host: w.host, Err: errors.New(reason)})
	time.Sleep(forwarding)
	w.mu.Lock()
	ended := w.ended
	w.mu.Unlock()
	if !ended {
		w.post(&operation{begin: func() {
			purego.SyscallN(w.lib.abort, w.lib.world, uintptr(status))
			os.Exit(status)
		}})
		time.Sleep(patience)
	}
	os.Exit(status)
}

// Finalize ends MPI: no call may follow.
func (w *world) Finalize() {
	o := &operation{begin: func() { w.call("MPI_Finalize", w.lib.finalize) }, last: true}
	o.done.init()
	w.post(o)
	w.await(o)
}

// persistent is an exchange of persistent requests.
type persistent struct {
	of       *world
	all      operation
	startall []uintptr // arguments, kept, so that a call allocates nothing
	started  bool
	freed    bool
}

func (w *world) Exchange(sends, receives []Message) Exchange {
	checkMessages(w.rank, w.size, "to", sends, w.memory.has)
	checkMessages(w.rank, w.size, "from", receives, w.memory.has)
	e := &persistent{of: w}
	n := 0
	for _, list := range [][]Message{sends, receives} {
		for _, m := range list {
			n += pieces(len(m.Data), w.piece)
		}
	}
	e.all.initialise(w, n)
	e.all.begin = e.begin
	e.startall = []uintptr{uintptr(n), pointer(e.all.requests)}
	w.do(func() {
		at := 0
		for _, m := range receives {
			at = e.initialise("MPI_Recv_init", w.lib.recvInit, m, at)
		}
		for _, m := range sends {
			at = e.initialise("MPI_Send_init", w.lib.sendInit, m, at)
		}
	})
	return e
}

// pieces is how many messages of MPI a message becomes.
func pieces(bytes, most int) int { return max(1, (bytes+most-1)/most) }

// piece is the bytes of data that piece i is.
func piece(data []byte, i, most int) []byte { return data[i*most : min(len(data), (i+1)*most)] }

// initialise makes the requests of a message from the one numbered at on.
func (e *persistent) initialise(name string, function uintptr, m Message, at int) (next int) {
	w := e.of
	for i := range pieces(len(m.Data), w.piece) {
		p := piece(m.Data, i, w.piece)
		w.call(name, function, pointer(p), uintptr(len(p)), w.lib.byte, uintptr(m.Peer), uintptr(m.Tag), w.lib.world, pointer(e.all.requests[at*w.lib.request:]))
		at++
	}
	return at
}

// begin is made by the thread.
func (e *persistent) begin() {
	if e.all.n > 0 {
		e.of.call("MPI_Startall", e.of.lib.startall, e.startall...)
	}
}

func (e *persistent) Start() {
	if e.started || e.freed {
		panic(fmt.Sprintf("mpi: Start on rank %d of an exchange that is started, or freed", e.of.rank))
	}
	e.started = true
	e.of.post(&e.all)
}

func (e *persistent) Wait() {
	if !e.started {
		panic(fmt.Sprintf("mpi: Wait on rank %d for an exchange that is not started", e.of.rank))
	}
	e.of.await(&e.all)
	e.started = false
}

func (e *persistent) Free() {
	if e.started {
		panic(fmt.Sprintf("mpi: Free on rank %d of an exchange that is started", e.of.rank))
	}
	if e.freed {
		return
	}
	e.freed = true
	w := e.of
	w.do(func() {
		for i := range e.all.n {
			w.call("MPI_Request_free", w.lib.requestFree, pointer(e.all.requests[i*w.lib.request:]))
		}
	})
	if e.all.n > 0 {
		w.Free(e.all.requests)
		w.Free(e.all.statuses)
	}
}

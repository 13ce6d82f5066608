// Package mpi joins processes that step one flow together.
//
// [Comm] is what they share: a rank each, exchanges of messages that are started again
// and again, and the few collective calls that a run needs. There are three kinds:
//
//   - [Connect]: processes that mpirun, mpiexec or srun has started, through libmpi, which
//     is loaded at run time (OpenMPI, MPICH and what is compatible with it, the ABI of
//     MPI 5). [Launched] tells by the environment whether there is such a launcher.
//   - [Together]: goroutines of one process, for tests: calls that do not fit together
//     are told in words instead of waiting for ever.
//   - [Alone]: one rank.
//
// A broken rule of a call (sizes that do not fit, an exchange started twice) panics. What
// fails otherwise ends all ranks: a flow that lacks a part cannot go on.
package mpi

import "fmt"

// Comm joins the ranks of a program. All its methods but Rank, Size, Host, Buffer, Free
// and Abort are collective or matched by a peer's call, are made in the same order on all
// ranks, and by one goroutine of a rank at a time.
type Comm interface {
	Rank() int            // this one, from 0
	Size() int            // how many there are
	Host(rank int) string // the machine that a rank runs on

	// Exchange makes an exchange that can be started again and again: what is sent lies in
	// the sends' Data, what comes in the receives' Data, all of it memory of Buffer. Messages
	// between the same two ranks with the same tag meet in the order of the lists.
	Exchange(sends, receives []Message) Exchange

	// Buffer is zeroed memory on a boundary of 64 bytes at least. It stays until Free takes it
	// back; that of processes is none of the garbage collector's.
	Buffer(bytes int) []byte
	// Free takes back what Buffer gave, whole, and no exchange uses any more.
	Free(buffer []byte)

	Barrier() // returns when all ranks have called it

	// Broadcast copies data of root to all; it is as long on all ranks.
	Broadcast(root int, data []byte)
	// AllGather puts the own of all ranks into all, one after the other in the order of
	// ranks; counts are their lengths in bytes, the same on all ranks.
	AllGather(own []byte, counts []int, all []byte)
	// Gather is AllGather to root only; elsewhere all is nil. Counts are told on all ranks.
	Gather(root int, own []byte, counts []int, all []byte)
	// Scatter is the reverse of Gather: root's all goes in parts into the own of the ranks.
	Scatter(root int, all []byte, counts []int, own []byte)

	// Abort ends all ranks, the process with the status: the launcher's is the same, which
	// MPICH's does not promise of a process that just ends. First it prints "rank 3 on HOST:
	// reason" on standard error. Under Together the ranks end, and that is its error.
	Abort(status int, reason string)
	// Finalize is the last call of every rank that does not abort. A process that ends with
	// neither, be it with status 0, ends the others, under MPICH with status 0, too.
	Finalize()
}

// Message is what one rank gives another. A receive's Data is as long as the send's, which
// may be any length: MPI's counts have 31 bits, and Connect's ranks send what is longer than
// 1 GiB in pieces.
type Message struct {
	Peer int // the rank it goes to, or comes from
	Tag  int // 0 … MaxTag
	Data []byte
}

// MaxTag is the greatest tag of a message. Every MPI takes one more, which this package keeps for itself.
const MaxTag = 32766

// Exchange is a set of messages that go again and again. Start and Wait take turns, and
// between them nobody touches the Data. Neither allocates.
type Exchange interface {
	Start() // lets the messages go, and returns
	Wait()  // returns when all are sent and received
	Free()  // after the last Wait
}

// RankError is the error of one rank.
type RankError struct {
	Rank int
	Host string
	Err  error
}

func (e *RankError) Error() string { return fmt.Sprintf("rank %d on %s: %v", e.Rank, e.Host, e.Err) }
func (e *RankError) Unwrap() error { return e.Err }

// Aborted is a rank's call of Abort, as Together tells it.
type Aborted struct {
	Status int
	Reason string
}

func (a *Aborted) Error() string { return a.Reason }

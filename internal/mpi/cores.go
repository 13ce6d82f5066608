package mpi

import (
	"runtime"
	"sync"
)

// processors are those of this process, before Connect asked for one more thread.
var processors = sync.OnceValue(func() int { return runtime.GOMAXPROCS(0) })

// Cores is this rank's share of the processors of its machine, one at least: those that
// several ranks may run on are shared out among them, those that the launcher has bound this
// rank alone to are all its own.
func Cores(c Comm) int {
	rank, size := Local(c)
	if s, ok := c.(interface{ sharers() (rank, size int) }); ok {
		rank, size = s.sharers()
	}
	share := processors() / size
	if rank < processors()%size {
		share++
	}
	return max(1, share)
}

package mpi

import "fmt"

// What holds for the arguments of any Comm, told in a panic: a call that breaks a rule is
// a mistake of the program. Rank calls it.

func checkRoot(call string, rank, size, root int) {
	if root < 0 || root >= size {
		panic(fmt.Sprintf("mpi: %s on rank %d: there is no rank %d among %d", call, rank, root, size))
	}
}

// checkCounts holds the lengths of a rank's parts against counts; whole tells whether all
// of them are here.
func checkCounts(call string, rank, size, own, all int, counts []int, whole bool) {
	if len(counts) != size {
		panic(fmt.Sprintf("mpi: %s on rank %d: %d counts for %d ranks", call, rank, len(counts), size))
	}
	if own != counts[rank] {
		panic(fmt.Sprintf("mpi: %s on rank %d: own has %d bytes, its count is %d", call, rank, own, counts[rank]))
	}
	sum := 0
	for r, n := range counts {
		if n < 0 {
			panic(fmt.Sprintf("mpi: %s on rank %d: the count of rank %d is %d", call, rank, r, n))
		}
		sum += n
	}
	if whole && all != sum {
		panic(fmt.Sprintf("mpi: %s on rank %d: all has %d bytes, the counts' sum is %d", call, rank, all, sum))
	}
	if !whole && all != 0 {
		panic(fmt.Sprintf("mpi: %s on rank %d: all is for the root, here it is nil", call, rank))
	}
}

// checkMessages looks at the messages of an exchange; mine tells what is of Buffer.
func checkMessages(rank, size int, way string, messages []Message, mine func([]byte) bool) {
	for _, m := range messages {
		about := fmt.Sprintf("mpi: Exchange on rank %d: a message %s rank %d", rank, way, m.Peer)
		switch {
		case m.Peer < 0 || m.Peer >= size:
			panic(fmt.Sprintf("%s: there are %d ranks", about, size))
		case m.Tag < 0 || m.Tag > MaxTag:
			panic(fmt.Sprintf("%s: tag %d is not in 0 … %d", about, m.Tag, MaxTag))
		case !mine(m.Data):
			panic(fmt.Sprintf("%s: its %d bytes are not memory of Buffer", about, len(m.Data)))
		}
	}
}

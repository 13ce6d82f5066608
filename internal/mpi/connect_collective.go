//go:build !nompi

package mpi

import (
	"unsafe"
)

// ownTag is the tag of messages that are parts of a collective call.
const ownTag = MaxTag + 1

// together makes a call that gives one request, and waits for it.
func (w *world) together(name string, function uintptr, arguments ...uintptr) {
	o := &w.collective
	o.begin = func() { w.call(name, function, append(arguments, pointer(o.requests))...) }
	w.post(o)
	w.await(o)
}

// staging is memory of this world's own, of at least so many bytes.
func (w *world) staging(bytes int) []byte {
	if len(w.staged) < bytes {
		if w.staged != nil {
			w.Free(w.staged)
		}
		w.staged = w.Buffer(max(bytes, min(2*len(w.staged), w.stage)))
	}
	return w.staged[:bytes]
}

func (w *world) Barrier() { w.together("MPI_Ibarrier", w.lib.ibarrier, w.lib.world) }

func (w *world) Broadcast(root int, data []byte) {
	checkRoot("Broadcast", w.rank, w.size, root)
	for i := range pieces(len(data), w.stage) {
		part := piece(data, i, w.stage)
		s := w.staging(len(part))
		if w.rank == root {
			copy(s, part)
		}
		w.together("MPI_Ibcast", w.lib.ibcast, pointer(s), uintptr(len(s)), w.lib.byte, uintptr(root), w.lib.world)
		if w.rank != root {
			copy(part, s)
		}
	}
}

// parts tells the library the counts, and whether all parts fit into staged.
func (w *world) parts(counts []int) (sum int, fits bool) {
	for _, n := range counts {
		sum += n
	}
	if sum > w.stage {
		return sum, false
	}
	from := 0
	for r, n := range counts {
		w.counts[r], w.starts[r] = int32(n), int32(from)
		from += n
	}
	return sum, true
}

func numbers32(s []int32) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

func (w *world) AllGather(own []byte, counts []int, all []byte) {
	checkCounts("AllGather", w.rank, w.size, len(own), len(all), counts, true)
	sum, fits := w.parts(counts)
	if !fits {
		for r, n := range counts {
			part := all[:n]
			if r == w.rank {
				copy(part, own)
			}
			w.Broadcast(r, part)
			all = all[n:]
		}
		return
	}
	s := w.staging(len(own) + sum)
	copy(s, own)
	w.together("MPI_Iallgatherv", w.lib.iallgatherv, pointer(s), uintptr(len(own)), w.lib.byte,
		pointer(s[len(own):]), numbers32(w.counts), numbers32(w.starts), w.lib.byte, w.lib.world)
	copy(all, s[len(own):])
}

func (w *world) Gather(root int, own []byte, counts []int, all []byte) {
	checkRoot("Gather", w.rank, w.size, root)
	checkCounts("Gather", w.rank, w.size, len(own), len(all), counts, w.rank == root)
	sum, fits := w.parts(counts)
	if !fits {
		w.oneByOne(root, own, counts, all, false)
		return
	}
	if w.rank != root {
		sum = 0
	}
	s := w.staging(len(own) + sum)
	copy(s, own)
	w.together("MPI_Igatherv", w.lib.igatherv, pointer(s), uintptr(len(own)), w.lib.byte,
		pointer(s[len(own):]), numbers32(w.counts), numbers32(w.starts), w.lib.byte, uintptr(root), w.lib.world)
	copy(all, s[len(own):])
}

func (w *world) Scatter(root int, all []byte, counts []int, own []byte) {
	checkRoot("Scatter", w.rank, w.size, root)
	checkCounts("Scatter", w.rank, w.size, len(own), len(all), counts, w.rank == root)
	sum, fits := w.parts(counts)
	if !fits {
		w.oneByOne(root, own, counts, all, true)
		return
	}
	if w.rank != root {
		sum = 0
	}
	s := w.staging(len(own) + sum)
	copy(s[len(own):], all)
	w.together("MPI_Iscatterv", w.lib.iscatterv, pointer(s[len(own):]), numbers32(w.counts), numbers32(w.starts), w.lib.byte,
		pointer(s), uintptr(len(own)), w.lib.byte, uintptr(root), w.lib.world)
	copy(own, s)
}

// oneByOne gathers, or scatters, what is too long for one call: one rank after the other.
func (w *world) oneByOne(root int, own []byte, counts []int, all []byte, scatter bool) {
	for r, n := range counts {
		var part []byte
		if w.rank == root {
			part, all = all[:n], all[n:]
		}
		switch {
		case r == root && w.rank == root && scatter:
			copy(own, part)
		case r == root && w.rank == root:
			copy(part, own)
		case r == root:
		case w.rank == root && scatter:
			w.send(r, part)
		case w.rank == root:
			w.receive(r, part)
		case w.rank == r && scatter:
			w.receive(root, own)
		case w.rank == r:
			w.send(root, own)
		}
	}
}

func (w *world) send(to int, data []byte) {
	for i := range pieces(len(data), w.stage) {
		s := w.staging(len(piece(data, i, w.stage)))
		copy(s, piece(data, i, w.stage))
		w.together("MPI_Isend", w.lib.isend, pointer(s), uintptr(len(s)), w.lib.byte, uintptr(to), ownTag, w.lib.world)
	}
}

func (w *world) receive(from int, data []byte) {
	for i := range pieces(len(data), w.stage) {
		s := w.staging(len(piece(data, i, w.stage)))
		w.together("MPI_Irecv", w.lib.irecv, pointer(s), uintptr(len(s)), w.lib.byte, uintptr(from), ownTag, w.lib.world)
		copy(piece(data, i, w.stage), s)
	}
}

package joined

import (
	"unsafe"

	"lbmib/internal/mpi"
)

// Tags of messages between ranks.
const (
	tagFaces = iota // what open faces that go on from part to part keep
	tagOrders
	tagValues
	tagAnswers
	tagSeams                       // what flies from parts of one rank into those of another: of each level one more
	tagFirst  = tagSeams + levels  // what seams between levels read before the first of two steps, likewise
	tagSecond = tagFirst + levels  // and before the second
	tagPorts  = tagSecond + levels // what enters through ports that several ranks have
	tagAides  = tagPorts + 1       // what aides tell each other
	levels    = 64                 // more than a domain has room for
)

// orderWords is how many numbers an order has: what is to be done, and with what.
const orderWords = 16

// chunkBytes is how much of a list of values goes at a time.
const chunkBytes = 1 << 20

// mostKept is how many exchanges of values of different lengths a wire keeps ready.
const mostKept = 64

// wire joins rank 0, which conducts, with one of the others: orders one way, values both ways.
type wire struct {
	comm   mpi.Comm
	peer   int
	order  []int64 // the latest
	orders mpi.Exchange
	gives  lane
	takes  lane
	asking bool // the peer waits for an answer to be taken
}

// lane is one way of a wire.
type lane struct {
	room []byte
	kept map[int]mpi.Exchange // of so many bytes
	make func(data []byte) mpi.Exchange
}

// newWire is this rank's end of a wire to a peer.
func newWire(comm mpi.Comm, peer int) *wire {
	w := &wire{comm: comm, peer: peer}
	data := comm.Buffer(8 * orderWords)
	w.order = mpi.View[int64](data)
	message := []mpi.Message{{Peer: peer, Tag: tagOrders, Data: data}}
	give, take := tagValues, tagAnswers
	if comm.Rank() == 0 {
		w.orders = comm.Exchange(message, nil)
	} else {
		w.orders = comm.Exchange(nil, message)
		give, take = take, give
	}
	w.gives = lane{room: comm.Buffer(chunkBytes), kept: map[int]mpi.Exchange{},
		make: func(data []byte) mpi.Exchange {
			return comm.Exchange([]mpi.Message{{Peer: peer, Tag: give, Data: data}}, nil)
		}}
	w.takes = lane{room: comm.Buffer(chunkBytes), kept: map[int]mpi.Exchange{},
		make: func(data []byte) mpi.Exchange {
			return comm.Exchange(nil, []mpi.Message{{Peer: peer, Tag: take, Data: data}})
		}}
	return w
}

// of is an exchange of so many bytes of the lane's room.
func (l *lane) of(n int) mpi.Exchange {
	e, ok := l.kept[n]
	if !ok {
		if len(l.kept) == mostKept {
			for n, old := range l.kept {
				old.Free()
				delete(l.kept, n)
			}
		}
		e = l.make(l.room[:n])
		l.kept[n] = e
	}
	return e
}

// send orders.
func (w *wire) send(words ...int64) {
	clear(w.order[copy(w.order, words):])
	w.orders.Start()
	w.orders.Wait()
}

// await waits for an order.
func (w *wire) await() {
	w.orders.Start()
	w.orders.Wait()
}

// give sends numbers to the peer, which takes as many.
func give[T mpi.Number](w *wire, values []T) {
	for data := mpi.Bytes(values); len(data) > 0; {
		n := copy(w.gives.room, data)
		e := w.gives.of(n)
		e.Start()
		e.Wait()
		data = data[n:]
	}
}

// take gets as many numbers as there is room for.
func take[T mpi.Number](w *wire, values []T) {
	for data := mpi.Bytes(values); len(data) > 0; {
		n := min(len(data), chunkBytes)
		e := w.takes.of(n)
		e.Start()
		e.Wait()
		copy(data, w.takes.room[:n])
		data = data[n:]
	}
}

// giveAll and takeAll do so with several lists; nil ones are left out.
func giveAll[T mpi.Number](w *wire, lists [][]T) {
	for _, l := range lists {
		give(w, l)
	}
}

func takeAll[T mpi.Number](w *wire, lists [][]T) {
	for _, l := range lists {
		take(w, l)
	}
}

// listOf makes lists of so many values.
func listOf[T any](lists, n int) (all [][]T) {
	for range lists {
		all = append(all, make([]T, n))
	}
	return all
}

// sizeOf is how many bytes a value has.
func sizeOf[T any]() int { return int(unsafe.Sizeof(*new(T))) }

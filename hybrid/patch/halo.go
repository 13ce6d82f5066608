package patch

import (
	"unsafe"

	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// Halo exchanges values of fields at nodes near the borders between ranks.
type Halo[T lbm.Float] struct {
	comm  mpi.Comm
	tag   int
	peers []*peer[T] // the others of a region
}

// peer is a rank with nodes that points nearest to own ones reach.
type peer[T lbm.Float] struct {
	rank         int
	boxes        []lbm.Box
	sends, takes []int32 // places in the window, ascending: nodes of this rank, and of the other
	out, in      mailbox[T]
	exchange     mpi.Exchange
}

// mailbox is room for values of one direction.
type mailbox[T lbm.Float] struct {
	data   []byte
	values []T
}

// newHalo is of the others of a region, with which nothing is exchanged yet.
func newHalo[T lbm.Float](of *Region) Halo[T] {
	h := Halo[T]{comm: of.Comm, tag: of.Tag}
	for _, o := range of.Others {
		h.peers = append(h.peers, &peer[T]{rank: o.Rank, boxes: o.Boxes})
	}
	return h
}

// NewHalo is of fields of a whole domain: ranks get values of all nodes of the fluid within reach of their own.
func NewHalo[T lbm.Float](of *Region, reach int, nodes []int32) Halo[T] {
	h := newHalo[T](of)
	for _, n := range nodes {
		p := of.flow.Position(int(n))
		if of.within(of.Own, p, 0) {
			for _, o := range h.peers {
				if of.within(o.boxes, p, reach) {
					o.sends = append(o.sends, n)
				}
			}
			continue
		}
		if !of.within(of.Own, p, reach) {
			continue
		}
		for _, o := range h.peers {
			if of.within(o.boxes, p, 0) {
				o.takes = append(o.takes, n)
			}
		}
	}
	return h
}

// Exchange gets values of fields at the nodes that neighbours have of supports, and gives them theirs.
func (s *Halo[T]) Exchange(fields [][]T) {
	each := len(fields)
	for _, p := range s.peers {
		if !p.ready(s, each) {
			continue
		}
		to := p.out.values
		for _, f := range fields {
			for i, at := range p.sends {
				to[i] = f[at]
			}
			to = to[len(p.sends):]
		}
		p.exchange.Start()
	}
	for _, p := range s.peers {
		if p.exchange == nil {
			continue
		}
		p.exchange.Wait()
		from := p.in.values
		for _, f := range fields {
			for i, at := range p.takes {
				f[at] = from[i]
			}
			from = from[len(p.takes):]
		}
	}
}

// ready makes room for so many values of each node, as the other rank does for as many, and tells whether there have ever been any.
func (p *peer[T]) ready(s *Halo[T], each int) bool {
	sends, takes := each*len(p.sends), each*len(p.takes)
	if sends <= len(p.out.values) && takes <= len(p.in.values) {
		return p.exchange != nil
	}
	if p.exchange != nil {
		p.exchange.Free()
	}
	p.out.grow(s.comm, sends)
	p.in.grow(s.comm, takes)
	message := func(m *mailbox[T]) []mpi.Message {
		if len(m.values) == 0 {
			return nil
		}
		return []mpi.Message{{Peer: p.rank, Tag: s.tag, Data: m.data}}
	}
	p.exchange = s.comm.Exchange(message(&p.out), message(&p.in))
	return true
}

// grow makes room for so many values, by what both ends know alike.
func (m *mailbox[T]) grow(comm mpi.Comm, values int) {
	if values <= len(m.values) {
		return
	}
	if m.data != nil {
		comm.Free(m.data)
	}
	m.data = comm.Buffer((values + values/2) * sizeOf[T]())
	m.values = mpi.View[T](m.data)
}

func sizeOf[T any]() int { return int(unsafe.Sizeof(*new(T))) }

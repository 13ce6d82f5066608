package mpi

import (
	"fmt"
)

// route is what messages that can meet have in common.
type route struct{ from, to, tag int }

// box holds what waits on a route for its mate, in the order of coming: sends or receives,
// never both.
type box struct{ first, last *request }

// request is one message of an exchange, at one of its ends.
type request struct {
	exchange *goExchange
	route    route
	box      *box
	data     []byte
	sends    bool
	open     bool
	next     *request // in the box
}

// goExchange is an exchange of goroutines.
type goExchange struct {
	of       *member
	requests []request
	open     int // messages that have not met their mates
	started  bool
	freed    bool
}

func (r *member) Exchange(sends, receives []Message) Exchange {
	g := r.group
	checkMessages(r.rank, len(g.ranks), "to", sends, g.memory.has)
	checkMessages(r.rank, len(g.ranks), "from", receives, g.memory.has)
	e := &goExchange{of: r, requests: make([]request, 0, len(sends)+len(receives))}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range receives {
		e.add(m, route{m.Peer, r.rank, m.Tag}, false)
	}
	for _, m := range sends {
		e.add(m, route{r.rank, m.Peer, m.Tag}, true)
	}
	return e
}

func (e *goExchange) add(m Message, way route, sends bool) {
	boxes := e.of.group.boxes
	if boxes[way] == nil {
		boxes[way] = &box{}
	}
	e.requests = append(e.requests, request{exchange: e, route: way, box: boxes[way], data: m.Data, sends: sends})
}

// Start copies what meets its mate; who comes later copies.
func (e *goExchange) Start() {
	g := e.of.group
	g.mu.Lock()
	g.check()
	if e.started || e.freed {
		g.mu.Unlock()
		panic(fmt.Sprintf("mpi: Start on rank %d of an exchange that is started, or freed", e.of.rank))
	}
	e.started, e.open = true, len(e.requests)
	for i := range e.requests {
		q := &e.requests[i]
		q.open = true
		mate := q.box.mate(q)
		if mate == nil {
			continue
		}
		send, receive := q, mate
		if mate.sends {
			send, receive = mate, q
		}
		if len(send.data) != len(receive.data) {
			g.fail(fmt.Errorf("mpi: rank %d sends %d bytes to rank %d with tag %d, which awaits %d there",
				q.route.from, len(send.data), q.route.to, q.route.tag, len(receive.data)))
			g.check()
		}
		g.mu.Unlock()
		copy(receive.data, send.data)
		g.mu.Lock()
		mate.done()
		q.done()
	}
	g.mu.Unlock()
}

// mate takes what q meets out of the box, or leaves q there.
func (b *box) mate(q *request) *request {
	if m := b.first; m != nil && m.sends != q.sends {
		if b.first = m.next; b.first == nil {
			b.last = nil
		}
		m.next = nil
		return m
	}
	if b.last == nil {
		b.first = q
	} else {
		b.last.next = q
	}
	b.last = q
	return nil
}

// done says that a message has gone over.
func (q *request) done() {
	q.open = false
	e := q.exchange
	if e.open--; e.open == 0 && e.of.during == e {
		e.of.rouse()
	}
}

func (e *goExchange) Wait() {
	g := e.of.group
	g.mu.Lock()
	if !e.started {
		g.mu.Unlock()
		panic(fmt.Sprintf("mpi: Wait on rank %d for an exchange that is not started", e.of.rank))
	}
	e.of.during = e
	for e.open > 0 {
		e.of.sleep()
		if e.open > 0 {
			g.check()
		}
	}
	e.of.during = nil
	e.started = false
	g.mu.Unlock()
}

func (e *goExchange) Free() {
	g := e.of.group
	g.mu.Lock()
	defer g.mu.Unlock()
	if e.started && g.err == nil {
		panic(fmt.Sprintf("mpi: Free on rank %d of an exchange that is started", e.of.rank))
	}
	e.freed = true
}

// String tells the first message that is awaited.
func (e *goExchange) String() string {
	for i := range e.requests {
		q := &e.requests[i]
		if !q.open {
			continue
		}
		what := fmt.Sprintf("Wait of an exchange for %d bytes of rank %d", len(q.data), q.route.from)
		if q.sends {
			what = fmt.Sprintf("Wait of an exchange for rank %d to take %d bytes", q.route.to, len(q.data))
		}
		return fmt.Sprintf("%s with tag %d", what, q.route.tag)
	}
	return "Wait of an exchange"
}

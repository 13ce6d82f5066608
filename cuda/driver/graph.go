package driver

import "unsafe"

// Graph is work that was captured from a stream and is launched as one, with
// the arguments of then.
type Graph struct {
	c           *Context
	graph, exec uintptr
	kernels     []*Function // of all nodes
	counted     [countersInTotal]int64
}

// Begin starts a capture: until End, what is queued on the stream is recorded
// and not done. Copies must be from and to pinned memory, and nothing may be
// waited for on the host.
func (s *Stream) Begin() error {
	// Relaxed, since a goroutine may continue on another thread; the other modes
	// belong to the thread that began.
	const relaxed = 2
	s.idle()
	if err := s.queue("cuStreamBeginCapture", s.c.d.fn.captureBegin, s.handle, relaxed, 0, 0, 2); err != nil {
		return err
	}
	s.capture = &capture{}
	return nil
}

// End ends the capture and makes a graph of it. It must be closed.
func (s *Stream) End() (*Graph, error) {
	g := &Graph{c: s.c}
	if r := s.recording(); r != nil {
		r.ended.Store(true)
		g.kernels, g.counted = r.kernels, r.counted
	}
	s.launched.Store(0)
	if err := s.c.call("cuStreamEndCapture", s.c.d.fn.captureEnd, s.handle, uintptr(unsafe.Pointer(&g.graph))); err != nil {
		return nil, err
	}
	if err := g.instantiate(); err != nil {
		g.Close()
		return nil, err
	}
	g.c.counted[countCaptures].Add(1)
	return g, nil
}

// instantiate uses the entry of CUDA 11.4, or the one before, whose last three
// arguments describe a failure.
func (g *Graph) instantiate() error {
	if fn := g.c.d.fn.graphInstantiate; fn != 0 {
		return g.c.call("cuGraphInstantiateWithFlags", fn, uintptr(unsafe.Pointer(&g.exec)), g.graph, 0)
	}
	return g.c.call("cuGraphInstantiate", g.c.d.fn.graphInstantiateOld, uintptr(unsafe.Pointer(&g.exec)), g.graph, 0, 0, 0)
}

// Nodes is the number of kernels, copies and fills in the graph.
func (g *Graph) Nodes() int {
	c := &g.counted
	return int(c[countLaunches] + c[countToDevice] + c[countToHost] + c[countWithin] + c[countFilled])
}

// Launch queues the graph on a stream. It allocates nothing.
func (g *Graph) Launch(s *Stream) error {
	s.graph.Store(g)
	g.countLaunch()
	return s.queue("cuGraphLaunch", s.c.d.fn.graphLaunch, g.exec, s.handle, 0, 0, 2)
}

// Close destroys the graph. Closing again, or nil, does nothing.
func (g *Graph) Close() error {
	if g == nil {
		return nil
	}
	var first error
	if g.exec != 0 {
		first = g.c.call("cuGraphExecDestroy", g.c.d.fn.graphExecDestroy, g.exec)
	}
	if g.graph != 0 {
		if err := g.c.call("cuGraphDestroy", g.c.d.fn.graphDestroy, g.graph); first == nil {
			first = err
		}
	}
	g.exec, g.graph = 0, 0
	return first
}

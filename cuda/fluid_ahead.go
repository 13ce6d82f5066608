package cuda

import "lbmib/cuda/driver"

// fluidAhead bounds how far the host runs ahead of the device. Queues are thousands of
// launches long, and launches of graphs are many steps: who asks, or interrupts a run,
// would wait for all of them. Marks in the stream are waited for some marks later, by when
// the device has long reached them, unless it is that far behind.
type fluidAhead struct {
	ring  [8]*driver.Event
	depth int // marks that may be outstanding
	next  int
	every int // steps from one mark to the next
	steps int // queued since the last
}

// aheadSeconds is about how long the device may be busy with what has been queued, at
// aheadBandwidth bytes a second, but for two marks: the device must never have to wait for
// the host.
const aheadSeconds, aheadBandwidth = 0.1, 1e12

func (f *stepper[T]) prepareAhead() (err error) {
	a := &f.ahead
	a.every = batchSteps
	if f.stepBytes() > longStep {
		a.every = 1
	}
	a.depth = max(2, min(len(a.ring), int(aheadSeconds*aheadBandwidth/float64(batchSteps*f.stepBytes()))))
	for i := range a.depth {
		if a.ring[i], err = f.context.EventUntimed(); err != nil {
			return err
		}
	}
	return nil
}

func (a *fluidAhead) close() {
	for _, e := range a.ring {
		e.Close()
	}
}

// queued is called when so many steps have been queued: they are marked, if they are many,
// once the oldest mark has been reached.
func (f *stepper[T]) queued(steps int) error {
	a := &f.ahead
	if a.steps += steps; a.steps < a.every {
		return nil
	}
	a.steps = 0
	a.next = (a.next + 1) % a.depth
	if err := a.ring[a.next].Synchronize(); err != nil { // at once where it was never recorded
		return f.fault(err)
	}
	return f.stream.Record(a.ring[a.next])
}

// isIdle tells whether the device has reached the last mark.
func (a *fluidAhead) isIdle() bool { return a.ring[a.next].Done() }

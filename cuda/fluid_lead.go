package cuda

// leader is what has work of its own to be done before steps: a coupling whose bodies move.
type leader interface {
	// lead queues what precedes the first of the steps that wait, or the one asked for last.
	lead() error

	// graphOf is what a graph of all steps that wait depends on of the leader's; −1 where
	// they cannot be in one.
	graphOf() int

	// launched is told when such a graph has been launched: one that was made of them, which
	// has called lead for each, or (again) one from before, for which nobody has.
	launched(of int, again bool) error

	// unled is told instead that such a graph is not to be, for which lead was called: the
	// steps wait as they did.
	unled(of int)
}

// fluidLead is what precedes steps.
type fluidLead struct {
	by   leader
	next bool  // it precedes the step that is asked for next
	led  uint8 // it precedes those of the steps that wait: a bit for each, the first lowest
}

// allLed are the steps of a batch.
const allLed = 1<<batchSteps - 1

// precede lets what the leader has to do precede the next step that is asked for.
func (f *batcher[T]) precede(by leader) { f.lead.by, f.lead.next = by, true }

// preceded tells whether it will, and unprecede takes that back.
func (f *batcher[T]) preceded() bool { return f.lead.next }
func (f *batcher[T]) unprecede()     { f.lead.next = false }

// nextInBatch is the place that the next step would have among those that wait, if it would
// wait (batched).
func (f *batcher[T]) nextInBatch() (place int, batched bool) {
	b := &f.batch
	if f.nextIsAlone() {
		return 0, false
	}
	if b.isFull() {
		return 0, true
	}
	return b.waiting, true
}

// isFull tells whether the steps that wait are made before another does.
func (b *fluidBatch) isFull() bool {
	return b.waiting == batchSteps || b.corrected > 0 && b.corrected < b.waiting
}

// unled lets the steps of a graph that is not to be wait as they did.
func (l *fluidLead) unled(of int) {
	if of > 0 {
		l.led = allLed
		l.by.unled(of - 1)
	}
}

// waits takes note that the step asked for waits, as the place-th.
func (l *fluidLead) waits(place int) {
	if l.next {
		l.led |= 1 << place
	}
	l.next = false
}

// queueNext queues what precedes the step asked for, queueFirst that of the first that waits.
func (l *fluidLead) queueNext() error {
	if !l.next {
		return nil
	}
	l.next = false
	return l.by.lead()
}

func (l *fluidLead) queueFirst() error {
	led := l.led&1 != 0
	l.led >>= 1
	if !led {
		return nil
	}
	return l.by.lead()
}

// graphOf is what a graph of the steps that wait depends on; −1 where they cannot be in one.
func (l *fluidLead) graphOf() int {
	switch l.led {
	case 0:
		return 0
	case allLed:
		if of := l.by.graphOf(); of >= 0 {
			return 1 + of
		}
	}
	return -1
}

// launched tells of the launch of a graph that depends on that.
func (l *fluidLead) launched(of int, again bool) error {
	l.led = 0
	if of == 0 {
		return nil
	}
	return l.by.launched(of-1, again)
}

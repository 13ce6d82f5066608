package hybrid

import (
	"slices"
	"time"

	"lbmib/lbm"
)

// trial finds the fastest of some schedules. What it measures with are steps of the
// run, so that nothing is done in vain: a few with each schedule in turn, in rounds. A
// schedule's time is the median of its rounds: the least of them would flatter a schedule
// whose times scatter, as those do that host and device share. What is done between steps is
// a part of it: a schedule may be slower for those who look often.
type trial[T lbm.Float] struct {
	s       *Simulation[T]
	batched lbm.Batched // the fluid, if it batches steps
	of      []schedule[T]
	took    [][]time.Duration // of its rounds, for each
	now     int               // the schedule that is tried
	round   int
	first   int // steps of it that are not counted,
	steps   int // and all, in this round
	begin   time.Time
	made    int // batches that the fluid had made ready by then
	again   int // times that steps of this round have been counted anew
}

// Of every round of a schedule the first steps are not counted: they fill pipelines and
// caches, and where steps go in batches they are a whole batch, which is made ready with
// it. The others are a whole number of batches, and a multiple of what alternates from
// step to step, so that rounds are alike. Where a batch was made ready among them they do
// not count, and others do.
const (
	trialRounds = 3
	trialFirst  = 4
	trialSteps  = 8
	trialAgain  = 2
)

// deviceMargin is the part of the device's time by which another schedule is to be faster, to
// be taken in its place: on an NVIDIA H200 pipelined steps of 33 million nodes with 39
// cylinders took 0.99 of the device's time while they were tried, and 1.05 to 1.17 later, since
// they depend on what the host's cores do besides.
const deviceMargin = 0.03

func newTrial[T lbm.Float](s *Simulation[T], of []schedule[T]) *trial[T] {
	t := &trial[T]{s: s, of: of, took: make([][]time.Duration, len(of))}
	t.batched, _ = s.fluid.(lbm.Batched)
	return t
}

// step makes a step with the schedule that is tried.
func (t *trial[T]) step() {
	if t.steps == 0 {
		t.first = t.of[t.now].warmUp()
	}
	if t.steps == t.first {
		t.wait()
		t.made = t.madeReady()
		t.begin = time.Now()
	}
	t.of[t.now].step()
	if t.steps++; t.steps < t.first+trialSteps {
		return
	}
	t.wait()
	if t.madeReady() != t.made && t.again < trialAgain {
		t.again++
		t.steps = t.first
		return
	}
	t.took[t.now] = append(t.took[t.now], time.Since(t.begin)/trialSteps)
	t.next()
}

// madeReady is how many batches of steps the fluid has made ready so far.
func (t *trial[T]) madeReady() int {
	if t.batched == nil {
		return 0
	}
	return t.batched.Batches()
}

// wait returns when the fluid has made all steps.
func (t *trial[T]) wait() {
	if o, ok := t.s.fluid.(lbm.Overlapped[T]); ok {
		_ = o.Wait() // Err tells
	}
}

// next goes on to the schedule that is next, or ends with the fastest.
func (t *trial[T]) next() {
	t.steps, t.again = 0, 0
	if t.now++; t.now == len(t.of) {
		t.now = 0
		t.round++
	}
	if t.round < trialRounds {
		t.s.use(t.of[t.now])
		return
	}
	best := t.best()
	t.s.use(t.of[best])
	t.s.measures.takeAll() // a device that is not chosen may be closed
	for i, p := range t.of {
		if i != best {
			p.close()
		}
	}
	t.s.choice.Settled = true
	t.s.trial = nil
}

// best is the number of the fastest schedule, and tells the choice what all took.
func (t *trial[T]) best() (best int) {
	t.s.choice.Times = map[string]time.Duration{}
	asked := make([]time.Duration, len(t.of)) // the times that are compared
	for i, took := range t.took {
		slices.Sort(took)
		median := took[len(took)/2]
		t.s.choice.Times[t.of[i].name()], asked[i] = median, median
		if t.of[i].name() == "device" {
			asked[i] -= time.Duration(deviceMargin * float64(median))
		}
		if asked[i] < asked[best] {
			best = i
		}
	}
	return best
}

// close ends what schedules that are tried have started.
func (t *trial[T]) close() {
	for _, p := range t.of {
		p.close()
	}
}

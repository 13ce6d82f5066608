package cuda

import (
	"time"

	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// jointTask is a kernel of a joint, to be queued for a fluid. What it takes on the device is sampled, as fluidTimes does of steps.
type jointTask[T lbm.Float] struct {
	of *batcher[T]
	do func(constants *[lbm.JointConstants]T) error // queues it

	marks          [2]*driver.Event
	runs, samples  int64
	seconds        float64 // in samples
	marking, taken bool    // this run; a sample that has not been looked at
}

// task is one more of a joint.
func (j *joint[T]) task(of *batcher[T], do func(constants *[lbm.JointConstants]T) error) (*jointTask[T], error) {
	t := &jointTask[T]{of: of, do: do}
	j.tasks = append(j.tasks, t)
	for k := range t.marks {
		var err error
		if t.marks[k], err = j.in.context.Event(); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ask has it queued, at once or as one of a cycle.
func (t *jointTask[T]) ask(constants *[lbm.JointConstants]T) {
	f := t.of
	if c := f.together; c != nil && c.waits {
		c.actions = append(c.actions, cycleAction[T]{f, cycleTask, t, *constants})
		return
	}
	if f.settled() {
		f.fail(t.run(constants, false))
	}
}

// run queues it; a run that is captured has no sample.
func (t *jointTask[T]) run(constants *[lbm.JointConstants]T, captured bool) error {
	if err := t.begin(t.of.stream, !captured); err != nil {
		return err
	}
	if err := t.do(constants); err != nil {
		return err
	}
	return t.end(t.of.stream)
}

// begin marks the begin of a run, if it is one of many and may be marked.
func (t *jointTask[T]) begin(s *driver.Stream, may bool) error {
	t.runs++
	if t.marking = may && t.runs%sampleEvery == sampleOdd; !t.marking {
		return nil
	}
	if t.look(); t.taken { // still under way
		t.marking = false
		return nil
	}
	return s.Record(t.marks[0])
}

func (t *jointTask[T]) end(s *driver.Stream) error {
	if !t.marking {
		return nil
	}
	t.taken = true
	return s.Record(t.marks[1])
}

// look takes in a sample that has been completed.
func (t *jointTask[T]) look() {
	if !t.taken || !t.marks[1].Done() {
		return
	}
	t.taken = false
	if took, err := driver.Elapsed(t.marks[0], t.marks[1]); err == nil {
		t.seconds, t.samples = t.seconds+took, t.samples+1
	}
}

// Time is what all runs of all kernels have taken, by the samples.
func (j *joint[T]) Time() time.Duration {
	sum := 0.
	for _, t := range j.tasks {
		if t.look(); t.samples > 0 {
			sum += t.seconds / float64(t.samples) * float64(t.runs)
		}
	}
	return time.Duration(sum * float64(time.Second))
}

func (j *joint[T]) close() {
	for _, t := range j.tasks {
		for _, m := range t.marks {
			m.Close()
		}
	}
}

package cuda

import (
	"time"

	"lbmib/cuda/driver"
)

// jointTask samples what a kernel of a joint takes on the device, as fluidTimes does of steps.
type jointTask struct {
	marks          [2]*driver.Event
	runs, samples  int64
	seconds        float64 // in samples
	marking, taken bool    // this run; a sample that has not been looked at
}

// task is one more of a joint.
func (j *joint[T]) task() (*jointTask, error) {
	t := &jointTask{}
	j.tasks = append(j.tasks, t)
	for k := range t.marks {
		var err error
		if t.marks[k], err = j.in.context.Event(); err != nil {
			return t, err
		}
	}
	return t, nil
}

// begin marks the begin of a run, if it is one of many.
func (t *jointTask) begin(s *driver.Stream) error {
	t.runs++
	if t.marking = t.runs%sampleEvery == sampleOdd; !t.marking {
		return nil
	}
	if t.look(); t.taken { // still under way
		t.marking = false
		return nil
	}
	return s.Record(t.marks[0])
}

func (t *jointTask) end(s *driver.Stream) error {
	if !t.marking {
		return nil
	}
	t.taken = true
	return s.Record(t.marks[1])
}

// look takes in a sample that has been completed.
func (t *jointTask) look() {
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

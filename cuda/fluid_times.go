package cuda

import (
	"time"

	"lbmib/cuda/driver"
)

// fluidTimes samples where steps spend their time on the device: marks in the stream
// around the parts of a step in many, looked at when they have been reached.
type fluidTimes struct {
	marks          [3]*driver.Event // begin, between boundaries and sweep, end
	marking, taken bool             // this step; a sample that has not been looked at
	boundary, bulk float64          // seconds in samples
	samples        int
}

// sampleEvery is how many steps two samples stand for, an even and an odd one, as schemes
// have two kinds of sweeps. The odd one is some steps after the even one, by when that has
// been made.
const sampleEvery, sampleOdd = 64, 9

func (f *stepper[T]) prepareTimes() (err error) {
	for k := range f.times.marks {
		if f.times.marks[k], err = f.context.Event(); err != nil {
			return err
		}
	}
	return nil
}

func (t *fluidTimes) close() {
	for _, m := range t.marks {
		m.Close()
	}
}

// begin marks the begin of a step, if it is one of many and may be marked.
func (t *fluidTimes) begin(s *driver.Stream, step int64, may bool) error {
	if t.marking = may && (step%sampleEvery == 0 || step%sampleEvery == sampleOdd); !t.marking {
		return nil
	}
	t.look()
	if t.taken { // still under way
		t.marking = false
		return nil
	}
	return s.Record(t.marks[0])
}

func (t *fluidTimes) middle(s *driver.Stream) error {
	if !t.marking {
		return nil
	}
	return s.Record(t.marks[1])
}

func (t *fluidTimes) end(s *driver.Stream) error {
	if !t.marking {
		return nil
	}
	t.taken = true
	return s.Record(t.marks[2])
}

// look takes in a sample that has been completed.
func (t *fluidTimes) look() {
	if !t.taken || !t.marks[2].Done() {
		return
	}
	t.taken = false
	before, err := driver.Elapsed(t.marks[0], t.marks[1])
	after, err2 := driver.Elapsed(t.marks[1], t.marks[2])
	if err == nil && err2 == nil {
		t.boundary, t.bulk, t.samples = t.boundary+before, t.bulk+after, t.samples+1
	}
}

// split is what all steps have taken, by the samples.
func (t *fluidTimes) split(steps int64) (boundary, bulk time.Duration) {
	t.look()
	if t.samples == 0 {
		return 0, 0
	}
	each := float64(steps) / float64(t.samples) * float64(time.Second)
	return time.Duration(t.boundary * each), time.Duration(t.bulk * each)
}

package run

import (
	"errors"
	"strings"
	"testing"
	"time"

	"lbmib/run/exit"
	"lbmib/run/observe"
)

func TestBackgroundWorkIsNotWaitedForUntilAskedTo(t *testing.T) {
	var b observe.Background
	if b.Wait() != nil || b.Failed() != nil {
		t.Error("there is an error before any work")
	}
	release, disk := make(chan struct{}), errors.New("disk full")
	b.Start(func() error { <-release; return disk })
	if err := b.Failed(); err != nil {
		t.Errorf("work in flight has failed: %v", err)
	}
	if r := recovered(func() { b.Start(func() error { return nil }) }); r == nil {
		t.Error("a second piece of work was begun beside the first")
	}
	close(release)
	if err := b.Wait(); err != disk {
		t.Errorf("the error is %v, want the work's", err)
	}
	if b.Wait() != nil || b.Failed() != nil {
		t.Error("the error is told twice")
	}

	b.Start(func() error { return disk })
	for begin := time.Now(); ; time.Sleep(time.Millisecond) {
		if err := b.Failed(); err == disk {
			break
		}
		if time.Since(begin) > 10*time.Second {
			t.Fatal("an error is never told to one who does not wait")
		}
	}
	b.Start(func() error { return nil })
	if err := b.Wait(); err != nil {
		t.Errorf("after good work: %v", err)
	}
}

func recovered(do func()) (r any) {
	defer func() { r = recover() }()
	do()
	return nil
}

func TestAPanicInTheBackgroundIsAnInternalError(t *testing.T) {
	var b observe.Background
	b.Start(func() error { panic("lost") })
	err := b.Wait()
	if exit.Code(exit.AsInputOutput(err)) != exit.Internal || !strings.Contains(err.Error(), "lost") {
		t.Errorf("error %v with code %d, want the panic's and %d", err, exit.Code(err), exit.Internal)
	}
}

func TestTheErrorOfTheLastFieldsJoinsTheOneThatEndedTheRun(t *testing.T) {
	disk, burst := errors.New("disk full"), exit.As(exit.Diverged, errors.New("the flow diverged"))
	for _, c := range []struct {
		ended, fields error
		code          int
		says          []string
	}{
		{nil, nil, exit.Done, nil},
		{nil, disk, exit.InputOutput, []string{"disk full"}},
		{burst, nil, exit.Diverged, []string{"the flow diverged"}},
		{burst, disk, exit.Diverged, []string{"the flow diverged", "disk full"}},
	} {
		r := &run[float64]{out: &observe.Outputs[float64]{Fields: new(observe.Fields[float64])}, saves: new(checkpoints[float64])}
		r.out.Fields.Start(func() error { time.Sleep(5 * time.Millisecond); return c.fields })
		err := r.drain(c.ended)
		if exit.Code(err) != c.code {
			t.Errorf("ended by %v, fields by %v: code %d, want %d", c.ended, c.fields, exit.Code(err), c.code)
		}
		for _, s := range c.says {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%q does not say %q", err, s)
			}
		}
		if r.output < 5*time.Millisecond {
			t.Errorf("waiting counts as %v of output, want 5 ms or more", r.output)
		}
	}
}

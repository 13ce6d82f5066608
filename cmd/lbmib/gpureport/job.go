package gpureport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/run/backend"
)

// job is the part of a unit that one process makes.
type job struct {
	scope
	ctx      context.Context
	device   *backend.Device
	version  string
	program  string
	scratch  string // directory
	progress io.Writer
	unit     *Unit
	file     string // of the unit
	began    time.Time
	lost     bool  // the device takes no more work from this process
	unsaved  error // of writing the file
}

// Do makes what is left of one unit, whose file another process may have begun, and
// keeps the file up to date. The error is that of writing.
func Do(ctx context.Context, sectionName, unitName, file string, limit time.Duration, o Options) error {
	i := slices.IndexFunc(sections, func(s section) bool { return s.name == sectionName })
	if i < 0 {
		return fmt.Errorf("--section %s is unknown: choose %s", sectionName, harness.OneOf(SectionNames()))
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	u, begun := readUnit(file)
	if !begun {
		u = &Unit{Name: unitName}
	}
	u.Status, u.Note, u.LeftOut = "", "", nil
	u.Processes++
	j := &job{scope: scope{quick: o.Quick}, ctx: ctx, version: o.Version, program: o.Program, progress: o.Progress, unit: u, file: file}
	defer j.close()
	if err := j.prepare(); err != nil {
		u.Status, u.Note = failed, err.Error()
		return u.write(file)
	}
	all := sections[i].units(j.scope)
	k := slices.IndexFunc(all, func(u unit) bool { return u.name == unitName })
	if k < 0 {
		return fmt.Errorf("--unit %s is not in section %s", unitName, sectionName)
	}
	err := j.guarded(func() error { return all[k].do(j) })
	j.finish(err)
	return j.unsaved
}

func (j *job) prepare() (err error) {
	if j.device, err = backend.OpenDevice(); err != nil {
		return err
	}
	j.tiny = j.device.StandIn()
	j.scratch, err = os.MkdirTemp("", "lbmib-gpu-unit-")
	return err
}

func (j *job) close() {
	j.device.Close()
	if j.scratch != "" {
		os.RemoveAll(j.scratch)
	}
}

// finish writes the unit's state as this process leaves it; err is what kept it from its
// items.
func (j *job) finish(err error) {
	u := j.unit
	u.conclude()
	switch {
	case j.lost && len(u.LeftOut) > 0:
		u.Status = lost
	case err != nil && j.ctx.Err() != nil:
		u.Status = incomplete
	case err != nil:
		u.Status, u.Note = failed, err.Error()
	}
	if u.Status == incomplete && u.Note == "" {
		u.Note = "its time was up, or it was interrupted"
	}
	j.save()
}

// guarded makes a panic an error.
func (j *job) guarded(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return do()
}

func (j *job) save() {
	if err := j.unit.write(j.file); err != nil && j.unsaved == nil {
		j.unsaved = err
		fmt.Fprintf(j.progress, "%v\n", err)
	}
}

// plan tells the unit's items before the first of them.
func (j *job) plan(names []string) { j.unit.Planned = names }

// begin tells whether an item is to be made now: it has not been, and there is time. Its
// name is told and written before anything of it is done.
func (j *job) begin(name string) bool {
	switch {
	case j.unit.item(name) != nil:
		return false
	case j.lost || j.ctx.Err() != nil:
		j.unit.LeftOut = append(j.unit.LeftOut, name)
		return false
	}
	j.unit.Running, j.began = name, time.Now()
	fmt.Fprintf(j.progress, "  %s … ", name)
	j.save()
	return true
}

// end keeps what came of the item at work, its data also where there is an error.
func (j *job) end(data any, err error) {
	i := Item{Name: j.unit.Running, Status: done, Seconds: time.Since(j.began).Seconds()}
	j.unit.Running = ""
	if err != nil && j.ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		j.unit.LeftOut = append(j.unit.LeftOut, i.Name)
		j.unit.Note = fmt.Sprintf("its time was up, or it was interrupted, while %q was at work", i.Name)
		fmt.Fprintln(j.progress, "stopped")
		j.save()
		return
	}
	switch r := (*refusal)(nil); {
	case errors.As(err, &r):
		i.Status, i.Note = r.status, r.why
	case err != nil:
		i.Status, i.Note = failed, err.Error()
	}
	if fault := j.fault(); fault != nil {
		j.lost = true
		if i.Status != failed {
			i.Status, i.Note = failed, "the device was lost in it: "+fault.Error()
		}
	}
	if text, wrong := json.Marshal(data); wrong != nil {
		i.Status, i.Note = failed, "its result cannot be written: "+wrong.Error()
	} else if string(text) != "null" {
		i.Data = text
	}
	fmt.Fprintf(j.progress, "%s, %.2f s %s\n", i.Status, i.Seconds, i.Note)
	j.unit.Items = append(j.unit.Items, i)
	j.save()
}

// fault is what the process has lost the device by: it stays with the process.
func (j *job) fault() error {
	if j.device == nil { // given back
		return nil
	}
	_, _, err := j.device.Memory()
	return err
}

// make makes an item, unless there is nothing to do or no time; a panic is its failure.
func (j *job) make(name string, do func() (data any, err error)) {
	if !j.begin(name) {
		return
	}
	var data any
	err := j.guarded(func() (err error) { data, err = do(); return err })
	j.end(data, err)
}

// refusal is the error of an item that is not wrong, but cannot be had.
type refusal struct{ status, why string }

func (e *refusal) Error() string { return e.why }

// effort is how long to measure: repeats of so many seconds.
func (j *job) effort(seconds float64) harness.Effort {
	e := harness.Effort{Repeats: harness.LeastRepeats, Step: time.Duration(seconds * float64(time.Second)), Long: 3}
	if j.quick {
		e.Step /= 2
	}
	if j.tiny {
		e.Step = 200 * time.Microsecond
	}
	return e
}

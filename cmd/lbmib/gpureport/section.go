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
	"strings"
	"time"

	"lbmib/cmd/lbmib/backend"
	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/internal/durable"
)

// section is a part of the report to be made.
type section struct {
	name, title string
	full, quick time.Duration // at most
	do          func(*job) error
}

func (s *section) limit(quick bool) time.Duration {
	if quick {
		return s.quick
	}
	return s.full
}

// sections come in the order of what their failure would make of the rest.
var sections = []section{
	{"conformance", "Conformance of the fluid, of transfers and of couplings", 90 * time.Second, 20 * time.Second, (*job).conformance},
	{"bandwidth", "Bandwidth of the device's memory", 15 * time.Second, 5 * time.Second, (*job).bandwidth},
	{"fluid", "The fluid alone", 170 * time.Second, 35 * time.Second, (*job).fluid},
	{"cylinder", "A small grid: 1600 × 600 with a cylinder", 20 * time.Second, 8 * time.Second, (*job).cylinder},
	{"coupled", "Bodies in a stream, by schedule", 60 * time.Second, 15 * time.Second, (*job).coupled},
	{"transfer", "Interpolation and spreading beside the processor", 60 * time.Second, 15 * time.Second, (*job).transfer},
	{"kassen", "Interpolation and spreading in the tables of Kassen et al.", 20 * time.Second, 8 * time.Second, (*job).kassen},
	{"sanitizer", "compute-sanitizer on a small run", 60 * time.Second, 15 * time.Second, (*job).sanitizer},
	{"validation", "Validation suite, quick, on the device", 4 * time.Minute, 25 * time.Second, (*job).validation},
}

// SectionNames are the sections in their order.
func SectionNames() (names []string) {
	for _, s := range sections {
		names = append(names, s.name)
	}
	return names
}

// job is a section being made.
type job struct {
	ctx      context.Context
	device   *backend.Device
	quick    bool
	tiny     bool // the device is a stand-in: all is as short as can be
	version  string
	program  string
	scratch  string // directory
	progress io.Writer
	out      *Section
	text     strings.Builder
}

// Do makes one section and writes what it has found to a file, whatever happens. The
// error is that of writing.
func Do(ctx context.Context, name, into string, limit time.Duration, o Options) error {
	i := slices.IndexFunc(sections, func(s section) bool { return s.name == name })
	if i < 0 {
		return fmt.Errorf("--section %s is unknown: choose %s", name, gauge.OneOf(SectionNames()))
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	part := measure(ctx, &sections[i], o)
	return durable.WriteJSON(into, part)
}

// measure makes a section.
func measure(ctx context.Context, s *section, o Options) *Section {
	part := &Section{Name: s.name, Title: s.title, Status: done, Values: map[string]float64{}}
	j := &job{ctx: ctx, quick: o.Quick, version: o.Version, program: o.Program, progress: o.Progress, out: part}
	err := j.prepare()
	if err == nil {
		err = j.guarded(s.do)
	}
	j.close()
	part.Text = j.text.String()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		part.Status, part.Note = incomplete, "its time was up, or it was interrupted"
	default:
		part.Status, part.Note = failed, err.Error()
		if errors.As(err, new(*absentError)) {
			part.Status = absent
		}
	}
	return part
}

// absentError says what is not on this machine.
type absentError struct{ what string }

func (e *absentError) Error() string { return e.what }

func (j *job) prepare() (err error) {
	if j.device, err = backend.OpenDevice(); err != nil {
		return err
	}
	j.tiny = j.device.StandIn()
	j.scratch, err = os.MkdirTemp("", "lbmib-gpu-section-")
	return err
}

func (j *job) close() {
	j.device.Close()
	os.RemoveAll(j.scratch)
}

// guarded makes a panic an error.
func (j *job) guarded(do func(*job) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return do(j)
}

// keep keeps what was measured, which may be a part.
func (j *job) keep(data any) {
	text, err := json.Marshal(data)
	if err != nil {
		text, _ = json.Marshal(err.Error())
	}
	j.out.Data = text
}

// printf writes text of the report.
func (j *job) printf(format string, args ...any) { fmt.Fprintf(&j.text, format, args...) }

// effort is how long to measure: repeats of so many seconds.
func (j *job) effort(seconds float64) gauge.Effort {
	e := gauge.Effort{Repeats: gauge.LeastRepeats, Step: time.Duration(seconds * float64(time.Second)), Long: 3}
	if j.quick {
		e.Step /= 2
	}
	if j.tiny {
		e.Step = 200 * time.Microsecond
	}
	return e
}

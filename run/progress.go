package run

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"lbmib/internal/finite"
	"lbmib/io/page"
	"lbmib/io/view"
	"lbmib/lbm"
	"lbmib/run/check"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

// progress tells how a run is doing: on a terminal one line that changes, else
// a plain line now and then.
type progress struct {
	out      io.Writer
	terminal bool
	screen   *view.Screen // that the line is part of; nil: none
	quiet    bool
	width    int
	nodes    float64
	begun    time.Time
	first    int64 // step at begin
	shown    time.Time
	dt       float64
	force    string       // what the force coefficient shown is: Cd, or its direction
	rate     float64      // |∂u/∂t| in U²/L at the last test for steadiness; NaN: none
	open     bool         // a changing line has no end yet
	page     *page.Server // that is told what is told beside the progress; nil: none
}

// Intervals between lines.
const (
	terminalEvery = 200 * time.Millisecond
	plainEvery    = 15 * time.Second
)

func newProgress(o Options, p *setup.Problem) *progress {
	force := "Cd"
	if len(p.Bodies) > 0 {
		if h := setup.HeadingOf(p.Case, &p.Case.Bodies[0]); !h.Plain() {
			force = "C along " + h.String()
		}
	}
	return &progress{force: force, out: o.Progress, terminal: o.Terminal || o.View != nil, screen: o.View, quiet: o.Quiet, width: o.Width, nodes: p.Updates(), page: o.Page}
}

// start sets the clock.
func (p *progress) start(step int64, dt float64) {
	p.begun, p.first, p.dt, p.shown = time.Now(), step, dt, time.Now()
}

// due tells whether it is time to show progress.
func (p *progress) due(step, last int64) bool {
	wait := plainEvery
	if p.terminal {
		wait = terminalEvery
	}
	return !p.quiet && (step == last || time.Since(p.shown) >= wait)
}

// tick shows progress if it is time to.
func (p *progress) tick(step, last int64, force float64) {
	if !p.due(step, last) {
		return
	}
	now := time.Now()
	rate := float64(step-p.first) / now.Sub(p.begun).Seconds() // steps per second
	p.show(p.line(step, last, rate, force))
	p.shown = now
}

// shown is the observer that shows the progress of a run.
type shown[T lbm.Float] struct {
	observe.Stateless
	*progress
	out *observe.Outputs[T]
}

// Due is at times, and at the end.
func (s *shown[T]) Due(step int64) bool { return s.due(step, s.out.Problem.Steps) }

// Observe shows the state at hand.
func (s *shown[T]) Observe() error {
	force := math.NaN()
	if s.out.Forces != nil {
		force = s.out.Forces.Latest
	}
	s.rate = s.out.Steady.Rate()
	s.tick(s.out.Step, s.out.Problem.Steps, force)
	return nil
}

// line is the progress in words.
func (p *progress) line(step, last int64, rate, force float64) string {
	done := float64(step) / float64(last)
	eta := time.Duration(float64(last-step) / rate * float64(time.Second)).Round(time.Second)
	s := fmt.Sprintf("%3.0f %%  t %.2f/%.4g L/U  %.1f MFLUPS with outputs  ETA %s", 100*done, float64(step)*p.dt, float64(last)*p.dt, rate*p.nodes/1e6, check.Clock(eta))
	if !math.IsNaN(force) {
		s += fmt.Sprintf("  %s %.4f", p.force, force)
	}
	if p.rate > 0 && finite.Is(p.rate) {
		s += fmt.Sprintf("  |∂u/∂t| %.1e", p.rate)
	}
	if p.screen != nil {
		p.width = p.screen.Columns()
	}
	if p.terminal {
		s = bar(done, min(24, p.width-len(s)-4)) + s
	}
	return s
}

// bar is a bar of the given width, empty if there is no room.
func bar(done float64, width int) string {
	if width < 6 {
		return ""
	}
	n := int(done * float64(width))
	return "[" + strings.Repeat("█", n) + strings.Repeat("·", width-n) + "] "
}

func (p *progress) show(line string) {
	if p.screen != nil {
		_ = p.screen.Status(line) // a terminal that is gone must not end the run
		return
	}
	if p.terminal {
		fmt.Fprintf(p.out, "\r%s\x1b[K", line)
		p.open = true
		return
	}
	fmt.Fprintln(p.out, line)
}

// note tells something beside the progress, on a line of its own.
func (p *progress) note(text string) {
	if p.page != nil {
		p.page.Note(text)
	}
	if p.screen != nil {
		_ = p.screen.Status(text) // as in show
		return
	}
	if p.open {
		fmt.Fprintln(p.out)
		p.open = false
	}
	fmt.Fprintln(p.out, text)
}

// end leaves the changing line as it is.
func (p *progress) end() {
	if p.screen != nil {
		_ = p.screen.Close() // as in show
	}
	if p.open {
		fmt.Fprintln(p.out)
		p.open = false
	}
}

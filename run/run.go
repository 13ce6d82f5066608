package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"lbmib/hybrid/rigid"
	"lbmib/internal/durable"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

// Run computes a case and leaves its run directory. A cancelled context ends
// the run after the step at hand with a checkpoint, and its set-up, which writes
// nothing, at once; the error then has the code ExitInterrupted. A flow that diverges
// ends it with ExitDiverged, and so does a body that moves to where it cannot be. The
// summary is returned in these cases too, but for a run that had not begun.
func Run(ctx context.Context, c *casefile.Case, o Options) (*Summary, error) {
	o.apply(c)
	if !o.Ranks.leads() {
		return nil, follow(c, o)
	}
	j, err := unlessStopped(ctx, func() (job, error) { return prepare(c, o) }, job.close)
	if err == errStopped && o.Resume {
		err = exit.As(exit.Interrupted, fmt.Errorf("%w\nto continue: %s", errStopped, o.Continue))
	}
	if err != nil {
		if errors.Is(err, errStopped) {
			o.Ranks.leave() // what was left may still speak with other ranks
			return nil, err
		}
		return nil, o.Ranks.Meet(err)
	}
	defer j.close()
	defer o.Ranks.abortOnPanic() // before others would be told that all is over
	return j.run(ctx)
}

// run is a run in progress.
type run[T lbm.Float] struct {
	observe.State[T]
	ending
	clock
	opts     Options
	made     *backend.Chosen[T]
	decided  backend.Decision // that the manifest tells
	said     *bufferedLog     // what the choice of a backend has to tell
	held     *durable.Held    // dir, for this process
	out      *observe.Outputs[T]
	saves    *checkpoints[T]
	results  *results[T]
	failures failures[T]
	checks   *checks // of the outputs of the run that this one continues
	slips    *slips
	progress *progress
	view     *liveView[T] // nil: none
	page     *livePage[T] // nil: none
}

func newRun[T lbm.Float](p *setup.Problem, o Options) *run[T] {
	r := &run[T]{State: observe.NewState[T](p), opts: o, ending: ending{status: "done"}, clock: clock{started: time.Now()}, checks: new(checks)}
	r.failures = failures[T]{&r.State, &r.ending, o.Continue}
	return r
}

// beginner is a fluid of nested grids or parts: package joined.
type beginner interface {
	Begin(state func(p [3]float64) (rho float64, u [3]float64))
}

// run takes the run directory, finds the state to begin with and steps to the end.
func (r *run[T]) run(ctx context.Context) (*Summary, error) {
	saved, already, err := r.open()
	if err != nil {
		return nil, err
	}
	if already != nil {
		r.Step = saved.From.Step
		return already, r.report((&finished{already, newVerifier(&r.State, r.checks, r.progress), r.opts.Continue}).verify(ctx, saved))
	}
	if saved == nil {
		if parts, ok := r.Sim.Fluid.(beginner); ok {
			parts.Begin(r.Initial())
		} else {
			r.Sim.Fluid.Initialize(r.Initial())
		}
		if err := r.Problem.PackSuspension(); err != nil {
			return nil, exit.AsBadCase(err)
		}
	} else if err := r.restore(ctx, saved); err != nil {
		return nil, exit.AsInputOutput(err)
	}
	return r.toTheEnd(ctx)
}

// toTheEnd steps from the state at hand to the end.
func (r *run[T]) toTheEnd(ctx context.Context) (*Summary, error) {
	if !r.opts.Quiet {
		fmt.Fprintln(r.opts.Progress, r.header())
	}
	r.said.flush()
	if !r.opts.Quiet {
		warn(r.Problem, r.opts.Progress)
	}
	r.progress.start(r.Step, r.Units.Dt)
	r.view = newLiveView(&r.State, &r.opts)
	r.page = newLivePage(r)
	begin := time.Now()
	ended := r.loop(ctx)
	r.looped = time.Since(begin)
	bulk, boundary, ib := r.Sim.Times()
	r.share(bulk, boundary, ib, r.made.Backend())
	return r.finish(ended)
}

// header tells what is about to run, in a line or two.
func (r *run[T]) header() string {
	u, how := r.Units, setup.SchemeOf(r.Sim.Fluid.Config())
	var size []string
	for _, n := range r.Flow.Size[:r.Flow.Lattice.Dim] {
		size = append(size, fmt.Sprint(n))
	}
	text := fmt.Sprintf("%s: %s nodes", r.Case.Name, strings.Join(size, " × "))
	if r.Grids != nil {
		text += fmt.Sprintf(", of which grids of %d levels have %d", len(r.Grids.Levels), r.Problem.Nodes())
	}
	if n := r.Sim.Markers(); n > 0 {
		text += fmt.Sprintf(", %d markers", n)
	}
	text += fmt.Sprintf("; Re %.4g, τ %.4g, Ma %.2g of U, Δx %.4g L%s, Δt %.4g L/U%s", r.Case.Reference.Reynolds, u.Tau, u.Mach,
		u.Dx, equals(siText(u, casefile.Length, 1, finite.Number(u.Dx))), u.Dt, equals(siText(u, casefile.Time, 1, finite.Number(u.Dt))))
	if law := r.Case.Fluid.Rheology; law.Type != "" {
		text += fmt.Sprintf("; viscosity by %s, %.4g times that of Re and τ at rest and %.4g times at %g U/L", law.Type,
			r.Case.LargestViscosity()/r.Case.Reference.Viscosity, r.Case.WallViscosity()/r.Case.Reference.Viscosity, casefile.WallRate)
	}
	text += fmt.Sprintf("; %d steps on %s (%s, %s, %s)", r.Problem.Steps, r.made.Backend(), r.Case.Fluid.Precision, how.Kernel, threads(r.Pool.Workers()))
	if r.Ranks != nil {
		text += fmt.Sprintf(" on each of %d ranks", r.Ranks.Size())
	} else if r.Division != nil {
		text += fmt.Sprintf(", in %d parts", r.Division.Parts)
	}
	if follows := r.FollowText(); follows != "" {
		text += "; " + follows
	}
	for _, line := range r.Problem.SurfacesText() {
		text += "\n" + line
	}
	return strings.Join(check.Wrap(text, check.PageWidth), "\n  ")
}

func threads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

// report makes the report of the run that has ended, and tells where everything is if the
// directory was moved meanwhile.
func (r *run[T]) report(ended error) error {
	if r.opts.Report != nil && r.Case.Output.Plots {
		if err := r.opts.Report(r.Dir.Path); ended == nil {
			ended = exit.AsInputOutput(err)
		}
	}
	if text := r.held.Warning(r.Dir.Path, "run"); text != "" {
		r.progress.note(text)
	}
	return ended
}

// warn tells before the first step what check calls less than ok.
func warn(p *setup.Problem, to io.Writer) {
	unsafe := false
	for _, m := range check.RemarksOn(p, nil) {
		fmt.Fprintln(to, m)
		unsafe = unsafe || m.Verdict == check.Unsafe
	}
	if unsafe {
		fmt.Fprintf(to, "lbmib check %s proposes what would be safe\n", p.Case.File) // which a flow that diverges is told of in full
	}
}

// simulationError is why a simulation cannot be made: an error of the coupling at the
// key of the body it is about, as check finds it.
func simulationError(p *setup.Problem, err error) error {
	var coupling *backend.CouplingError
	if !errors.As(err, &coupling) {
		return exit.AsBadCase(err)
	}
	if at := check.Bodies(p); at != nil {
		return at
	}
	return exit.AsBadCase(p.Case.Errorf("body", "%v", err))
}

// loop steps until the end of the case, a steady state, an interruption or a failure.
func (r *run[T]) loop(ctx context.Context) error {
	defer r.opts.Requests.serve()()
	if r.Step == 0 { // a flow that decays is fastest here
		r.out.Health.Keep(r.Now(), r.Moved, r.Sim.Fluid.Health())
	}
	observers := append(slices.Clone(r.out.Observers), r.saves, &shown[T]{progress: r.progress, out: r.out})
	if r.view != nil {
		observers = append(observers, r.view)
	}
	if r.page != nil {
		observers = append(observers, r.page)
	}
	for r.Step < r.Problem.Steps && r.stopped == "" {
		if ctx.Err() != nil {
			return r.interrupt()
		}
		if r.opts.Requests.wantsCheckpoint() {
			if err := r.saveAsked(); err != nil {
				return err
			}
		}
		if err := r.step(); err != nil {
			return err
		}
		if err := r.observe(observers); err != nil {
			return err
		}
	}
	r.Sim.Flush()
	if err := r.made.Wait(); err != nil {
		return r.asRunError(&observe.StepError{Err: err})
	}
	if err := r.out.Forces.Take(true); err != nil {
		return r.asRunError(err)
	}
	return r.asRunError(r.out.Health.End(true))
}

// step makes a step.
func (r *run[T]) step() error {
	if err := r.follow(); err != nil {
		return err
	}
	next := r.Step + 1
	if r.out.BeforeStep(next) {
		r.out.Forces.MeasureStep()
	} else {
		r.Sim.Step()
	}
	r.Step = next
	if err := r.Sim.Err(); err != nil {
		return r.asRunError(&observe.StepError{Err: err})
	}
	return exit.AsInputOutput(r.settle())
}

// observe has each observer observe that is due after a step.
func (r *run[T]) observe(observers []observe.Observer) error {
	defer r.waited(time.Now())
	if err := r.backgroundError(); err != nil {
		return err
	}
	for _, o := range observers {
		if !o.Due(r.Step) {
			continue
		}
		if err := o.Observe(); err != nil {
			return r.asRunError(err)
		}
	}
	r.Pool.Crowd(r.out.Fields.InFlight() || r.saves.InFlight()) // compression takes processors, too
	return nil
}

// backgroundError is the error of work in the background, as far as it is known.
func (r *run[T]) backgroundError() error {
	r.checks.say(r.progress)
	err := r.out.Fields.Failed()
	if err == nil {
		err = r.saves.Failed()
	}
	if err == nil {
		err = r.out.Health.End(false)
	}
	return r.asRunError(err)
}

// asRunError is the error that ends the run for one of a part of it.
func (r *run[T]) asRunError(err error) error {
	var step *observe.StepError
	var astray *rigid.MotionError
	if errors.As(err, &step) && errors.As(step.Err, &astray) {
		return r.wentAstray(astray)
	}
	return r.failures.of(err)
}

// saveUnlessThere leaves a checkpoint of the state at hand, and waits for it.
func (r *run[T]) saveUnlessThere() error {
	if err := r.out.Forces.Take(true); err != nil {
		return err
	}
	if r.saves.has() {
		return r.saves.Wait()
	}
	if err := r.out.Health.Check(); err != nil {
		return err
	}
	return r.saves.now()
}

// interrupt leaves a checkpoint and says how to go on.
func (r *run[T]) interrupt() error {
	if err := r.saveUnlessThere(); err != nil {
		return r.asRunError(err)
	}
	r.status = "interrupted"
	return exit.As(exit.Interrupted, fmt.Errorf("interrupted at step %d of %d (t = %.4g L/U): checkpoint written to %s\nto continue: %s",
		r.Step, r.Problem.Steps, r.Time(), r.Dir.Checkpoints(), r.opts.Continue))
}

// drain waits for fields and a checkpoint that are still being written. Their errors join
// the one that ended the run, unless it told the same.
func (r *run[T]) drain(ended error) error {
	begin := time.Now()
	both := []error{r.out.Fields.Wait(), r.saves.Wait()}
	r.waited(begin)
	for _, err := range both {
		var ill *observe.Unhealthy
		switch {
		case err == nil, ended != nil && (errors.As(err, &ill) || backend.IsFault(err) && backend.IsFault(ended)):
		case ended == nil:
			ended = r.asRunError(err)
		default:
			ended = exit.As(exit.Code(ended), errors.Join(ended, err))
		}
	}
	return ended
}

// finish closes a run: last checkpoint, summary, manifest, pictures. What is still
// being verified is waited for once they are on the disk. The error that ended the loop goes before any error of its own.
func (r *run[T]) finish(ended error) (*Summary, error) {
	ended = r.drain(ended)
	if ended == nil {
		ended = exit.AsInputOutput(r.out.Means.Write())
	}
	r.out.Forces.TakeLast()
	r.view.last(r.Step)
	r.page.last(r.isLost())
	r.progress.end()
	if ended == nil && r.Case.Output.Checkpoint.Every > 0 && !r.Dir.CheckpointDue(r.Step) && !r.restored(r.Step) {
		ended = r.asRunError(r.saves.now())
	}
	if err := r.out.Sync(); ended == nil && err != nil {
		ended = exit.AsInputOutput(err)
	}
	switch exit.Code(ended) {
	case exit.Done, exit.Interrupted:
	case exit.Diverged:
		if r.stopped != "body" {
			r.status = "diverged"
		}
	default:
		r.status = "failed"
	}
	s, err := r.summarise(ended)
	r.checks.end(r.progress, ended != nil || err != nil)
	r.checks.say(r.progress)
	if warnings := r.checks.told(); !slices.Equal(warnings, s.Warnings) {
		s.Warnings = warnings
		err = cmp.Or(err, r.results.write(s, ended))
	}
	if ended == nil {
		ended = exit.AsInputOutput(err)
	}
	return s, r.report(ended)
}

// summarise writes summary.json, the pictures and the final manifest.
func (r *run[T]) summarise(ended error) (*Summary, error) {
	s := r.results.summary()
	first := r.results.bodyStatistics(s)
	first = cmp.Or(first, r.results.sampleStatistics(s))
	first = cmp.Or(first, r.results.portStatistics(s))
	first = cmp.Or(first, r.results.flowStatistics(s))
	first = cmp.Or(first, r.results.suspensionStatistics(s))
	first = cmp.Or(first, r.results.cellStates(s))
	r.results.filamentStates(s)
	r.results.sheetStates(s)
	s.measure()
	r.keepCautions(s)
	s.Warnings = r.checks.told()
	if r.status != "diverged" && r.Case.Output.Plots {
		first = cmp.Or(first, r.results.pictures(s))
	}
	return s, cmp.Or(first, r.results.write(s, ended))
}

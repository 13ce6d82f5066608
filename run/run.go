package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
	j, err := unlessStopped(ctx, func() (job, error) { return prepare(c, o) }, job.close)
	if err == errStopped && o.Resume {
		err = exit.As(exit.Interrupted, fmt.Errorf("%w\nto continue: %s", errStopped, o.Continue))
	}
	if err != nil {
		return nil, err
	}
	defer j.close()
	return j.run(ctx)
}

// run is a run in progress.
type run[T lbm.Float] struct {
	observe.State[T]
	opts       Options
	made       *backend.Chosen[T]
	decided    backend.Decision // that the manifest tells
	said       *bufferedLog     // what the choice of a backend has to tell
	held       *durable.Held    // dir, for this process
	records    *records
	fields     *fieldWriter[T]
	saves      background // of checkpoints
	outputs    outputs    // files of fields and markers so far, with their checksums
	checks     checks     // of the outputs of the run that this one continues
	savedAt    int64      // step of the last checkpoint that was begun; −1: none
	means      *observe.Means[T]
	watch      *watch
	extremes   extremes // over the looks at all nodes so far
	wakes      []wake   // behind each body
	progress   *progress
	view       *liveView[T]
	started    time.Time
	earlier    time.Duration // wall time of the runs that this one continues
	output     time.Duration // that stepping waited for output
	looped     time.Duration // from the first step to the last, outputs included
	shares     shares
	first      int64           // step at which this process began
	endedSlips []finite.Number // wallSlips of the checkpoint from which it went on, if that was the end
	status     string
	stopped    string   // what ended the run before its time: steady | cd_interval | body; empty: nothing
	reason     string   // why the run could not go on; empty: it could
	already    *Summary // of a run that was finished before

	pendingHealth *healthCheck // of the last state checked; nil: it has been passed
}

// run takes the run directory, finds the state to begin with and steps to the end.
func (r *run[T]) run(ctx context.Context) (*Summary, error) {
	saved, err := r.open()
	if err != nil {
		return nil, err
	}
	if r.already != nil {
		return r.already, r.report(r.verifyFinished(ctx, saved))
	}
	if saved == nil {
		r.Sim.Fluid.Initialize(r.Initial())
	} else if err := r.restore(ctx, saved); err != nil {
		return nil, exit.AsInputOutput(err)
	}
	return r.toTheEnd(ctx)
}

// toTheEnd steps from the state at hand to the end.
func (r *run[T]) toTheEnd(ctx context.Context) (*Summary, error) {
	r.said.flush()
	r.warn()
	r.progress.start(r.Step, r.Units.Dt)
	r.view = newLiveView(r)
	r.watchWakes()
	begin := time.Now()
	ended := r.loop(ctx)
	r.looped = time.Since(begin)
	r.keepShares()
	return r.finish(ended)
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
func (r *run[T]) warn() {
	if r.opts.Quiet {
		return
	}
	unsafe := false
	for _, m := range check.RemarksOn(r.Problem, nil) {
		fmt.Fprintln(r.opts.Progress, m)
		unsafe = unsafe || m.Verdict == check.Unsafe
	}
	if unsafe {
		fmt.Fprintf(r.opts.Progress, "%s\n", check.Advice(r.Case, false))
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
		r.keepExtremes(0, r.Sim.Fluid.Health())
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
		next := r.Step + 1
		steady := r.watch.steadyDue(next)
		if steady {
			r.keepVelocity()
		}
		if r.records.forces.due(next) {
			r.Sim.StepMeasuring()
		} else {
			r.Sim.Step()
		}
		r.Step = next
		if err := r.Sim.Err(); err != nil {
			return r.stepFailed(err)
		}
		if err := r.settle(); err != nil {
			return exit.AsInputOutput(err)
		}
		begin := time.Now()
		if steady {
			if steady, err := r.isSteady(); err != nil {
				return err
			} else if steady {
				r.status, r.stopped = "steady", "steady" // before a checkpoint is written, which keeps it
			}
		}
		if err := r.observe(); err != nil {
			return err
		}
		r.output += time.Since(begin)
	}
	r.Sim.Flush()
	if err := r.made.Wait(); err != nil {
		return r.stepFailed(err)
	}
	if err := r.takeLoads(true); err != nil {
		return err
	}
	return r.endHealthCheck(true)
}

// stepFailed is the error of a step that could not be made.
func (r *run[T]) stepFailed(err error) error {
	var astray *rigid.MotionError
	switch {
	case errors.As(err, &astray):
		return r.wentAstray(astray)
	case backend.IsFault(err):
		return r.deviceFailed(err)
	}
	return r.forceDiverged(err)
}

// observe writes what is due after a step.
func (r *run[T]) observe() error {
	if err := r.backgroundError(); err != nil {
		return err
	}
	if wanted := r.wantsLoads(); wanted || r.records.forces.due(r.Step) {
		if err := r.takeLoads(wanted); err != nil {
			return err
		}
	}
	if err := r.record(); err != nil {
		return exit.AsInputOutput(err)
	}
	if r.stopped == "" && r.watch.dragDue(r.Step) && r.isDragKnown() {
		r.stopped = "cd_interval"
	}
	checkpoint := r.Dir.CheckpointDue(r.Step)
	fields := r.fields.due(r.Step)
	means := r.means.Due(r.Step)
	if checkpoint || fields || means || r.watch.healthDue(r.Step) || r.Step == r.Problem.Steps {
		if err := r.beginHealthCheck(); err != nil {
			return err
		}
	}
	if means {
		if err := r.addToMeans(); err != nil {
			return err
		}
	}
	if fields {
		if err := r.writeFields(false); err != nil {
			return r.asRunError(err)
		}
	}
	if checkpoint {
		if err := r.save(); err != nil {
			return r.asRunError(err)
		}
	}
	r.Pool.Crowd(r.fields.inFlight() || r.saves.inFlight()) // compression takes processors, too
	r.progress.tick(r.Step, r.Problem.Steps, r.records.latest)
	r.view.tick(r.Step)
	return nil
}

// backgroundError is the error of work in the background, as far as it is known.
func (r *run[T]) backgroundError() error {
	r.checks.say(r.progress)
	if err := r.fields.failed(); err != nil {
		return r.asRunError(err)
	}
	if err := r.saves.failed(); err != nil {
		return r.asRunError(err)
	}
	return r.endHealthCheck(false)
}

// addToMeans takes the state at hand into the means, which a checkpoint that is being
// written still holds.
func (r *run[T]) addToMeans() error {
	if err := r.saves.wait(); err != nil {
		return r.asRunError(err)
	}
	r.means.Add(&r.State)
	return r.deviceLost()
}

// interrupt leaves a checkpoint and says how to go on.
func (r *run[T]) interrupt() error {
	if err := r.takeLoads(true); err != nil {
		return err
	}
	r.status = "interrupted"
	if !r.restored() {
		if err := r.checkHealth(); err != nil {
			return err
		}
		if err := r.saveNow(); err != nil {
			return r.asRunError(err)
		}
	}
	return exit.As(exit.Interrupted, fmt.Errorf("interrupted at step %d of %d (t = %.4g L/U): checkpoint written to %s\nto continue: %s",
		r.Step, r.Problem.Steps, r.Time(), r.Dir.Checkpoints(), r.opts.Continue))
}

// drain waits for fields and a checkpoint that are still being written. Their errors join
// the one that ended the run, unless it told the same.
func (r *run[T]) drain(ended error) error {
	begin := time.Now()
	both := []error{r.fields.wait(), r.saves.wait()}
	r.output += time.Since(begin)
	for _, err := range both {
		var ill *unhealthy
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
		ended = exit.AsInputOutput(r.means.Write(&r.State))
	}
	r.lastLoads()
	r.view.last(r.Step)
	r.progress.end()
	if ended == nil && r.Case.Output.Checkpoint.Every > 0 && !r.Dir.CheckpointDue(r.Step) && !r.restored() {
		ended = r.asRunError(r.saveNow())
	}
	if err := r.records.sync(); ended == nil && err != nil {
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
		err = cmp.Or(err, r.writeResults(s, ended))
	}
	if ended == nil {
		ended = exit.AsInputOutput(err)
	}
	return s, r.report(ended)
}

package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/capacity"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// job is a run that is set up.
type job interface {
	run(ctx context.Context) (*Summary, error)
	close()
}

// errStopped is why work was left: it was asked to stop.
var errStopped = exit.As(exit.Interrupted, errors.New("interrupted before the first step: nothing was written or changed"))

// unlessStopped does work that writes nothing. Once the context is cancelled it does not
// wait for the work's end, however long a computation inside it takes: the work then goes
// on beside, until the process ends, and drop gets what it gives.
func unlessStopped[R any](ctx context.Context, work func() (R, error), drop func(R)) (R, error) {
	type outcome struct {
		result R
		err    error
	}
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.err = exit.As(exit.Internal, fmt.Errorf("internal error: %v\n%s\nplease report it with the case file", p, debug.Stack()))
			}
			ended <- o
		}()
		o.result, o.err = work()
	}()
	select {
	case o := <-ended:
		return o.result, o.err
	case <-ctx.Done():
	}
	go func() {
		if o := <-ended; o.err == nil {
			drop(o.result)
		}
	}()
	var none R
	return none, errStopped
}

// problem is a case as it is to be run.
func problem(c *casefile.Case, o *Options) (*setup.Problem, error) {
	c, err := onGrids(c, o)
	if err != nil {
		return nil, err
	}
	var before []func(*setup.Problem) error
	if o.Ranks == nil { // else other machines may hold parts of it
		before = append(before, capacity.HoldsFluid)
	}
	before = append(before, setup.TellPacking(packingLines(o.Progress, o.Quiet, packingEvery)))
	p, err := setup.New(c, before...)
	if err != nil {
		return nil, exit.AsBadCase(err)
	}
	p.Flow.Kernel, p.Coupling.Kernel, p.Resuming, p.Ranks = o.Kernel.Name, o.Kernel.Name, o.Resume, o.Ranks.comm()
	return p, nil
}

// packingEvery is how often a run tells how far the packing of its cells has come: most take less.
const packingEvery = 5 * time.Second

// packingLines writes how far a packing has come, now and then.
func packingLines(to io.Writer, quiet bool, every time.Duration) func(cells int, size float64) {
	if quiet {
		return nil
	}
	last := time.Now()
	return func(cells int, size float64) {
		if time.Since(last) < every {
			return
		}
		last = time.Now()
		how := fmt.Sprintf("grown to %.0f %% of their size", 100*size)
		if size == 1 {
			how = "whole, and moved apart to the last vertex"
		}
		fmt.Fprintf(to, "packing %d cells: %s\n", cells, how)
	}
}

// prepare sets a case up: everything that can be refused is refused here, before
// anything is written.
func prepare(c *casefile.Case, o Options) (job, error) {
	p, err := problem(c, &o)
	if err != nil {
		return nil, err
	}
	p.Earlier = earlierDecision(p)
	if err := capacity.Preflight(p); err != nil {
		return nil, err
	}
	if p.Precision().Single {
		return begun[float32](p, o)
	}
	return begun[float64](p, o)
}

// begun is a run that is ready to take its directory.
func begun[T lbm.Float](p *setup.Problem, o Options) (job, error) {
	r := newRun[T](p, o)
	if err := r.simulation(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// large is the memory of runs in which garbage is collected early: by itself Go waits until there is as much of it as of what is in use.
const large = 1 << 30

// simulation makes what steps, and looks along the paths of bodies.
func (r *run[T]) simulation() error {
	if err := r.Problem.MarkLevels(); err != nil {
		return exit.AsBadCase(err)
	}
	if capacity.Memory(r.Problem) > large { // what setting up has left, and what the collector leaves later, counts
		debug.SetGCPercent(20)
		debug.FreeOSMemory()
	}
	r.Pool = parallel.NewPool(r.Case.Run.Threads)
	if err := r.Stored.Read(&r.Domain); err != nil {
		return err
	}
	if err := r.simulate(); err != nil {
		return err
	}
	if err := r.Problem.FollowPaths(); err != nil {
		return exit.AsBadCase(err)
	}
	return nil
}

// close frees what the run holds.
func (r *run[T]) close() {
	if r.out != nil {
		r.out.Close()
	}
	if r.held != nil {
		r.held.Release()
	}
	if r.made != nil {
		r.made.Close()
		r.opts.Ranks.end()
	}
	if r.Pool != nil {
		r.Pool.Close()
	}
}

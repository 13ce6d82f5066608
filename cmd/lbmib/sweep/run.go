package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"lbmib/cmd/lbmib/report"
	"lbmib/internal/durable"
	"lbmib/io/casefile"
	"lbmib/io/page"
	"lbmib/run"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// Options are what the command line adds to a sweep.
type Options struct {
	Threads  int           // 0: the case's
	Kernel   setup.Kernel  // row kernels
	Quiet    bool          // no progress
	Progress io.Writer     // progress and messages
	Terminal bool          // Progress is a terminal
	Width    int           // of the terminal, in characters
	Version  string        // for manifests
	Continue string        // the command that continues the sweep, for messages
	Requests *run.Requests // for the run at hand; nil: there are none
	Page     *page.Server  // that shows the runs; nil: none
}

// Run does the runs that are not done yet, one after the other, and writes
// sweep.json and sweep.csv after each and sweep.png at the end. A run that
// diverges or is stopped by a body is recorded and the sweep goes on; the error at
// the end then has the code ExitDiverged. Cancelling the context ends the run at hand with a checkpoint
// and the sweep with the code ExitInterrupted. The document holds what was done, in
// these cases too; it is nil if nothing could be begun.
func (p *Plan) Run(ctx context.Context, o Options) (document *Document, err error) {
	text, err := casefile.Read(p.File)
	if err != nil {
		return nil, badCase(err)
	}
	if err := durable.MakeDir(p.Dir); err != nil {
		return nil, &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("%w (with --out DIR)", err)}
	}
	held, err := durable.Hold(p.Dir)
	if err != nil {
		return nil, &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("the sweep's directory cannot be read: %w: %s", err, durable.Remedy(err, "make it readable or choose another with --out DIR"))}
	}
	defer func() {
		if text := held.Warning(p.Dir, "sweep"); text != "" {
			fmt.Fprintln(o.Progress, text)
		}
		held.Release()
	}()
	if err := p.clear(); err != nil {
		return nil, err
	}
	d := p.document(o.Version)
	shown := p.newOnPage(o.Page)
	defer func() { shown.end(err) }()
	for i := range p.Runs {
		if err = ctx.Err(); err != nil {
			break
		}
		var r Run
		shown.begin(i)
		r, err = p.one(ctx, &p.Runs[i], text, o, i)
		if r.Status != "" {
			d.Runs = append(d.Runs, r)
		}
		shown.ended(i, &r, err)
		if i+1 >= p.kept { // the table never lacks a run that it had
			if writing := p.write(d); err == nil {
				err = writing
			}
		}
		if err != nil {
			break
		}
	}
	if errors.Is(err, context.Canceled) || exit.Code(err) == exit.Interrupted {
		return d, &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("sweep: interrupted, %d of %d runs are done\nto continue: %s", d.ended(), len(p.Runs), o.Continue)}
	}
	if err != nil {
		return d, err
	}
	d.Orders = p.orders(d.Runs)
	d.warn()
	if err := errors.Join(p.write(d), p.picture(d)); err != nil {
		return d, &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return d, d.verdict()
}

// one does the i-th combination or takes its result from its directory.
func (p *Plan) one(ctx context.Context, c *Combination, text []byte, o Options, i int) (Run, error) {
	left, err := p.left(c)
	if err != nil {
		return Run{}, badCase(err)
	}
	tell := func(what string) {
		if !o.Quiet {
			fmt.Fprintf(o.Progress, "[%d/%d] %s: %s\n", i+1, len(p.Runs), c.describe(p.Axes), what)
		}
	}
	if left == ended {
		s, err := c.summary()
		if err != nil {
			return Run{}, &exit.Error{Code: exit.InputOutput, Err: err}
		}
		tell(s.Status + " earlier")
		return p.record(c, s, c.failure(s))
	}
	cas, err := p.load(c, text)
	if err != nil {
		return Run{}, badCase(err)
	}
	tell(c.Dir)
	begin := time.Now()
	s, err := run.Run(ctx, cas, run.Options{
		Out: c.Dir, Threads: o.Threads, Kernel: o.Kernel, Resume: left == resumable, Overwrite: left == begun, Refine: p.refine,
		Quiet: o.Quiet, Progress: o.Progress, Terminal: o.Terminal, Width: o.Width, Version: o.Version, Continue: o.Continue, Requests: o.Requests, Report: report.OfRun, Page: o.Page,
	})
	if s == nil {
		return Run{}, fmt.Errorf("%s: %w", c.describe(p.Axes), err)
	}
	r, reading := p.record(c, s, err)
	switch exit.Code(err) {
	case exit.Done:
		tell(fmt.Sprintf("%s in %s", s.Status, time.Since(begin).Round(100*time.Millisecond)))
		return r, reading
	case exit.Diverged:
		tell(err.Error())
		return r, reading
	}
	return r, err
}

// left is the state of a combination, of one that is to be overwritten whether
// there is something to replace.
func (p *Plan) left(c *Combination) (state, error) {
	if !p.overwrite {
		return c.state()
	}
	return begun, nil
}

func badCase(err error) error {
	var marked *exit.Error
	if errors.As(err, &marked) {
		return err
	}
	return &exit.Error{Code: exit.BadCase, Err: err}
}

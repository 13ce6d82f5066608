package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"lbmib/internal/durable"
	"lbmib/io/checkpoint"
	"lbmib/io/vtkhdf"
)

// What an earlier part of a run left is verified when it is resumed: tables and lists
// before the first step, files of fields and markers beside the stepping. Nothing that
// is found ends the run: the state is that of the checkpoint, which verifies by itself.
// It is told, and kept in checkpoints, manifest.json, summary.json and report.html.

// mostWarnings is the number of warnings that are told; the rest are counted.
const mostWarnings = 20

// checks are what has been found.
type checks struct {
	mutex    sync.Mutex
	warnings []string
	more     int
	fresh    atomic.Bool // something was found that has not been said
	said     int
	work     background
	cancel   context.CancelFunc
}

// warn keeps a warning, once.
func (c *checks) warn(format string, args ...any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	text := fmt.Sprintf(format, args...)
	switch {
	case slices.Contains(c.warnings, text):
		return
	case len(c.warnings) == mostWarnings:
		c.more++
		return
	}
	c.warnings = append(c.warnings, text)
	c.fresh.Store(true)
}

// told are the warnings so far.
func (c *checks) told() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	all := slices.Clone(c.warnings)
	if c.more > 0 {
		all = append(all, fmt.Sprintf("and %d more of this kind", c.more))
	}
	return all
}

// say tells what has been found since the last time.
func (c *checks) say(p *progress) {
	if !c.fresh.Swap(false) {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for ; c.said < len(c.warnings); c.said++ {
		p.note("warning: " + c.warnings[c.said])
	}
}

// end waits for what is being verified, or leaves it to the next part of the run, which
// verifies it again.
func (c *checks) end(p *progress, leave bool) {
	if c.cancel == nil {
		return
	}
	if leave {
		c.cancel()
	}
	if err := c.work.wait(); err != nil && !errors.Is(err, context.Canceled) {
		c.warn("the outputs so far could not be verified: %v", err)
	}
	c.cancel()
	c.say(p)
	if c.more > 0 && !leave {
		p.note(fmt.Sprintf("warning: and %d more of this kind", c.more))
	}
}

// verifyOutputs compares what is in the directory with what a checkpoint knows of it.
func (r *run[T]) verifyOutputs(saved *checkpoint.Checkpoint, m *savedMeta) error {
	r.checks.warnings, r.checks.said = m.Warnings, len(m.Warnings)
	if saved.Format < 2 {
		r.progress.note(fmt.Sprintf("note: %s is of format %d, which keeps no checksums: tables and fields so far are taken as they are", saved.Path, saved.Format))
	} else {
		r.verifyTables(m)
	}
	var files []output
	for _, series := range r.series() {
		known := slices.DeleteFunc(slices.Clone(m.Outputs), func(o output) bool { return o.Series != series })
		kept, err := r.verifySeries(series, known, saved.Format >= 2)
		if err != nil {
			return err
		}
		files = append(files, kept...)
	}
	slices.SortStableFunc(files, func(a, b output) int { return cmp.Compare(a.Time, b.Time) })
	r.outputs.add(files...)
	r.checks.say(r.progress)
	ctx, cancel := context.WithCancel(context.Background())
	r.checks.cancel = cancel
	r.checks.work.start(func() error { return r.verifyFiles(ctx, files) })
	return nil
}

// verifyTables compares the beginnings of tables.
func (r *run[T]) verifyTables(m *savedMeta) {
	for _, s := range r.records.all() {
		i := slices.IndexFunc(m.Outputs, func(o output) bool { return o.Path == s.name })
		if now := s.Sum(); i >= 0 && m.Outputs[i].Sum != now {
			r.checks.warn("%s: its first %d bytes are not those that this run wrote (SHA-256): rows were changed since the checkpoint of step %d; the run goes on behind them, and statistics and pictures use what is there: put the file back from a copy and resume again, or start over with --overwrite",
				r.dir.file(s.name), now.Bytes, r.steps)
		}
	}
}

// series are the lists that the run keeps.
func (r *run[T]) series() (all []string) {
	for _, i := range r.fields.images {
		all = append(all, i.series)
		if i.withs {
			all = append(all, markersSeries)
		}
	}
	return all
}

// verifySeries compares a list with the files that a checkpoint knows and the files with
// the directory. What is wrong is mended: the list names the known files that are there.
// An earlier format knows none: the list is what it says.
func (r *run[T]) verifySeries(series string, known []output, knows bool) (kept []output, err error) {
	at := r.dir.file(series)
	found, err := vtkhdf.ReadSeries(at)
	if !knows && err != nil {
		return nil, err
	}
	wrong := err != nil
	if err != nil {
		r.checks.warn("%v: it was made anew", err)
	}
	found = slices.DeleteFunc(found, func(e vtkhdf.Entry) bool { return e.Time > r.time()+r.units.Dt/2 })
	if !knows {
		for _, e := range found {
			kept = append(kept, listed(series, e))
		}
		return kept, nil
	}
	for _, e := range found {
		if !slices.ContainsFunc(known, func(o output) bool { return o.entry() == e }) {
			r.checks.warn("%s: it lists %s at t = %g, which this run did not write: the entry was taken out", at, e.Name, e.Time)
			wrong = true
		}
	}
	missing := 0
	for _, o := range known {
		if _, err := durable.Stat(r.dir.file(o.Path)); errors.Is(err, fs.ErrNotExist) {
			r.checks.warn("%s: the file is missing: it was taken out of %s; put it back from a copy and resume again from the checkpoint to have it", r.dir.file(o.Path), series)
			wrong = true
			continue
		}
		kept = append(kept, o)
		if !slices.Contains(found, o.entry()) {
			missing++
		}
	}
	if missing > 0 && err == nil {
		r.checks.warn("%s: %d of the %d files that this run wrote were not in it: they were put back", at, missing, len(known))
	}
	if !wrong && missing == 0 {
		return kept, nil
	}
	var entries []vtkhdf.Entry
	for i := range kept {
		entries = append(entries, kept[i].entry())
	}
	return kept, vtkhdf.WriteSeries(at, entries)
}

// verifyFiles compares the content of files. It runs in the background.
func (r *run[T]) verifyFiles(ctx context.Context, files []output) error {
	for _, o := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if o.SHA256 == "" {
			continue
		}
		if err := o.Check(ctx, r.dir.file(o.Path), false); errors.Is(err, context.Canceled) {
			return err
		} else if err != nil {
			r.checks.warn("%s: %v: it was damaged or changed since it was written; nothing else depends on it, it stays as it is", r.dir.file(o.Path), err)
		}
	}
	return nil
}

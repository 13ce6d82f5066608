package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/checkpoint"
	"lbmib/io/vtkhdf"
)

// What an earlier part of a run left is verified when it is resumed: tables and lists
// before the first step, files of fields and markers beside the stepping. Nothing that
// is found ends the run: the state is that of the checkpoint, which verifies by itself.
// It is told, and kept in checkpoints, manifest.json, summary.json and report.html.

// mostWarnings is the number of warnings that are told; the rest are counted.
const mostWarnings = 20

// countedWarnings is how the text ends that counts them.
const countedWarnings = " more of this kind"

// patience is the time after which a run that has ended says what it still waits for.
const patience = time.Second

// checks are what has been found.
type checks struct {
	mutex    sync.Mutex
	warnings []string
	more     []uint64    // checksums of the texts of the rest
	fresh    atomic.Bool // something was found that has not been said
	said     int         // of the warnings
	counted  int         // of the rest, that has been said
	work     background
	cancel   context.CancelFunc
}

// warn keeps a warning, once.
func (c *checks) warn(format string, args ...any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	text := fmt.Sprintf(format, args...)
	if slices.Contains(c.warnings, text) {
		return
	}
	if len(c.warnings) >= mostWarnings {
		h := fnv.New64a()
		io.WriteString(h, text)
		if sum := h.Sum64(); !slices.Contains(c.more, sum) {
			c.more = append(c.more, sum)
		}
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
	if len(c.more) > 0 {
		all = append(all, fmt.Sprintf("and %d"+countedWarnings, len(c.more)))
	}
	return all
}

// kept are the warnings as a checkpoint keeps them.
func (c *checks) kept() (warnings []string, more []uint64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Clone(c.warnings), slices.Clone(c.more)
}

// restore goes on from what a checkpoint kept, which has been said.
func (c *checks) restore(m *savedMeta) {
	c.warnings, c.more, c.said, c.counted = m.Warnings, m.MoreWarnings, len(m.Warnings), len(m.MoreWarnings)
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

// end waits for what is being verified, of a run that has ended and is on the disk. With
// leave, or once the run is asked to stop, the rest is left to --resume, which verifies all
// of it.
func (c *checks) end(p *progress, leave bool) {
	if c.cancel == nil {
		return
	}
	defer c.cancel()
	if leave {
		c.cancel()
	}
	select {
	case <-c.work.now.done:
	case <-time.After(patience):
		p.note("the run has ended and is saved; files of its earlier part are still being compared with their checksums (a signal to stop leaves that to --resume)")
	}
	switch err := c.work.wait(); {
	case errors.Is(err, context.Canceled):
		if !leave {
			p.note("note: not all files of the earlier part were compared with their checksums: --resume does")
		}
	case err != nil:
		c.warn("the outputs so far could not be verified: %v", err)
	}
	c.say(p)
	if more := len(c.more); more > c.counted {
		p.note(fmt.Sprintf("warning: and %d"+countedWarnings, more))
		c.counted = more
	}
}

// verifyOutputs compares what is in the directory with what a checkpoint knows of it.
func (r *run[T]) verifyOutputs(ctx context.Context, saved *checkpoint.Checkpoint, m *savedMeta) error {
	r.checks.restore(m)
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
	r.verifyBeside(ctx, files)
	return nil
}

// verifyBeside begins to compare the content of files beside the stepping.
func (r *run[T]) verifyBeside(ctx context.Context, files []output) {
	ctx, r.checks.cancel = context.WithCancel(ctx)
	r.checks.work.start(func() error { return r.verifyFiles(ctx, files) })
}

// verifyTables compares the beginnings of tables.
func (r *run[T]) verifyTables(m *savedMeta) {
	for _, s := range r.records.all() {
		i := slices.IndexFunc(m.Outputs, func(o output) bool { return o.Path == s.name })
		if now := s.Sum(); i >= 0 && m.Outputs[i].Sum != now {
			r.checks.warn("%s: its first %d bytes are not those that this run wrote (SHA-256): rows were changed since the checkpoint of step %d; the run goes on behind them, and statistics and pictures use what is there: put the file back from a copy and resume again, or start over with --overwrite",
				r.Dir.File(s.name), now.Bytes, r.Step)
		}
	}
}

// series are the lists that the run keeps.
func (r *run[T]) series() (all []string) {
	for _, i := range r.fields.images {
		all = append(all, i.List)
		if i.Markers {
			all = append(all, markersSeries)
		}
	}
	return all
}

// verifySeries compares a list with the files that a checkpoint knows and the files with
// the directory. What is wrong is mended: the list names the known files that are there.
// An earlier format knows none: the list is what it says.
func (r *run[T]) verifySeries(series string, known []output, knows bool) (kept []output, err error) {
	at := r.Dir.File(series)
	found, err := vtkhdf.ReadSeries(at)
	if !knows && err != nil {
		return nil, err
	}
	wrong := err != nil
	if err != nil {
		r.checks.warn("%v: it was made anew", err)
	}
	found = slices.DeleteFunc(found, func(e vtkhdf.Entry) bool { return e.Time > r.Time()+r.Units.Dt/2 })
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
		if _, err := durable.Stat(r.Dir.File(o.Path)); errors.Is(err, fs.ErrNotExist) {
			r.checks.warn("%s: the file is missing: it was taken out of %s; put it back from a copy and resume again from the checkpoint to have it", r.Dir.File(o.Path), series)
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
		if err := regular.CheckSum(ctx, r.Dir.File(o.Path), o.Sum, false); errors.Is(err, context.Canceled) {
			return err
		} else if err != nil {
			r.checks.warn("%s: %v: it was damaged or changed since it was written; nothing else depends on it, it stays as it is", r.Dir.File(o.Path), err)
		}
	}
	return nil
}

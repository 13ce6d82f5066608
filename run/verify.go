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
	"lbmib/lbm"
	"lbmib/run/observe"
	"lbmib/run/rundir"
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
	remedies map[string]string // by warning: what is said behind it, and not kept
	more     []uint64          // checksums of the texts of the rest
	fresh    atomic.Bool       // something was found that has not been said
	said     int               // of the warnings
	counted  int               // of the rest, that has been said
	work     observe.Background
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
		c.also(text)
		return
	}
	c.warnings = append(c.warnings, text)
	c.fresh.Store(true)
}

// count counts a warning, once, among those that are not told.
func (c *checks) count(text string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.also(text)
}

// also counts it, while the mutex is held.
func (c *checks) also(text string) {
	h := fnv.New64a()
	io.WriteString(h, text)
	if sum := h.Sum64(); !slices.Contains(c.more, sum) {
		c.more = append(c.more, sum)
	}
}

// advise is warn, with a remedy that is said once. It is not kept: it depends on the machine's memory and
// on how many steps are left, which are not the run's results.
func (c *checks) advise(remedy, warning string) {
	c.mutex.Lock()
	if c.remedies == nil {
		c.remedies = map[string]string{}
	}
	c.remedies[warning] = remedy
	c.mutex.Unlock()
	c.warn("%s", warning)
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
		text := "warning: " + c.warnings[c.said]
		if remedy := c.remedies[c.warnings[c.said]]; remedy != "" {
			text += "; " + remedy
		}
		p.note(text)
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
	case <-c.work.Work().Done():
	case <-time.After(patience):
		p.note("the run has ended and is saved; files of its earlier part are still being compared with their checksums (a signal to stop leaves that to --resume)")
	}
	switch err := c.work.Wait(); {
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

// beginFiles begins to compare the content of files beside the stepping.
func (c *checks) beginFiles(ctx context.Context, d rundir.Dir, files []observe.File) {
	ctx, c.cancel = context.WithCancel(ctx)
	c.work.Start(func() error { return c.verifyFiles(ctx, d, files) })
}

// verifyFiles compares the content of files. It runs in the background.
func (c *checks) verifyFiles(ctx context.Context, d rundir.Dir, files []observe.File) error {
	for _, o := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if o.SHA256 == "" {
			continue
		}
		if err := regular.CheckSum(ctx, d.File(o.Path), o.Sum, false); errors.Is(err, context.Canceled) {
			return err
		} else if err != nil {
			c.warn("%s: %v: it was damaged or changed since it was written; nothing else depends on it, it stays as it is", d.File(o.Path), err)
		}
	}
	return nil
}

// verifier compares what is in the directory of a run with what a checkpoint knows of it.
type verifier struct {
	dir      rundir.Dir
	lists    []string // that the run keeps
	until    float64  // L/U: what is later was written after the checkpoint
	checks   *checks
	progress *progress
}

func newVerifier[T lbm.Float](r *observe.State[T], c *checks, p *progress) *verifier {
	return &verifier{r.Dir, observe.Lists(r.Problem), r.Time() + r.Units.Dt/2, c, p}
}

// begin compares tables and lists, which it mends. The files, in order of their time, are still to
// be compared.
func (v *verifier) begin(saved *checkpoint.Checkpoint, m *savedMeta, tables []*observe.Table) (files []observe.File, err error) {
	v.checks.restore(m)
	if saved.Format < 2 {
		v.progress.note(fmt.Sprintf("note: %s is of format %d, which keeps no checksums: tables and fields so far are taken as they are", saved.Path, saved.Format))
	} else {
		v.tables(m, saved.Step, tables)
	}
	for _, series := range v.lists {
		kept, err := v.list(series, filesOf(m, series), saved.Format >= 2)
		if err != nil {
			return nil, err
		}
		files = append(files, kept...)
	}
	slices.SortStableFunc(files, func(a, b observe.File) int { return cmp.Compare(a.Time, b.Time) })
	return files, nil
}

// filesOf are the files of a list that a checkpoint knows.
func filesOf(m *savedMeta, list string) []observe.File {
	return slices.DeleteFunc(slices.Clone(m.Outputs), func(o observe.File) bool { return o.Series != list })
}

// tables compares the beginnings of tables.
func (v *verifier) tables(m *savedMeta, step int64, tables []*observe.Table) {
	for _, s := range tables {
		i := slices.IndexFunc(m.Outputs, func(o observe.File) bool { return o.Path == s.Name })
		if now := s.Sum(); i >= 0 && m.Outputs[i].Sum != now {
			v.checks.warn("%s: its first %d bytes are not those that this run wrote (SHA-256): rows were changed since the checkpoint of step %d; the run goes on behind them, and statistics and pictures use what is there: put the file back from a copy and resume again, or start over with --overwrite",
				v.dir.File(s.Name), now.Bytes, step)
		}
	}
}

// list compares a list with the files that a checkpoint knows and the files with
// the directory. What is wrong is mended: the list names the known files that are there.
// An earlier format knows none: the list is what it says.
func (v *verifier) list(series string, known []observe.File, knows bool) (kept []observe.File, err error) {
	at := v.dir.File(series)
	found, err := vtkhdf.ReadSeries(at)
	if !knows && err != nil {
		return nil, err
	}
	wrong := err != nil
	if err != nil {
		v.checks.warn("%v: it was made anew", err)
	}
	found = slices.DeleteFunc(found, func(e vtkhdf.Entry) bool { return e.Time > v.until })
	if !knows {
		for _, e := range found {
			kept = append(kept, observe.Listed(series, e))
		}
		return kept, nil
	}
	for _, e := range found {
		if !slices.ContainsFunc(known, func(o observe.File) bool { return o.Entry() == e }) {
			v.checks.warn("%s: it lists %s at t = %g, which this run did not write: the entry was taken out", at, e.Name, e.Time)
			wrong = true
		}
	}
	missing := 0
	for _, o := range known {
		if _, err := durable.Stat(v.dir.File(o.Path)); errors.Is(err, fs.ErrNotExist) {
			v.checks.warn("%s: the file is missing: it was taken out of %s; put it back from a copy and resume again from the checkpoint to have it", v.dir.File(o.Path), series)
			wrong = true
			continue
		}
		kept = append(kept, o)
		if !slices.Contains(found, o.Entry()) {
			missing++
		}
	}
	if missing > 0 && err == nil {
		v.checks.warn("%s: %d of the %d files that this run wrote were not in it: they were put back", at, missing, len(known))
	}
	if !wrong && missing == 0 {
		return kept, nil
	}
	var entries []vtkhdf.Entry
	for i := range kept {
		entries = append(entries, kept[i].Entry())
	}
	return kept, vtkhdf.WriteSeries(at, entries)
}

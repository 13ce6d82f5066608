package gpureport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/run/backend"
)

// Options say what to report on, and where.
type Options struct {
	Out      string // directory of the report
	Quick    bool
	Only     []string // sections; empty: all
	Version  string
	Program  string // the program's own file, which does the units
	Progress io.Writer
	Patience time.Duration // of units that say nothing; 0: the sections' own
	Spare    time.Duration // that each section may take beyond its limit
}

// Report makes the report; it and the names of its files come back, also where it was
// interrupted, with the context's error. A device is needed.
func Report(ctx context.Context, o Options) (*Document, string, error) {
	chosen, err := choose(o.Only)
	if err != nil {
		return nil, "", err
	}
	d, err := newDocument(ctx, o)
	if err != nil {
		return nil, "", err
	}
	d.Only = o.Only
	passed := newRelay(o.Progress)
	defer passed.close(time.Second)
	o.Progress = passed
	r := &reporter{o: o, d: d, scope: scope{o.Quick, d.StandIn}, begin: time.Now(), parts: filepath.Join(o.Out, d.stem()+".parts")}
	if err := os.MkdirAll(r.parts, 0o777); err != nil {
		return nil, "", fmt.Errorf("--out: %w: choose another directory", err)
	}
	r.env = append(os.Environ(), cacheVariables(r.parts)...)
	files := filepath.Join(o.Out, d.stem()+".md") + " and .json"
	for i := range chosen {
		if err := r.section(ctx, i, chosen); err != nil {
			return d, files, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	// Whatever they hold is in the report; a report that was killed leaves them.
	if err := os.RemoveAll(r.parts); err != nil {
		return d, files, err
	}
	return d, files, ctx.Err()
}

// choose are the sections asked for, in their order.
func choose(names []string) (chosen []section, err error) {
	for _, n := range names {
		if !slices.Contains(SectionNames(), n) {
			return nil, fmt.Errorf("--only %s: there is no such section: choose %s", n, harness.OneOf(SectionNames()))
		}
	}
	for _, s := range sections {
		if len(names) == 0 || slices.Contains(names, s.name) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// answerTime is how long the driver may take to name the device.
const answerTime = 30 * time.Second

// newDocument names the device, where the driver answers.
func newDocument(ctx context.Context, o Options) (*Document, error) {
	type answer struct {
		d   *Document
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		d, err := named(o)
		answered <- answer{d, err}
	}()
	select {
	case a := <-answered:
		return a.d, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(answerTime):
		return nil, fmt.Errorf("the driver has not opened the device in %v: see whether nvidia-smi answers, and end what holds the device", answerTime)
	}
}

func named(o Options) (*Document, error) {
	device, err := backend.OpenDevice()
	if err != nil {
		return nil, err
	}
	defer device.Close()
	i := device.Info()
	d := &Document{
		Device: i.Name, StandIn: device.StandIn(), Compute: fmt.Sprintf("%d.%d", i.Major, i.Minor), Memory: int64(i.Memory), Driver: device.Driver(),
		Version: o.Version, Date: time.Now().UTC().Format(time.RFC3339), Quick: o.Quick, Host: harness.ThisHost(o.Version),
	}
	d.judge()
	return d, nil
}

// reporter makes a report.
type reporter struct {
	scope
	o     Options
	d     *Document
	begin time.Time
	parts string // directory of the units' files
	env   []string
}

// leastTime is what a unit is not begun for.
const leastTime = time.Second

// section makes a section, unit by unit, and writes the report after each. It has all the
// time that is left, but for the limits of the sections after it.
func (r *reporter) section(ctx context.Context, at int, chosen []section) error {
	s, begin := &chosen[at], time.Now()
	limit := wholeTime(r.quick)
	if len(chosen) < len(sections) {
		limit = 0
		for _, c := range chosen {
			limit += c.limit(r.quick)
		}
	}
	limit += r.o.Spare - time.Since(r.begin)
	for _, later := range chosen[at+1:] {
		limit -= later.limit(r.quick)
	}
	fmt.Fprintf(r.o.Progress, "[%d/%d] %s (at most %.0f s)\n", at+1, len(chosen), s.title, max(0, limit.Seconds()))
	part := &Section{Name: s.name, Title: s.title}
	r.d.Sections = append(r.d.Sections, part)
	units := s.units(r.scope)
	for i, u := range units {
		var made *Unit
		switch left := limit - time.Since(begin); {
		case ctx.Err() != nil:
			made = &Unit{Name: u.name, Status: notRun, Note: "the report was interrupted before it"}
		case left < leastTime:
			made = &Unit{Name: u.name, Status: notRun, Note: "there was no time left for it"}
		default:
			fmt.Fprintf(r.o.Progress, " %s:\n", u.name)
			made = r.unit(ctx, s, u, left)
		}
		part.Units = append(part.Units, made)
		part.Seconds = time.Since(begin).Seconds()
		last := i == len(units)-1
		s.conclude(part, r.scope, r.d.Device, last)
		r.d.Seconds = time.Since(r.begin).Seconds()
		r.d.Complete = last && len(r.d.Sections) == len(chosen) && ctx.Err() == nil
		r.d.judge()
		if err := r.d.write(r.o.Out); err != nil {
			return err
		}
	}
	fmt.Fprintf(r.o.Progress, "%s: %s, %.1f s %s\n", s.name, part.Status, part.Seconds, part.Note)
	return nil
}

// unit lets processes make a unit: a further one goes on where a fault, a hang or its
// death has ended the one before.
func (r *reporter) unit(ctx context.Context, s *section, u unit, limit time.Duration) *Unit {
	begin := time.Now()
	file := filepath.Join(r.parts, s.name+"."+fileName(u.name)+".json")
	for made := 0; ; {
		left := limit - time.Since(begin)
		e := r.process(ctx, s, u, file, left)
		state, found := readUnit(file)
		state.Name, state.Seconds = u.name, time.Since(begin).Seconds()
		again := r.after(state, found, e)
		if again && (limit-time.Since(begin) < leastTime || ctx.Err() != nil) {
			state.conclude()
			again = false
		}
		if again && len(state.Items) == made {
			state.Status, state.Note = failed, "no progress after a restart: "+r.endingOf(e)
			again = false
		}
		if !again {
			return state
		}
		made = len(state.Items)
		if err := state.write(file); err != nil {
			state.Status, state.Note = failed, err.Error()
			return state
		}
		fmt.Fprintf(r.o.Progress, "  %s goes on in another process\n", u.name)
	}
}

// after puts into a unit's state what its process could not write of its own end, and
// tells whether another process should go on.
func (r *reporter) after(u *Unit, found bool, e ending) (again bool) {
	switch at := u.Running; {
	case u.Status == lost:
		return true
	case u.Status != "": // it came to its end
		return false
	case e.cause == byLimit || e.cause == byInterrupt:
		u.Status, u.Note = incomplete, "its time was up"
		if e.cause == byInterrupt {
			u.Note = "it was interrupted"
		}
		if at != "" {
			u.Note += fmt.Sprintf(", while %q was at work, which had said nothing for %.1f s", at, e.silent.Seconds())
			u.LeftOut = append(u.LeftOut, at)
		}
		u.Running = ""
		u.left()
		return false
	case at == "" && len(u.Items) == 0:
		u.Status, u.Note = failed, "its process ended without a result: "+r.endingOf(e)
		if e.cause == byHang {
			u.Note = fmt.Sprintf("its process said nothing for %.1f s before its first item, and was killed; it said last: %s", e.silent.Seconds(), e.last)
		}
		return false
	case at != "" && e.cause == byHang:
		u.Items = append(u.Items, Item{Name: at, Status: hung, Seconds: e.silent.Seconds(),
			Note: fmt.Sprintf("nothing was heard of it for %.1f s, and its process was killed", e.silent.Seconds())})
	case at != "":
		u.Items = append(u.Items, Item{Name: at, Status: died, Note: "its process ended in the middle: " + r.endingOf(e)})
	}
	u.Running = ""
	return true
}

func (r *reporter) endingOf(e ending) string {
	return fmt.Sprintf("%v; it said last: %s", e.err, e.last)
}

// process runs one process of a unit.
func (r *reporter) process(ctx context.Context, s *section, u unit, file string, limit time.Duration) ending {
	args := []string{"gpu-report", "--section", s.name, "--unit", u.name, "--into", file, "--limit", (limit - min(2*grace, limit/4)).String()}
	if r.quick {
		args = append(args, "--quick")
	}
	patience := s.patienceWithin(limit)
	if r.o.Patience > 0 {
		patience = r.o.Patience
	}
	cmd := exec.Command(r.o.Program, args...)
	cmd.Env = r.env
	return watched(cmd, r.o.Progress, limit, patience, ctx.Done())
}

// fileName is a unit's name as that of a file.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' {
			return c
		}
		return '_'
	}, name)
}

// cacheBytes is room for all that the driver compiles.
const cacheBytes = 1 << 30

// cacheVariables let all processes share what the driver's compiler makes: in the folder
// that CUDA_CACHE_PATH names, else in the user's cache, where later reports find it, too.
func cacheVariables(otherwise string) []string {
	all := []string{"CUDA_CACHE_DISABLE=0"}
	if os.Getenv("CUDA_CACHE_PATH") == "" {
		dir, err := os.UserCacheDir()
		if err == nil {
			dir = filepath.Join(dir, "lbmib", "cuda")
			err = os.MkdirAll(dir, 0o777)
		}
		if err != nil {
			dir = otherwise
		}
		if full, err := filepath.Abs(dir); err == nil {
			dir = full
		}
		all = append(all, "CUDA_CACHE_PATH="+dir)
	}
	if os.Getenv("CUDA_CACHE_MAXSIZE") == "" {
		all = append(all, fmt.Sprintf("CUDA_CACHE_MAXSIZE=%d", cacheBytes))
	}
	return all
}

// ErrParent ends a unit's process whose report is no more.
var ErrParent = errors.New("the report that this was a part of has ended")

// WithParent is a context that ends with the process at the other end of a pipe; a
// process that then does not end is ended.
func WithParent(ctx context.Context, pipe io.Reader) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, pipe) // until it is closed: any error is as good
		cancel(ErrParent)
		time.Sleep(grace)
		os.Exit(1)
	}()
	return ctx, cancel
}

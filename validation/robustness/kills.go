package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"lbmib/internal/durable"
)

// harness is what all parts work with.
type harness struct {
	program *program
	work    string // directory for runs
	root    string // of the working tree
	found   string // directory for inputs that show a fault
	seed    uint64
	jobs    int
	most    time.Duration // that changed inputs of one kind may take; 0: any
	log     func(format string, args ...any)
}

// reference is a scenario that nobody disturbed.
type reference struct {
	*scenario
	dir   string
	whole []string // directories of runs that were not disturbed: this one and what it replaced
	wall  time.Duration
}

// undisturbed does a scenario from its beginning to its end.
func (h *harness) undisturbed(s *scenario) (*reference, error) {
	r := &reference{scenario: s, dir: h.dir(s, "whole")}
	r.whole = []string{r.dir}
	if err := s.place(h.program, r.dir); err != nil {
		return nil, err
	}
	if s.over != nil {
		before := h.dir(s, "before")
		if err := s.place(h.program, before); err != nil {
			return nil, err
		}
		r.whole = append(r.whole, before)
	}
	o := h.program.do(r.dir, s.first()...)
	r.wall = o.wall
	if err := o.want(0); err != nil {
		return nil, err
	}
	if err := sound(r.dir, r.whole, true); err != nil {
		return nil, err
	}
	return r, nil
}

// random gives numbers that follow from the seed, others for everything that is done.
func (h *harness) random(what string) *rand.Rand {
	sum := fnv.New64a()
	sum.Write([]byte(what))
	return rand.New(rand.NewPCG(h.seed, sum.Sum64()))
}

// dir is a new name in the work space.
func (h *harness) dir(s *scenario, what string) string {
	dir, err := os.MkdirTemp(h.work, strings.Map(func(c rune) rune {
		if c == ' ' || c == '/' || c == ',' {
			return '-'
		}
		return c
	}, s.name)+"-"+what+"-")
	if err != nil {
		panic(err) // the work space is full or gone
	}
	return dir
}

// signals are sent so often of a hundred times.
var signals = []struct {
	signal syscall.Signal
	name   string
	share  int
}{{syscall.SIGKILL, "KILL", 70}, {syscall.SIGTERM, "TERM", 10}, {syscall.SIGHUP, "HUP", 8}, {syscall.SIGUSR1, "USR1", 7}, {syscall.SIGINT, "INT", 5}}

func anySignal(random *rand.Rand) (syscall.Signal, string) {
	n := random.IntN(100)
	for _, s := range signals {
		if n -= s.share; n < 0 {
			return s.signal, s.name
		}
	}
	return syscall.SIGKILL, "KILL"
}

// kills hits a scenario until it has been hit so often. Each time it goes on, and when
// it gets to its end its results must be those of a run that nobody disturbed.
func (h *harness) kills(s *scenario, hits int) row {
	r := row{Part: "kills", What: s.name, begun: time.Now(), Detail: map[string]int{}}
	ref, err := h.undisturbed(s)
	if err != nil {
		r.fail("not disturbed: %v", err)
		return r.end()
	}
	defer ref.remove()
	random := h.random("kills " + s.name)
	for lives := 0; r.Count < hits && lives < 20*hits && len(r.Failures) < 20; lives++ {
		k := &killing{harness: h, reference: ref, random: random, row: &r, dir: h.dir(s, "killed"), left: min(1+random.IntN(6), hits-r.Count)}
		if err := k.live(); err != nil {
			r.fail("%v\nseed %d, life %d; what it left: %s", err, h.seed, lives, k.dir)
			continue
		}
		os.RemoveAll(k.dir)
	}
	if r.Count < hits && len(r.Failures) == 0 {
		r.fail("%d of %d signals came in time: make the case longer", r.Count, hits)
	}
	return r.end()
}

func (r *reference) remove() {
	for _, dir := range r.whole {
		os.RemoveAll(dir)
	}
}

// killing is one life of a scenario, from its beginning to its end.
type killing struct {
	*harness
	*reference
	random *rand.Rand
	row    *row
	dir    string
	left   int  // hits to come
	kept   kept // checkpoints that it must not lose
}

func (k *killing) live() error {
	if err := k.place(k.program, k.dir); err != nil {
		return err
	}
	return k.endure(k.first())
}

// endure runs a command, and after whatever ends it the one that goes on, until the
// scenario is at its end.
func (k *killing) endure(args []string) error {
	for refused := 0; refused < 4; {
		if err := k.look(); err != nil {
			return err
		}
		before, done := maps.Clone(k.kept), finished(k.dir)
		o, err := k.once(args)
		if err == nil {
			err = k.keeps(o, before, done)
		}
		if err != nil {
			return err
		}
		switch o.code {
		case 0:
			if err := k.forgetAsked(); err != nil {
				return err
			}
			return same(k.dir, k.reference.dir)
		case 2:
			if args = k.remedy(o.stderr); args == nil {
				return o.want(0)
			}
			refused++
			k.row.Detail["told to start over"]++
			continue
		}
		refused = 0
		if err := sound(k.dir, k.whole, true); err != nil {
			return fmt.Errorf("after %s: %w", o.how(), err)
		}
		args = k.next()
	}
	return errors.New("the remedies of four messages in a row did not help")
}

// forgetAsked removes checkpoints from runs that keep none by themselves, those of
// lbmib validate: USR1 asked for them.
func (k *killing) forgetAsked() error {
	if k.kind != validates {
		return nil
	}
	asked, err := filepath.Glob(filepath.Join(k.dir, "run", "*", "*", "checkpoint"))
	for _, dir := range asked {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// remedy is the command that a refusal names.
func (k *killing) remedy(message string) []string {
	switch {
	case k.kind != runs:
		return nil
	case strings.Contains(message, "run without --resume"):
		return k.args
	case strings.Contains(message, "--overwrite"):
		return with(k.args, "--overwrite")
	}
	return nil
}

// once runs a command and, if there are hits left, sends a signal at a random moment.
func (k *killing) once(args []string) (outcome, error) {
	if k.kind != validates {
		args = with(args, fmt.Sprintf("--threads=%d", 1+k.random.IntN(3)))
	}
	p, err := k.program.begin(k.dir, nil, args...)
	if err != nil {
		return outcome{}, err
	}
	if k.left == 0 {
		o := p.wait()
		return o, k.undisturbedEnd(o)
	}
	signal, name := anySignal(k.random)
	if !k.moment(p) {
		o := p.wait() // it ended before
		return o, k.undisturbedEnd(o)
	}
	wrote := newer(k.dir, p.begun)
	held := k.harness.dir(k.scenario, "held")
	defer os.RemoveAll(held)
	if err := hold(k.dir, held); err != nil {
		_ = p.cmd.Process.Kill()
		return p.wait(), err
	}
	sent := time.Now()
	if err := p.cmd.Process.Signal(signal); err != nil {
		o := p.wait()
		return o, k.undisturbedEnd(o)
	}
	o := p.wait()
	there, err := k.keptIn(held)
	if err != nil {
		return o, err
	}
	k.kept.add(there)
	k.left--
	k.row.Count++
	k.row.Detail[name]++
	return o, verdict(o, signal, wrote, time.Since(sent))
}

// undisturbedEnd is what a process may say that no signal was sent to.
func (k *killing) undisturbedEnd(o outcome) error {
	if o.code == 0 || o.code == 2 {
		return nil
	}
	return o.want(0)
}

// latency bounds how long a process may go on after it was asked to end.
const latency = 10 * time.Second

// verdict holds the end of a process against the signal that it was sent. One that
// has not begun to write may die of any.
func verdict(o outcome, signal syscall.Signal, wrote bool, took time.Duration) error {
	early := !wrote && o.code < 0 && o.signal == signal
	switch {
	case o.code == 0 || early:
		return nil
	case signal == syscall.SIGKILL:
		if o.signal == syscall.SIGKILL || o.code == 2 {
			return nil
		}
	case signal == syscall.SIGUSR1:
		if o.code == 2 {
			return nil
		}
		return fmt.Errorf("USR1 must not end a run: %s\n%s", o.how(), o.stderr)
	case o.code == 2:
		return nil
	case o.code == 130 && took > latency:
		return fmt.Errorf("%v was obeyed after %v, at most %v are allowed", signal, took, latency)
	case o.code == 130:
		return nil
	}
	return fmt.Errorf("after %v: %s, want exit code 130\n%s", signal, o.how(), o.stderr)
}

// moment waits for a random moment of the process's life: half of the times simply
// that, else the next one at which a file is being written. It is false if the process
// ends before.
func (k *killing) moment(p *process) bool {
	select {
	case <-p.ended:
		return false
	case <-time.After(time.Duration(k.random.Float64() * float64(k.wall))):
	}
	if k.random.IntN(2) == 0 {
		return true
	}
	for !isWriting(k.dir) {
		select {
		case <-p.ended:
			return false
		case <-time.After(time.Millisecond):
		}
	}
	return true
}

// isWriting tells whether there is a file that is not finished.
func isWriting(dir string) (found bool) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is gone: the process is at work
		}
		if _, temporary := durable.Final(d.Name()); temporary {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// newer tells whether a manifest has been written since: from then on a run has
// something to lose.
func newer(dir string, since time.Time) (found bool) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "manifest.json" {
			if info, err := d.Info(); err == nil && info.ModTime().After(since) {
				found = true
			}
		}
		return nil
	})
	return found
}

// each does something for all scenarios, some at a time, and gives the rows in order.
func (h *harness) each(list []scenario, do func(*scenario) row) []row {
	rows := make([]row, len(list))
	next := make(chan int)
	done := make(chan struct{})
	for range h.jobs {
		go func() {
			for i := range next {
				rows[i] = do(&list[i])
				h.log("%s", rows[i].line())
			}
			done <- struct{}{}
		}()
	}
	for i := range list {
		next <- i
	}
	close(next)
	for range h.jobs {
		<-done
	}
	return slices.DeleteFunc(rows, func(r row) bool { return r.What == "" })
}

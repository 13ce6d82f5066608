package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// limit takes something away from a process.
type limit struct {
	name   string
	values []int
	// under prepares a directory for a process with the limit; the process is begun by
	// way of wrap, and lift gives back what was taken. It is refused where this machine
	// does not allow it.
	under func(dir string, value int) (wrap []string, lift func() error, err error)
	// may tells whether an end without an exit code of the program's own is the limit's doing.
	may func(o outcome) bool
}

// shell is a wrapper that does something before it becomes the program.
func shell(first string) []string { return []string{"sh", "-c", first + ` && exec "$@"`, "sh"} }

func nothing() error { return nil }

// ulimit takes by a limit of the shell.
func ulimit(flag string) func(string, int) ([]string, func() error, error) {
	return func(_ string, value int) ([]string, func() error, error) {
		return shell(fmt.Sprintf("ulimit %s %d", flag, value)), nothing, nil
	}
}

// couldNotBegin tells whether the Go runtime gave up before the program's first line, or
// the shell before that: nothing in the program can say anything then.
func couldNotBegin(o outcome) bool {
	switch {
	case o.code == 126 || o.code == 127: // the shell's, and the dynamic loader's
		return true
	case strings.Contains(o.stderr, "fatal error: "), strings.Contains(o.stderr, "pthread_create failed"), strings.HasPrefix(o.stderr, "runtime: "):
		return o.code == 2 || o.signal == syscall.SIGABRT || o.signal == syscall.SIGSEGV || o.signal == syscall.SIGTRAP
	}
	return false
}

func limits() []limit {
	return []limit{
		{"address space, KiB (ulimit -v)", between(100_000, 4_000_000, 40), ulimit("-v"), couldNotBegin},
		{"open files (ulimit -n)", count(3, 36), ulimit("-n"), couldNotBegin},
		{"size of files, blocks (ulimit -f)", between(1, 4000, 30), ulimit("-f"), never},
		{"memory of a control group, KiB", between(4_000, 200_000, 24), controlGroup, func(o outcome) bool { return o.signal == syscall.SIGKILL }},
		{"a full disk, KiB", between(4, 4000, 30), smallDisk, never},
	}
}

func never(outcome) bool { return false }

// between are n numbers from lo to hi, each as many times the one before.
func between(lo, hi float64, n int) (list []int) {
	for i := range n {
		list = append(list, int(math.Round(lo*math.Pow(hi/lo, float64(i)/float64(n-1)))))
	}
	return list
}

func count(lo, hi int) (list []int) {
	for i := lo; i <= hi; i++ {
		list = append(list, i)
	}
	return list
}

// controlGroup takes memory by a control group, of version 2 or 1.
func controlGroup(dir string, value int) ([]string, func() error, error) {
	name := fmt.Sprintf("lbmib-robustness-%d-%d", os.Getpid(), value)
	var errs []error
	for _, v := range []struct{ root, file string }{
		{"/sys/fs/cgroup", "memory.max"}, {"/sys/fs/cgroup/unified", "memory.max"}, {"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
	} {
		group := filepath.Join(v.root, name)
		if err := os.Mkdir(group, 0o777); err != nil {
			errs = append(errs, err)
			continue
		}
		_, err := os.Stat(filepath.Join(group, v.file)) // else it is a directory like any other
		if err == nil {
			err = os.WriteFile(filepath.Join(group, v.file), []byte(fmt.Sprint(value<<10)), 0o666)
		}
		if err == nil {
			if _, e := os.Stat(filepath.Join(v.root, "memory.swap.max")); e == nil {
				_ = os.WriteFile(filepath.Join(group, "memory.swap.max"), []byte("0"), 0o666)
			}
			return shell("echo $$ > " + filepath.Join(group, "cgroup.procs")), func() error { return removeGroup(group) }, nil
		}
		errs = append(errs, err, os.Remove(group))
	}
	return nil, nil, fmt.Errorf("%w: %w", errNotAllowed, errors.Join(errs...))
}

// removeGroup removes a control group; a process that was ended takes some time to leave it.
func removeGroup(group string) (err error) {
	for range 100 {
		if err = os.Remove(group); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// smallDisk puts the run directory on a disk of so many KiB.
func smallDisk(dir string, value int) ([]string, func() error, error) {
	run := filepath.Join(dir, "run")
	aside := run + ".aside" // what is there already moves to the small disk
	if err := os.Rename(run, aside); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	if err := os.Mkdir(run, 0o777); err != nil {
		return nil, nil, err
	}
	used := 0
	if out, err := exec.Command("du", "-sk", aside).Output(); err == nil {
		_, _ = fmt.Sscan(string(out), &used)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dk", value+used), "tmpfs", run).CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("%w: mount: %w: %s", errNotAllowed, err, out)
	}
	back := func() error { // to a disk with room, whatever happened
		kept := run + ".kept"
		err := os.CopyFS(kept, os.DirFS(run))
		if e := exec.Command("umount", run).Run(); err == nil {
			err = e
		}
		if err == nil {
			err = os.Remove(run)
		}
		if err == nil {
			err = os.Rename(kept, run)
		}
		return err
	}
	if _, err := os.Stat(aside); err == nil {
		if err := os.CopyFS(run, os.DirFS(aside)); err != nil {
			return nil, nil, errors.Join(err, back())
		}
		os.RemoveAll(aside)
	}
	return []string{"env"}, back, nil
}

// errNotAllowed is of a limit that cannot be set here.
var errNotAllowed = errors.New("not allowed here")

// underLimits runs a scenario under every value of a limit, alternately from its
// beginning and from where it was killed. It must say what is wrong and lose nothing: with
// the limit lifted it goes on to the results of a run that nobody disturbed.
func (h *harness) underLimits(l *limit, s *scenario) row {
	r := row{Part: "limits", What: l.name, begun: time.Now(), Detail: map[string]int{}}
	ref, err := h.undisturbed(s)
	if err != nil {
		r.fail("not disturbed: %v", err)
		return r.end()
	}
	defer ref.remove()
	random := h.random("limits " + l.name)
	for i, value := range l.values {
		dir := h.dir(s, "limited")
		err := h.underLimit(l, ref, dir, value, beginning(i%2), random, &r)
		if errors.Is(err, errNotAllowed) {
			r.NotRun = err.Error()
			os.RemoveAll(dir)
			break
		}
		if err != nil {
			r.fail("%d: %v\nwhat it left: %s", value, err, dir)
			continue
		}
		os.RemoveAll(dir)
	}
	return r.end()
}

func (h *harness) underLimit(l *limit, ref *reference, dir string, value int, from beginning, random *rand.Rand, r *row) error {
	if err := ref.place(h.program, dir); err != nil {
		return err
	}
	args := ref.first()
	if from == again {
		if err := h.killHalfWay(ref, dir); err != nil {
			return err
		}
		args = ref.next()
	}
	before, err := treeOf(dir)
	if err != nil {
		return err
	}
	wrap, lift, err := l.under(dir, value)
	if err != nil {
		return err
	}
	k := &killing{harness: h, reference: ref, random: random, row: r, dir: dir}
	if err := k.look(); err != nil {
		return errors.Join(err, lift())
	}
	found := maps.Clone(k.kept)
	o := h.program.doWrapped(dir, wrap, args...)
	if err := lift(); err != nil {
		return err
	}
	r.Count++
	if err := k.keeps(o, found, nil); err != nil {
		return err
	}
	if err := h.limitedEnd(l, o, dir, before, r); err != nil {
		return err
	}
	if err := sound(dir, ref.whole, true); err != nil {
		return fmt.Errorf("%s: %w", o.how(), err)
	}
	if o.code == 0 {
		return same(dir, ref.dir)
	}
	return k.endure(ref.next())
}

// limitedEnd holds how a process ended under a limit against what it may do.
func (h *harness) limitedEnd(l *limit, o outcome, dir string, before map[string]string, r *row) error {
	switch {
	case o.code == 0:
		r.Detail["had enough"]++
		return nil
	case l.may(o):
		r.Detail["ended by the system"]++
		if o.signal == syscall.SIGKILL {
			return nil // in the middle of anything
		}
		after, err := treeOf(dir)
		if err != nil {
			return err
		}
		for name, content := range after {
			if before[name] != content {
				return fmt.Errorf("%s, without a message of its own, and %s was written\n%.600s", o.how(), name, o.stderr)
			}
		}
		return nil
	case o.code == 2 || o.code == 4:
		r.Detail[fmt.Sprintf("exit code %d", o.code)]++
		if !strings.Contains(o.stderr, "lbmib: ") || strings.Contains(o.stderr, "goroutine ") {
			return fmt.Errorf("%s without a message: %.600q", o.how(), o.stderr)
		}
		return nil
	}
	return fmt.Errorf("%s, want 2 or 4 and a message\n%.600s", o.how(), o.stderr)
}

// treeOf is what is below a directory: path → content.
func treeOf(dir string) (map[string]string, error) {
	all := map[string]string{}
	return all, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
}

// fullOutputs are commands whose standard output or standard error is a full disk, with
// the exit code that they must have: what cannot be told is exit code 4, progress that
// cannot be told is nothing.
var fullOutputs = []struct {
	to   string
	code int
	args []string
}{
	{">", 4, []string{"run", "case.toml", "--json", "--quiet"}},
	{">", 4, []string{"run", "case.toml"}},
	{"2>", 0, []string{"run", "case.toml"}},
	{">", 4, []string{"check", "case.toml"}},
	{">", 4, []string{"check", "case.toml", "--json"}},
	{">", 4, []string{"sweep", "case.toml", "--over", "reference.reynolds=20,30"}},
	{">", 4, []string{"validate", "--list"}},
	{">", 4, []string{"new", "--list"}},
	{">", 4, []string{"doctor"}},
	{">", 4, []string{"version"}},
	{">", 4, []string{"run", "--help"}},
}

// intoFull runs commands whose output goes to a full disk. A run must have left all of
// its files nevertheless.
func (h *harness) intoFull(s *scenario) row {
	r := row{Part: "limits", What: "output to a full disk (/dev/full)", begun: time.Now(), Detail: map[string]int{}}
	ref, err := h.undisturbed(s)
	if err != nil {
		r.fail("not disturbed: %v", err)
		return r.end()
	}
	defer ref.remove()
	for _, f := range fullOutputs {
		dir := h.dir(s, "full")
		if err := s.place(h.program, dir); err != nil {
			r.fail("%v", err)
			continue
		}
		args := f.args
		if args[0] == "run" && args[1] == "case.toml" {
			args = append(append([]string{}, s.args[:2]...), append(args[2:len(args):len(args)], s.args[3:]...)...)
		}
		o := h.program.doWrapped(dir, []string{"sh", "-c", `exec "$@" ` + f.to + "/dev/full", "sh"}, args...)
		r.Count++
		r.Detail[fmt.Sprintf("exit code %d", o.code)]++
		err := o.want(f.code)
		if err == nil && f.code == 4 && !strings.Contains(o.stderr, "no space left on device") {
			err = fmt.Errorf("no message: %.300q", o.stderr)
		}
		if err == nil && args[0] == "run" && args[1] == "case.toml" {
			err = same(dir, ref.dir)
		}
		if err != nil {
			r.fail("%s %s/dev/full: %v", strings.Join(args, " "), f.to, err)
		}
		os.RemoveAll(dir)
	}
	return r.end()
}

// scarce is the part of limits.
func (h *harness) scarce(only string) (rows []row) {
	s := scenarios()[0]
	for _, l := range limits() {
		if strings.Contains(l.name, only) {
			rows = append(rows, h.underLimits(&l, &s))
			h.log("%s", rows[len(rows)-1].line())
		}
	}
	if strings.Contains("/dev/full", only) {
		rows = append(rows, h.intoFull(&s))
		h.log("%s", rows[len(rows)-1].line())
	}
	return rows
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lbmib/validation/robustness/disk"
	"lbmib/validation/robustness/mutate"
)

// TestMain is a worker where the harness under test starts this binary as one.
func TestMain(m *testing.M) {
	if os.Getenv("LBMIB_ROBUSTNESS_WORKER") != "" {
		moreInputs = faulty()
		os.Exit(attack())
	}
	os.Exit(func() int {
		var err error
		if programDir, err = os.MkdirTemp("", "lbmib-robustness-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(programDir)
		return m.Run()
	}())
}

// built is the program, built once for all tests; TestMain removes it.
var built = sync.OnceValues(func() (*program, error) { return build(programDir) })

var programDir string

// harnessFor is a harness with a work space of its own.
func harnessFor(t *testing.T) *harness {
	t.Helper()
	if testing.Short() {
		t.Skip("starts many processes")
	}
	work, err := workspace()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !t.Failed() { // what it found stays
			os.RemoveAll(work)
		}
	})
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return &harness{program: p, work: work, root: root, found: filepath.Join(work, "found"), seed: uint64(time.Now().UnixNano()), jobs: 2, log: t.Logf}
}

func named(t *testing.T, names ...string) (list []scenario) {
	t.Helper()
	for _, s := range scenarios() {
		if slices.Contains(names, s.name) {
			list = append(list, s)
		}
	}
	if len(list) != len(names) {
		t.Fatalf("not all of %q are scenarios", names)
	}
	return list
}

func fails(t *testing.T, rows ...row) {
	t.Helper()
	for _, r := range rows {
		if r.NotRun != "" {
			t.Logf("%s: %s: not run: %s", r.Part, r.What, r.NotRun)
		}
		for _, f := range r.Failures {
			t.Errorf("%s: %s: %s", r.Part, r.What, f)
		}
	}
}

// The short forms of what the program does at length.

func TestKilledRunsEndAsOthers(t *testing.T) {
	h := harnessFor(t)
	list := named(t, "run, 2D f64", "run, 3D f32", "run, 2D f32/f16, two steps per sweep", "run, free discs, 2D f64", "run --overwrite, 2D", "sweep", "validate taylor-green")
	rows := h.each(list, func(s *scenario) row { return h.kills(s, 5) })
	fails(t, rows...)
	hits := 0
	for _, r := range rows {
		hits += r.Count
	}
	if hits < 30 {
		t.Errorf("%d signals were sent, want 30 or more", hits)
	}
}

func TestRunsEndAsOthersAfterThePowerFailed(t *testing.T) {
	h := harnessFor(t)
	mayFollow(t, h)
	rows := h.each(named(t, "run, 2D f64", "run, free ball, 3D f64", "sweep"), func(s *scenario) row { return h.power(s, fresh, 4) })
	rows = append(rows, h.power(&named(t, "run, 2D f32")[0], again, 3))
	fails(t, rows...)
	for _, r := range rows {
		if r.Count < 3 {
			t.Errorf("%s: the power failed %d times", r.What, r.Count)
		}
	}
}

// While --overwrite removes an earlier run, its manifest must be the last of its files to
// go, and a series must go before the fields that it names, whatever reaches the disk first.
func TestAnEarlierRunIsRemovedInOrder(t *testing.T) {
	h := harnessFor(t)
	mayFollow(t, h)
	ref, err := h.undisturbed(&named(t, "run --overwrite, 2D")[0])
	if err != nil {
		t.Fatal(err)
	}
	rec, remove, err := h.record(ref, fresh)
	defer remove()
	if err != nil {
		t.Fatal(err)
	}
	const manifest = "run/manifest.json"
	random := h.random(t.Name())
	for moment := 0; ; moment++ {
		seen, err := rec.Seen(moment)
		if err != nil {
			t.Fatal(err)
		}
		for _, loss := range []disk.Loss{disk.All, disk.Some, disk.Some, disk.Some} {
			left, err := rec.After(moment, loss, random)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(h.work, "left")
			if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o777), left.Write(dir)); err != nil {
				t.Fatal(err)
			}
			if err := sound(dir, ref.whole, true); err != nil {
				t.Fatalf("after call %d: %v", moment, err)
			}
			if _, ok := left[manifest]; ok {
				continue
			}
			for name, content := range left {
				if content != nil && strings.HasPrefix(name, "run/") {
					t.Fatalf("after call %d %s is there without its manifest", moment, name)
				}
			}
		}
		if _, ok := seen[manifest]; !ok {
			if moment < 20 {
				t.Errorf("the earlier run is gone after %d calls: there was little to remove", moment)
			}
			return
		}
	}
}

// mayFollow skips a test where processes cannot be followed.
func mayFollow(t *testing.T, h *harness) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed: scripts/install.sh strace")
	}
	if out, err := exec.Command("strace", "-f", "--seccomp-bpf", "-o", filepath.Join(h.work, "trial"), "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not follow processes here: %v: %s", err, out)
	}
}

func TestChangedInputIsReadOrRefused(t *testing.T) {
	h := harnessFor(t)
	fails(t, h.readChanged(sizes{cases: 2000, others: 300}, "")...)
}

func TestOlderCheckpointsAreReadOrRefused(t *testing.T) {
	h := harnessFor(t)
	fails(t, h.versions())
}

// A few of the limits: all of them are for the program, with an hour or so.
func TestNothingIsLostUnderLimits(t *testing.T) {
	h := harnessFor(t)
	s := named(t, "run, 2D f64")[0]
	for _, l := range limits() {
		if strings.HasPrefix(l.name, "size of files") || strings.HasPrefix(l.name, "a full disk") {
			l.values = []int{20, 60}
			fails(t, h.underLimits(&l, &s))
		}
	}
	fails(t, h.intoFull(&s))
}

// A check that cannot fail is none: what follows shows the harness something wrong.

// faulty are inputs that are not read as they should be.
func faulty() (list []input) {
	for name, read := range map[string]func(i byte) error{
		"faulty: panics": func(byte) error { panic("index out of range") },
		"faulty: errors": func(byte) error { return errors.New("it is printed wrong") },
		"faulty: ends":   func(byte) error { os.Exit(3); return nil },
		"faulty: loops": func(byte) error {
			for i := 0; ; i++ {
				_ = fmt.Sprint(i)
			}
		},
		"faulty: allocates": func(byte) error { all = append(all, bytes.Repeat([]byte{1}, 3<<30)); return nil },
		"faulty: dies": func(byte) error {
			err := syscall.Kill(os.Getpid(), syscall.SIGSEGV)
			time.Sleep(time.Minute) // another thread may get the signal, later
			return err
		},
	} {
		n := 0
		list = append(list, input{name: name, changed: func(r *rand.Rand) sample { return sample{data: []byte{byte(r.Uint32())}, file: "case.toml"} }, read: func(s sample) (string, error) {
			if n++; n == 4 {
				return "faulty", read(s.data[0])
			}
			return "accepted", nil
		}})
	}
	return list
}

var all [][]byte

func TestFaultsOfInputAreFound(t *testing.T) {
	h := harnessFor(t)
	h.jobs = 1
	moreInputs = faulty()
	defer func() { moreInputs = nil }()
	for name, says := range map[string]string{
		"faulty: panics": "panic: index out of range", "faulty: errors": "it is printed wrong", "faulty: ends": "exit status 3",
		"faulty: loops": "more than 5 s of processor time", "faulty: allocates": "", "faulty: dies": "did not survive",
	} {
		rows := h.readChanged(sizes{others: 6}, name)
		if len(rows) != 1 || rows[0].Count != 6 || len(rows[0].Failures) != 1 || !strings.Contains(rows[0].Failures[0], says) || !strings.Contains(rows[0].Failures[0], "input 3:") {
			t.Errorf("%s: %+v", name, rows)
			continue
		}
		kept, _ := filepath.Glob(filepath.Join(h.found, strings.ReplaceAll(name, " ", "-")+"*", "case.toml"))
		if len(kept) != 1 {
			t.Errorf("%s: kept %v", name, kept)
		}
	}
}

func TestWhatIsPrintedWrongIsFound(t *testing.T) {
	for _, text := range []string{"title \x1b[31m", "a\x00", "\u202e", "%!d(string=x)", strings.Repeat("x", mostText+1), "<nil>"} {
		if speaks(text) == nil {
			t.Errorf("%.40q passes", text)
		}
	}
	if err := speaks("case.toml:3:1: a key\n\tunknown, ρ = 1\n"); err != nil {
		t.Error(err)
	}
}

func TestWhatDiffersFromAnUndisturbedRunIsFound(t *testing.T) {
	h := harnessFor(t)
	s := named(t, "run, 2D f64")[0]
	ref, err := h.undisturbed(&s)
	if err != nil {
		t.Fatal(err)
	}
	newest := func(dir string) string {
		kept, _ := filepath.Glob(filepath.Join(dir, "run", "checkpoint", "*.ckpt"))
		return slices.Max(kept)
	}
	change := func(path string, by func([]byte) []byte) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, by(text), 0o666)
	}
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	cut := func(b []byte) []byte { return b[:len(b)-7] }
	for name, c := range map[string]struct {
		damage     func(dir string) error
		half, same bool // is seen as half written, as the same
	}{
		"nothing":             {func(string) error { return nil }, false, true},
		"a number":            {func(d string) error { return change(filepath.Join(d, "run", "forces.csv"), flip) }, true, false},
		"a row is missing":    {func(d string) error { return change(filepath.Join(d, "run", "forces.csv"), cut) }, false, false},
		"a field is cut":      {func(d string) error { return change(filepath.Join(d, "run", "fields", "case_000000120.vtkhdf"), cut) }, true, false},
		"a field is missing":  {func(d string) error { return os.Remove(filepath.Join(d, "run", "fields", "case_000000120.vtkhdf")) }, true, false},
		"a checkpoint is cut": {func(d string) error { return change(newest(d), cut) }, true, false},
		"no checkpoint":       {func(d string) error { return os.RemoveAll(filepath.Join(d, "run", "checkpoint")) }, false, false},
		"the state":           {func(d string) error { return otherState(newest(d)) }, false, false},
		"a manifest is cut":   {func(d string) error { return change(filepath.Join(d, "run", "manifest.json"), cut) }, true, true},
		"a temporary is left": {func(d string) error { return os.WriteFile(filepath.Join(d, "run", ".forces.csv.tmp"), nil, 0o666) }, false, false},
		"a summary": {func(d string) error {
			return change(filepath.Join(d, "run", "summary.json"), func(b []byte) []byte { return bytes.Replace(b, []byte(`"steps"`), []byte(`"step"`), 1) })
		}, false, false},
	} {
		dir := filepath.Join(h.work, "damaged", name)
		if err := os.CopyFS(dir, os.DirFS(ref.dir)); err != nil {
			t.Fatal(err)
		}
		if err := c.damage(dir); err != nil {
			t.Fatal(name, err)
		}
		if err := sound(dir, ref.whole, true); (err != nil) != c.half {
			t.Errorf("%s: half written: %v, want %v", name, err, c.half)
		}
		if err := same(dir, ref.dir); (err == nil) != c.same {
			t.Errorf("%s: the same: %v, want %v", name, err, c.same)
		}
	}
}

// otherState changes the last digit of a time in the description of a checkpoint.
func otherState(path string) error {
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	index, _ := mutate.IndexOf(file)
	return os.WriteFile(path, mutate.WithIndex(file, bytes.Replace(index, []byte(`"precision":"f64"`), []byte(`"precision":"f32"`), 1)), 0o666)
}

func TestAWrongEndAfterASignalIsFound(t *testing.T) {
	for _, c := range []struct {
		o      outcome
		signal syscall.Signal
		wrote  bool
		took   time.Duration
		right  bool
	}{
		{outcome{code: -1, signal: syscall.SIGKILL}, syscall.SIGKILL, true, 0, true},
		{outcome{code: 130}, syscall.SIGTERM, true, time.Second, true},
		{outcome{code: 130}, syscall.SIGTERM, true, time.Minute, false},
		{outcome{code: 0}, syscall.SIGUSR1, true, 0, true},
		{outcome{code: 130}, syscall.SIGUSR1, true, 0, false},
		{outcome{code: -1, signal: syscall.SIGHUP}, syscall.SIGHUP, true, 0, false},
		{outcome{code: -1, signal: syscall.SIGHUP}, syscall.SIGHUP, false, 0, true},
		{outcome{code: 1}, syscall.SIGKILL, true, 0, false},
		{outcome{code: 4}, syscall.SIGTERM, true, 0, false},
	} {
		if err := verdict(c.o, c.signal, c.wrote, c.took); (err == nil) != c.right {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestAReportKeepsOtherParts(t *testing.T) {
	dir := t.TempDir()
	for _, rows := range [][]row{
		{{Part: "power", What: "a", Count: 1}, {Part: "power", What: "b", Count: 2}},
		{{Part: "kills", What: "c", Count: 3, Failures: []string{"it died"}}},
		{{Part: "power", What: "d", Count: 4}},
	} {
		if err := keep(dir, rows); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "results.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| kills | c | 3 | 1 |", "| power | d | 4 | 0 |", "it died"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing from\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "| a |") {
		t.Errorf("a part stands twice:\n%s", text)
	}
}

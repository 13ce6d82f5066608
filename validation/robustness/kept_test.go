package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lbmib/validation/robustness/disk"
)

// instead is the program, but for what a shell does before it where a run is resumed.
func instead(t *testing.T, p *program, resumed string) *program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lbmib")
	text := "#!/bin/sh\ncase \" $* \" in *' --resume '*)\n" + resumed + "\n;; esac\nexec '" + p.path + "' \"$@\"\n"
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return &program{path: path}
}

// A program that loses its checkpoints, or does not use them, gets to the right results
// all the same when it begins again.
func TestLostCheckpointsAreFound(t *testing.T) {
	h := harnessFor(t)
	s := named(t, "run, 2D f64")[0]
	right := h.program
	ref, err := h.undisturbed(&s)
	if err != nil {
		t.Fatal(err)
	}
	whole := h.dir(&s, "half")
	if err := s.place(right, whole); err != nil {
		t.Fatal(err)
	}
	if err := h.killHalfWay(ref, whole); err != nil {
		t.Fatal(err)
	}
	const overwrite = `for a; do shift; [ "$a" = --resume ] && a=--overwrite; set -- "$@" "$a"; done`
	for _, c := range []struct{ name, resumed, says string }{
		{"nothing is wrong", "", ""},
		{"all are removed", "rm -rf run/checkpoint", "is lost: no sound one is left"},
		{"all are damaged", `for f in run/checkpoint/*.ckpt; do echo >> "$f"; done`, "none of 2 can be used"},
		{"the newest is removed", "rm $(ls run/checkpoint/*.ckpt | tail -n 1)", "there was a sound checkpoint of step"},
		{"it begins again in silence", overwrite, "run does not say that it goes on"},
		{"it begins again and says so", overwrite + "; echo 'resuming at step 0 (t = 0 L/U) from run/checkpoint/000000000000.ckpt' >&2", "goes on at step 0"},
		{"refused as without a checkpoint", "echo 'lbmib: there is no checkpoint: start over with --overwrite' >&2; exit 2", "is to start over"},
		{"refused as another's", "echo 'lbmib: there is no checkpoint: run without --resume' >&2; exit 2", "is to start over"},
	} {
		dir := filepath.Join(h.work, c.name)
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		h.program = instead(t, right, c.resumed)
		k := &killing{harness: h, reference: ref, random: h.random(t.Name()), row: &row{Detail: map[string]int{}}, dir: dir}
		if err := k.endure(ref.next()); (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// A checkpoint is looked for that was there when the signal was sent, too.
func TestCheckpointsAreHeld(t *testing.T) {
	h := harnessFor(t)
	s := named(t, "sweep")[0]
	ref, err := h.undisturbed(&s)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ref.keptIn(ref.dir)
	if err != nil || len(all) != 3 {
		t.Fatalf("%v of three runs: %v", all, err)
	}
	to := t.TempDir()
	if err := hold(ref.dir, to); err == nil { // else it is on another disk
		if held, err := ref.keptIn(to); err != nil || all.without(held) != nil {
			t.Errorf("held are %v of %v: %v", held, all, err)
		}
	}
	if err := os.Rename(filepath.Join(ref.dir, "run", "reynolds=30", "checkpoint"), filepath.Join(ref.dir, "gone")); err != nil {
		t.Fatal(err)
	}
	now, err := ref.keptIn(ref.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := all.without(now); err == nil || !strings.Contains(err.Error(), "reynolds=30 is lost") {
		t.Errorf("a lost checkpoint: %v", err)
	}
}

// What was safe when the power failed must be there, and what was not need not.
func TestASafeCheckpointMustOutliveThePower(t *testing.T) {
	h := harnessFor(t)
	mayFollow(t, h)
	ref, err := h.undisturbed(&named(t, "run, 2D f64")[0])
	if err != nil {
		t.Fatal(err)
	}
	rec, remove, err := h.record(ref, fresh)
	defer remove()
	if err != nil {
		t.Fatal(err)
	}
	random := h.random(t.Name())
	for moment, safe := range map[int]bool{0: false, rec.Moments() - 1: true} {
		tree, err := rec.After(moment, disk.All, random)
		if err != nil {
			t.Fatal(err)
		}
		k := &killing{harness: h, reference: ref, random: random, row: &row{}, dir: h.dir(ref.scenario, "left")}
		if err := tree.Write(k.dir); err != nil {
			t.Fatal(err)
		}
		if err := k.mustHave(rec, moment); err != nil {
			t.Errorf("after call %d: %v", moment, err)
		}
		os.RemoveAll(filepath.Join(k.dir, "run", "checkpoint"))
		if err := k.mustHave(rec, moment); (err != nil) != safe {
			t.Errorf("after call %d, without checkpoints: %v", moment, err)
		}
	}
}

func TestOnlyTheRuntimeMayEndInSilence(t *testing.T) {
	for _, c := range []struct {
		o   outcome
		may bool
	}{
		{outcome{code: 1}, false},
		{outcome{code: 2}, false},
		{outcome{code: 2, stderr: "fatal error: out of memory"}, true},
		{outcome{code: 0, stderr: "fatal error: out of memory"}, false},
		{outcome{code: 127}, true},
		{outcome{code: -1, signal: syscall.SIGTERM}, false},
	} {
		if couldNotBegin(c.o) != c.may {
			t.Errorf("%+v: %v", c.o, !c.may)
		}
	}
}

// A limit that cannot be set is not one that was passed.
func TestWhatCannotBeSetIsNotRun(t *testing.T) {
	h := harnessFor(t)
	l := limit{"forbidden", []int{1}, func(string, int) ([]string, func() error, error) { return nil, nil, errNotAllowed }, never}
	r := h.underLimits(&l, &named(t, "run, 2D f64")[0])
	if r.Count != 0 || r.NotRun == "" || !strings.Contains(r.line(), "NOT RUN: not allowed here") {
		t.Errorf("%+v: %s", r, r.line())
	}
	dir := t.TempDir()
	if err := keep(dir, []row{r}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "results.md")); err != nil || !strings.Contains(string(text), "| limits | forbidden | 0 | not run |") {
		t.Errorf("%v\n%s", err, text)
	}
}

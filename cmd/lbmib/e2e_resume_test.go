package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"lbmib/io/checkpoint"
)

// finished runs a case in a directory of its own without any interruption.
func finished(t *testing.T, text string, args ...string) (dir string) {
	t.Helper()
	dir = place(t, text)
	lbmib(t, dir, append([]string{"run", "case.toml", "--quiet"}, args...)...).want(t, 0)
	return dir
}

// sameRun fails the test unless two working directories hold the same results:
// every byte of tables, fields, series and pictures, the same last state, and the
// same summary but for what tells of the machine and the time of day.
func sameRun(t *testing.T, got, want string) {
	t.Helper()
	sameTree(t, results(t, got), results(t, want))
	if g, w := summaryOf(t, got), summaryOf(t, want); !reflect.DeepEqual(g, w) {
		t.Errorf("summary.json differs:\n%v\nwant\n%v", g, w)
	}
	g, w := lastState(t, got), lastState(t, want)
	if g.Step != w.Step || !slices.Equal(g.Names(), w.Names()) {
		t.Fatalf("the last checkpoint is of step %d with %v, want %d with %v", g.Step, g.Names(), w.Step, w.Names())
	}
	for _, name := range w.Names() {
		if !reflect.DeepEqual(section(t, g, name), section(t, w, name)) {
			t.Errorf("section %q of the last checkpoint differs", name)
		}
	}
	if g, w := metaOf(t, g), metaOf(t, w); !reflect.DeepEqual(g, w) {
		t.Errorf("the last checkpoint's description differs:\n%v\nwant\n%v", g, w)
	}
}

// results are the files of a run that must be the same whatever happened to it.
func results(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := tree(t, filepath.Join(dir, "run"))
	for name := range all {
		if strings.HasPrefix(name, "checkpoint"+string(filepath.Separator)) || name == "manifest.json" || name == "summary.json" || name == "report.html" || name == "case-as-run.toml" {
			delete(all, name)
		}
	}
	return all
}

// summaryOf is summary.json without wall-clock times, rates and what computed it.
func summaryOf(t *testing.T, dir string) map[string]any {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "run", "summary.json"))), &s); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"wall_seconds", "mflups", "share", "threads", "kernel", "streaming", "layout"} {
		if _, ok := s[key]; !ok {
			t.Errorf("summary.json has no %s", key)
		}
		delete(s, key)
	}
	return s
}

func checkpoints(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "run", "checkpoint", "*.ckpt"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// lastState is the newest checkpoint; all must verify.
func lastState(t *testing.T, dir string) (last *checkpoint.Checkpoint) {
	t.Helper()
	for _, path := range checkpoints(t, dir) {
		c, err := checkpoint.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		last = c
	}
	if last == nil {
		t.Fatalf("%s holds no checkpoint", dir)
	}
	return last
}

// section is an array of a checkpoint, whatever its type.
func section(t *testing.T, c *checkpoint.Checkpoint, name string) any {
	t.Helper()
	if a, err := c.Float64(name); err == nil {
		return a
	}
	if a, err := c.Float32(name); err == nil {
		return a
	}
	a, err := c.Int64(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func metaOf(t *testing.T, c *checkpoint.Checkpoint) map[string]any {
	t.Helper()
	var m map[string]any
	if err := c.DecodeMeta(&m); err != nil {
		t.Fatal(err)
	}
	delete(m, "wall_seconds")
	return m
}

// exists waits until a file matches the pattern or the process has ended.
func exists(pattern string, ended <-chan outcome) bool {
	for {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(time.Millisecond):
		}
	}
}

// interruptions is how often a run is interrupted at most.
const interruptions = 7

// tortured runs a case that is hit by signals at random moments, resuming each
// time on another number of threads, until it is done. It counts the hits. The
// first hit comes when there is something to resume from, later ones whenever.
func tortured(t *testing.T, text string, signals []os.Signal, random *rand.Rand) (dir string, hits int) {
	t.Helper()
	dir = place(t, text)
	run := filepath.Join(dir, "run")
	for round := 0; ; round++ {
		args := []string{"run", "case.toml", fmt.Sprintf("--threads=%d", 1+round%3)}
		if round > 0 {
			args = append(args, "--resume")
		}
		cmd, end := command(t, dir, nil, args...)
		ended := begin(t, cmd, end)
		if round < interruptions {
			sign := signals[random.IntN(len(signals))]
			started := filepath.Join(run, "manifest.json")
			if round == 0 {
				started = filepath.Join(run, "checkpoint", "*.ckpt")
			}
			if exists(started, ended) {
				time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
				_ = cmd.Process.Signal(sign) // it may be done already
			}
		}
		o := <-ended
		switch {
		case o.code == 0:
			return dir, hits
		case o.code == 130 && strings.Contains(o.stderr, "interrupted before the first step: nothing was written or changed") && round > 0:
			o.want(t, 130, "lbmib "+strings.Join(args[:3], " ")+" --resume")
		case o.code == 130:
			o.want(t, 130, "interrupted at step", "checkpoint written to "+filepath.Join("run", "checkpoint"), "lbmib "+strings.Join(args[:3], " ")+" --resume")
		case o.code != -1:
			t.Fatalf("round %d: exit code %d, standard error:\n%s", round, o.code, o.stderr)
		}
		hits++
	}
}

func TestKilledAndResumedRunsLeaveTheSameBytes(t *testing.T) {
	t.Parallel()
	single := func(text string) string { return edited(t, text, `precision = "f64"`, `precision = "f32"`) }
	for _, c := range []struct {
		name, text string
		signals    []os.Signal
	}{
		{"2D f64, killed", cylinder, []os.Signal{syscall.SIGKILL}},
		{"2D f32, terminated and interrupted", single(cylinder), []os.Signal{syscall.SIGTERM, os.Interrupt}},
		{"3D, all three", sphere, []os.Signal{syscall.SIGKILL, syscall.SIGTERM, os.Interrupt}},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := uint64(time.Now().UnixNano())
			t.Logf("random moments from seed %d", seed)
			whole := finished(t, c.text)
			dir, hits := tortured(t, c.text, c.signals, rand.New(rand.NewPCG(seed, 0)))
			if hits == 0 {
				t.Fatal("the run was done before a signal came: make the case longer")
			}
			t.Logf("interrupted %d times", hits)
			sameRun(t, dir, whole)
		})
	}
}

// The line that an interrupted run prints continues it, whatever was overridden.
func TestThePrintedCommandContinues(t *testing.T) {
	t.Parallel()
	args := []string{"run", "case.toml", "--quiet", "--overwrite", "--out", "two words", "--set", "title=\"it's\"", "--set=output.forces.every=0.1"}
	whole := place(t, cylinder)
	lbmib(t, whole, args...).want(t, 0)
	dir := place(t, cylinder)
	cmd, end := command(t, dir, nil, args...)
	ended := begin(t, cmd, end)
	if exists(filepath.Join(dir, "two words", "checkpoint", "*.ckpt"), ended) {
		_ = cmd.Process.Signal(syscall.SIGTERM)
	}
	o := <-ended
	o.want(t, 130, "to continue: ")
	_, line, _ := strings.Cut(o.stderr, "to continue: ")
	line, _, _ = strings.Cut(line, "\n")
	shell := exec.Command("sh", "-c", line)
	shell.Dir = dir
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	for _, file := range []string{"forces.csv", "probes.csv"} {
		if read(t, filepath.Join(dir, "two words", file)) != read(t, filepath.Join(whole, "two words", file)) {
			t.Errorf("%s differs from that of an uninterrupted run", file)
		}
	}
}

func TestEachRowIsThereOnceAfterAResume(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	lbmib(t, dir, "run", "case.toml", "--quiet", "--steps=700").want(t, 0)
	lbmib(t, dir, "run", "case.toml", "--quiet", "--resume", "--steps=1000").want(t, 0)
	for file, every := range map[string]int{"forces.csv": 4, "probes.csv": 2} { // of 0.0125 L/U
		lines := strings.Split(strings.TrimSuffix(read(t, filepath.Join(dir, "run", file)), "\n"), "\n")
		if len(lines) != 1+1000/every {
			t.Errorf("%s has %d rows, want %d", file, len(lines)-1, 1000/every)
		}
		for i, line := range lines[1:] {
			if step := strings.Split(line, ",")[1]; step != fmt.Sprint(every*(i+1)) {
				t.Fatalf("%s: row %d is of step %s, want %d", file, i+1, step, every*(i+1))
			}
		}
	}
}

// A process that dies between its last checkpoint and its pictures.
func TestOnlyTheEndIsMissing(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"time is up": edited(t, cylinder, "time = 40.0", "time = 10.0"),
		"steady":     steady,
	} {
		t.Run(name, func(t *testing.T) {
			whole := finished(t, text)
			dir := finished(t, text)
			for _, gone := range []string{"plots", "summary.json"} {
				if err := os.RemoveAll(filepath.Join(dir, "run", gone)); err != nil {
					t.Fatal(err)
				}
			}
			lbmib(t, dir, "run", "case.toml", "--quiet", "--resume").want(t, 0)
			sameRun(t, dir, whole)
		})
	}
}

// steady stops before its time is up: at Re = 5 in the narrow channel the flow
// settles within some L/U.
var steady = strings.NewReplacer(
	"reynolds   = 60", "reynolds   = 5",
	"amplitude = 0.05", "amplitude = 0.01",
	"time = 40.0", "time = 200.0\nstop_when = { steady = 1e-2 }",
).Replace(cylinder)

func TestASteadyRunStopsAtTheSameStepAfterAResume(t *testing.T) {
	t.Parallel()
	whole := finished(t, steady)
	s := summaryOf(t, whole)
	steps := int(s["steps"].(float64))
	if s["status"] != "steady" || steps >= 200*80 {
		t.Fatalf("status %v after %d steps, want steady before the end", s["status"], steps)
	}
	// Resumed right before the step whose change is measured.
	dir := place(t, steady)
	lbmib(t, dir, "run", "case.toml", "--quiet", fmt.Sprintf("--steps=%d", steps-1)).want(t, 0)
	lbmib(t, dir, "run", "case.toml", "--quiet", "--resume").want(t, 0)
	sameRun(t, dir, whole)
}

func TestDamagedCheckpoints(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder)
	truncate := func(path string) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return os.Truncate(path, info.Size()*2/3)
	}
	flip := func(path string) error {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		content[len(content)/2] ^= 1
		return os.WriteFile(path, content, 0o666)
	}
	// interrupted is a run with two checkpoints, of steps 320 and 400.
	interrupted := func(t *testing.T) (dir string, kept []string) {
		dir = place(t, cylinder)
		lbmib(t, dir, "run", "case.toml", "--quiet", "--steps=400").want(t, 0)
		if kept = checkpoints(t, dir); len(kept) != 2 {
			t.Fatalf("there are the checkpoints %v, want two", kept)
		}
		return dir, kept
	}
	for name, damage := range map[string]func(string) error{"truncated": truncate, "one bit flipped": flip} {
		t.Run(name, func(t *testing.T) {
			dir, kept := interrupted(t)
			if err := damage(kept[1]); err != nil {
				t.Fatal(err)
			}
			o := lbmib(t, dir, "run", "case.toml", "--resume")
			o.want(t, 0, "warning: ", filepath.Base(kept[1]), "damaged", "resuming from the good one before", filepath.Base(kept[0]))
			sameRun(t, dir, whole)
		})
	}
	t.Run("all", func(t *testing.T) {
		dir, kept := interrupted(t)
		for _, path := range kept {
			if err := flip(path); err != nil {
				t.Fatal(err)
			}
		}
		before := tree(t, dir)
		lbmib(t, dir, "run", "case.toml", "--resume").want(t, 4, "damaged checkpoint", "none of 2 can be used", filepath.Join("run", "checkpoint"))
		sameTree(t, tree(t, dir), before)
	})
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lbmib/internal/checking/checkingtest"
)

// launcher starts the program on several ranks.
type launcher struct {
	name  string
	files []string // the most exact first
	says  string   // in its --version
	flags []string
	env   []string // as root, more ranks than cores, loopback alone
	rank  string   // the environment variable that has a rank's number

	stopped []int // its exit codes after SIGTERM and SIGINT, as seen: manuals promise none
}

// Both pass SIGUSR1 on. After SIGTERM and SIGINT OpenMPI's has the ranks end, waits, no longer tells what they say, and ends with 1; MPICH's passes
// them on and ends with the ranks' code or, if its own helpers are sooner, with 0.
var launchers = []launcher{
	{name: "OpenMPI", files: []string{"mpirun.openmpi", "mpirun"}, says: "Open MPI", flags: []string{"--oversubscribe", "--bind-to", "none"},
		env: []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1",
			"OMPI_MCA_btl=^tcp", "OMPI_MCA_oob_tcp_if_include=lo", "PRTE_MCA_oob_tcp_if_include=lo"},
		rank: "OMPI_COMM_WORLD_RANK", stopped: []int{1}},
	{name: "MPICH", files: []string{"mpiexec.mpich", "mpiexec.hydra", "mpiexec"}, says: "HYDRA",
		env: []string{"HYDRA_IFACE=lo", "UCX_TLS=self,posix,sysv,cma", "FI_TCP_IFACE=lo"}, rank: "PMI_RANK", stopped: []int{0, 130}},
}

// underLaunchers runs a test under every launcher that is here.
func underLaunchers(t *testing.T, test func(t *testing.T, l *launcher)) {
	for i := range launchers {
		l := &launchers[i]
		t.Run(l.name, func(t *testing.T) {
			for _, name := range l.files {
				file, err := exec.LookPath(name)
				if err != nil {
					continue
				}
				if text, _ := exec.Command(file, "--version").CombinedOutput(); strings.Contains(string(text), l.says) {
					here := *l
					here.files = []string{file}
					test(t, &here)
					return
				}
			}
			t.Skipf("no launcher of %s: scripts/install.sh", l.name)
		})
	}
}

// job is the program on several ranks.
type job struct {
	t     *testing.T
	by    *launcher
	cmd   *exec.Cmd
	token string
	ended <-chan outcome
}

// start starts the program on n ranks of one thread; whatever happens, nothing of it stays.
func (l *launcher) start(t *testing.T, n int, dir string, args ...string) *job {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	j := &job{t: t, by: l, token: fmt.Sprintf("LBMIB_TEST_TOKEN=%d.%d", os.Getpid(), time.Now().UnixNano())}
	j.cmd = exec.CommandContext(ctx, l.files[0], append(append(slices.Clone(l.flags), "-n", strconv.Itoa(n), binary), args...)...)
	j.cmd.Dir, j.cmd.WaitDelay = dir, 10*time.Second
	j.cmd.Env = append(append(os.Environ(), l.env...), j.token)
	var stdout, stderr bytes.Buffer
	j.cmd.Stdout, j.cmd.Stderr = &stdout, &stderr
	t.Cleanup(func() { cancel(); j.gone() })
	j.ended = begin(t, j.cmd, func() outcome {
		err := j.cmd.Wait()
		var exit *exec.ExitError
		if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
			t.Errorf("%s: lbmib %v does not end: %v\n%s", l.name, args, err, stderr.String())
		}
		return outcome{j.cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	})
	return j
}

// lbmib runs the program on n ranks to its end. A launcher that a signal has ended before anything was said, as MPICH's rarely is where ranks end at once, is started once more.
func (l *launcher) lbmib(t *testing.T, n int, dir string, args ...string) outcome {
	t.Helper()
	o := <-l.start(t, n, dir, args...).ended
	if o.code == -1 && o.stdout+o.stderr == "" {
		t.Logf("a signal has ended %s, which has said nothing: once more", l.name)
		o = <-l.start(t, n, dir, args...).ended
	}
	return o
}

// ranks are the processes of the ranks that live, by number.
func (j *job) ranks() map[int]int {
	all := map[int]int{}
	for _, p := range j.processes() {
		program, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", p))
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p))
		if err != nil || program != binary {
			continue
		}
		for word := range strings.SplitSeq(string(text), "\x00") {
			if number, is := strings.CutPrefix(word, j.by.rank+"="); is {
				if rank, err := strconv.Atoi(number); err == nil {
					all[rank] = p
				}
			}
		}
	}
	return all
}

// processes are those of the job, launchers too.
func (j *job) processes() (all []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // none where there is no such thing
	for _, f := range files {
		text, err := os.ReadFile(f)
		if p, _ := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && p != os.Getpid() && bytes.Contains(text, []byte(j.token)) {
			all = append(all, p)
		}
	}
	return all
}

// mostAfter bounds how long others live after a rank that has died.
const mostAfter = 10 * time.Second

// gone fails the test if processes of the job stay, and ends them.
func (j *job) gone() {
	j.t.Helper()
	var left []int
	for until := time.Now().Add(mostAfter); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if left = j.processes(); len(left) == 0 {
			return
		}
	}
	for _, p := range left {
		_ = syscall.Kill(p, syscall.SIGKILL)
	}
	j.t.Errorf("%s: %d processes stay", j.by.name, len(left))
}

// Any number of ranks under any launcher leaves the files of one process, and says what one does, once.
func TestRanksUnderLaunchersLeaveTheSameFiles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"cylinder": cylinder, "sphere": sphere} {
		whole := place(t, text)
		one := lbmib(t, whole, "run", "case.toml", "--time=4")
		one.want(t, 0)
		underLaunchers(t, func(t *testing.T, l *launcher) {
			for _, n := range []int{2, 4} {
				if n == 4 && (l.name != "MPICH" || name != "cylinder") {
					continue // one number of ranks is enough for all that does not depend on it
				}
				dir := place(t, text)
				o := l.lbmib(t, n, dir, "run", "case.toml", "--time=4", "--json")
				o.want(t, 0)
				sameRun(t, dir, whole)
				oneDocument(t, o)
				for line := range strings.Lines(one.stderr) {
					if of, _, warns := strings.Cut(line, ": "); warns && !strings.HasPrefix(of, "case") && strings.Count(o.stderr, line) != 1 {
						t.Errorf("%s on %d ranks says %d times %q", name, n, strings.Count(o.stderr, line), line)
					}
				}
			}
		})
	}
}

// A vessel, whose ports and wall go on from rank to rank, likewise: flow rates, stresses on the wall, fields and checkpoints.
func TestAVesselUnderLaunchersLeavesTheSameFiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "cases", "stenosis.toml"))
	if err != nil {
		t.Fatal(err)
	}
	surface, err := filepath.Abs(filepath.Join("..", "..", "cases", "stenosis.stl"))
	if err != nil {
		t.Fatal(err)
	}
	vessel := strings.Replace(string(text), `"stenosis.stl"`, strconv.Quote(surface), 1)
	args := []string{"run", "case.toml", "--out=run", "--set=reference.resolution=10", "--time=0.4", "--set=output.ports.every=0.02", "--set=output.wall.every=0.2", "--set=output.wall.from=0"}
	whole := place(t, vessel)
	lbmib(t, whole, args...).want(t, 0)
	ports, err := os.ReadFile(filepath.Join(whole, "run", "ports.csv"))
	walls, e := filepath.Glob(filepath.Join(whole, "run", "wall", "*.vtkhdf"))
	if err != nil || e != nil || bytes.Count(ports, []byte("\n")) < 60 || len(walls) < 2 {
		t.Fatalf("%d rows of ports, %d files of the wall, %v, %v", bytes.Count(ports, []byte("\n")), len(walls), err, e)
	}
	underLaunchers(t, func(t *testing.T, l *launcher) {
		dir := place(t, vessel)
		l.lbmib(t, 4, dir, args...).want(t, 0)
		sameRun(t, dir, whole)
	})
}

// Cells, which ranks share, likewise: the suspension in a tube lies across both, and slices read the forces of all.
func TestCellsUnderLaunchersLeaveTheSameFiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "cases", "blood-tube.toml"))
	if err != nil {
		t.Fatal(err)
	}
	cells := string(text) + "slices = [ { name = \"middle\", axis = \"z\", at = 0.5, every = 0.002 } ]\n"
	args := []string{"run", "case.toml", "--out=run", "--set=reference.resolution=24", "--set=run.steps=24", "--set=suspension.0.material.mesh=162", "--set=suspension.0.region.min=[0,0.1,0.1]",
		"--set=suspension.0.discharge_hematocrit=0.2", "--set=output.cells.every=0.002", "--set=output.suspension.every=0.002"}
	whole := place(t, cells)
	lbmib(t, whole, args...).want(t, 0)
	if rows, err := os.ReadFile(filepath.Join(whole, "run", "cells.csv")); err != nil || bytes.Count(rows, []byte("\n")) < 20 {
		t.Fatalf("%d rows of cells, %v", bytes.Count(rows, []byte("\n")), err)
	}
	underLaunchers(t, func(t *testing.T, l *launcher) {
		dir := place(t, cells)
		l.lbmib(t, 2, dir, args...).want(t, 0)
		sameRun(t, dir, whole)
	})
}

// oneDocument fails the test unless standard output is one JSON document.
func oneDocument(t *testing.T, o outcome) {
	t.Helper()
	var s map[string]any
	d := json.NewDecoder(strings.NewReader(o.stdout))
	if err := d.Decode(&s); err != nil || s["status"] == nil {
		t.Errorf("standard output is no summary: %v\n%s", err, o.stdout)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Errorf("standard output goes on after a document:\n%s", o.stdout)
	}
}

// What ends one process ends all ranks, with its exit code and its message, once.
func TestRanksUnderLaunchersFailAsOneProcess(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	write(t, filepath.Join(dir, "unstable.toml"), unstable)
	lbmib(t, dir, "run", "case.toml", "--quiet", "--time=0.5", "--out=earlier").want(t, 0)
	underLaunchers(t, func(t *testing.T, l *launcher) {
		for _, c := range []struct {
			args []string
			code int
			says string
		}{
			{[]string{"run", "case.toml", "--set=reference.reynolds=-1"}, 2, "-1 must be greater than 0"},
			{[]string{"run", "case.toml", "--nonsense"}, 2, "unknown flag --nonsense"},
			{[]string{"run", "none.toml"}, 2, "case file cannot be read"},
			{[]string{"run", "case.toml", "--out=earlier"}, 2, "holds an earlier run"},
			{[]string{"run", "case.toml", "--set=fluid.storage=runs", "--backend=cuda", "--out=runs"}, 2, "storage by runs on devices is not divided"},
			{[]string{"run", "case.toml", "--set=run.parts=3"}, 2, "3 parts on 2 ranks"},
			{[]string{"run", "unstable.toml", "--quiet", "--out=unstable-" + l.name}, 3, "the flow diverged by step "},
			{[]string{"run", "case.toml", "--converge=3"}, 2, "only lbmib run is made by several ranks together"},
			{[]string{"sweep", "case.toml", "--over=reference.reynolds=40,50"}, 2, "lbmib sweep under mp"},
			{[]string{"validate", "--quick"}, 2, "lbmib validate under mp"},
			{[]string{"check", "case.toml"}, 2, "lbmib check under mp"},
			{[]string{"bench", "lbm"}, 2, "lbmib bench under mp"},
		} {
			t.Run(c.says, func(t *testing.T) {
				t.Parallel() // launchers wait more than they work
				o := l.lbmib(t, 2, dir, c.args...)
				o.want(t, c.code)
				if n := strings.Count(o.stderr, c.says); n != 1 || o.stdout != "" {
					t.Errorf("%v: %q stands %d times in\n%s\nstandard output:\n%s", c.args, c.says, n, o.stderr, o.stdout)
				}
			})
		}
	})
}

// A directory that another run uses is refused on ranks, too.
func TestRanksUnderLaunchersLeaveADirectoryInUseAlone(t *testing.T) {
	t.Parallel()
	alone := lbmib(t, place(t, cylinder), "run", "case.toml", "--quiet", "--time=4")
	underLaunchers(t, func(t *testing.T, l *launcher) {
		dir := place(t, cylinder)
		first := l.start(t, 2, dir, "run", "case.toml", "--quiet", "--time=4")
		if !exists(filepath.Join(dir, "run", "manifest.json"), first.ended) {
			t.Fatal("the run was done before another could begin")
		}
		l.lbmib(t, 2, dir, "run", "case.toml", "--quiet", "--overwrite").want(t, 2, "run is in use by another run")
		o := <-first.ended
		o.want(t, 0)
		if o.stdout != alone.stdout || o.stderr != alone.stderr {
			t.Errorf("--quiet says\n%s%s\nof one process\n%s%s", o.stdout, o.stderr, alone.stdout, alone.stderr)
		}
	})
}

// SIGUSR1 to a launcher has one checkpoint written, and the run goes on.
func TestALauncherPassesOnThatACheckpointIsAskedFor(t *testing.T) {
	t.Parallel()
	text := edited(t, cylinder, `checkpoint = { every = 2.0`, `checkpoint = { every = 0.0`)
	whole := finished(t, text, "--time=8")
	underLaunchers(t, func(t *testing.T, l *launcher) {
		dir := place(t, text)
		j := l.start(t, 2, dir, "run", "case.toml", "--time=8", "--quiet")
		if !exists(filepath.Join(dir, "run", "manifest.json"), j.ended) {
			t.Fatal("the run ended at once")
		}
		send(t, j.cmd, syscall.SIGUSR1)
		o := <-j.ended
		o.want(t, 0, "written to "+filepath.Join("run", "checkpoint")+", as asked; the run goes on")
		if n := len(checkpoints(t, dir)); n != 1 {
			t.Errorf("%d checkpoints, want the one that was asked for", n)
		}
		want := results(t, whole)
		want["checkpoint"] = "dir"
		sameTree(t, results(t, dir), want)
	})
}

// A signal to stop, sent to a launcher, leaves a checkpoint, and the run goes on from it on another number of ranks.
func TestALauncherThatIsStoppedLeavesACheckpoint(t *testing.T) {
	t.Parallel()
	text := edited(t, cylinder, `checkpoint = { every = 2.0`, `checkpoint = { every = 0.0`)
	whole := finished(t, text)
	underLaunchers(t, func(t *testing.T, l *launcher) {
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			dir := place(t, text)
			j := l.start(t, 2, dir, "run", "case.toml", "--quiet")
			if !exists(filepath.Join(dir, "run", "manifest.json"), j.ended) {
				t.Fatal("the run ended at once")
			}
			send(t, j.cmd, s)
			asked := time.Now()
			o := <-j.ended
			t.Logf("%v: exit code %d after %v\n%s", s, o.code, time.Since(asked).Round(time.Millisecond), o.stderr)
			if !slices.Contains(l.stopped, o.code) {
				t.Errorf("%v: exit code %d, want one of %v", s, o.code, l.stopped)
			}
			if time.Since(asked) > prompt {
				t.Errorf("%v: the launcher ends after %v", s, time.Since(asked))
			}
			j.gone()
			if n := len(checkpoints(t, dir)); n != 1 {
				t.Fatalf("%v: %d checkpoints, want the one at the end", s, n)
			}
			lbmib(t, dir, "run", "case.toml", "--quiet", "--resume").want(t, 0)
			want := results(t, whole)
			want["checkpoint"] = "dir"
			sameTree(t, results(t, dir), want)
		}
	})
}

// A rank that is killed at any moment ends the others soon; the run goes on from the last checkpoint on any number of ranks, and has the same bits.
func TestARankThatIsKilledEndsTheRun(t *testing.T) {
	t.Parallel()
	kills := 3
	if checkingtest.Full() {
		kills = 50
	}
	text := edited(t, cylinder, `checkpoint = { every = 2.0`, `checkpoint = { every = 0.25`)
	whole := finished(t, text, "--time=6")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	underLaunchers(t, func(t *testing.T, l *launcher) {
		var slowest time.Duration
		for hits := 0; hits < kills; {
			dir := place(t, text)
			for round := 0; ; round++ {
				n := 2 + random.IntN(3)
				args := []string{"run", "case.toml", "--time=6", "--quiet"}
				if round > 0 {
					args = append(args, "--resume")
				}
				if hits == kills || round == interruptions {
					l.lbmib(t, n, dir, args...).want(t, 0)
					break
				}
				j := l.start(t, n, dir, args...)
				if round == 0 && !exists(filepath.Join(dir, "run", "checkpoint", "*.ckpt"), j.ended) {
					t.Fatal("the run ended before its first checkpoint")
				}
				took, o := j.kill(random)
				slowest = max(slowest, took)
				if took == 0 {
					o.want(t, 0)
					break
				}
				hits++
				if took > mostAfter || o.code == 0 {
					t.Errorf("kill %d, on %d ranks: exit code %d after %v\n%s", hits, n, o.code, took, o.stderr)
				}
				lastState(t, dir)
			}
			sameRun(t, dir, whole)
		}
		t.Logf("%d kills, the last rank ended at most %v later", kills, slowest.Round(time.Millisecond))
	})
}

// kill kills one of the ranks some time from now, and tells how long the others have lived after it; 0: the run was done before.
func (j *job) kill(random *rand.Rand) (took time.Duration, o outcome) {
	j.t.Helper()
	wait := time.After(time.Duration(random.IntN(1500)) * time.Millisecond)
	for {
		select {
		case o := <-j.ended:
			return 0, o
		case <-wait:
		}
		ranks := j.ranks()
		if len(ranks) == 0 {
			wait = time.After(20 * time.Millisecond) // they have not begun
			continue
		}
		var all []int
		for _, p := range ranks {
			all = append(all, p)
		}
		slices.Sort(all)
		if syscall.Kill(all[random.IntN(len(all))], syscall.SIGKILL) != nil {
			return 0, <-j.ended
		}
		begin := time.Now()
		o := <-j.ended
		j.gone()
		return time.Since(begin), o
	}
}

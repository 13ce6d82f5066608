//go:build !nompi

package mpi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// testLauncher starts ranks under one MPI.
type testLauncher struct {
	family  family
	names   []string // of the program, the most exact first
	says    string   // in its --version
	install string   // what scripts/install.sh calls it
	flags   []string
	env     []string // as root, more ranks than cores, loopback alone
}

var testLaunchers = []testLauncher{
	{openMPI, []string{"mpirun.openmpi", "mpirun"}, "Open MPI", "openmpi", []string{"--oversubscribe", "--bind-to", "none"},
		[]string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1",
			"OMPI_MCA_btl=^tcp", "OMPI_MCA_oob_tcp_if_include=lo", "PRTE_MCA_oob_tcp_if_include=lo"}},
	{mpich, []string{"mpiexec.mpich", "mpiexec.hydra", "mpiexec"}, "HYDRA", "mpich", nil,
		[]string{"HYDRA_IFACE=lo", "UCX_TLS=self,posix,sysv,cma", "FI_TCP_IFACE=lo"}},
}

// find is the launcher's file, or "".
func (l testLauncher) find() string {
	if file, ok := foundLaunchers[l.family]; ok {
		return file
	}
	foundLaunchers[l.family] = l.search()
	return foundLaunchers[l.family]
}

var foundLaunchers = map[family]string{}

func (l testLauncher) search() string {
	for _, name := range l.names {
		file, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if text, _ := exec.Command(file, "--version").CombinedOutput(); strings.Contains(string(text), l.says) {
			return file
		}
	}
	return ""
}

// ended is how a program under a launcher has ended.
type ended struct {
	status int
	text   string        // of all ranks and the launcher
	after  time.Duration // since the line faultSoon, if there was one
}

// faultSoon is the line that a rank prints just before it does what ends all.
const faultSoon = "here it comes"

// signalNow is the line after which the launcher gets SIGUSR1, which it passes on.
const signalNow = "signal, please"

// launch runs a role on n ranks, and sees to it that nothing of it stays.
func (l testLauncher) launch(t *testing.T, n int, role string, env ...string) ended {
	t.Helper()
	file := l.find()
	if file == "" {
		t.Skipf("no launcher of %s: scripts/install.sh %s", l.family, l.install)
	}
	token := fmt.Sprintf("LBMIB_MPI_TEST_TOKEN=%d.%d", os.Getpid(), time.Now().UnixNano())
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, file, append(append([]string{}, l.flags...), "-n", strconv.Itoa(n), os.Args[0])...)
	cmd.Env = append(append(os.Environ(), l.env...), append(env, roleVariable+"="+role, token)...)
	cmd.WaitDelay = 10 * time.Second
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	t.Cleanup(func() { gone(t, token) })
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	var text strings.Builder
	var fault time.Time
	for lines := bufio.NewScanner(r); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), faultSoon) {
			fault = time.Now()
		}
		if lines.Text() == signalNow {
			_ = cmd.Process.Signal(syscall.SIGUSR1)
		}
	}
	err = cmd.Wait()
	e := ended{status: cmd.ProcessState.ExitCode(), text: text.String()}
	if !fault.IsZero() {
		e.after = time.Since(fault)
	}
	var failed *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &failed) {
		t.Fatalf("%s does not end: %v\n%s", file, err, e.text)
	}
	return e
}

// gone fails the test if processes with the token in their environment stay, and ends them.
func gone(t *testing.T, token string) {
	t.Helper()
	var left []int
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		if left = processes(token); len(left) == 0 {
			return
		}
	}
	for _, p := range left {
		_ = syscall.Kill(p, syscall.SIGKILL)
	}
	t.Errorf("%d processes stay", len(left))
}

func processes(token string) (all []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // none where there is no such thing
	for _, f := range files {
		text, err := os.ReadFile(f)
		if p, _ := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && p != os.Getpid() && strings.Contains(string(text), token) {
			all = append(all, p)
		}
	}
	return all
}

// under runs a test under each MPI.
func under(t *testing.T, test func(t *testing.T, l testLauncher)) {
	for _, l := range testLaunchers {
		t.Run(string(l.family), func(t *testing.T) { test(t, l) })
	}
}

func TestRanksUnderALauncher(t *testing.T) {
	under(t, func(t *testing.T, l testLauncher) {
		for _, x := range []struct {
			role string
			n    int
		}{{"conform", 1}, {"conform", 2}, {"conform", 4}, {"pieces", 3}, {"collector", 2}, {"handlers", 2}, {"progress", 2}, {"many", 2}, {"rates", 2}} {
			if testing.Short() && (x.n != 2 || x.role == "rates") {
				continue // beside the race detector sync.Pool forgets, so that calls allocate
			}
			begin := time.Now()
			e := l.launch(t, x.n, x.role)
			t.Logf("%s on %d ranks: %v\n%s", x.role, x.n, time.Since(begin).Round(10*time.Millisecond), e.text)
			if e.status != 0 || strings.Contains(e.text, "rank") {
				t.Errorf("%s on %d ranks: exit status %d\n%s", x.role, x.n, e.status, e.text)
			}
		}
	})
}

func TestRanksKnowTheirPlace(t *testing.T) {
	under(t, func(t *testing.T, l testLauncher) {
		e := l.launch(t, 3, "where")
		for rank := range 3 {
			if want := fmt.Sprintf("rank %d of 3, %d of 3 on %s, %s", rank, rank, hostName(), l.family); e.status != 0 || !strings.Contains(e.text, want) {
				t.Errorf("exit status %d, %q is not in\n%s", e.status, want, e.text)
			}
		}
	})
}

// A rank that dies or gives up ends the others, soon, with a message and a status.
func TestARankEndsTheOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about processes, which the race detector does not see")
	}
	for _, x := range []struct {
		role   string
		status int // 0: any but 0, since MPICH's launcher mixes those of the ranks that it ends
		says   string
	}{
		{"aborts", 7, "rank 2 on " + hostName() + ": diverged"},
		{"panics", 0, "panic: out of range"},
		{"exits", 0, ""},
		{"killed", 0, ""}, // the launcher tells it, in its words
		{"truncated", failed, "rank 1 on " + hostName() + ": MPI_Testall: "},
	} {
		t.Run(x.role, func(t *testing.T) {
			under(t, func(t *testing.T, l testLauncher) {
				e := l.launch(t, 3, x.role)
				if e.status == 0 || x.status != 0 && e.status != x.status || !strings.Contains(e.text, x.says) {
					t.Errorf("exit status %d, want %d and %q\n%s", e.status, x.status, x.says, e.text)
				}
				if e.after > 10*time.Second || e.after == 0 {
					t.Errorf("the ranks end %v after one has", e.after)
				}
			})
		})
	}
}

// A launcher and a library that do not know each other would give as many programs of one rank.
func TestCrossedLaunchersAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about processes, which the race detector does not see")
	}
	under(t, func(t *testing.T, l testLauncher) {
		other := map[family]string{openMPI: "libmpich.so.12", mpich: "libmpi.so.40"}[l.family]
		e := l.launch(t, 2, "where", LibraryVariable+"="+other)
		if e.status != refused || !strings.Contains(e.text, other+": ") || !strings.Contains(e.text, "start it with the launcher of the library") {
			t.Errorf("exit status %d\n%s", e.status, e.text)
		}
	})
}

// The standard's ABI, by a stand-in over MPICH.
func TestRanksWithTheStandardsABI(t *testing.T) {
	if testing.Short() {
		t.Skip("the same as with MPICH, but for types and constants")
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler: scripts/install.sh cc")
	}
	library := filepath.Join(t.TempDir(), "libmpi_abi.so.0")
	if text, err := exec.Command(compiler, "-O1", "-Wall", "-fPIC", "-shared", "-o", library, "testdata/abi.c", "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	l := testLaunchers[1]
	for role, status := range map[string]int{"conform": 0, "pieces": 0, "truncated": failed} {
		if e := l.launch(t, 2, role, LibraryVariable+"="+library); e.status != status || strings.Contains(e.text, "rank") != (status != 0) {
			t.Errorf("%s: exit status %d\n%s", role, e.status, e.text)
		}
	}
	if e := l.launch(t, 2, "where", LibraryVariable+"="+library); e.status != 0 || !strings.Contains(e.text, "rank 1 of 2, 1 of 2 on "+hostName()+", "+string(abi)) {
		t.Errorf("exit status %d\n%s", e.status, e.text)
	}
}

func TestARankAloneAborts(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"=alone")
	text, _ := cmd.CombinedOutput()
	if want := "rank 0 on " + hostName() + ": no room\n"; cmd.ProcessState.ExitCode() != 7 || string(text) != want {
		t.Errorf("exit status %d, %q, want 7, %q", cmd.ProcessState.ExitCode(), text, want)
	}
}

func TestWithoutALauncherConnectRefuses(t *testing.T) {
	if _, ok := Launched(); ok {
		t.Skip("this test runs under a launcher")
	}
	if _, err := Connect(); err == nil || !strings.Contains(err.Error(), "start it with mpirun") {
		t.Errorf("%v", err)
	}
}

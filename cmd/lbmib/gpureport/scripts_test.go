package gpureport

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// scripts are where the commands for a machine with a card are.
const scripts = "../../../validation/gpu"

// command runs one of them with a program, and tools in PATH before others, and is what it
// says, the files that it leaves, and its exit code.
func command(t *testing.T, script, program string, tools map[string]string) (said string, files []string, code int) {
	t.Helper()
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "results")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, text := range tools {
		write(name, text)
	}
	cmd := exec.Command("bash", filepath.Join(scripts, script))
	cmd.Env = append(os.Environ(), "PATH="+dir+":/usr/bin:/bin", "OUT="+out, "BIN="+write("program", program))
	text, _ := cmd.CombinedOutput() // the exit code tells
	found, _ := filepath.Glob(filepath.Join(out, "*"))
	for _, f := range found {
		files = append(files, filepath.Base(f))
	}
	return string(text), files, cmd.ProcessState.ExitCode()
}

// A program that finds no device, dies in its report and leaves its parts.
const broken = `case "$*" in
doctor) echo "no device"; exit 1;;
*--quick*) while [ "$1" != --out ]; do shift; done; mkdir "$2/card.parts"; echo measured >"$2/card.parts/fluid.json"; kill -KILL $$;;
gpu-report*) echo "sanitizer it is: $*";;
esac
`

func TestAStepThatFailsDoesNotKeepTheNextFromBeingMade(t *testing.T) {
	said, files, code := command(t, "first.sh", broken, map[string]string{
		"nvidia-smi": `case "$*" in *compute_cap*) echo 8.6;; esac`, "compute-sanitizer": "exit 1", "ptxas": `echo "takes $*"`,
	})
	for _, want := range []string{"no device", "== doctor: exit code 1", "== short report: exit code 137", "sanitizer it is: gpu-report --only sanitizer --out /",
		"takes -arch=sm_86 -v cuda/kernels/sort.ptx", "failed steps: doctor (exit code 1) short report (exit code 137)"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if code != 1 || strings.Join(files, " ") != "card.parts.tar.gz first.log" {
		t.Errorf("exit code %d, files %v", code, files)
	}
}

func TestWhatIsNotInstalledIsLeftOutAndSaid(t *testing.T) {
	said, files, code := command(t, "profile.sh", "exit 0\n", map[string]string{"nvidia-smi": "exit 0"})
	if code != 1 || !strings.Contains(said, "profiles: not run, ncu is not in PATH") || len(files) != 1 {
		t.Errorf("exit code %d, files %v:\n%s", code, files, said)
	}
	said, _, code = command(t, "profile.sh", "exit 0\n", map[string]string{"nvidia-smi": "exit 0", "ncu": `echo "profiles $*"`})
	if n := strings.Count(said, "profiles --clock-control none"); code != 0 || n != 12 {
		t.Errorf("exit code %d, %d profiles of 6 sweeps, 2 rows with bodies, of their own kernels and of faces, and 2 transfers:\n%s", code, n, said)
	}
}

// The steps' limits leave room for the reports, and the scripts end within ten minutes.
func TestTheCommandsEndInTime(t *testing.T) {
	for script, c := range map[string]struct {
		most   time.Duration
		step   string
		report time.Duration
	}{
		"first.sh":   {6 * time.Minute, "short report", quickTime},
		"whole.sh":   {10 * time.Minute, "whole report", fullTime},
		"profile.sh": {10 * time.Minute, "", 0},
	} {
		text, err := os.ReadFile(filepath.Join(scripts, script))
		if err != nil {
			t.Fatal(err)
		}
		seconds := func(pattern string) time.Duration {
			m := regexp.MustCompile(pattern).FindSubmatch(text)
			if m == nil {
				t.Fatalf("%s: no %s", script, pattern)
			}
			n, _ := strconv.Atoi(string(m[1])) // digits
			return time.Duration(n) * time.Second
		}
		if whole := seconds(`WHOLE=(\d+)`); whole >= c.most {
			t.Errorf("%s takes up to %v, must be less than %v", script, whole, c.most)
		}
		if c.step != "" {
			if limit := seconds(`step (\d+) "` + c.step); limit < c.report+forsake {
				t.Errorf("%s: %s has %v, the report takes up to %v", script, c.step, limit, c.report)
			}
		}
	}
}

// A signal to a script reaches the step at work, whose results are kept, and ends the rest.
func TestAnInterruptedScriptKeepsWhatItHas(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "results")
	path := filepath.Join(dir, "program")
	program := "#!/bin/bash\n[[ $1 == doctor ]] && exit\n" +
		`trap 'echo measured >"$OUT/card.json"; echo told; exit 5' INT; echo at work; touch "$OUT/begun"; while :; do sleep 0.1; done` + "\n"
	if err := os.WriteFile(path, []byte(program), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		os.RemoveAll(out)
		cmd := exec.Command("bash", filepath.Join(scripts, "first.sh"))
		cmd.Env = append(os.Environ(), "OUT="+out, "BIN="+path)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for limit := time.Now().Add(30 * time.Second); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(out, "begun")); err == nil {
				break
			}
		}
		begin := time.Now()
		_ = cmd.Process.Signal(signal)
		_ = cmd.Wait()
		log, _ := os.ReadFile(filepath.Join(out, "first.log"))
		if _, err := os.Stat(filepath.Join(out, "card.json")); err != nil || cmd.ProcessState.ExitCode() != 130 || time.Since(begin) > 15*time.Second ||
			!strings.Contains(said.String(), "told") || !strings.Contains(string(log), "short report (exit code 5)") {
			t.Errorf("%v: exit code %d after %v, %v:\n%s\nlog:\n%s", signal, cmd.ProcessState.ExitCode(), time.Since(begin), err, said.String(), log)
		}
	}
}

package gpureport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lbmib/cases"
)

// watchedRow is what a tool of compute-sanitizer found in a run.
type watchedRow struct {
	Tool   string   `json:"tool"`
	Run    string   `json:"run"`
	Errors *int     `json:"errors"` // null: it did not come to an end
	Says   []string `json:"says"`   // the last of it
}

// watchedRuns are short runs of the program with what the device does in most ways: a
// cylinder that is held, one that moves, and more points than fit into a block, which
// are sorted in several passes.
var watchedRuns = []struct {
	name, file string // of the case that it steps; "": none
	args       []string
}{
	{"fixed cylinder", "cylinder.toml", []string{"--steps", "20"}},
	{"moving cylinder", "oscillating-cylinder.toml", []string{"--steps", "20"}},
	{"sort–reduce of 20000 points", "", []string{"bench", "ib", "--backend", "cuda", "--grid", "16", "--points", "20000", "--algorithm", "sort-reduce", "--order", "new", "--seconds", "0.0001"}},
}

// sanitizerTools in the order of what only they can find.
var sanitizerTools = []string{"racecheck", "synccheck", "memcheck"}

const sanitizerProgram = "compute-sanitizer"

// sanitizerUnits are the tools on every run; in short reports on the first.
func sanitizerUnits(s scope) (all []unit) {
	if _, err := exec.LookPath(sanitizerProgram); err != nil {
		return []unit{{sanitizerProgram, func(j *job) error {
			j.make(sanitizerProgram, func() (any, error) {
				return nil, &refusal{absent, "compute-sanitizer is not in PATH; it comes with NVIDIA's CUDA toolkit"}
			})
			return nil
		}}}
	}
	runs := watchedRuns
	if s.quick {
		runs = runs[:1]
	}
	for _, tool := range sanitizerTools {
		for _, r := range runs {
			all = append(all, unit{tool + ", " + r.name, func(j *job) error {
				j.plan([]string{tool})
				j.make(tool, func() (any, error) { return j.watch(tool, r.name, r.file, r.args) })
				return nil
			}})
		}
	}
	return all
}

// sanitizerErrors is what the tools say in the end: all but racecheck, then racecheck.
var sanitizerErrors = regexp.MustCompile(`(?:ERROR SUMMARY: |RACECHECK SUMMARY: .*\()(\d+) error`)

// unsupported is what the tool says of machines on which it cannot work.
const unsupported = "Device not supported"

// watch lets a tool watch a run of the program. Both are of the unit's group of
// processes, which ends with the unit.
func (j *job) watch(tool, name, file string, args []string) (*watchedRow, error) {
	if file != "" {
		text, err := cases.Files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(j.scratch, file)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return nil, err
		}
		args = append([]string{"run", path, "--backend", "cuda", "--out", filepath.Join(j.scratch, "watched"), "--quiet",
			"--set", "reference.resolution=8.0", "--set", "output.plots=false", "--set", "output.checkpoint.every=0.0"}, args...)
	}
	j.device.Close() // the other process needs its memory
	j.device = nil
	out, err := j.told(exec.CommandContext(j.ctx, sanitizerProgram, append([]string{"--tool", tool, j.program}, args...)...))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	r := &watchedRow{Tool: tool, Run: name, Says: lines[max(0, len(lines)-40):]}
	found := sanitizerErrors.FindAllStringSubmatch(out, -1)
	switch {
	case len(found) > 0:
	case j.ctx.Err() != nil:
		return nil, j.ctx.Err()
	case strings.Contains(out, unsupported):
		return r, &refusal{absent, "compute-sanitizer does not work on this machine: " + unsupported}
	default:
		return r, fmt.Errorf("compute-sanitizer did not come to an end (%w): %s", errors.Join(err, errors.New("no summary")), strings.Join(r.Says[max(0, len(r.Says)-5):], " / "))
	}
	n, _ := strconv.Atoi(found[len(found)-1][1]) // digits
	r.Errors = &n
	switch {
	case n > 0:
		return r, fmt.Errorf("compute-sanitizer found %d errors", n)
	case err != nil && file != "": // a benchmark counts allocations, too, which the tool changes
		return r, fmt.Errorf("the run itself failed: %w", err)
	}
	return r, nil
}

// told runs a command and is what it says, which is passed on, too, so that it is known
// to be at work.
func (j *job) told(cmd *exec.Cmd) (string, error) {
	var out bytes.Buffer
	fmt.Fprintln(j.progress)
	cmd.Stdout = io.MultiWriter(&out, j.progress)
	cmd.Stderr = cmd.Stdout
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) || errors.Is(err, context.DeadlineExceeded) {
		_ = cmd.Process.Kill() // the group's end is the report's
	}
	return out.String(), err
}

// gatherSanitizer adds the errors up. The target is met only where every tool came to its
// end on every run.
func gatherSanitizer(g *gathering) {
	rows := dataOf[watchedRow](g.Units)
	g.printf("| tool | run | errors |\n|---|---|--:|\n")
	sum, ended := 0, 0
	for _, r := range rows {
		errors := "no end"
		if r.Errors != nil {
			errors = fmt.Sprint(*r.Errors)
			sum += *r.Errors
			ended++
		}
		g.printf("| %s | %s | %s |\n", r.Tool, r.Run, errors)
	}
	if sum > 0 || ended > 0 && ended == len(sanitizerUnits(g.scope)) {
		g.Values["sanitizer"] = float64(sum)
	}
	for _, r := range rows {
		if r.Errors == nil || *r.Errors > 0 {
			g.printf("\n%s, %s:\n\n```\n%s\n```\n", r.Tool, r.Run, strings.Join(r.Says, "\n"))
		}
	}
}

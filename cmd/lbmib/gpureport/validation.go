package gpureport

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbmib/validation/cases"
	"lbmib/validation/suite"
)

// validation runs the quick validation suite on the device.
func (j *job) validation() error {
	var names []string
	switch {
	case j.tiny:
		names = []string{"couette"}
	case j.quick:
		names = []string{"poiseuille", "couette", "taylor-couette"}
	}
	plans, err := suite.Select(names, true)
	if err != nil {
		return err
	}
	begin := time.Now()
	o := suite.Options{Out: filepath.Join(j.scratch, "runs"), Threads: runtime.GOMAXPROCS(0), Version: j.version, Backend: "cuda", Progress: j.progress}
	outcomes, err := suite.Do(j.ctx, plans, o)
	d := suite.NewDocument(outcomes, true, suite.Host{Version: j.version, Device: j.device.Info().Name, Threads: o.Threads}, time.Since(begin))
	j.keep(d)
	if len(names) == 0 && err == nil || d.Failed > 0 {
		j.out.Values["validation"] = float64(d.Failed)
	}
	elsewhere := j.backends(o.Out)
	j.printf("%d quantities within their bounds, %d not", d.Passed, d.Failed)
	if len(names) > 0 {
		j.printf(" (of the groups %s)", strings.Join(names, ", "))
	}
	j.printf(".\n\n| flow | quantity | value | bounds | |\n|---|---|---|---|---|\n")
	for _, r := range d.Cases {
		verdict := "pass"
		if !r.Pass {
			verdict = "FAIL " + r.Note
		}
		j.printf("| %s | %s | %.5g | %.5g … %.5g | %s |\n", r.Name, r.Quantity, float64(r.Value), r.Low, r.High, verdict)
	}
	if err == nil && elsewhere > 0 {
		err = fmt.Errorf("%d runs were not computed on the device", elsewhere)
	}
	if err == nil && d.Failed > 0 {
		err = fmt.Errorf("%d quantities are outside of their bounds, or could not be computed", d.Failed)
	}
	return err
}

// backends tells where the runs were computed, and counts those that were not on the
// device.
func (j *job) backends(dir string) (elsewhere int) {
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*", "summary.json")) // the pattern is well formed
	count := map[string]int{}
	for _, file := range files {
		var s struct{ Backend, Device string }
		if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &s) == nil {
			count[s.Backend]++
			if s.Device != j.device.Info().Name {
				elsewhere++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		j.printf("Backend %s: %d runs. ", name, count[name])
	}
	return elsewhere
}

// sanitizerErrors is what the tool says in the end.
var sanitizerErrors = regexp.MustCompile(`ERROR SUMMARY: (\d+) error`)

// sanitizer lets the toolkit's tool watch a small run, where it is installed.
func (j *job) sanitizer() error {
	tool, err := exec.LookPath("compute-sanitizer")
	if err != nil {
		return &absentError{"compute-sanitizer is not in PATH; it comes with NVIDIA's CUDA toolkit"}
	}
	text, err := cases.Files.ReadFile("cylinder.toml")
	if err != nil {
		return err
	}
	file := filepath.Join(j.scratch, "cylinder.toml")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	args := []string{j.program, "run", file, "--backend", "cuda", "--out", filepath.Join(j.scratch, "watched"), "--steps", "100", "--quiet",
		"--set", "reference.resolution=8.0", "--set", "output.plots=false", "--set", "output.checkpoint.every=0.0"}
	out, err := exec.CommandContext(j.ctx, tool, args...).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	j.keep(lines)
	j.printf("```\n%s\n```\n", strings.Join(lines[max(0, len(lines)-40):], "\n"))
	found := sanitizerErrors.FindStringSubmatch(string(out))
	if found == nil {
		return fmt.Errorf("compute-sanitizer did not come to an end: %w", err)
	}
	n, _ := strconv.Atoi(found[1]) // digits
	j.out.Values["sanitizer"] = float64(n)
	if n > 0 {
		return fmt.Errorf("compute-sanitizer found %d errors", n)
	}
	return err
}

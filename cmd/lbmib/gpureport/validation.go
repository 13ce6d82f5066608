package gpureport

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"lbmib/validation/suite"
)

// validated is a group of the suite, and how many of its runs every backend computed.
type validated struct {
	*suite.Document
	Backends  map[string]int `json:"backends"`
	Elsewhere int            `json:"runs_elsewhere"` // not on the device
}

// validationGroups are the names of the groups; none stands for all.
func validationGroups(s scope) []string {
	switch {
	case s.tiny:
		return []string{"couette"}
	case s.quick:
		return []string{"poiseuille", "couette", "taylor-couette"}
	}
	return nil
}

// onTheHost are the groups that a device does not compute alone, and why.
var onTheHost = map[string]string{
	"ring":       "elastic bodies in a plane are moved by the host",
	"turek-hron": "filaments and sheets are moved by the host",
}

// validationUnits are the groups of the quick validation suite that a device computes.
func validationUnits(s scope) (all []unit) {
	plans, err := suite.Select(validationGroups(s), true)
	if err != nil {
		return []unit{{"suite", func(*job) error { return err }}}
	}
	for _, p := range plans {
		if onTheHost[p.Name] != "" {
			continue
		}
		all = append(all, unit{p.Name, func(j *job) error {
			j.plan([]string{p.Name})
			j.make(p.Name, func() (any, error) { return j.validate(p) })
			return nil
		}})
	}
	return all
}

// validate runs a group on the device.
func (j *job) validate(p suite.Plan) (*validated, error) {
	fmt.Fprintln(j.progress)
	begin := time.Now()
	o := suite.Options{Out: filepath.Join(j.scratch, "runs"), Threads: runtime.GOMAXPROCS(0), Version: j.version, Backend: "cuda", Progress: j.progress}
	outcomes, err := suite.Do(j.ctx, []suite.Plan{p}, o)
	if err != nil {
		if j.ctx.Err() != nil {
			err = j.ctx.Err()
		}
		return nil, err
	}
	v := &validated{Document: suite.NewDocument(outcomes, true, suite.Host{Version: j.version, Device: j.device.Info().Name, Threads: o.Threads}, time.Since(begin))}
	v.Backends, v.Elsewhere = j.backends(o.Out)
	switch {
	case v.Failed > 0:
		err = fmt.Errorf("%d quantities are outside of their bounds, or could not be computed", v.Failed)
	case v.Elsewhere > 0:
		err = fmt.Errorf("%d runs were not computed on the device", v.Elsewhere)
	}
	return v, err
}

// backends tells how many runs every backend computed, and how many were not on the
// device.
func (j *job) backends(dir string) (count map[string]int, elsewhere int) {
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*", "summary.json")) // the pattern is well formed
	count = map[string]int{}
	for _, file := range files {
		var s struct{ Backend, Device string }
		if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &s) == nil {
			count[s.Backend]++
			if s.Device != j.device.Info().Name {
				elsewhere++
			}
		}
	}
	return count, elsewhere
}

// gatherValidation adds the groups up. The target is met only where the whole quick suite
// was run.
func gatherValidation(g *gathering) {
	passed, failed, count := 0, 0, map[string]int{}
	all := dataOf[validated](g.Units)
	for _, v := range all {
		passed, failed = passed+v.Passed, failed+v.Failed
		for name, n := range v.Backends {
			count[name] += n
		}
	}
	names := validationGroups(g.scope)
	if failed > 0 || len(names) == 0 && g.whole() && len(all) == len(validationUnits(g.scope)) {
		g.Values["validation"] = float64(failed)
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		g.printf("Backend %s: %d runs. ", name, count[name])
	}
	g.printf("%d quantities within their bounds, %d not", passed, failed)
	if len(names) > 0 {
		g.printf(" (of the groups %s)", strings.Join(names, ", "))
	} else if !g.tiny {
		for _, name := range slices.Sorted(maps.Keys(onTheHost)) {
			g.printf("; not run: %s, since %s", name, onTheHost[name])
		}
	}
	g.printf(".\n\n| flow | quantity | value | bounds | |\n|---|---|---|---|---|\n")
	for _, v := range all {
		for _, r := range v.Cases {
			verdict := "pass"
			if !r.Pass {
				verdict = "FAIL " + r.Note
			}
			g.printf("| %s | %s | %.5g | %.5g … %.5g | %s |\n", r.Name, r.Quantity, float64(r.Value), r.Low, r.High, verdict)
		}
	}
}

package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// mostRuns bounds a sweep: more are a slip of the keyboard.
const mostRuns = 10000

// Plan is a sweep whose every combination was checked.
type Plan struct {
	File string // the case
	Case string // its name
	Sets []string
	Axes []Axis
	Dir  string        // where everything goes
	Runs []Combination // those kept of an earlier sweep first

	kept      int  // of an earlier sweep
	overwrite bool // replaces an earlier sweep and its runs
	refine    bool // every run takes the nested grids that are proposed for it
}

// Combination is one run: a value for every axis.
type Combination struct {
	Name   string   // of its directory
	Values []string // of the axes, in order
	Dir    string
	Hash   string // of its case
	Steps  int64  // that it takes to the end

	overrides []string
}

// NewPlan makes the runs of a sweep of the case file, the last axis fastest, in
// directories below dir (empty: the case's name with .sweep, in the working
// directory). Every combination is read and checked as a run would do before it
// begins, and directories that hold something else are refused, unless they are to
// be overwritten; the error names the combination. An earlier sweep over the same
// keys goes on, its finished runs stay. Nothing is written.
func NewPlan(file string, sets []string, axes []Axis, dir string, overwrite bool, kernel setup.Kernel) (*Plan, error) {
	return newPlan(file, sets, axes, dir, overwrite, false, kernel)
}

// NewRefinedPlan is NewPlan of runs on the nested grids that are proposed for each.
func NewRefinedPlan(file string, sets []string, axes []Axis, dir string, overwrite bool, kernel setup.Kernel) (*Plan, error) {
	return newPlan(file, sets, axes, dir, overwrite, true, kernel)
}

func newPlan(file string, sets []string, axes []Axis, dir string, overwrite, refine bool, kernel setup.Kernel) (*Plan, error) {
	if err := checkAxes(axes, sets); err != nil {
		return nil, err
	}
	text, err := casefile.Read(file)
	if err != nil {
		return nil, err
	}
	p := &Plan{File: file, Sets: sets, Axes: slices.Clone(axes), Dir: dir, overwrite: overwrite, refine: refine}
	p.Case = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if p.Dir == "" {
		p.Dir = p.Case + ".sweep"
	}
	names := map[string]bool{}
	for _, values := range product(axes) {
		c := p.combination(values)
		for names[c.Name] { // values that differ in signs a name cannot have
			c.Name += "+"
		}
		names[c.Name] = true
		c.Dir = filepath.Join(p.Dir, c.Name)
		if err := p.check(&c, text, kernel); err != nil {
			return nil, fmt.Errorf("%s: %w", c.describe(axes), err)
		}
		p.Runs = append(p.Runs, c)
	}
	if err := p.findEarlier(text); err != nil {
		return nil, err
	}
	return p, nil
}

// checkAxes refuses axes that cannot be swept together.
func checkAxes(axes []Axis, sets []string) error {
	if len(axes) == 0 {
		return fmt.Errorf("there is nothing to sweep over: add --over key=v1,v2,…, for instance --over reference.reynolds=20,40,100")
	}
	runs := 1
	for i, a := range axes {
		if slices.ContainsFunc(axes[:i], func(b Axis) bool { return b.Key == a.Key }) {
			return fmt.Errorf("--over %s is given twice: list all values in one, --over %s=v1,v2,…", a.Key, a.Key)
		}
		for _, s := range sets {
			if key, _, _ := strings.Cut(s, "="); strings.TrimSpace(key) == a.Key {
				return fmt.Errorf("%s is given by --over and by --set %s: leave one of them out", a.Key, s)
			}
		}
		if a.Key == "output.directory" {
			return fmt.Errorf("--over output.directory: every combination has a directory of its own already, below --out DIR: leave it out")
		}
		if runs *= len(a.Values); runs > mostRuns {
			return fmt.Errorf("the sweep has more than %d combinations: give fewer values", mostRuns)
		}
	}
	return nil
}

// product is every combination of values, the last axis fastest.
func product(axes []Axis) [][]string {
	all := [][]string{nil}
	for _, a := range axes {
		var next [][]string
		for _, c := range all {
			for _, v := range a.Values {
				next = append(next, append(slices.Clone(c), v))
			}
		}
		all = next
	}
	return all
}

// combination names a run.
func (p *Plan) combination(values []string) Combination {
	c := Combination{Values: values, overrides: slices.Clone(p.Sets)}
	var words []string
	for i, label := range labels(p.Axes) {
		c.overrides = append(c.overrides, p.Axes[i].Key+"="+values[i])
		words = append(words, label+"="+fileWord(values[i]))
	}
	c.Name = strings.Join(words, "_")
	return c
}

// fileWord is a value as part of a file's name: without signs that shells or file
// systems treat in ways of their own, and not long.
func fileWord(value string) string {
	const longest = 24
	word := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune(".+-", c):
			return c
		case strings.ContainsRune(`"' []{}`, c):
			return ' '
		}
		return '~'
	}, value)
	word = strings.Join(strings.Fields(word), "")
	if len(word) <= longest && word != "" {
		return word
	}
	sum := sha256.Sum256([]byte(value))
	return word[:min(len(word), longest-9)] + "-" + hex.EncodeToString(sum[:4])
}

// describe is a combination for people: "reynolds = 20, resolution = 10".
func (c *Combination) describe(axes []Axis) string {
	var words []string
	for i, label := range labels(axes) {
		words = append(words, label+" = "+shown(c.Values[i]))
	}
	return strings.Join(words, ", ")
}

// load reads the case of a combination.
func (p *Plan) load(c *Combination, text []byte) (*casefile.Case, error) {
	cas, err := casefile.Parse(p.File, text, c.overrides)
	if err != nil {
		return nil, err
	}
	cas.Output.Directory = c.Dir
	return cas, nil
}

// onGrids is load, on the nested grids that the run will take.
func (p *Plan) onGrids(c *Combination, text []byte) (*casefile.Case, error) {
	cas, err := p.load(c, text)
	if err != nil || !p.refine {
		return cas, err
	}
	cas, _, _, err = check.WithGrids(cas)
	return cas, err
}

// check examines a combination and its directory.
func (p *Plan) check(c *Combination, text []byte, kernel setup.Kernel) error {
	cas, err := p.onGrids(c, text)
	if err != nil {
		return err
	}
	c.Hash, c.Steps = cas.Hash(), cas.Run.Steps
	if err := check.Examine(cas, kernel); err != nil {
		return err
	}
	if !p.overwrite {
		_, err = c.state()
	}
	return err
}

package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/internal/durable"
	"lbmib/run/exit"
)

// leftBySweep are the files that a sweep writes beside its runs, that which says
// whose they are first.
var leftBySweep = []string{"sweep.json", "sweep.csv", "sweep.png"}

// findEarlier looks for an earlier sweep in the directory. One over the same keys
// is continued: its axes' values join the plan's, and its finished runs stay in the
// table. One over other keys is refused, and so are files of a sweep that no
// sweep.json tells the owner of.
func (p *Plan) findEarlier(text []byte) error {
	var d Document
	switch err := readJSON(p.file("sweep.json"), &d); {
	case errors.Is(err, fs.ErrNotExist):
		return p.refuseForeign()
	case p.overwrite:
		return nil
	case err != nil:
		return err
	}
	if earlier, now := keysOf(d.Over), keysOf(p.Axes); !slices.Equal(earlier, now) {
		return fmt.Errorf("%s holds a sweep over %s, this one is over %s: give the same keys in the same order to go on with it, replace it with --overwrite, or choose another directory with --out DIR",
			p.Dir, strings.Join(earlier, ", "), strings.Join(now, ", "))
	}
	return p.keep(d.Over, text)
}

// refuseForeign refuses files with the names of a sweep's where there is no
// sweep.json.
func (p *Plan) refuseForeign() error {
	for _, name := range leftBySweep[1:] {
		if _, err := durable.Lstat(p.file(name)); err == nil {
			return fmt.Errorf("%s is there, but no sweep.json of a sweep: it may not be this program's to replace; move it away or choose another directory with --out DIR", p.file(name))
		}
	}
	return nil
}

// keep puts the finished runs of an earlier sweep over the same keys, as far as
// they are not planned, before those that are.
func (p *Plan) keep(over []Axis, text []byte) error {
	planned := p.Runs
	p.Runs = nil
	for _, values := range product(over) {
		if slices.ContainsFunc(planned, func(c Combination) bool { return slices.Equal(c.Values, values) }) {
			continue
		}
		c := p.combination(values)
		c.Dir = p.file(c.Name)
		if _, err := durable.Lstat(filepath.Join(c.Dir, "manifest.json")); err != nil {
			continue // not begun
		}
		cas, err := p.onGrids(&c, text)
		if err != nil {
			return fmt.Errorf("%s, of an earlier sweep in %s: %w", c.describe(p.Axes), p.Dir, err)
		}
		c.Hash, c.Steps = cas.Hash(), cas.Run.Steps
		left, err := c.state()
		if err != nil {
			return fmt.Errorf("%s, of an earlier sweep: %w", c.describe(p.Axes), err)
		}
		if left == ended {
			p.Runs = append(p.Runs, c)
		}
	}
	p.kept = len(p.Runs)
	p.Runs = append(p.Runs, planned...)
	for i := range p.Axes {
		p.Axes[i].Values = union(over[i].Values, p.Axes[i].Values)
	}
	return nil
}

// union is one list and what is in the other only.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

func keysOf(axes []Axis) (keys []string) {
	for _, a := range axes {
		keys = append(keys, a.Key)
	}
	return keys
}

func (p *Plan) file(name string) string { return filepath.Join(p.Dir, name) }

// clear removes the table and picture of an earlier sweep that is to be replaced, each on
// the disk before the next: that which says whose they are is the last to go.
func (p *Plan) clear() error {
	if !p.overwrite {
		return nil
	}
	var left []string
	for _, name := range slices.Backward(leftBySweep) {
		if _, err := durable.Lstat(p.file(name)); err == nil {
			left = append(left, p.file(name))
		}
	}
	if err := durable.RemoveInTurn(left, filepath.Base); err != nil {
		return &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("the earlier sweep cannot be removed: %w: %s", err, durable.Remedy(err, "make its directory writable, or choose another with --out DIR"))}
	}
	return nil
}

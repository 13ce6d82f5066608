package report

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/io/plot"
	"lbmib/io/table"
)

// timeLabel is that of axes of time.
const timeLabel = "time  t U / L"

// open reads a table of the run; nil where there is none or it has no rows.
func (d *Directory) open(name ...string) (*table.Table, error) {
	t, err := table.Read(d.file(name...))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case t.Rows() == 0:
		return nil, nil
	}
	return t, nil
}

// groups are the different texts of a column, in order, for lines of a picture.
func groups(t *table.Table, column string) (names []string, err error) {
	all, err := t.Text(column, nil)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, n := range all {
		if !seen[n] {
			seen[n] = true
			names = append(names, n)
		}
	}
	return names, nil
}

// columns reads columns of the rows where another has a text.
func columns(t *table.Table, where, text string, names ...string) (all [][]float64, err error) {
	rows, err := t.Where(where, text)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		v, err := t.Float(n, rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// forces draws drag and lift of all bodies, the statistics window of the first
// shaded.
func (d *Directory) forces() ([]string, error) {
	t, err := d.open("forces.csv")
	if t == nil {
		return nil, err
	}
	names, err := groups(t, "body")
	if err != nil {
		return nil, err
	}
	var all []plot.Forces
	for _, n := range names {
		v, err := columns(t, "body", n, "t", "cd", "cl")
		if err != nil {
			return nil, err
		}
		all = append(all, plot.Forces{Name: n, T: v[0], Cd: v[1], Cl: v[2]})
	}
	path := d.file("plots", "forces.png")
	if err := plot.ForceHistory(path, d.title(), all, d.window(names[0])); err != nil {
		return nil, err
	}
	return []string{path}, nil
}

// window is that of a body's statistics; NaN before there are any.
func (d *Directory) window(body string) [2]float64 {
	none := [2]float64{math.NaN(), math.NaN()}
	if d.Summary == nil {
		return none
	}
	w, _ := d.Summary.Bodies[body]["window"].([]any)
	if len(w) != 2 {
		return none
	}
	from, ok := w[0].(float64)
	to, also := w[1].(float64)
	if !ok || !also || from > to {
		return none
	}
	return [2]float64{from, to}
}

// history draws columns of a table over time: a panel per column, a line per
// text in the column that tells rows apart. Columns that the table lacks are left
// out; at most so many lines are drawn.
func (d *Directory) history(t *table.Table, by, file string, panels []plot.Panel, shown ...string) ([]string, error) {
	const mostLines = 12
	names, err := groups(t, by)
	if err != nil {
		return nil, err
	}
	names = names[:min(len(names), mostLines)]
	var drawn []plot.Panel
	for i, column := range shown {
		if !slices.Contains(t.Columns, column) {
			continue
		}
		p := panels[i]
		p.XLabel = timeLabel
		for _, n := range names {
			v, err := columns(t, by, n, "t", column)
			if err != nil {
				return nil, err
			}
			p.Lines = append(p.Lines, plot.Line{Name: n, X: v[0], Y: v[1]})
		}
		drawn = append(drawn, p)
	}
	if len(drawn) == 0 {
		return nil, nil
	}
	path := d.file("plots", file)
	count := 1
	if len(drawn) > 3 {
		count = 2
	}
	return []string{path}, plot.Panels(path, d.title(), count, drawn)
}

// bodies draws places and velocities of moving bodies.
func (d *Directory) bodies() ([]string, error) {
	t, err := d.open("bodies.csv")
	if t == nil {
		return nil, err
	}
	labels := []plot.Panel{{YLabel: "x / L"}, {YLabel: "u / U"}, {YLabel: "y / L"}, {YLabel: "v / U"},
		{YLabel: "z / L"}, {YLabel: "w / U"}, {YLabel: "angle"}, {YLabel: "spin L / U"}}
	return d.history(t, "body", "motion.png", labels, "x", "vx", "y", "vy", "z", "vz", "angle", "spin")
}

// probes draws velocity and density at the probes.
func (d *Directory) probes() ([]string, error) {
	t, err := d.open("probes.csv")
	if t == nil {
		return nil, err
	}
	labels := []plot.Panel{{YLabel: "u / U"}, {YLabel: "v / U"}, {YLabel: "w / U"}, {YLabel: "density"}}
	return d.history(t, "probe", "probes.png", labels, "u", "v", "w", "rho")
}

// lines draws the profiles along every line, at some times up to the newest.
func (d *Directory) lines() (files []string, err error) {
	paths, err := filepath.Glob(d.file("lines", "*.csv"))
	if err != nil {
		return nil, nil // the path has signs that patterns treat in ways of their own
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".csv")
		t, err := d.open("lines", name+".csv")
		if err != nil {
			return files, err
		}
		if t == nil {
			continue
		}
		drawn, err := d.profiles(t, name)
		if err != nil {
			return files, err
		}
		files = append(files, drawn)
	}
	return files, nil
}

// profiles draws the velocity along a line.
func (d *Directory) profiles(t *table.Table, name string) (path string, err error) {
	const most = 5 // times
	times, err := groups(t, "step")
	if err != nil {
		return "", err
	}
	var some []string
	for i := range min(most, len(times)) { // the last is the newest
		some = append(some, times[len(times)-1-i*len(times)/most])
	}
	slices.Reverse(some)
	some = slices.Compact(some)
	var panels []plot.Panel
	for _, c := range []string{"u", "v", "w"} {
		if !slices.Contains(t.Columns, c) {
			continue
		}
		p := plot.Panel{XLabel: "s / L", YLabel: c + " / U"}
		for _, step := range some {
			v, err := columns(t, "step", step, "t", "s", c)
			if err != nil {
				return "", err
			}
			p.Lines = append(p.Lines, plot.Line{Name: fmt.Sprintf("t = %.4g", v[0][0]), X: v[1], Y: v[2]})
		}
		panels = append(panels, p)
	}
	path = d.file("plots", "line_"+name+".png")
	return path, plot.Panels(path, fmt.Sprintf("%s: %s", d.title(), name), 2, panels)
}

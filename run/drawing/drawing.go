// Package drawing draws the pictures of a run from its tables. A run draws them at
// its end and lbmib plot at any time: the same picture under the same name.
package drawing

import (
	"fmt"
	"math"
	"slices"

	"lbmib/io/plot"
	"lbmib/io/table"
)

// TimeLabel is that of axes of time.
const TimeLabel = "time  t U / L"

// Groups are the different texts of a column, in order.
func Groups(t *table.Table, column string) (names []string, err error) {
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

// Columns reads columns of the rows where another has a text.
func Columns(t *table.Table, where, text string, names ...string) (all [][]float64, err error) {
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

// Profiles draws the velocity along a line, from its table, at some times up to the
// newest.
func Profiles(t *table.Table, path, title string) error {
	const most = 5 // times
	times, err := Groups(t, "step")
	if err != nil {
		return err
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
			v, err := Columns(t, "step", step, "t", "s", c)
			if err != nil {
				return err
			}
			p.Lines = append(p.Lines, plot.Line{Name: fmt.Sprintf("t = %.4g", v[0][0]), X: v[1], Y: v[2]})
		}
		panels = append(panels, p)
	}
	return plot.Panels(path, title, 2, panels)
}

// History draws columns of a table over time: a panel per column, a line per text in
// the column that tells rows apart or, of many, what they have in common. Columns
// that the table lacks are left out; drawn tells whether any is there.
func History(t *table.Table, by, what, path, title string, panels []plot.Panel, shown ...string) (drawn bool, err error) {
	all, err := histories(t, by, what, panels, shown...)
	if err != nil {
		return false, err
	}
	return drawHistories(path, title, all)
}

// histories are the panels of a History.
func histories(t *table.Table, by, what string, panels []plot.Panel, shown ...string) (all []plot.Panel, err error) {
	names, err := Groups(t, by)
	if err != nil {
		return nil, err
	}
	for i, column := range shown {
		if !slices.Contains(t.Columns, column) {
			continue
		}
		p := panels[i]
		p.XLabel = TimeLabel
		var times, curves [][]float64
		for _, n := range names {
			v, err := Columns(t, by, n, "t", column)
			if err != nil {
				return nil, err
			}
			p.Lines = append(p.Lines, plot.Line{Name: n, X: v[0], Y: v[1]})
			times, curves = append(times, v[0]), append(curves, v[1])
		}
		if len(names) > plot.MostCurves {
			common, curves := onCommonTimes(times, curves)
			p.Lines = plot.Bundle(what, common, curves)
		}
		all = append(all, p)
	}
	return all, nil
}

func drawHistories(path, title string, all []plot.Panel) (drawn bool, err error) {
	if len(all) == 0 {
		return false, nil
	}
	count := 1
	if len(all) > 3 {
		count = 2
	}
	return true, plot.Panels(path, title, count, all)
}

// onCommonTimes puts curves on all times that any of them has, with NaN where one has no value: cells that enter later and leave before the end.
func onCommonTimes(times, curves [][]float64) (common []float64, on [][]float64) {
	for _, t := range times {
		common = append(common, t...)
	}
	slices.Sort(common)
	common = slices.Compact(common)
	for i, t := range times {
		y := make([]float64, len(common))
		for k := range y {
			y[k] = math.NaN()
		}
		for k, at := range t {
			j, _ := slices.BinarySearch(common, at)
			y[j] = curves[i][k]
		}
		on = append(on, y)
	}
	return common, on
}

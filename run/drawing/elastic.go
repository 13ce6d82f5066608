package drawing

import (
	"math"
	"slices"

	"lbmib/io/plot"
	"lbmib/io/table"
)

// Elastic is a table of elastic bodies, and its picture.
type Elastic struct {
	Table, Picture string // names of the files
	what           string
	panels         []plot.Panel
	columns        []string
}

// ElasticTables are those of surfaces, lines and sheets.
var ElasticTables = []Elastic{
	{"cells.csv", "cells.png", "elastic bodies",
		[]plot.Panel{{YLabel: "D"}, {YLabel: "inclination in radians"}, {YLabel: "membrane turned by, radians"}, {YLabel: "V/V0 − 1"}, {YLabel: "x / L"}, {YLabel: "y / L"}},
		[]string{"deformation", "inclination", "tread", "volume_drift", "x", "y"}},
	{"filaments.csv", "filaments.png", "lines",
		[]plot.Panel{{YLabel: "x of the tip / L"}, {YLabel: "u of the tip / U"}, {YLabel: "y of the tip / L"}, {YLabel: "v of the tip / U"},
			{YLabel: "z of the tip / L"}, {YLabel: "w of the tip / U"}, {YLabel: "largest curvature · L"}, {YLabel: "energy"}},
		[]string{"tip_x", "tip_vx", "tip_y", "tip_vy", "tip_z", "tip_vz", "curvature_max", "energy"}},
	{"sheets.csv", "sheets.png", "sheets",
		[]plot.Panel{{YLabel: "x of the tip / L"}, {YLabel: "u of the tip / U"}, {YLabel: "y of the tip / L"}, {YLabel: "v of the tip / U"},
			{YLabel: "z of the tip / L"}, {YLabel: "w of the tip / U"}, {YLabel: "largest curvature · L"}, {YLabel: "energy"}},
		[]string{"tip_x", "tip_vx", "tip_y", "tip_vy", "tip_z", "tip_vz", "curvature_max", "energy"}},
}

// Draw draws what bodies did over time; false where the table has no rows.
func (e *Elastic) Draw(t *table.Table, path, title string) (drawn bool, err error) {
	if t.Rows() == 0 {
		return false, nil
	}
	all, err := e.histories(t)
	if err != nil {
		return false, err
	}
	return drawHistories(path, title, all)
}

// histories are the panels of the picture. A line ends where the cell of its name leaves: another that enters later under that name has a line of its own.
func (e *Elastic) histories(t *table.Table) (all []plot.Panel, err error) {
	if all, err = histories(t, "body", e.what, e.panels, e.columns...); err != nil {
		return nil, err
	}
	names, err := Groups(t, "body")
	if err != nil || len(names) > plot.MostCurves { // a bundle, which joins nothing
		return all, err
	}
	times, err := t.Float("t", nil)
	if err != nil {
		return nil, err
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for i, name := range names {
		begins, err := livesOf(t, name, times)
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			p.Lines[i].X, p.Lines[i].Y = broken(p.Lines[i].X, p.Lines[i].Y, begins)
		}
	}
	return all, nil
}

// livesOf are the rows of a body's, counted among them, at which another cell goes on under its name: with another number, or after
// one of the table's times at which none was in the fluid.
func livesOf(t *table.Table, body string, times []float64) (begins []int, err error) {
	columns := []string{"t"}
	if slices.Contains(t.Columns, "number") {
		columns = append(columns, "number")
	}
	v, err := Columns(t, "body", body, columns...)
	if err != nil {
		return nil, err
	}
	at := v[0]
	for k := 1; k < len(at); k++ {
		before, _ := slices.BinarySearch(times, at[k-1])
		next := before+1 < len(times) && times[before+1] == at[k]
		if !next || len(v) > 1 && v[1][k] != v[1][k-1] {
			begins = append(begins, k)
		}
	}
	return begins, nil
}

// broken is a curve without a line to each of the points at which it begins anew.
func broken(x, y []float64, begins []int) (bx, by []float64) {
	from := 0
	for _, k := range begins {
		bx, by = append(bx, x[from:k]...), append(by, y[from:k]...)
		bx, by = append(bx, (x[k-1]+x[k])/2), append(by, math.NaN())
		from = k
	}
	return append(bx, x[from:]...), append(by, y[from:]...)
}

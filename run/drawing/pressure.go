package drawing

import (
	"lbmib/io/plot"
	"lbmib/io/table"
)

// PressureTable is the table that Pressure draws, and PressurePicture the picture's name.
const (
	PressureTable   = "pressure.csv"
	PressurePicture = "body_pressure.png"
)

// Pressure draws C_p and C_f on bodies in the plane, a line per body, against the angle at its centre and against x, at the newest time; drawn
// is false where the table has no rows.
func Pressure(t *table.Table, path, title string) (drawn bool, err error) {
	steps, err := Groups(t, "step")
	if err != nil || len(steps) == 0 {
		return false, err
	}
	rows, err := t.Where("step", steps[len(steps)-1])
	if err != nil {
		return false, err
	}
	names, err := t.Text("body", rows)
	if err != nil {
		return false, err
	}
	columns := map[string][]float64{}
	for _, c := range []string{"angle", "x", "cp", "cf"} {
		if columns[c], err = t.Float(c, rows); err != nil {
			return false, err
		}
	}
	panels := []plot.Panel{{XLabel: "angle / degrees, anticlockwise from x", YLabel: "C_p"}, {XLabel: "x / L", YLabel: "C_p"},
		{XLabel: "angle / degrees, anticlockwise from x", YLabel: "C_f, anticlockwise"}, {XLabel: "x / L", YLabel: "C_f, anticlockwise"}}
	for i := range panels {
		over, of := columns[[]string{"angle", "x"}[i%2]], columns[[]string{"cp", "cf"}[i/2]]
		for from := 0; from < len(names); {
			to := from + 1
			for to < len(names) && names[to] == names[from] {
				to++
			}
			x, y := over[from:to], of[from:to]
			if i%2 == 0 {
				x, y = fromLeast(x, y)
			}
			panels[i].Lines = append(panels[i].Lines, plot.Line{Name: names[from], X: x, Y: y})
			from = to
		}
		panels[i].Lines = plot.Selection("bodies", panels[i].Lines)
	}
	return true, plot.Panels(path, title, 2, panels)
}

// fromLeast turns a closed curve so that it begins at its least x.
func fromLeast(x, y []float64) (a, b []float64) {
	least := 0
	for k := range x {
		if x[k] < x[least] {
			least = k
		}
	}
	return append(append(a, x[least:]...), x[:least]...), append(append(b, y[least:]...), y[:least]...)
}

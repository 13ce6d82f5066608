package drawing

import (
	"fmt"
	"math"
	"slices"

	"lbmib/io/plot"
	"lbmib/io/table"
)

// Pictures of suspension.csv and suspension_profile.csv.
const (
	SuspensionPicture = "suspension.png"
	ProfilePicture    = "suspension_profile.png"
)

// suspensionPanels are what is drawn of suspension.csv: columns of a panel, of those that the table has.
var suspensionPanels = []struct {
	label   string
	columns []string
}{
	{"haematocrit", []string{"hematocrit", "discharge_hematocrit"}},
	{"relative viscosity", []string{"relative_viscosity"}},
	{"layer free of cells / L", []string{"cell_free_layer"}},
	{"velocity / U", []string{"vx", "vy", "vz", "v_rms"}},
	{"deformation", []string{"deformation"}},
	{"order", []string{"order_x", "order_y", "order_z"}},
}

// Suspension draws what a suspension did over time; false where its table has no rows.
func Suspension(t *table.Table, path, title string) (drawn bool, err error) {
	if t.Rows() == 0 {
		return false, nil
	}
	at, err := t.Float("t", nil)
	if err != nil {
		return false, err
	}
	var all []plot.Panel
	for _, of := range suspensionPanels {
		p := plot.Panel{XLabel: TimeLabel, YLabel: of.label}
		for _, c := range of.columns {
			if !slices.Contains(t.Columns, c) {
				continue
			}
			v, err := t.Float(c, nil)
			if err != nil {
				return false, err
			}
			if slices.ContainsFunc(v, finite) {
				p.Lines = append(p.Lines, plot.Line{Name: c, X: at, Y: v})
			}
		}
		if len(p.Lines) > 0 {
			all = append(all, p)
		}
	}
	return true, plot.Panels(path, title, 2, all)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// SuspensionProfile draws the profiles of haematocrit and velocity: the first, the newest, and means over the second half of the time; false where the table has no rows.
func SuspensionProfile(t *table.Table, path, title string) (drawn bool, err error) {
	times, err := Groups(t, "step")
	if err != nil || len(times) == 0 {
		return false, err
	}
	place := t.Columns[2]
	columns := []string{"t", place, "hematocrit", "ux", "uy", "uz"}
	last, err := Columns(t, "step", times[len(times)-1], columns...)
	if err != nil {
		return false, err
	}
	along := 3
	for c := 4; c < 6; c++ {
		if largest(last[c]) > largest(last[along]) {
			along = c
		}
	}
	panels := []plot.Panel{{XLabel: place + " / L", YLabel: "haematocrit"}, {XLabel: place + " / L", YLabel: columns[along][1:] + " velocity / U"}}
	add := func(name string, of [][]float64) {
		panels[0].Lines = append(panels[0].Lines, plot.Line{Name: name, X: of[1], Y: of[2]})
		panels[1].Lines = append(panels[1].Lines, plot.Line{Name: name, X: of[1], Y: of[along]})
	}
	if len(times) > 1 {
		first, err := Columns(t, "step", times[0], columns...)
		if err != nil {
			return false, err
		}
		add(fmt.Sprintf("t = %.4g", first[0][0]), first)
	}
	add(fmt.Sprintf("t = %.4g", last[0][0]), last)
	if half := times[len(times)/2:]; len(half) > 1 {
		mean := [][]float64{nil, last[1], make([]float64, len(last[1])), nil, nil, nil}
		mean[along] = make([]float64, len(last[1]))
		for _, step := range half {
			v, err := Columns(t, "step", step, columns...)
			if err != nil {
				return false, err
			}
			for _, c := range []int{2, along} {
				for k := range mean[c] {
					mean[c][k] += v[c][k] / float64(len(half))
				}
			}
		}
		add("mean of the second half", mean)
	}
	return true, plot.Panels(path, title, 2, panels)
}

func largest(v []float64) (most float64) {
	for _, x := range v {
		most = math.Max(most, math.Abs(x))
	}
	return most
}

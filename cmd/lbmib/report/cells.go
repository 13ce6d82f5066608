package report

import (
	"fmt"
	"maps"
	"slices"

	"lbmib/io/casefile"
)

// cell is what a summary says of an elastic body at the end. Its numbers may be null.
type cell struct {
	Position    []*float64 `json:"position"`
	Velocity    []*float64 `json:"velocity"`
	Deformation *float64   `json:"deformation"`
	Inclination *float64   `json:"inclination"`
	Tread       *float64   `json:"tread"`
	AreaDrift   *float64   `json:"area_drift"`
	VolumeDrift *float64   `json:"volume_drift"`
	Frequency   *float64   `json:"tread_frequency"`
}

// cellRow is an elastic body in words.
type cellRow struct{ Name, Position, Velocity, Deformation, Inclination, Tread, Frequency, AreaDrift, VolumeDrift string }

// cells are the elastic bodies, the first of many, and how many more there are.
func (d *Record) cells() (rows []cellRow, more int) {
	if !d.hasNumbers() {
		return nil, 0
	}
	names := slices.SortedFunc(maps.Keys(d.Summary.Cells), byNumber)
	for _, name := range names[:min(len(names), mostColumns)] {
		c := d.Summary.Cells[name]
		rows = append(rows, cellRow{
			Name: name, Position: "(" + vectorOf(c.Position) + ")", Velocity: "(" + vectorOf(c.Velocity) + ")", Deformation: digits(c.Deformation, 4), Inclination: scaled(c.Inclination, degrees, 3),
			Tread: digits(c.Tread, 4), Frequency: digits(c.Frequency, 3), AreaDrift: scaled(c.AreaDrift, 100, 2), VolumeDrift: scaled(c.VolumeDrift, 100, 2),
		})
	}
	return rows, len(names) - len(rows)
}

const degrees = 57.29577951308232

// byNumber orders names that end in numbers by these.
func byNumber(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	if a < b {
		return -1
	}
	return 1
}

// hasNumbers tells whether a summary's numbers mean something.
func (d *Record) hasNumbers() bool {
	return d.Summary != nil && d.Summary.Status != "diverged" && d.Summary.Status != "failed"
}

// digits is a number that may be missing.
func digits(v *float64, n int) string { return scaled(v, 1, n) }

func scaled(v *float64, by float64, n int) string {
	if v == nil {
		return "–"
	}
	return figure(significant(by**v, n))
}

func vectorOf(v []*float64) string {
	text := ""
	for i, x := range v {
		if i > 0 {
			text += ", "
		}
		text += digits(x, 4)
	}
	return text
}

// suspension is what a summary says of suspended elastic cells.
type suspension struct {
	Cells          int        `json:"cells"`
	Hematocrit     *float64   `json:"hematocrit_mean"`
	Discharge      *float64   `json:"discharge_hematocrit_mean"`
	Ratio          *float64   `json:"fahraeus_ratio_mean"`
	FlowRate       *float64   `json:"flow_rate_mean"`
	Viscosity      *float64   `json:"relative_viscosity_mean"`
	Layer          *float64   `json:"cell_free_layer_mean"`
	PriesViscosity *float64   `json:"pries_relative_viscosity"`
	PriesRatio     *float64   `json:"pries_fahraeus_ratio"`
	Window         []*float64 `json:"window"`
	Converged      bool       `json:"converged"`
}

// suspended are its numbers, and what measurements of others have.
func (d *Record) suspended() (all []fact) {
	if !d.hasNumbers() || d.Summary.Suspension == nil {
		return nil
	}
	s := d.Summary.Suspension
	all = append(all, fact{"cells", grouped(s.Cells), ""})
	add := func(name string, v *float64, note string) {
		if v != nil {
			all = append(all, fact{name, digits(v, 4), note})
		}
	}
	literature := func(v *float64) string {
		if v == nil {
			return ""
		}
		return "blood in glass tubes: " + digits(v, 3) + " (Pries et al. 1992)"
	}
	add("haematocrit", s.Hematocrit, "of the fluid's volume")
	add("discharge haematocrit", s.Discharge, "of what flows")
	add("Fåhræus ratio", s.Ratio, literature(s.PriesRatio))
	add("relative viscosity", s.Viscosity, literature(s.PriesViscosity))
	if s.FlowRate != nil {
		add("flow rate", s.FlowRate, "UL²"+d.inSI(casefile.FlowRate, *s.FlowRate))
	}
	if s.Layer != nil {
		add("layer free of cells", s.Layer, "L"+d.inSI(casefile.Length, *s.Layer))
	}
	if w := s.Window; len(w) == 2 && w[0] != nil && w[1] != nil {
		note := "means"
		if !s.Converged {
			note += ", not converged"
		}
		all = append(all, fact{"window", fmt.Sprintf("%s–%s L/U", digits(w[0], 4), digits(w[1], 4)), note})
	}
	return all
}

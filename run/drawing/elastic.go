package drawing

import (
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
	panels := append([]plot.Panel(nil), e.panels...)
	return History(t, "body", e.what, path, title, panels, e.columns...)
}

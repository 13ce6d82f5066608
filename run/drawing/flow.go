package drawing

import (
	"lbmib/io/plot"
	"lbmib/io/table"
)

// FlowPicture is the name of the picture of a flow rate that is held.
const FlowPicture = "flow.png"

// Flow draws the speed that was to be held, the one that was, and the force that it took; false where the table has no rows.
func Flow(t *table.Table, path, title string) (drawn bool, err error) {
	if t.Rows() == 0 {
		return false, nil
	}
	columns := map[string][]float64{}
	for _, name := range []string{"t", "speed", "speed_held", "body_force"} {
		if columns[name], err = t.Float(name, nil); err != nil {
			return false, err
		}
	}
	at := columns["t"]
	return true, plot.Panels(path, title, 1, []plot.Panel{
		{XLabel: TimeLabel, YLabel: "mean speed / U", Lines: []plot.Line{{Name: "asked for", X: at, Y: columns["speed_held"]}, {Name: "flow", X: at, Y: columns["speed"]}}},
		{XLabel: TimeLabel, YLabel: "force per mass / U²/L", Lines: []plot.Line{{Name: "force", X: at, Y: columns["body_force"]}}},
	})
}

package drawing

import (
	"lbmib/io/plot"
	"lbmib/io/table"
)

// PhaseTable has the means over the periods of bodies that swing, PhasePicture draws them.
const PhaseTable, PhasePicture = "phase.csv", "phase.png"

// mostPhased is how many bodies are drawn.
const mostPhased = 4

// Phases draws of each body, the first of many, the force over a period with what it spreads by and its fits, and the motion; false
// where the table has no rows.
func Phases(t *table.Table, path, title string) (drawn bool, err error) {
	names, err := Groups(t, "body")
	if err != nil || len(names) == 0 {
		return false, err
	}
	var panels []plot.Panel
	const axis = "phase / °"
	for _, name := range names[:min(len(names), mostPhased)] {
		c, err := Columns(t, "body", name, "phase", "displacement", "velocity", "force", "force_spread", "linear", "morison")
		if err != nil {
			return false, err
		}
		for i := range c { // a whole turn
			if len(c[i]) > 0 {
				c[i] = append(c[i], c[i][0])
			}
		}
		phase, force, spread := c[0], c[3], c[4]
		phase[len(phase)-1] = 360
		low, high := make([]float64, len(force)), make([]float64, len(force))
		for i := range force {
			low[i], high[i] = force[i]-spread[i], force[i]+spread[i]
		}
		panels = append(panels,
			plot.Panel{XLabel: axis, YLabel: name + ": force along its motion", Lines: []plot.Line{
				{Name: "± among periods", X: phase, Y: high, Low: low}, {Name: "mean", X: phase, Y: force}, {Name: "linear fit", X: phase, Y: c[5]}, {Name: "Morison's fit", X: phase, Y: c[6]},
			}},
			plot.Panel{XLabel: axis, YLabel: name + ": motion", Lines: []plot.Line{{Name: "displacement", X: phase, Y: c[1]}, {Name: "velocity", X: phase, Y: c[2]}}})
	}
	return true, plot.Panels(path, title+": means over periods", 2, panels)
}

package run

import (
	"fmt"
	"math"

	"lbmib/internal/finite"
	"lbmib/io/table"
)

// PortCells is what cells did at a port through which they enter or leave.
type PortCells struct {
	In         int           `json:"cells_in"`   // since the start
	Out        int           `json:"cells_out"`  // likewise
	Due        finite.Number `json:"cells_due"`  // at the end: cells that have to wait until there is room
	Hematocrit finite.Number `json:"hematocrit"` // of what flowed through the port in its window; null where nothing did
}

// portCells is what cells did at a port whose rows these are, in a window; nil where none enter or leave.
func portCells(t *table.Table, fed bool, port string, window [2]finite.Number) (*PortCells, error) {
	if !fed {
		return nil, nil
	}
	rows, err := t.Where("port", port)
	if err != nil {
		return nil, err
	}
	column := map[string][]float64{}
	for _, name := range []string{"t", "flow_rate", "cells_in", "cells_out", "cells_due", "cell_volume"} {
		if column[name], err = t.Float(name, rows); err != nil {
			return nil, err
		}
	}
	time, last := column["t"], len(column["t"])-1
	if last < 0 {
		return nil, nil
	}
	flowed, from, to := 0., -1, -1 // by the trapezoidal rule
	for i, at := range time {
		if at < float64(window[0]) || at > float64(window[1]) {
			continue
		}
		if from < 0 {
			from = i
		} else {
			flowed += (time[i] - time[i-1]) * (column["flow_rate"][i] + column["flow_rate"][i-1]) / 2
		}
		to = i
	}
	out := &PortCells{In: int(column["cells_in"][last]), Out: int(column["cells_out"][last]), Due: finite.Number(column["cells_due"][last]), Hematocrit: finite.Number(math.NaN())}
	if to > from && flowed != 0 {
		out.Hematocrit = finite.Number((column["cell_volume"][to] - column["cell_volume"][from]) / flowed)
	}
	return out, nil
}

// text is what the terminal tells.
func (c *PortCells) text() string {
	text := fmt.Sprintf("%d cells in and %d out", c.In, c.Out)
	if finite.Is(float64(c.Hematocrit)) {
		text += fmt.Sprintf(", haematocrit of what flows %.3g", float64(c.Hematocrit))
	}
	if c.Due >= 2 {
		text += fmt.Sprintf("; %.0f more were to enter, for which there was no room", math.Floor(float64(c.Due)))
	}
	return text
}

package run

import (
	"encoding/csv"
	"io"
	"strconv"

	"lbmib/internal/durable"
	"lbmib/internal/finite"
	"lbmib/io/statistics"
	"lbmib/io/table"
	"lbmib/run/drawing"
)

// phaseFile has means over the periods of bodies that swing.
const phaseFile = drawing.PhaseTable

// phases are how many there are in a period: every five degrees.
const phases = 72

// phaseColumns are those of phase.csv: by phase in degrees, 0 where the velocity's first harmonic is largest, means over periods and standard deviations
// among them of the motion along its direction, the force there over ½ρU² and the reference area with its two fits (of a rotation
// angle, spin and torque), and of the columns of forces.csv.
func phaseColumns(dim int) []string {
	c := []string{"body", "phase", "displacement", "velocity", "acceleration", "force", "force_spread", "linear", "morison"}
	for _, name := range loadColumns(dim) {
		c = append(c, name, name+"_spread")
	}
	return c
}

func loadColumns(dim int) []string {
	if dim == 3 {
		return []string{"fx", "fy", "fz", "tx", "ty", "tz"}
	}
	return []string{"fx", "fy", "tz"}
}

// phaseRows are the rows of a body; none where nothing was found.
func (s *swinging) phaseRows(body string, h *history, o *statistics.Oscillation, v *OscillationSummary, area float64) (rows [][]string) {
	if o.Periods == 0 {
		return nil
	}
	if s.of == "rotation" {
		area = 1
	}
	t, velocity, acceleration := o.Motion()
	rate := make([]float64, len(s.T)) // of the displacement, which is less the mean motion
	for i, v := range s.V {
		rate[i] = v - o.VelocityMean
	}
	x, _ := o.Phases(s.T, s.displaced(o), rate, phases)
	u, _ := o.Phases(t, velocity, acceleration, phases)
	a, _ := o.Phases(t, acceleration, nil, phases)
	columns := make([][]float64, 0, 16)
	columns = append(columns, x, u, a)
	add := func(y []float64, over float64) {
		mean, spread := o.Phases(h.T, y, nil, phases)
		for k := range mean {
			mean[k], spread[k] = mean[k]/over, spread[k]/over
		}
		columns = append(columns, mean, spread)
	}
	add(s.F, area)
	linear, morison := make([]float64, phases), make([]float64, phases)
	for k := range linear {
		linear[k] = o.Linear.At(u[k], a[k], false) / area
		morison[k] = o.Morison.At(u[k], a[k], true) / area
		if !finite.Is(float64(v.Cd)) {
			morison[k] = float64(v.Cd)
		}
	}
	columns = append(columns, linear, morison)
	for _, y := range h.ib {
		add(y, 1)
	}
	for _, y := range h.torque {
		add(y, 1)
	}
	for k := range phases {
		row := []string{body, strconv.FormatFloat(360*float64(k)/phases, 'g', -1, 64)}
		for _, c := range columns {
			cell := ""
			if finite.Is(c[k]) {
				cell = strconv.FormatFloat(c[k], 'g', 10, 64)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// writePhases writes phase.csv.
func writePhases(path string, dim int, rows [][]string) error {
	return durable.Write(path, func(to io.Writer) error {
		w := csv.NewWriter(to)
		if err := w.WriteAll(append([][]string{phaseColumns(dim)}, rows...)); err != nil {
			return err
		}
		return w.Error()
	})
}

// phasePicture draws the means of bodies that swing, if there are any.
func (r *results[T]) phasePicture(s *Summary) error {
	for _, b := range s.Bodies {
		if b.Oscillation == nil || b.Oscillation.Periods == 0 {
			continue
		}
		t, err := table.Read(r.Dir.File(phaseFile))
		if err == nil {
			_, err = drawing.Phases(t, r.Dir.File("plots", drawing.PhasePicture), r.Case.Title)
		}
		return err
	}
	return nil
}

package run

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"lbmib/internal/durable"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
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

// phased are the means of a body, by column behind the phase.
type phased struct {
	body, of string // translation | rotation
	area     float64
	columns  [][]float64
}

// phaseInSI are columns of phase.csv that are there in SI, too: of which of them, of bodies that swing how, and whether force is told over the reference area.
type phaseInSI struct {
	column, name string
	of           string // translation | rotation; empty: of both
	quantity     casefile.Quantity
	times        float64
	overArea     bool
}

// phasesInSI are those columns.
func phasesInSI(dim int) []phaseInSI {
	all := []phaseInSI{
		{"displacement", "displacement", "translation", casefile.Length, 1, false},
		{"velocity", "velocity", "translation", casefile.Velocity, 1, false},
		{"acceleration", "acceleration", "translation", casefile.Acceleration, 1, false},
		{"velocity", "velocity", "rotation", casefile.Spin, 1, false},
		{"acceleration", "acceleration", "rotation", casefile.RateSquared, 1, false},
	}
	for _, name := range []string{"force", "force_spread", "linear", "morison"} {
		all = append(all, phaseInSI{name, name, "translation", casefile.Force, 0.5, true})
	}
	for _, name := range []string{"force", "force_spread", "linear"} {
		all = append(all, phaseInSI{name, strings.Replace(name, "force", "torque", 1), "rotation", casefile.Torque, 0.5, false})
	}
	for _, name := range loadColumns(dim) {
		q := casefile.Force
		if name[0] == 't' {
			q = casefile.Torque
		}
		all = append(all, phaseInSI{name, name, "", q, 0.5, false}, phaseInSI{name + "_spread", name + "_spread", "", q, 0.5, false})
	}
	return all
}

// phaseRows are the means of a body; nil where nothing was found.
func (s *swinging) phaseRows(body string, h *history, o *statistics.Oscillation, v *OscillationSummary, area float64) *phased {
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
	return &phased{body: body, of: s.of, area: area, columns: columns}
}

// writePhases writes phase.csv: behind what is told of all cases the same in SI, where there are the anchors for it and a body that has it.
func writePhases(path string, u casefile.Units, all []*phased) error {
	head := phaseColumns(u.Dim)
	var si []phaseInSI
	for _, c := range phasesInSI(u.Dim) {
		if u.Anchored(c.quantity) && slices.ContainsFunc(all, func(p *phased) bool { return c.of == "" || c.of == p.of }) {
			si, head = append(si, c), append(head, c.name+"_"+u.Suffix(c.quantity))
		}
	}
	return durable.Write(path, func(to io.Writer) error {
		w := csv.NewWriter(to)
		if err := w.Write(head); err != nil {
			return err
		}
		for _, p := range all {
			for k := range phases {
				if err := w.Write(p.row(k, u, si)); err != nil {
					return err
				}
			}
		}
		w.Flush()
		return w.Error()
	})
}

// row is that of a phase.
func (p *phased) row(k int, u casefile.Units, si []phaseInSI) []string {
	cell := func(v float64) string {
		if !finite.Is(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 10, 64)
	}
	row := []string{p.body, cell(360 * float64(k) / phases)}
	for _, c := range p.columns {
		row = append(row, cell(c[k]))
	}
	names := phaseColumns(u.Dim)[2:]
	for _, c := range si {
		v := math.NaN()
		if c.of == "" || c.of == p.of {
			v, _ = u.ToSI(c.quantity, c.times*p.columns[slices.Index(names, c.column)][k])
			if c.overArea {
				v *= p.area
			}
		}
		row = append(row, cell(v))
	}
	return row
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

package report

import (
	"maps"
	"math"
	"slices"
	"strings"

	"lbmib/io/casefile"
)

// sample is what a summary says of a section, a port or a probe: means over a window.
type sample struct {
	FlowRate *float64   `json:"flow_rate_mean"` // none of a probe
	Velocity []float64  `json:"velocity_mean"`  // none of a port
	Pressure *float64   `json:"pressure_mean"`
	Drop     *float64   `json:"pressure_drop_mean"` // of a section or a port
	Window   []*float64 `json:"window"`

	FlowRateInterval *float64 `json:"flow_rate_interval"` // ± of the means
	PressureInterval *float64 `json:"pressure_interval"`
}

// pressureRange is what a summary says of the pressure of all nodes at the end.
type pressureRange struct {
	Min      float64 `json:"end_min"`
	MinPlace []any   `json:"end_min_place"`
	Max      float64 `json:"end_max"`
	MaxPlace []any   `json:"end_max_place"`
}

// heldFlow is what a summary says of a flow rate that is held.
type heldFlow struct {
	Axis     string  `json:"axis"`
	FlowRate float64 `json:"flow_rate_mean"`
	Speed    float64 `json:"speed_mean"`
	Force    float64 `json:"body_force_mean"`
}

// sampleRow is a section, a port or a probe in words.
type sampleRow struct{ Name, FlowRate, Velocity, Pressure, Window string }

// samples are sections, ports and then probes, the first of many.
func (d *Record) samples() (rows []sampleRow) {
	if d.Summary == nil || d.Summary.Status == "diverged" || d.Summary.Status == "failed" {
		return nil
	}
	flow := " UL"
	if d.dim() == 3 {
		flow = " UL²"
	}
	if f := d.Summary.Flow; f != nil {
		row := sampleRow{Name: "flow along " + f.Axis, FlowRate: d.figureOf(casefile.FlowRate, f.FlowRate) + flow + d.inSI(casefile.FlowRate, f.FlowRate)}
		row.Velocity = d.figureOf(casefile.Velocity, f.Speed) + " U" + d.inSI(casefile.Velocity, f.Speed) + ", held by " + d.figureOf(casefile.Acceleration, f.Force) + " U²/L" + d.inSI(casefile.Acceleration, f.Force)
		rows = append(rows, row)
	}
	for kind, all := range map[string]map[string]sample{"section": d.Summary.Sections, "port": d.Summary.Ports, "probe": d.Summary.Probes} {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			s := all[name]
			row := sampleRow{Name: kind + " " + name}
			if s.FlowRate != nil {
				row.FlowRate = d.figureOf(casefile.FlowRate, *s.FlowRate) + d.plusMinus(casefile.FlowRate, s.FlowRateInterval, *s.FlowRate) + flow + d.inSI(casefile.FlowRate, *s.FlowRate)
			}
			var words, si []any
			for _, v := range s.Velocity {
				v = d.units().Told(casefile.Velocity, 1, v)
				words = append(words, v)
				if x, ok := d.units().ToSI(casefile.Velocity, v); ok {
					si = append(si, x)
				}
			}
			if len(words) > 0 {
				row.Velocity = "(" + vector(words) + ") U"
			}
			if len(si) > 0 {
				row.Velocity += " = (" + quantity(si) + ") m/s"
			}
			if s.Pressure != nil {
				row.Pressure = d.figureOf(casefile.Pressure, *s.Pressure) + d.plusMinus(casefile.Pressure, s.PressureInterval, *s.Pressure) + " ρU²" + d.inSI(casefile.Pressure, *s.Pressure)
			}
			if s.Drop != nil {
				row.Pressure += ", " + d.figureOf(casefile.Pressure, *s.Drop) + " ρU²" + d.inSI(casefile.Pressure, *s.Drop) + " below the " + map[string]string{"section": "first section's", "port": "inlet's"}[kind]
			}
			if w := s.Window; len(w) == 2 && w[0] != nil && w[1] != nil {
				row.Window = figure(significant(*w[0], 4)) + "\u202f–\u202f" + figure(significant(*w[1], 4)) + " L/U"
			}
			rows = append(rows, row)
		}
	}
	order := "flow section port probe"
	slices.SortStableFunc(rows, func(a, b sampleRow) int {
		return strings.Index(order, strings.Fields(a.Name)[0]) - strings.Index(order, strings.Fields(b.Name)[0])
	})
	return rows[:min(len(rows), mostColumns)]
}

// plusMinus is the half width of a mean's interval, behind ±; empty where it is not known, or less than the four digits of the mean show.
func (d *Record) plusMinus(q casefile.Quantity, half *float64, mean float64) string {
	if half == nil {
		return ""
	}
	x := d.units().Told(q, 1, *half)
	if !(x > 0) || x < 5e-5*math.Abs(mean) {
		return ""
	}
	return " ± " + figure(significant(x, 2))
}

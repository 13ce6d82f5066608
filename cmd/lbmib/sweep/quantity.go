package sweep

import (
	"errors"
	"io/fs"
	"maps"
	"math"
	"slices"

	"lbmib/internal/finite"
	"lbmib/io/table"
	"lbmib/run"
)

// Quantity is a number that a run gave.
type Quantity struct {
	Of    string        `json:"of"`   // a body or a probe
	Name  string        `json:"name"` // as in summary.json, or a column of probes.csv
	Value finite.Number `json:"value"`

	probe bool    // of a probe or a section
	later bool    // its column stands behind those that there were before
	minor bool    // in files only: a coefficient of a body that moves freely, whose answer is its motion
	swing float64 // half of the range over the last tenth of the rows, where the value is that of the last
}

func (q Quantity) column() string { return q.Of + "." + q.Name }

// errorQuantity is the estimate of the error of cd_mean, as a part of it. Its columns are the last of all.
const errorQuantity = "cd_error"

// bodyQuantities are the statistics of all bodies, bodies by name.
func bodyQuantities(s *run.Summary) (all []Quantity) {
	for _, name := range slices.Sorted(maps.Keys(s.Bodies)) {
		b := s.Bodies[name]
		for _, q := range []Quantity{
			{Name: "cd_mean", Value: b.CdMean}, {Name: "cd_amplitude", Value: b.CdAmplitude},
			{Name: "cl_mean", Value: b.ClMean}, {Name: "cl_amplitude", Value: b.ClAmplitude}, {Name: "cl_rms", Value: b.ClRMS},
			{Name: "strouhal", Value: b.Strouhal}, {Name: "recirculation_length", Value: b.RecirculationLength},
			{Name: "along_mean", Value: along(&b)},
			{Name: "slip_max", Value: b.SlipMax}, {Name: "force_gap", Value: b.ForceGap}, {Name: "slip_granted", Value: b.SlipGranted},
			{Name: "wall_slip_outside", Value: b.WallSlip}, {Name: errorQuantity, Value: b.DragError},
		} {
			if q.Name == "strouhal" && q.Value == 0 { // nothing sheds
				q.Value = finite.Number(math.NaN())
			}
			q.Of, q.minor = name, isFree(&b)
			all = append(all, q)
		}
		for _, q := range append(motionQuantities(&b), statisticsQuantities(&b)...) {
			q.Of, q.later = name, true
			all = append(all, q)
		}
	}
	return append(all, sectionQuantities(s)...)
}

// isFree tells whether it is the flow that moves a body: such have no soft start.
func isFree(b *run.BodySummary) bool {
	return b.MotionStatistics != nil && math.IsNaN(float64(b.SoftStart))
}

// motionQuantities are the means of how a body moves; none of one at rest.
func motionQuantities(b *run.BodySummary) (all []Quantity) {
	m := b.MotionStatistics
	if m == nil {
		return nil
	}
	for a, v := range m.VelocityMean {
		all = append(all, Quantity{Name: "v" + "xyz"[a:a+1] + "_mean", Value: v})
	}
	switch spin := m.SpinMean.(type) { // a vector in space
	case finite.Number:
		all = append(all, Quantity{Name: "spin_mean", Value: spin})
	case float64: // as read from a file
		all = append(all, Quantity{Name: "spin_mean", Value: finite.Number(spin)})
	}
	if m.Frequency > 0 {
		for a, v := range m.PlaceAmplitude {
			all = append(all, Quantity{Name: "xyz"[a:a+1] + "_amplitude", Value: v})
		}
		all = append(all, Quantity{Name: "motion_frequency", Value: m.Frequency})
	}
	return all
}

// statisticsQuantities tell how good a body's statistics are.
func statisticsQuantities(b *run.BodySummary) []Quantity {
	converged := finite.Number(0)
	if b.Converged {
		converged = 1
	}
	return []Quantity{
		{Name: "cd_interval", Value: b.CdInterval, minor: isFree(b)}, {Name: "converged", Value: converged},
		{Name: "window_from", Value: b.Window[0]}, {Name: "window_to", Value: b.Window[1]},
	}
}

// sectionQuantities are the means of all sections, and of the flow that is held.
func sectionQuantities(s *run.Summary) (all []Quantity) {
	if f := s.Flow; f != nil {
		for _, q := range []Quantity{{Name: "speed_mean", Value: f.Speed}, {Name: "body_force_mean", Value: f.Force}} {
			q.Of, q.probe, q.later = "flow", true, true
			all = append(all, q)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Sections)) {
		x := s.Sections[name]
		of := []Quantity{{Name: "flow_rate_mean", Value: x.FlowRate}, {Name: "p_mean", Value: x.Pressure}}
		for a, v := range x.Velocity {
			of = append(of, Quantity{Name: "uvw"[a:a+1] + "_mean", Value: v})
		}
		for _, q := range of {
			q.Of, q.probe, q.later = name, true, true
			all = append(all, q)
		}
	}
	return all
}

// along is the mean force along the direction of the drag, where that is not +x.
func along(b *run.BodySummary) finite.Number {
	if b.Heading == "" {
		return finite.Number(math.NaN())
	}
	return b.Along
}

// probeColumns are the columns of probes.csv that sweep.csv has ever had.
var probeColumns = []string{"rho", "u", "v", "w"}

// lastOfProbes are the values of each probe's last row; none without the file.
func lastOfProbes(path string) (all []Quantity, err error) {
	t, err := table.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := t.Text("probe", nil)
	if err != nil {
		return nil, err
	}
	last := map[string]int{}
	var order []string
	for i, n := range names {
		if _, known := last[n]; !known {
			order = append(order, n)
		}
		last[n] = i
	}
	for _, column := range t.Columns[min(3, len(t.Columns)):] {
		if column == "t_s" {
			continue
		}
		v, err := t.Float(column, nil)
		if err != nil {
			return nil, err
		}
		for _, n := range order {
			all = append(all, Quantity{Of: n, Name: column, Value: finite.Number(v[last[n]]), probe: true, later: !slices.Contains(probeColumns, column), swing: swing(v, names, n)})
		}
	}
	slices.SortStableFunc(all, func(a, b Quantity) int { return slices.Index(order, a.Of) - slices.Index(order, b.Of) })
	return all, nil
}

// swing is half of the range of v over the last tenth of the rows of a name.
func swing(v []float64, names []string, name string) float64 {
	var own []float64
	for i, n := range names {
		if n == name {
			own = append(own, v[i])
		}
	}
	own = own[len(own)-(len(own)+9)/10:]
	return (slices.Max(own) - slices.Min(own)) / 2
}

// find is the value of a quantity of a run; NaN if it has none.
func (r *Run) find(of, name string) float64 {
	for _, q := range r.quantities {
		if q.Of == of && q.Name == name && !q.minor {
			return float64(q.Value)
		}
	}
	return math.NaN()
}

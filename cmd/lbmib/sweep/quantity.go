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

	probe bool
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
			q.Of = name
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
		v, err := t.Float(column, nil)
		if err != nil {
			return nil, err
		}
		for _, n := range order {
			all = append(all, Quantity{Of: n, Name: column, Value: finite.Number(v[last[n]]), probe: true, swing: swing(v, names, n)})
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
		if q.Of == of && q.Name == name {
			return float64(q.Value)
		}
	}
	return math.NaN()
}

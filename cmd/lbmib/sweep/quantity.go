package sweep

import (
	"errors"
	"io/fs"
	"math"
	"slices"

	"lbmib/internal/finite"
	"lbmib/io/table"
	"lbmib/run"
)

// Quantity is a number that a run gave.
type Quantity struct {
	Of    string        `json:"of"`   // a body, a cell, a probe …
	Name  string        `json:"name"` // as in summary.json, or a column of probes.csv
	Value finite.Number `json:"value"`

	probe bool // of what looks at the flow: a probe, a section, a port
	rank  int  // of its column
	minor bool // in files only: a coefficient of a body that moves freely, whose answer is its motion
	si    finite.Number
	unit  string  // of si, as at the end of names; empty: there is none
	swing float64 // half of the range over the last tenth of the rows, where the value is that of the last
}

func (q Quantity) column() string { return q.Of + "." + q.Name }

// errorQuantity is the estimate of the error of cd_mean, as a part of it. Its columns are the last of all.
const errorQuantity = "cd_error"

// isFree tells whether it is the flow that moves a body: such have no soft start.
func isFree(b *run.BodySummary) bool {
	return b.MotionStatistics != nil && math.IsNaN(float64(b.SoftStart))
}

// probeColumns are the columns of probes.csv that sweep.csv has ever had.
var probeColumns = []string{"rho", "u", "v", "w"}

// rankOfProbes is that of a column of probes.csv.
func rankOfProbes(column string) int {
	if slices.Contains(probeColumns, column) {
		return first
	}
	return later
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
		if column == "t_s" {
			continue
		}
		v, err := t.Float(column, nil)
		if err != nil {
			return nil, err
		}
		for _, n := range order {
			all = append(all, Quantity{Of: n, Name: column, Value: finite.Number(v[last[n]]), probe: true, rank: rankOfProbes(column), swing: swing(v, names, n)})
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

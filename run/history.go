package run

import (
	"math"
	"slices"

	"lbmib/io/statistics"
	"lbmib/io/table"
)

// history is what forces.csv holds of one body.
type history struct {
	statistics.History
	slip, wake []float64
	granted    []float64   // none in tables of versions that did not tell it
	cs         []float64   // the force along z over the frontal area; in 3D
	ib, cv     [][]float64 // the force by markers and by momentum balance, per axis
	torque     [][]float64 // about the centre, per axis; one in the plane
	outer      [][]float64 // and by the fluid outside; none in tables of versions that did not tell it
}

// readHistory reads a body's rows of forces.csv.
func readHistory(t *table.Table, body string, dim int) (h history, err error) {
	rows, err := t.Where("body", body)
	if err != nil {
		return h, err
	}
	for _, c := range []struct {
		name string
		into *[]float64
	}{{"t", &h.T}, {"cd", &h.Cd}, {"cl", &h.Cl}, {"slip_max", &h.slip}, {"recirculation", &h.wake}} {
		if *c.into, err = t.Float(c.name, rows); err != nil {
			return h, err
		}
	}
	if slices.Contains(t.Columns, "slip_granted") {
		if h.granted, err = t.Float("slip_granted", rows); err != nil {
			return h, err
		}
	}
	if dim == 3 {
		if h.cs, err = t.Float("cs", rows); err != nil {
			return h, err
		}
	}
	for _, axis := range []string{"tx", "ty", "tz"}[2*(3-dim):] {
		m, err := t.Float(axis, rows)
		if err != nil {
			return h, err
		}
		h.torque = append(h.torque, m)
	}
	h.ib, h.cv = make([][]float64, dim), make([][]float64, dim)
	for a := range h.ib {
		axis := "xyz"[a : a+1]
		if h.ib[a], err = t.Float("f"+axis, rows); err != nil {
			return h, err
		}
		if h.cv[a], err = t.Float("cv_f"+axis, rows); err != nil {
			return h, err
		}
		if name := "outer_f" + axis; slices.Contains(t.Columns, name) {
			outer, err := t.Float(name, rows)
			if err != nil {
				return h, err
			}
			h.outer = append(h.outer, outer)
		}
	}
	return h, nil
}

// gap is the difference of the mean forces over the larger of them.
func (h *history) gap(from, to float64) float64 {
	var difference, ib, cv float64
	for a := range h.ib {
		f, g := meanBetween(h.T, h.ib[a], from, to), meanBetween(h.T, h.cv[a], from, to)
		difference += (f - g) * (f - g)
		ib += f * f
		cv += g * g
	}
	return math.Sqrt(difference / math.Max(ib, cv))
}

// outerGap is the root mean square of what the force by markers and that by the fluid
// outside differ by, over that of the force. Unlike gap it does not vanish by
// construction: it is what the fluid inside does beyond moving with the body.
func (h *history) outerGap(from, to float64) float64 {
	if len(h.outer) < len(h.ib) {
		return math.NaN()
	}
	var difference, force float64
	for i, t := range h.T {
		if t < from || t > to {
			continue
		}
		for a := range h.ib {
			d := h.ib[a][i] - h.outer[a][i]
			difference += d * d
			force += h.ib[a][i] * h.ib[a][i]
		}
	}
	return math.Sqrt(difference / force)
}

// meanBetween is the mean of v over from ≤ t ≤ to; NaN if there is nothing.
func meanBetween(t, v []float64, from, to float64) float64 {
	sum, n := 0., 0
	for i := range t {
		if t[i] >= from && t[i] <= to {
			sum += v[i]
			n++
		}
	}
	return sum / float64(n)
}

func maxBetween(t, v []float64, from, to float64) float64 {
	worst := math.NaN()
	for i := range t {
		if t[i] >= from && t[i] <= to && !(v[i] <= worst) {
			worst = v[i]
		}
	}
	return worst
}

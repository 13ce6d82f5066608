package report

import (
	"strings"

	"lbmib/io/casefile"
)

// measured is what a number of a body is of, and how many of its reference unit: coefficients are over ½ρU². A Number of what
// is never a difference of larger ones.
func measured(key string) (q casefile.Quantity, times float64) {
	switch name := strings.TrimPrefix(key, "oscillation."); {
	case name == "velocity", name == "velocity_mean", strings.HasPrefix(name, "slip_"), name == "wall_slip_outside":
		return casefile.Velocity, 1
	case name == "spin_mean":
		return casefile.Spin, 1
	case strings.HasPrefix(name, "torque_"):
		return casefile.Torque, 0.5
	case name == "cd_error":
	case name == "along_mean", strings.HasPrefix(name, "force_") && name != "force_gap", strings.HasPrefix(name, "cd_"), strings.HasPrefix(name, "cl_"):
		return casefile.Force, 0.5
	}
	return casefile.Number, 1
}

// rounded is a number of a body, or several, with a 0 where the same in reference units is nothing but rounding.
func (d *Record) rounded(key string, v, reference any) any {
	q, times := measured(key)
	return zeroed(d.units(), q, times, v, reference)
}

func zeroed(u casefile.Units, q casefile.Quantity, times float64, v, reference any) any {
	switch x := v.(type) {
	case float64:
		if r, ok := reference.(float64); ok && u.Told(q, times, r) == 0 {
			return 0.
		}
	case []any:
		list, ok := reference.([]any)
		if !ok || len(list) != len(x) {
			return v
		}
		out := make([]any, len(x))
		for i := range x {
			out[i] = zeroed(u, q, times, x[i], list[i])
		}
		return out
	}
	return v
}

// figureOf is a number of a quantity, in its reference unit, with four digits: 0 where it is nothing but rounding.
func (d *Record) figureOf(q casefile.Quantity, reference float64) string {
	return figure(significant(d.units().Told(q, 1, reference), 4))
}

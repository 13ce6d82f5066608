package run

import (
	"math"
	"slices"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/statistics"
	"lbmib/io/table"
	"lbmib/run/setup"
)

// MotionStatistics are those of a body that moves, from bodies.csv, over a window that is found from its velocity as that of
// forces is from them, or begins where output.statistics says. Of rotation there is one number in the plane, and three in space.
type MotionStatistics struct {
	VelocityMean    []finite.Number  `json:"velocity_mean" si:"velocity"`     // U
	SpinMean        any              `json:"spin_mean" si:"spin"`             // radians per L/U
	PlaceAmplitude  []finite.Number  `json:"motion_amplitude" si:"length"`    // half of peak to peak along each axis, less the mean velocity, L
	AngleAmplitude  any              `json:"angle_amplitude"`                 // likewise, less the mean spin, radians
	Frequency       finite.Number    `json:"motion_frequency" si:"frequency"` // of the motion across the heading or, where that has none, along it, U/L; null without
	MotionWindow    [2]finite.Number `json:"motion_window" si:"time"`         // L/U
	MotionConverged bool             `json:"motion_converged"`
	MotionNote      string           `json:"motion_note,omitempty"`
}

// motionHistory is what bodies.csv holds of one body, by axis.
type motionHistory struct {
	t               []float64
	place, velocity [][]float64
	angle, spin     [][]float64 // one each in the plane
}

// readMotion reads a body's rows of bodies.csv.
func readMotion(t *table.Table, body string, dim int) (h motionHistory, err error) {
	rows, err := t.Where("body", body)
	if err != nil {
		return h, err
	}
	read := func(names ...string) (all [][]float64) {
		for _, name := range names {
			v, e := t.Float(name, rows)
			if err == nil {
				err = e
			}
			all = append(all, v)
		}
		return all
	}
	h.t = read("t")[0]
	h.place, h.velocity = read([]string{"x", "y", "z"}[:dim]...), read([]string{"vx", "vy", "vz"}[:dim]...)
	if dim == 2 {
		h.angle, h.spin = read("angle"), read("spin")
	} else {
		h.angle, h.spin = read("rx", "ry", "rz"), read("wx", "wy", "wz")
	}
	return h, err
}

// statistics are those of a history; nil where it is too short for any.
func (h *motionHistory) statistics(to setup.Heading, from float64) *MotionStatistics {
	if len(h.t) < 2 {
		return nil
	}
	across := h.velocity[1]
	if to.Axis == 1 {
		across = h.velocity[0]
	}
	a := statistics.Analyse(statistics.History{T: h.t, Cd: h.velocity[to.Axis], Cl: across}, from, 1)
	m := &MotionStatistics{MotionWindow: [2]finite.Number{finite.Number(a.From), finite.Number(a.To)}, MotionConverged: a.Converged,
		MotionNote: strings.NewReplacer("drag", "the velocity along "+to.String(), "lift", "the velocity across it", "the forces are", "the motion is", "the forces", "the motion").Replace(a.Note)}
	m.Frequency = finite.Number(math.NaN())
	if a.Periods > 0 {
		m.Frequency = finite.Number(float64(a.Periods) / (a.To - a.From))
	}
	means := func(of [][]float64) (all []finite.Number) {
		for _, v := range of {
			all = append(all, finite.Number(statistics.Over(h.t, v, a.From, a.To).Mean))
		}
		return all
	}
	swings := func(of [][]float64, less []finite.Number) (all []finite.Number) {
		for k, v := range of {
			rest := slices.Clone(v)
			for i := range rest {
				rest[i] -= float64(less[k]) * h.t[i]
			}
			all = append(all, finite.Number(statistics.Over(h.t, rest, a.From, a.To).Amplitude))
		}
		return all
	}
	m.VelocityMean = means(h.velocity)
	m.PlaceAmplitude = swings(h.place, m.VelocityMean)
	spin := means(h.spin)
	m.SpinMean = oneOrAll(spin)
	if len(h.angle) == 1 {
		m.AngleAmplitude = swings(h.angle, spin)[0]
	} else { // a rotation vector jumps at half turns: about its axis it does not grow evenly
		m.AngleAmplitude = swings(h.angle, make([]finite.Number, len(h.angle)))
	}
	return m
}

// oneOrAll is the number of a list of one, and a longer list as it is.
func oneOrAll(v []finite.Number) any {
	if len(v) == 1 {
		return v[0]
	}
	return v
}

// all is a number or several.
func all(v any) []finite.Number {
	switch v := v.(type) {
	case finite.Number:
		return []finite.Number{v}
	case []finite.Number:
		return v
	case [2]finite.Number:
		return v[:]
	case float64: // as JSON has it
		return []finite.Number{finite.Number(v)}
	case []any:
		var list []finite.Number
		for _, x := range v {
			list = append(list, all(x)...)
		}
		return list
	}
	return nil
}

package run

import (
	"fmt"
	"strings"

	"lbmib/geometry/kinematics"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/observe"
)

// PressureSummary are the least and the largest pressure of all nodes, those inside bodies included, over the looks at all nodes since
// output.statistics.from, and at the end. Pressures are in ρU² against the reference density.
type PressureSummary struct {
	Min      finite.Number   `json:"min" si:"pressure"`
	MinTime  finite.Number   `json:"min_time" si:"time"`    // L/U
	MinPlace []finite.Number `json:"min_place" si:"length"` // L
	Max      finite.Number   `json:"max" si:"pressure"`
	MaxTime  finite.Number   `json:"max_time" si:"time"`
	MaxPlace []finite.Number `json:"max_place" si:"length"`

	EndMin      finite.Number   `json:"end_min" si:"pressure"` // of the last state
	EndMinPlace []finite.Number `json:"end_min_place" si:"length"`
	EndMax      finite.Number   `json:"end_max" si:"pressure"`
	EndMaxPlace []finite.Number `json:"end_max_place" si:"length"`

	// The rigid body in which a place lies, where there is one: what fills it is no part of the flow around it. Over the run it is told of bodies that do not move.
	MinInside    string `json:"min_inside,omitempty"`
	MaxInside    string `json:"max_inside,omitempty"`
	EndMinInside string `json:"end_min_inside,omitempty"`
	EndMaxInside string `json:"end_max_inside,omitempty"`

	SI InSI `json:"si,omitempty"`
}

// pressure tells of peaks over the run and at its end; nil where there are none.
func (r *results[T]) pressure(all, end *observe.PressurePeaks) *PressureSummary {
	if all == nil || end == nil {
		return nil
	}
	place := func(p observe.Peak) []finite.Number { return numbers(p.Place[:r.Flow.Lattice.Dim]) }
	inside := func(p observe.Peak, atEnd bool) string {
		return observe.InBody(r.Problem, p.Place, func(body int) (kinematics.State, bool) {
			b := r.Bodies[body]
			return b.State(), atEnd || !b.Moving()
		})
	}
	return &PressureSummary{
		MinInside: inside(all.Least, false), MaxInside: inside(all.Most, false), EndMinInside: inside(end.Least, true), EndMaxInside: inside(end.Most, true),
		Min: finite.Number(all.Least.Pressure), MinTime: finite.Number(all.Least.Time), MinPlace: place(all.Least),
		Max: finite.Number(all.Most.Pressure), MaxTime: finite.Number(all.Most.Time), MaxPlace: place(all.Most),
		EndMin: finite.Number(end.Least.Pressure), EndMinPlace: place(end.Least),
		EndMax: finite.Number(end.Most.Pressure), EndMaxPlace: place(end.Most),
	}
}

// write prints it.
func (v *PressureSummary) write(b *strings.Builder, u casefile.Units) {
	if v == nil {
		return
	}
	one := func(p finite.Number, place []finite.Number, inside string) string {
		text := told(u, casefile.Pressure, p) + " ρU²" + equals(siText(u, casefile.Pressure, 1, p))
		if u.Told(casefile.Pressure, 1, float64(p)) != 0 { // where rounding is largest says nothing
			text += " at " + list(place) + " L"
			if inside != "" {
				text += ", inside " + inside
			}
		}
		return text
	}
	text := "pressure at the end " + one(v.EndMin, v.EndMinPlace, v.EndMinInside) + " to " + one(v.EndMax, v.EndMaxPlace, v.EndMaxInside)
	if v.Min < v.EndMin || v.Max > v.EndMax {
		text += fmt.Sprintf("; over the run %s, t = %.4g L/U, to %s, t = %.4g L/U", one(v.Min, v.MinPlace, v.MinInside), float64(v.MinTime), one(v.Max, v.MaxPlace, v.MaxInside), float64(v.MaxTime))
	}
	wrapped(b, "  ", text)
}

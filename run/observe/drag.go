package observe

import (
	"math"
	"slices"

	"lbmib/io/statistics"
	"lbmib/io/table"
	"lbmib/run/setup"
)

// DragLook is the time, in L/U, between looks at the mean drag.
const DragLook = 2

// Along is a history of drag, lift and, in space, side force as a heading has it: the drag of what it returns is the force along the heading, and the lift
// one across it. Windows of statistics are found from it.
func Along(h statistics.History, cs []float64, to setup.Heading) statistics.History {
	turned := h
	switch to.Axis {
	case 1:
		turned.Cd, turned.Cl = h.Cl, h.Cd
	case 2:
		turned.Cd = cs
	}
	if to.Sign < 0 {
		negative := make([]float64, len(turned.Cd))
		for i, v := range turned.Cd {
			negative[i] = -v
		}
		turned.Cd = negative
	}
	return turned
}

// dragStop ends a run when the mean drag of a body is known as well as the case asks for: that of summary.json, over the window
// that the run would have if it ended now.
type dragStop struct {
	every   int64 // steps between looks; 0: the run does not end by it
	body    string
	part    float64 // of the mean, that half of its confidence interval is to be below
	history statistics.History
	cs      []float64 // the side force, in space
	heading setup.Heading
	length  float64 // of the body, L
	from    float64 // output.statistics.from
}

func newDragStop(p *setup.Problem) (d dragStop) {
	c := p.Case
	if c.Run.StopCd <= 0 {
		return d
	}
	d = dragStop{every: c.StepsOf(DragLook), body: c.Run.StopBody, part: c.Run.StopCd, from: c.Output.Statistics.From}
	for i, b := range p.Bodies {
		if b.Name == d.body {
			d.length, d.heading = b.Shape.Length()/c.Reference.Resolution, setup.HeadingOf(c, &c.Bodies[i])
			d.history.Response = d.length * d.length / c.Reference.Viscosity
		}
	}
	return d
}

func (d *dragStop) due(step int64) bool { return d.every > 0 && step%d.every == 0 }

// add takes the coefficients of a body at a time: drag, lift and, in space, side force.
func (d *dragStop) add(body string, t float64, c []float64) {
	if h := &d.history; d.every > 0 && body == d.body {
		h.T, h.Cd, h.Cl = append(h.T, t), append(h.Cd, c[0]), append(h.Cl, c[1])
		d.cs = append(d.cs, c[2:]...)
	}
}

// isKnown tells whether the confidence interval of the mean drag is narrow enough.
func (d *dragStop) isKnown() bool {
	w := statistics.Analyse(Along(d.history, d.cs, d.heading), d.from, d.length)
	if w.Instead { // the given window has not enough samples yet
		return false
	}
	i := w.DragOf(d.history)
	return i.HalfWidth <= d.part*math.Abs(i.Mean)
}

// resume reads the coefficients so far back from forces.csv.
func (d *dragStop) resume(path string) error {
	if d.every == 0 {
		return nil
	}
	t, err := table.Read(path)
	if err != nil {
		return err
	}
	rows, err := t.Where("body", d.body)
	if err != nil {
		return err
	}
	h := &d.history
	for _, c := range []struct {
		name string
		into *[]float64
	}{{"t", &h.T}, {"cd", &h.Cd}, {"cl", &h.Cl}, {"cs", &d.cs}} {
		if c.name == "cs" && !slices.Contains(t.Columns, c.name) { // in the plane
			continue
		}
		if *c.into, err = t.Float(c.name, rows); err != nil {
			return err
		}
	}
	return nil
}

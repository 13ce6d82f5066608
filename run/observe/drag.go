package observe

import (
	"math"

	"lbmib/io/casefile"
	"lbmib/io/statistics"
	"lbmib/io/table"
)

// DragLook is the time, in L/U, between looks at the mean drag.
const DragLook = 2

// dragStop ends a run when the mean drag of a body is known as well as the case asks for.
type dragStop struct {
	every   int64 // steps between looks; 0: the run does not end by it
	body    string
	part    float64 // of the mean, that half of its confidence interval is to be below
	history statistics.History
}

func newDragStop(c *casefile.Case) (d dragStop) {
	if c.Run.StopCd > 0 {
		d = dragStop{every: c.StepsOf(DragLook), body: c.Run.StopBody, part: c.Run.StopCd}
	}
	return d
}

func (d *dragStop) due(step int64) bool { return d.every > 0 && step%d.every == 0 }

// add takes the coefficients of a body at a time.
func (d *dragStop) add(body string, t, cd, cl float64) {
	if h := &d.history; d.every > 0 && body == d.body {
		h.T, h.Cd, h.Cl = append(h.T, t), append(h.Cd, cd), append(h.Cl, cl)
	}
}

// isKnown tells whether the confidence interval of the mean drag is narrow enough.
func (d *dragStop) isKnown() bool {
	i := statistics.MeanDrag(d.history)
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
	}{{"t", &h.T}, {"cd", &h.Cd}, {"cl", &h.Cl}} {
		if *c.into, err = t.Float(c.name, rows); err != nil {
			return err
		}
	}
	return nil
}

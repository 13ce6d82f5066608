package run

import (
	"fmt"
	"math"

	"lbmib/internal/finite"
	"lbmib/run/check"
	"lbmib/run/observe"
)

// keepCautions puts into the summary what was told before the run and what the flow has told since.
func (r *run[T]) keepCautions(s *Summary) {
	s.Cautions = []string{}
	granted := func(i int) float64 {
		if v, ok := s.Bodies[r.Bodies[i].Name]; ok {
			return v.slipMean
		}
		return math.NaN()
	}
	for _, m := range check.RemarksOn(r.Problem, granted) {
		s.Cautions = append(s.Cautions, m.String())
	}
	if ma := float64(s.MachMax); ma > check.MachCaution && ma > 1.2*r.Units.Mach*check.Fastest(r.Case) {
		for _, text := range check.CompressionText(r.Problem, ma, float64(s.DensityDeviation)) {
			s.Cautions = append(s.Cautions, "caution: "+text)
		}
	}
	var walls grouped
	for i, b := range r.Bodies {
		v, ok := s.Bodies[b.Name]
		if !ok {
			continue
		}
		if v.calm != "" {
			s.Cautions = append(s.Cautions, fmt.Sprintf("caution: body %q: %s", b.Name, v.calm))
		}
		v.DragError = finite.Number(check.DragError(r.Problem, i, v.slipMean))
		l := check.LayerOf(r.Problem, i)
		thin := l != nil && l.Verdict != check.OK // the correction would let the fluid slip along it
		if v.wallText = observe.WallSlipText(float64(v.WallSlip), r.Coupling.Offset == 0 && !thin); v.wallText != "" {
			walls.add(r.Case.Bodies[i].Key, b.Name, v.wallText, math.Abs(float64(v.WallSlip)))
		}
		s.Bodies[b.Name] = v
	}
	for _, w := range walls {
		s.Cautions = append(s.Cautions, fmt.Sprintf("caution: at the wall of body %q %s%s", w.name, w.text, w.others()))
	}
	if text := check.NoiseText(r.Problem, float64(s.GridNoise)); text != "" { // forces mean nothing, nor does an estimate of their error
		for name, v := range s.Bodies {
			v.DragError = finite.Number(math.NaN())
			s.Bodies[name] = v
		}
		s.Cautions = append(s.Cautions, "unsafe: "+text)
		r.checks.warn("%s", text)
	}
}

// grouped are cautions about bodies, those about copies of a table together.
type grouped []group

// group is the worst of them.
type group struct {
	key, name, text string
	worst           float64
	more            int // others
}

// add takes in a caution about a body of a table.
func (g *grouped) add(key, name, text string, how float64) {
	for k := range *g {
		of := &(*g)[k]
		if of.key != key {
			continue
		}
		of.more++
		if how > of.worst {
			of.name, of.text, of.worst = name, text, how
		}
		return
	}
	*g = append(*g, group{key, name, text, how, 0})
}

// others tells how many there are beside the worst.
func (g *group) others() string {
	if g.more == 0 {
		return ""
	}
	return fmt.Sprintf("; its %d other copies are not worse", g.more)
}

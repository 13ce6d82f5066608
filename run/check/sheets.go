package check

import (
	"fmt"
	"math"

	"lbmib/hybrid/flexible"
	"lbmib/internal/finite"
	"lbmib/run/setup"
)

// SheetReport is a sheet.
type SheetReport struct {
	Nodes  [2]int           `json:"nodes"`            // along its sides
	Edge   [2]finite.Number `json:"edge_nodes"`       // how far they are apart, in nodes of the lattice
	Period finite.Number    `json:"period"`           // of its slowest vibration with the fluid about it, L/U; null without stiffness and weight
	Steps  *Judged          `json:"steps_per_period"` // of time in that; null likewise
	Moves  *Judged          `json:"nodes_per_step"`   // by which it moves with a speed of U, over how far its nodes are apart
}

// What sheets ask for beside what lines do.
var passLimits = limits{Caution: 0.2, unsafe: none, why: "above %g: in a step nodes move by more than that part of the distance between them, more than the solver follows; lower reference.velocity, or give a wider spacing"}

// sheetOf is body i as a sheet; nil if it is none.
func sheetOf(p *setup.Problem, i int) *SheetReport {
	s, ok := p.Bodies[i].Structure.(*flexible.Sheet)
	if !ok {
		return nil
	}
	c := s.Config()
	r := &SheetReport{Nodes: c.Nodes, Period: finite.Number(math.NaN())}
	longest := 0.
	for a, h := range c.Spacing {
		r.Edge[a] = finite.Number(h)
		longest = math.Max(longest, h*float64(c.Nodes[a]-1))
	}
	r.Moves = judged(p.Units.ToLatticeVelocity(1)/math.Min(c.Spacing[0], c.Spacing[1]), passLimits)
	scales := s.Plate.Scales(fluidBeside(longest))
	if !math.IsInf(scales.Period, 0) {
		r.Period, r.Steps = finite.Number(scales.Period*p.Units.Dt), judged(scales.Period, periodLimits)
	}
	return r
}

// fluidBeside is about the mass per area of the fluid that moves with waves of a length of 4L, 2/k.
func fluidBeside(length float64) float64 { return 2 * (4 * length) / (2 * math.Pi) }

// writeSheet prints a sheet.
func (p *page) writeSheet(s *SheetReport) {
	p.row("sheet", fmt.Sprintf("%d x %d nodes, %.3g and %.3g apart", s.Nodes[0], s.Nodes[1], float64(s.Edge[0]), float64(s.Edge[1])))
	p.judged("moves", fmt.Sprintf("%.2g of the distance of its nodes in a step, with a speed of U", float64(s.Moves.Value)), *s.Moves)
	if s.Steps != nil {
		p.judged("slowest mode", fmt.Sprintf("period about %.3g L/U with the added mass of the fluid, %s steps", float64(s.Period), count(math.Round(float64(s.Steps.Value)))), *s.Steps)
	}
}

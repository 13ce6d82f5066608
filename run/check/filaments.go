package check

import (
	"fmt"
	"math"

	"lbmib/hybrid/flexible"
	"lbmib/internal/finite"
	"lbmib/run/setup"
)

// LineReport is a line that bends.
type LineReport struct {
	Nodes  int           `json:"nodes"`
	Edge   finite.Number `json:"edge_nodes"`         // length of a segment in nodes of the lattice
	Thick  finite.Number `json:"thickness_nodes"`    // 0: the fluid feels it along the line
	Beyond finite.Number `json:"mass_beyond_fluid"`  // mass per length beyond the fluid that it displaces, ρL^(d−1)
	Period finite.Number `json:"period"`             // of its slowest vibration with the fluid about it, L/U; null without stiffness and weight
	Steps  *Judged       `json:"steps_per_period"`   // of time in that; null likewise
	Thread bool          `json:"thread"`             // in space: as wide as the delta makes it
	Faces  *Judged       `json:"nodes_across_faces"` // thickness, judged; null of one without
}

// What lines ask for. BDF2 takes 1 % of an amplitude in a period of 34 steps; faces nearer than the supports
// of two markers are felt as one.
var (
	periodLimits = limits{Caution: 34, unsafe: none, least: true, why: "below %g: the step in time takes more than 1 %% of a vibration's amplitude in a period; lower reference.velocity"}
	facesLimits  = limits{Caution: 3, unsafe: none, least: true, why: "below %g nodes: markers on both faces reach the same nodes; raise reference.resolution, or leave thickness out"}
)

// lineOf is body i as a line that bends; nil if it is none.
func lineOf(p *setup.Problem, i int) *LineReport {
	f, ok := p.Bodies[i].Structure.(*flexible.Filament)
	if !ok {
		return nil
	}
	n := f.Line.Len()
	length := 0.
	for k := range n {
		length += f.Line.Share(k)
	}
	r := &LineReport{Nodes: n, Edge: finite.Number(length / float64(n-1)), Thick: finite.Number(f.Thickness),
		Thread: p.Flow.Lattice.Dim == 3, Beyond: finite.Number(f.Config().Mass / math.Pow(p.Case.Reference.Resolution, float64(p.Flow.Lattice.Dim-1)))}
	if f.Thickness > 0 {
		r.Faces = judged(f.Thickness, facesLimits)
	}
	scales := f.Line.Scales(f.Thickness + fluidAlong(p, length))
	r.Period = finite.Number(math.NaN())
	if !math.IsInf(scales.Period, 0) {
		r.Period, r.Steps = finite.Number(scales.Period*p.Units.Dt), judged(scales.Period, periodLimits)
	}
	return r
}

// fluidAlong is about the mass per length of the fluid that moves with a line: in the plane, with waves of length 4L, 2/k; in
// space that of a cylinder two nodes wide, as deltas make it.
func fluidAlong(p *setup.Problem, length float64) float64 {
	if p.Flow.Lattice.Dim == 2 {
		return 2 * (4 * length) / (2 * math.Pi)
	}
	return math.Pi
}

// writeLine prints a line that bends.
func (p *page) writeLine(l *LineReport) {
	text := fmt.Sprintf("%d nodes %.3g apart, mass beyond the fluid's %.3g", l.Nodes, float64(l.Edge), float64(l.Beyond))
	p.row("line", text)
	if l.Faces != nil {
		p.judged("thickness", fmt.Sprintf("%.3g nodes", float64(l.Thick)), *l.Faces)
	}
	if l.Thread {
		p.remark("the flow sees a thread in space as thick as the delta, a node or two, whatever its own thickness: forces on it depend on reference.resolution")
	}
	if l.Steps != nil {
		p.judged("slowest mode", fmt.Sprintf("period about %.3g L/U with the added mass of the fluid, %s steps", float64(l.Period), count(math.Round(float64(l.Steps.Value)))), *l.Steps)
	}
}

package check

import (
	"fmt"
	"math"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// layerCosting is what layers of so many nodes, length/√Re, have cost in the drag of cylinders: linear between
// the rows, and that of the first and last beyond. Spheres, and cylinders at lower Re, lose less.
type layerCosting struct {
	costs []struct{ nodes, drag float64 }
	// Layers of fewer nodes are judged; at the former drag has lost 3 %, at the latter 15 %.
	caution, unsafe float64
	why             string // takes the bound, the error of drag in words, and the remedy
}

// layersCorrected are those of Re 100 and 300 (docs/method.md, 2): the correction of the smeared
// wall takes the velocity for linear over the delta's width.
var layersCorrected = layerCosting{
	costs:   []struct{ nodes, drag float64 }{{0.6, 0.5}, {0.8, 0.31}, {1, 0.15}, {1.2, 0.08}, {1.5, 0.03}, {2, 0.005}},
	caution: 1.5, unsafe: 1,
	why: "fewer than %%g: fluid slips along walls whose boundary layer is so thin, and %s, amplitudes of the lift by two to four times as much; %s",
}

// layersSmeared are those without the correction, beside the wall that is felt too far out, which raises drag: from the same
// table at 0.8 nodes and more; at 0.6, Re = 300 on 10 nodes was 12 to 17 % low and 1,000 on 20 nodes 21 to 28 %; at 0.3, 1,000 on
// 10 nodes 46 % with Smagorinsky's model and 64 % without; at 0.2 to 0.02, 10⁴ to 10⁶ on 20 nodes with the model, about half
// (recursive, 12 × 8 D, against C_D of Henderson, Phys. Fluids 7 (1995) 2102, and of experiments from 10⁴ on, times 1.14 for the walls).
var layersSmeared = layerCosting{
	costs:   []struct{ nodes, drag float64 }{{0.3, 0.5}, {0.6, 0.22}, {0.8, 0.1}, {1.2, 0.03}, {1.6, 0.01}, {2, 0.005}},
	caution: 1.2, unsafe: 0.7,
	why: "fewer than %%g: the delta smears a boundary layer that is so thin over its width, and %s, amplitudes of the lift by two to four times as much; %s",
}

// layersOf are those for walls that are corrected or not.
func layersOf(corrected bool) *layerCosting {
	if corrected {
		return &layersCorrected
	}
	return &layersSmeared
}

// of is the part of drag that a layer of so many nodes costs.
func (l *layerCosting) of(nodes float64) float64 {
	cost := l.costs[0].drag
	for i, c := range l.costs[1:] {
		if before := l.costs[i]; nodes > before.nodes {
			cost = before.drag + (c.drag-before.drag)*math.Min(1, (nodes-before.nodes)/(c.nodes-before.nodes))
		}
	}
	return cost
}

// thinReason is why a layer beside a plate or line without thickness is judged, whose loss of drag is not that of cylinders.
// A flag whose layer was of 1.4 nodes stopped flapping where one of 2.8 nodes flapped (cases/templates/flag.toml at 20 and 40 nodes per L).
const thinReason = "fewer than %%g: the flow along a plate or line is not resolved, forces on it come out too low, and one that bends may not flap; %s"

// limits are the bounds on a layer beside which drag has such an error, in words; empty: it is of a plate or line without thickness.
func (l *layerCosting) limits(drag, remedy string) limits {
	if drag == "" {
		return limits{Caution: l.caution, unsafe: l.unsafe, least: true, why: fmt.Sprintf(thinReason, remedy)}
	}
	return limits{Caution: l.caution, unsafe: l.unsafe, least: true, why: fmt.Sprintf(l.why, strings.ReplaceAll(drag, "%", "%%"), remedy)}
}

// layersFor are those for the walls of the case.
func layersFor(p *setup.Problem) *layerCosting { return layersOf(p.Coupling.Offset != 0) }

// LayerOf is the thickness of body i's boundary layer, length/√Re in nodes, or that of the layer
// that the body or the flow makes as it swings, √(2ν/ω), where it is thinner; nil where Re < 1 or the flow
// along the body is the same from end to end, and nothing swings.
func LayerOf(p *setup.Problem, i int) *Judged { return layerOf(p, i, math.Inf(1), math.NaN()) }

// layerOf is LayerOf with a reason that knows how many nodes per L the machine holds, and the slip that is granted
// (NaN: not known): its error of drag is that of DragError.
func layerOf(p *setup.Problem, i int, holds, granted float64) *Judged {
	nodes := layerNodes(p, i)
	if math.IsInf(nodes, 1) {
		return nil
	}
	costing := layersFor(p)
	if nodes >= costing.caution {
		return &Judged{Value: finite.Number(nodes), Verdict: OK}
	}
	return judged(nodes, costing.limits(dragText(p, i, granted), finer(p.Case, wantedNodes(p, i), holds)))
}

// layerNodes is the thickness of body i's layer; infinite where there is none.
func layerNodes(p *setup.Problem, i int) float64 {
	b := p.Bodies[i]
	nu, n := p.Case.Reference.Viscosity, p.Case.Reference.Resolution
	nodes := math.Inf(1)
	if length := b.Shape.Length() / n; length > nu && !p.IsDeveloped(i) {
		nodes = n * math.Sqrt(nu*length)
	}
	if f := p.Swiftest(i); f > 0 { // Stokes' second problem
		nodes = math.Min(nodes, n*math.Sqrt(nu/(math.Pi*f)))
	}
	return nodes
}

// wantedNodes is the resolution, in nodes per L, on which the layer of body i is as thick as in proposals, at least
// half as many again as now.
func wantedNodes(p *setup.Problem, i int) float64 {
	n := p.Case.Reference.Resolution
	return roundUp(math.Max(1.5*n, n*aims[0].layer/layerNodes(p, i)))
}

// finer says to take a finer grid or, where the machine does not hold it, that it does not.
func finer(c *casefile.Case, wanted, holds float64) string {
	if wanted > holds {
		return fmt.Sprintf("a grid that resolves it has about %.4g nodes per L, of which this machine's memory holds %.4g at most", wanted, math.Floor(holds))
	}
	return "raise reference.resolution"
}

// plateEddies judges a plate whose wall is corrected beside an eddy viscosity; nil of other bodies.
// The numbers are those of a test (hybrid/wall_test.go) with C²|S|/ν of 0.04, 0.3 and 1.4.
func plateEddies(p *setup.Problem, i int) *Judged {
	les := p.Flow.Collision.Smagorinsky
	if les == 0 || p.Coupling.Offset == 0 || !p.Bodies[i].Shape.Open() {
		return nil
	}
	reason := "with fluid on both sides: where the velocity gradients at its sides differ, the wall acts in front of its markers on the side of the smaller one: where that is half the other, by 0.03 nodes at an eddy viscosity of 0.04 ν, by 0.18 at 0.3 ν and by 0.44 at 1.4 ν: lower fluid.les.constant, or raise reference.resolution"
	if p.Coupling.Delta == "hat2" {
		reason += "; with hat2 by 0.02, 0.07 and 0.1 where they are equal, too: use ib.delta = \"roma3\""
	}
	return &Judged{finite.Number(les), Caution, reason}
}

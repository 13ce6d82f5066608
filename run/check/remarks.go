package check

import (
	"fmt"
	"math"

	"lbmib/internal/finite"
	"lbmib/run/setup"
)

// Errors of drag, in parts of it, by what is known to cause them.
const (
	machError = 0.01 // at Ma = machOf: drag of cylinders and spheres was that much too high, as Ma²
	machOf    = 0.173
	// A wall that is not corrected is felt ib.Offset nodes too far out: 5 % at 20 nodes.
	smearError = 1.
	// Bodies in space feel a layer that is not resolved a quarter as much as cylinders across a stream.
	compact = 0.25
	// Errors that are told.
	ErrorTold = 0.03
)

// grantedCosts are what so much slip along the wall, granted by its correction, cost in the drag
// of cylinders (docs/method.md, 2).
var grantedCosts = []struct{ slip, drag float64 }{{0, 0}, {0.17, 0.002}, {0.23, 0.03}, {0.26, 0.06}, {0.3, 0.11}, {0.41, 0.31}, {0.48, 0.53}}

// costOf is the cost of a slip, linear between the rows, and at most that of the last.
func costOf(slip float64) float64 {
	for i, c := range grantedCosts[1:] {
		if b := grantedCosts[i]; slip <= c.slip {
			return b.drag + (c.drag-b.drag)*(slip-b.slip)/(c.slip-b.slip)
		}
	}
	return grantedCosts[len(grantedCosts)-1].drag
}

// machCost is the error of drag that compressibility brings.
func machCost(ma float64) float64 { return machError * (ma / machOf) * (ma / machOf) }

// DragError estimates the error of the drag of body i, as a part of it: by the nodes along its
// length, the boundary layer or, where its wall is corrected and the flow has told it, the slip that is granted (U, a mean over markers and time; else NaN),
// and the Mach number. That of a flow that is not steady, or sheds, is one of its mean; lift varies by two
// to four times as much. NaN of plates and lines without thickness: what is known of it is that of cylinders and spheres.
func DragError(p *setup.Problem, i int, granted float64) float64 {
	if p.Case.Bodies[i].Shape.Thin() {
		return math.NaN()
	}
	nodes := p.Bodies[i].Shape.Length()
	e := machCost(p.Units.Mach * Fastest(p.Case))
	share := 1.
	if p.Flow.Lattice.Dim == 3 && !p.Case.Bodies[i].Shape.Extruded() {
		share = compact
	}
	if p.Coupling.Offset == 0 { // a wall too far out raises drag, a layer too thin lowers it: the larger of both
		return e + math.Max(smearError/nodes, share*layerError(p, i))
	}
	e += 1 / (nodes * nodes)
	if FromSlip(p, granted) {
		return e + share*costOf(granted)
	}
	return e + share*layerError(p, i)
}

// DragWords tell an error of drag, as a part of it, and what it was estimated from: the slip that the flow has told, or else the boundary layer as
// the case has it. They are the same before, during and after a run. Nothing is said of the sign: cylinders whose layers are not
// resolved lose drag (docs/method.md, 2), other bodies were seen to gain it.
func DragWords(e float64, fromSlip bool) string {
	from := "boundary layer"
	if fromSlip {
		from = "mean slip along its wall"
	}
	return fmt.Sprintf("drag is off by about %.2g %%, estimated from nodes, %s and Mach number", 100*e, from)
}

// dragText are those of body i; empty where nothing is known.
func dragText(p *setup.Problem, i int, granted float64) string {
	e := DragError(p, i, granted)
	if !finite.Is(e) {
		return ""
	}
	return DragWords(e, FromSlip(p, granted))
}

// FromSlip reports whether DragError goes by such a slip.
func FromSlip(p *setup.Problem, granted float64) bool {
	return p.Coupling.Offset != 0 && finite.Is(granted)
}

// layerError is the part of its drag that the layer of body i costs, less where Re of its length is below 100.
func layerError(p *setup.Problem, i int) float64 {
	nodes := layerNodes(p, i)
	if math.IsInf(nodes, 1) {
		return 0
	}
	length := p.Units.FromLatticeLength(p.Bodies[i].Shape.Length())
	return layersFor(p).of(nodes) * math.Min(1, length/p.Case.Reference.Viscosity/100)
}

// NoiseMost is the share of node-scale variation from which on a field is called noise. White
// noise has 0.35, waves two nodes long 1, those of eight nodes 0.001; streets, jets, cavities
// and decaying vortices that are resolved have less than 0.005 (docs/method.md, 6).
const NoiseMost = 0.05

// NoiseText is what to tell of a state of a problem with such a share; empty where it is small.
func NoiseText(p *setup.Problem, share float64) string {
	if !(share > NoiseMost) {
		return ""
	}
	return fmt.Sprintf("%.2g of the velocity's variation is of the scale of the grid (white noise has 0.35, a resolved flow less than 0.005): the field is noise, and forces mean nothing: %s", share, besideModelText(p.Case, roomOf(p)))
}

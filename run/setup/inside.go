package setup

import "lbmib/ib"

// startsRinging is how many periods of the sound inside a start takes that leaves little of it:
// of its amplitude after a start at once 0.92, 0.7, 0.38, 0.07 and 0.006 are left after 0.34,
// 0.68, 1.0, 1.7 and 3.4 of them (a cylinder of 20 nodes in a stream, Re = 100).
const startsRinging = 2

// Rings tells whether the fluid inside body i rings for several D/U: the body starts within less
// than two periods of the sound inside, and moves relative to the flow by more than 0.01 U then. A
// motion that begins at rest makes none. How a body that moves freely starts is its inertia's.
func (p *Problem) Rings(i int) bool {
	b := p.Bodies[i]
	if p.InsideOf(i) != "free" || b.IsMovedByFluid() || b.Moves >= startsRinging*b.RingingPeriod() {
		return false
	}
	jump, _ := p.jump(b, p.Initial())
	return jump > startsAtRest*p.Units.ToLatticeVelocity(1)
}

// InsideOf is what the fluid inside body i is: damped or free; none where there is none, or it is the flow.
func (p *Problem) InsideOf(i int) string {
	b := p.Bodies[i]
	if p.Case.Bodies[i].Fluid != "outside" || b.Shape.Open() {
		return "none"
	}
	if !b.Damped {
		return "free"
	}
	if delta, err := ib.NewDelta[float64](p.Coupling.Delta); err == nil && b.IsDamped(delta.Support()) {
		return "damped"
	}
	return "free"
}

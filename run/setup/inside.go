package setup

import (
	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/io/casefile"
)

// startsRinging is how many periods of the sound inside a start takes that leaves little of it:
// of its amplitude after a start at once 0.92, 0.7, 0.38, 0.07 and 0.006 are left after 0.34,
// 0.68, 1.0, 1.7 and 3.4 of them (a cylinder of 20 nodes in a stream, Re = 100).
const startsRinging = 2

// damps tells whether the fluid inside a body is to be made to move with it. With "auto" it is
// where the case says how fast the body starts, and that is so fast, while it moves relative to
// the flow there, that sound rings inside for several D/U. A motion that begins at rest makes
// none. How a body that moves freely starts is its inertia's.
func (p *Problem) damps(b *hybrid.Body, given *casefile.Body) bool {
	if given.Fluid != "outside" {
		return false
	}
	switch p.Case.IB.Inside {
	case "damped":
		return true
	case "auto":
		if b.Free != nil || p.Case.Run.SoftStart == casefile.AutoSoftStart || b.Moves >= startsRinging*b.RingingPeriod() {
			return false
		}
		jump, _ := p.jump(b, p.Initial())
		return jump > startsAtRest*p.Units.ToLatticeVelocity(1)
	}
	return false
}

// InsideOf is what the fluid inside body i is: damped or free; empty where there is none, or it is the flow.
func (p *Problem) InsideOf(i int) string {
	b := p.Bodies[i]
	if p.Case.Bodies[i].Fluid != "outside" || b.Shape.Open() {
		return ""
	}
	if delta, err := ib.NewDelta[float64](p.Coupling.Delta); err == nil && b.IsDamped(delta) {
		return "damped"
	}
	return "free"
}

// Damped are the names of the bodies of which it is to be.
func (p *Problem) Damped() (names []string) {
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil {
		return nil
	}
	for _, b := range p.Bodies {
		if b.HasDamping(delta) {
			names = append(names, b.Name)
		}
	}
	return names
}

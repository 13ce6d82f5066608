package setup

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
)

// Looks is at how many times of a run a motion is looked at. Rates that are integrated
// are so from the beginning, step by step: over integrated steps of all bodies together,
// which takes some tenths of a second, but at least over a few of each.
const (
	Looks          = 400
	Farthest       = 1e6
	integrated     = 400_000
	leastIntegrals = 1000
)

// speedAt is a speed and the step of it.
type speedAt struct{ speed, at float64 }

// FastestOf is FastestMarker of body i, found once for all copies of a table, which move
// alike.
func (p *Problem) FastestOf(i int) (fastest, at float64) {
	p.FindEnds()
	key := p.Case.Bodies[i].Key
	f, known := p.fastest[key]
	if !known {
		f.speed, f.at = FastestMarker(p.Bodies[i], p.Ends[i])
		p.fastest[key] = f
	}
	return f.speed, f.at
}

// FindEnds finds up to which step each body's motion is looked at: to the end of the
// run or, whichever is first, of a period of one that comes again, of what is integrated
// at most, or Farthest. Together they are followed as far as all of them are known, or
// over the period that they have in common.
func (p *Problem) FindEnds() {
	if p.Ends != nil {
		return
	}
	tracks := 0
	for i := range p.Case.Bodies {
		tracks += p.Case.Bodies[i].Motion.Integrals()
	}
	whole := math.Min(float64(p.Steps), Farthest)
	known, periods, common := whole, 0., true // the longest period, and whether it is that of all
	p.Ends, p.fastest = make([]float64, len(p.Bodies)), map[string]speedAt{}
	for i := range p.Bodies {
		m := &p.Case.Bodies[i].Motion
		p.Ends[i] = whole
		if m.Integrals() > 0 {
			p.Ends[i] = math.Min(whole, math.Max(leastIntegrals, math.Floor(integrated/float64(tracks))))
			known = math.Min(known, p.Ends[i])
		}
		if m.Type != "prescribed" {
			continue
		}
		period := math.Ceil(p.Units.ToLatticeTime(m.Period()))
		if period > 0 {
			p.Ends[i] = math.Min(whole, period)
		}
		common = common && period > 0 && (periods == 0 || period == periods)
		periods = period
	}
	p.Followed = known
	if common && periods > 0 {
		p.Followed = math.Min(known, periods)
	}
}

// FastestMarker is the largest speed, in lattice units, of a moving body's markers
// that is known before a run, and the step of it: over the run where its motion is
// prescribed, up to step end, at its release where it is free.
func FastestMarker(b *rigid.Body, end float64) (fastest, at float64) {
	reach, center := 0., b.Shape.Center()
	for _, x := range b.Markers.X {
		reach = math.Max(reach, x.Sub(center).Norm())
	}
	look := func(velocity, spin geometry.Vec, t float64) {
		if v := velocity.Norm() + spin.Norm()*reach; v > fastest {
			fastest, at = v, t
		}
	}
	switch {
	case b.Structure != nil: // at rest
		return 0, 0
	case b.Free != nil:
		look(b.Free.Velocity, b.Free.Spin, b.Free.Release)
		return fastest, at
	}
	for k := range Looks + 1 {
		t := math.Floor(end * float64(k) / Looks)
		s := b.Motion.At(t)
		look(s.Velocity, s.Spin, t)
	}
	return fastest, at
}

package setup

import (
	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/io/casefile"
)

// loads are the forces from outside on a cell, in lattice units.
func (p *Problem) loads(given []casefile.EndLoad, cell *flexible.Cell) []flexible.Load {
	var all []flexible.Load
	for _, l := range given {
		axis, upper := l.Axis()
		load := flexible.Load{Points: cell.Outermost(axis, upper, l.Part), Ramp: p.Units.ToLatticeTime(l.Ramp)}
		var force geometry.Vec
		for a, f := range l.Force {
			force[a] = p.Units.ToLatticeForce(f)
		}
		load.Each = force.Scale(1 / float64(len(load.Points)))
		all = append(all, load)
	}
	return all
}

package flexible

import (
	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/ring"
)

// MostStiffness is the K Δt/(ρνΔx) that membranes may have at most, whatever the delta, up to which what moves vertices along them is smoothed.
const MostStiffness = 12

// SlipRounds is how often the force per area f along a cell is smoothed where it moves vertices by e f/(ρν), and the K Δt/(ρνΔx) up to which that is stable.
func (c *Cell) SlipRounds(e float64) (rounds int, stiffness float64) {
	switch {
	case c.Membrane != nil:
		m := c.Membrane.Mesh()
		return elastic.Rounds(m.Area()/float64(m.Vertices()), e, MostStiffness)
	case c.Ring != nil:
		return ring.Rounds(c.Ring.Length()/float64(c.Ring.Vertices()), e, MostStiffness)
	}
	return 0, MostStiffness
}

// Slip has the vertices of all cells, whose velocities have been set, slip along them: perForce, e/(ρν), is what deltas take of their velocities for each force per area that acts along a
// cell; e is the same in all calls. over is the viscosity at a place over that of ν; nil: 1. Smooth cells, which reproduce a method without, do not slip. What interpolation makes of the
// fluid's flux through a closed surface, which has none, is taken away evenly along its normals, so that the volume enclosed stays.
func (s *System) Slip(e, perForce float64, over func(geometry.Vec) float64) {
	s.slip.per, s.slip.over = perForce, over
	if s.slip.all == nil {
		workers := s.loops.Workers()
		s.slip.rounds = map[kind]int{}
		for _, c := range s.Cells {
			if k := s.kinds[c.Kind()]; s.slip.rounds[k] == 0 {
				s.slip.rounds[k], _ = c.SlipRounds(e)
			}
		}
		s.slip.all = func(w int) {
			for i := w; i < len(s.slipping); i += workers {
				b := &s.slipping[i]
				b.kind.slip(b.cells, w, s.slip.rounds[b.kind], &s.slip)
			}
		}
	}
	s.loops.Run(s.vertices, s.slip.all)
}

// slip is what a loop over blocks does to their vertices.
type slip struct {
	per    float64
	over   func(geometry.Vec) float64
	rounds map[kind]int
	all    func(worker int)
}

// move moves a vertex of a cell by the force per area along it there.
func (s *slip) move(c *Cell, v int, f geometry.Vec) {
	per, u := s.at(c.x[v]), &c.u[v]
	u[0], u[1], u[2] = u[0]+per*f[0], u[1]+per*f[1], u[2]+per*f[2]
}

func (k *meshed) slip(cells []*Cell, worker, rounds int, s *slip) {
	r := &k.room[worker]
	packCells(r.x, cells, (*Cell).Points)
	packCells(r.f, cells, (*Cell).Force)
	k.membrane.Along(r.scratch, r.x, r.f, r.u, rounds, len(cells))
	if s.over != nil {
		s.thin(cells, r.u)
	}
	u := r.f // forces are not needed any more
	packCells(u, cells, (*Cell).Velocities)
	k.membrane.Slide(r.scratch, u, r.u, s.per)
	for v := range cells[0].u {
		at := elastic.Row(u, v)
		for lane, c := range cells {
			if !c.away {
				c.u[v] = geometry.Vec{at[lane], at[elastic.Lanes+lane], at[2*elastic.Lanes+lane]}
			}
		}
	}
}

// thin divides the forces per area f along cells by the viscosity at their vertices.
func (s *slip) thin(cells []*Cell, f []float64) {
	for lane, c := range cells {
		if c.away {
			continue
		}
		for v, x := range c.x {
			at, over := elastic.Row(f, v), s.over(x)
			for a := lane; a < len(at); a += elastic.Lanes {
				at[a] /= over
			}
		}
	}
}

// enclose takes away, evenly, how fast velocities make what a cell encloses grow: normals are those of vertices, with what moving along them makes of it.
func (c *Cell) enclose(normals func(v int) (geometry.Vec, float64)) {
	flux, all := 0., 0.
	for v, u := range c.u {
		n, growth := normals(v)
		flux += growth * n.Dot(u)
		all += growth
	}
	for v := range c.u {
		n, _ := normals(v)
		c.u[v] = c.u[v].Sub(n.Scale(flux / all))
	}
}

func (k *ringed) slip(cells []*Cell, worker, rounds int, s *slip) {
	for _, c := range cells {
		for v, f := range k.room[worker].along.Find(c.x, c.force, rounds) {
			s.move(c, v, f)
		}
		c.enclose(func(v int) (geometry.Vec, float64) { return k.ring.Normal(c.x, v) })
	}
}

package flexible

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/ring"
)

// NewRing is a cell at rest in the plane: a ring as drawn about the centroid of what it encloses, which is put to center. turn is about z.
func NewRing(name string, r *ring.Ring, center geometry.Vec, turn geometry.Mat) (*Cell, error) {
	if center[2] != 0 || turn[2] != (geometry.Vec{0, 0, 1}) {
		return nil, fmt.Errorf("flexible: ring %q: its centre has z = %v and its turn's last row is %v, must be 0 and (0, 0, 1): a ring lies in the plane z = 0", name, center[2], turn[2])
	}
	return newCell(Cell{Name: name, Ring: r, Center: center, Turn: turn, surface: outline{r}}, r.Vertices(), r.Vertices())
}

// outline is the surface of rings.
type outline struct{ ring *ring.Ring }

func (s outline) key() any { return s.ring }

func (s outline) start(c *Cell) {
	for v := range c.x {
		c.x[v] = s.ring.Point(v)
	}
	origin := s.ring.Measure(c.x).Center
	for v, x := range c.x {
		c.x[v] = c.Turn.Apply(x.Sub(origin)).Add(c.Center)
	}
}

func (s outline) velocity(c *Cell) geometry.Vec { return s.ring.Velocity(c.x, c.u) }

func (s outline) measure(c *Cell) elastic.Measure {
	m := s.ring.Measure(c.x)
	out := elastic.Measure{Area: m.Length, Volume: m.Area, Center: m.Center, Deformation: m.Deformation, Inclination: m.Inclination}
	copy(out.Axes[:], m.Axes[:])
	return out
}

func (s outline) energy(c *Cell) elastic.Energy {
	e := s.ring.Energy(c.x)
	return elastic.Energy{Membrane: e.Membrane, Bending: e.Bending, Area: e.Length, Volume: e.Area}
}

func (s outline) rest() (area, volume float64) { return s.ring.Length(), s.ring.Area() }

// areas of a vertex are half of the segments beside it.
func (s outline) areas(c *Cell) []float64 {
	areas := make([]float64, len(c.x))
	for v := range areas {
		next := (v + 1) % len(areas)
		half := s.ring.Point(next).Sub(s.ring.Point(v)).Norm() / 2
		areas[v] += half
		areas[next] += half
	}
	return areas
}

func (s outline) moduli() (shear, bending float64) {
	m := s.ring.Material()
	return m.Shear, m.Bending
}

func (s outline) works(_, workers int) kind { return &ringed{s.ring, make([]ringedRoom, workers)} }

// ringed is rings: every vertex moves with the fluid and has a force.
type ringed struct {
	ring *ring.Ring
	room []ringedRoom // of each worker
}

type ringedRoom struct {
	along  ring.Along
	solver *ringedSolver // of implicit cells; nil: none yet
}

func (k *ringed) together() int { return 1 }

func (k *ringed) forces(cells []*Cell, _ int, inspect bool) fault {
	for _, c := range cells {
		k.ring.Forces(c.x, c.u, c.force)
		sum := 0.
		for _, f := range c.force {
			sum += f[0] + f[1]
		}
		if !inspect && sum-sum == 0 {
			continue
		}
		if err := k.ring.Inspect(c.x); err != nil {
			return fault{c, err}
		}
		if sum-sum != 0 { // of forces too large for numbers
			return fault{c, fmt.Errorf("ring: forces are not finite: use a smaller time step or velocity, or a softer ring")}
		}
	}
	return fault{}
}

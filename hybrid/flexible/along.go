package flexible

import (
	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/ring"
)

// Along is a worker's room to find what acts along cells' surfaces.
type Along struct {
	ofMesh elastic.Along
	ofRing ring.Along
}

// MostStiffness is the K Δt/(ρνΔx) that membranes may have at most, whatever the delta, up to which tractions that move vertices are smoothed.
const MostStiffness = 12

// SlipRounds is how often the traction f of a cell is smoothed where it moves vertices by e f/(ρν), and the K Δt/(ρνΔx) up to which that is stable.
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

// Traction is the force per area that acts along the surface of a cell where it is now, at its vertices, smoothed so often. It stays until w is used
// again; nil of smooth cells, whose reproduction has none.
func (c *Cell) Traction(w *Along, rounds int) []geometry.Vec {
	switch {
	case c.Membrane != nil:
		return w.ofMesh.Find(c.Membrane.Mesh(), c.x, c.force, rounds)
	case c.Ring != nil:
		return w.ofRing.Find(c.x, c.force, rounds)
	}
	return nil
}

package setup

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// Grid is the lattice of a case: where its nodes are in the domain, and across periodic faces.
type Grid struct {
	Case  *casefile.Case
	Units casefile.Units
	Flow  lbm.Config
	Moved [3]int // nodes that the domain has moved by along each axis since t = 0, with a body that it follows
}

// Corner is the lower corner of the domain where it is now, in L.
func (g *Grid) Corner() (x [3]float64) {
	for a := range x {
		x[a] = g.Case.Domain.Origin[a] + float64(g.Moved[a])/g.Case.Reference.Resolution
	}
	return x
}

// Node is the place of a point in L in node coordinates: the domain, where it is now, begins at
// its face, half a node before node 0.
func (g *Grid) Node(x [3]float64) (n [3]float64) {
	for a := range g.Flow.Lattice.Dim {
		n[a] = (x[a]-g.Case.Domain.Origin[a])*g.Case.Reference.Resolution - 0.5 - float64(g.Moved[a])
	}
	return n
}

// Place is the inverse of Node.
func (g *Grid) Place(n [3]float64) (x [3]float64) {
	for a := range g.Flow.Lattice.Dim {
		x[a] = (n[a]+0.5+float64(g.Moved[a]))/g.Case.Reference.Resolution + g.Case.Domain.Origin[a]
	}
	return x
}

// wrapped is a node whose coordinates may lie beyond periodic faces, within the domain; ok is false
// beyond others.
func (g *Grid) wrapped(q [3]int) (node [3]int, ok bool) {
	for a := range g.Flow.Lattice.Dim {
		n := g.Flow.Size[a]
		if q[a] < 0 || q[a] >= n {
			if !g.Flow.Periodic(a) {
				return q, false
			}
			q[a] = (q[a]%n + n) % n
		}
	}
	return q, true
}

// image is the copy of a point across periodic faces that is nearest to another.
func (g *Grid) image(x, to geometry.Vec) geometry.Vec {
	for a := range g.Flow.Lattice.Dim {
		if n := float64(g.Flow.Size[a]); g.Flow.Periodic(a) {
			x[a] -= n * math.Round((x[a]-to[a])/n)
		}
	}
	return x
}

// Apart is the way from one point to another, the shortest across periodic faces.
func (g *Grid) Apart(from, to geometry.Vec) geometry.Vec {
	d := to.Sub(from)
	for a := range g.Flow.Lattice.Dim {
		if n := float64(g.Flow.Size[a]); g.Flow.Faces[2*a].Kind == lbm.Periodic {
			d[a] -= n * math.Round(d[a]/n)
		}
	}
	return d
}

// inDomain refuses a body that is larger than the domain, before it is covered with
// markers: a surface in millimetres read as metres takes all memory.
func (g *Grid) inDomain(name string, s geometry.Shape) error {
	lo, hi := s.Bounds()
	for a := range g.Flow.Lattice.Dim {
		res := g.Case.Reference.Resolution
		if !(hi[a]-lo[a] <= float64(g.Flow.Size[a])+1) {
			return fmt.Errorf("body %q is %.4g L long along %s, the domain %.4g L: make it smaller (a surface from a file by its scale), or enlarge domain.size", name, (hi[a]-lo[a])/res, "xyz"[a:a+1], float64(g.Flow.Size[a])/res)
		}
	}
	return nil
}

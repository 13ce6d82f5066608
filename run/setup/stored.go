package setup

import (
	"errors"
	"io/fs"
	"math"

	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/exit"
)

// StoredFlow is an initial state that another run wrote: velocity and, if the file
// has it, density at every node, linear between nodes.
type StoredFlow struct {
	path     string
	dense    bool // the file has the density
	velocity []float32
	density  []float32
	flow     *lbm.Config
	speed    float64 // lattice velocity that stands for U
}

// findStored looks whether the file of the initial state fits the case. It reads
// no values.
func findStored(d *Domain) (*StoredFlow, error) {
	s := &StoredFlow{path: d.Case.Domain.Initial.Path, flow: &d.Flow, speed: d.Units.ToLatticeVelocity(1)}
	if err := vtkhdf.CheckField(s.path, "velocity", d.Flow.Size, 3); err != nil {
		return nil, d.Case.Errorf("domain.initial.path", "%v", err)
	}
	switch err := vtkhdf.CheckField(s.path, "density", d.Flow.Size, 1); {
	case err == nil:
		s.dense = true
	case !errors.Is(err, fs.ErrNotExist):
		return nil, d.Case.Errorf("domain.initial.path", "%v", err)
	}
	return s, nil
}

// Read reads the values, if there is a file.
func (s *StoredFlow) Read(d *Domain) (err error) {
	if s == nil {
		return nil
	}
	if s.velocity, err = vtkhdf.ReadField(s.path, "velocity", s.flow.Size, 3); err == nil && s.dense {
		s.density, err = vtkhdf.ReadField(s.path, "density", s.flow.Size, 1)
	}
	if err != nil {
		return exit.AsBadCase(d.Case.Errorf("domain.initial.path", "%v", err))
	}
	for n, rho := range s.density {
		if !(rho > 0) {
			return exit.AsBadCase(d.Case.Errorf("domain.initial.path", "%s: the density at node %v is %v, it must be positive: take the file of an earlier time", s.path, s.flow.Position(n), rho))
		}
	}
	return nil
}

// Bytes is the memory that the state takes, and reading it.
func (s *StoredFlow) Bytes(d *Domain) int64 {
	if s == nil {
		return 0
	}
	return 8 * 4 * int64(d.Flow.Nodes()) // four values, which 2D files hold twice
}

// At is density and velocity, in lattice units, at a place in node coordinates.
// Beyond the outermost nodes of axes that are not periodic it goes on straight, so
// that differences across a node are those of its neighbours.
func (s *StoredFlow) At(x [3]float64) (rho float64, u [3]float64) {
	c := s.flow
	var below, above [3]int
	var frac [3]float64
	for a := range c.Lattice.Dim {
		n := c.Size[a]
		if n == 1 {
			continue
		}
		i := int(math.Floor(x[a]))
		if c.Periodic(a) {
			below[a], above[a] = (i%n+n)%n, ((i+1)%n+n)%n
		} else {
			i = min(max(i, 0), n-2)
			below[a], above[a] = i, i+1
		}
		frac[a] = x[a] - float64(i)
	}
	for corner := range 1 << c.Lattice.Dim {
		p, w := below, 1.
		for a := range c.Lattice.Dim {
			if corner>>a&1 == 1 {
				p[a], w = above[a], w*frac[a]
			} else {
				w *= 1 - frac[a]
			}
		}
		node := c.Node(p)
		for a := range c.Lattice.Dim {
			u[a] += w * s.speed * float64(s.velocity[3*node+a])
		}
		if s.dense {
			rho += w * float64(s.density[node])
		}
	}
	if !s.dense {
		rho = 1
	}
	return rho, u
}

// Package run turns a case into a finished run directory: it sets up fluid
// and bodies in lattice units, steps them, and lets observers write what the
// case asks for. It is what the commands of lbmib share.
package run

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/backend"
)

// problem is a case in lattice units.
type problem struct {
	cas      *casefile.Case
	units    casefile.Units
	flow     lbm.Config
	bodies   []*hybrid.Body
	coupling hybrid.CouplingConfig
	steps    int64            // to be done
	needs    *backend.Needs   // of memory; nil: not yet known
	resuming bool             // from a checkpoint, which is in memory for a while
	stored   *storedFlow      // the initial state, if it is that of a file
	shapesOn casefile.Lattice // see lattice
	surfaces map[string]*casefile.Mesh
	ends     []float64          // of each body: the step up to which a check looks for its speed
	followed float64            // up to which bodies are followed
	driven   *[]drive           // what swings in time; nil: not looked for yet
	samples  int                // of what varies, over the run
	fastest  map[string]speedAt // of the bodies of each table: the fastest marker up to then, in nodes per step
}

// newProblem translates a case. Errors point into the case file. Nothing that
// grows with the domain is allocated unless the case has solids.
func newProblem(c *casefile.Case) (*problem, error) {
	p := &problem{cas: c, units: c.Units(), steps: c.Run.Steps}
	var err error
	if p.flow, err = bulk(c); err != nil {
		return nil, err
	}
	for i := range 2 * p.flow.Lattice.Dim {
		p.flow.Faces[i] = p.face(i)
	}
	if err := p.flow.Validate(); err != nil {
		return nil, c.Errorf("domain", "%v", err)
	}
	if c.Domain.Initial.Type == "file" {
		if p.stored, err = findStored(p); err != nil {
			return nil, err
		}
	}
	if err := p.setBodies(); err != nil {
		return nil, err
	}
	return p, nil
}

// node is the place of a point in L in node coordinates: the domain begins at
// its face, half a node before node 0.
func (p *problem) node(x [3]float64) (n [3]float64) {
	for a := range p.flow.Lattice.Dim {
		n[a] = (x[a]-p.cas.Domain.Origin[a])*p.cas.Reference.Resolution - 0.5
	}
	return n
}

// place is the inverse of node.
func (p *problem) place(n [3]float64) (x [3]float64) {
	for a := range p.flow.Lattice.Dim {
		x[a] = (n[a]+0.5)/p.cas.Reference.Resolution + p.cas.Domain.Origin[a]
	}
	return x
}

// markSolids sets the mask of nodes inside the case's solids.
func (p *problem) markSolids() error {
	if len(p.cas.Solids) == 0 {
		return nil
	}
	p.flow.Solid = make([]bool, p.flow.Nodes())
	for i, solid := range p.cas.Solids {
		inside, err := solid.Shape.Inside(p.lattice())
		if err != nil {
			return p.cas.Errorf(fmt.Sprintf("solid.%d.shape", i), "%v", err)
		}
		marked := 0
		for n := range p.flow.Solid {
			x := p.flow.Position(n)
			if inside(geometry.Vec{float64(x[0]), float64(x[1]), float64(x[2])}) {
				p.flow.Solid[n] = true
				marked++
			}
		}
		if marked == 0 {
			return p.cas.Errorf(fmt.Sprintf("solid.%d.shape", i), "solid %q holds no node of the lattice: make it larger or raise reference.resolution", solid.Name)
		}
	}
	return nil
}

// Package setup translates a case into lattice units: the fluid with its faces and solids, the
// bodies with their markers and motions, where they go, how fast they are and what swings in
// time, and the parts of the domain that outputs are made of. It allocates no lattice.
package setup

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/backend"
)

// Problem is a case in lattice units, complete once New returns: what is found later, from how
// bodies move, is kept so that it is found once. Lengths are in nodes, times in steps.
type Problem struct {
	Case     *casefile.Case
	Units    casefile.Units
	Flow     lbm.Config
	Bodies   []*rigid.Body
	Coupling hybrid.CouplingConfig
	Steps    int64            // to be done
	Needs    *backend.Needs   // of memory; nil: not yet known
	Resuming bool             // from a checkpoint, which is in memory for a while
	Earlier  backend.Decision // where the run that is resumed was computed; nothing for another one
	Stored   *StoredFlow      // the initial state, if it is that of a file
	initial  func(n [3]float64) (rho float64, u [3]float64)
	shapesOn casefile.Lattice // see lattice
	surfaces map[string]*casefile.Mesh
	Ends     []float64          // of each body: the step up to which a check looks for its speed
	Followed float64            // up to which bodies are followed
	driven   *[]Drive           // what swings in time; nil: not looked for yet
	samples  int                // of what varies, over the run
	fastest  map[string]speedAt // of the bodies of each table: the fastest marker up to then, in nodes per step
}

// New translates a case. Errors point into the case file. Nothing that
// grows with the domain is allocated unless the case has solids.
func New(c *casefile.Case) (*Problem, error) {
	p := &Problem{Case: c, Units: c.Units(), Steps: c.Run.Steps}
	var err error
	if p.Flow, err = Bulk(c); err != nil {
		return nil, err
	}
	for i := range 2 * p.Flow.Lattice.Dim {
		p.Flow.Faces[i] = p.Face(i)
	}
	if err := p.Flow.Validate(); err != nil {
		return nil, c.Errorf("domain", "%v", err)
	}
	if c.Domain.Initial.Type == "file" {
		if p.Stored, err = findStored(p); err != nil {
			return nil, err
		}
	}
	p.initial = p.initialState()
	if err := p.setBodies(); err != nil {
		return nil, err
	}
	return p, nil
}

// Node is the place of a point in L in node coordinates: the domain begins at
// its face, half a node before node 0.
func (p *Problem) Node(x [3]float64) (n [3]float64) {
	for a := range p.Flow.Lattice.Dim {
		n[a] = (x[a]-p.Case.Domain.Origin[a])*p.Case.Reference.Resolution - 0.5
	}
	return n
}

// Place is the inverse of Node.
func (p *Problem) Place(n [3]float64) (x [3]float64) {
	for a := range p.Flow.Lattice.Dim {
		x[a] = (n[a]+0.5)/p.Case.Reference.Resolution + p.Case.Domain.Origin[a]
	}
	return x
}

// MarkSolids sets the mask of nodes inside the case's solids.
func (p *Problem) MarkSolids() error {
	if len(p.Case.Solids) == 0 {
		return nil
	}
	p.Flow.Solid = make([]bool, p.Flow.Nodes())
	for i, solid := range p.Case.Solids {
		inside, err := solid.Shape.Inside(p.lattice())
		if err != nil {
			return p.Case.Errorf(fmt.Sprintf("solid.%d.shape", i), "%v", err)
		}
		marked := 0
		for n := range p.Flow.Solid {
			x := p.Flow.Position(n)
			if inside(geometry.Vec{float64(x[0]), float64(x[1]), float64(x[2])}) {
				p.Flow.Solid[n] = true
				marked++
			}
		}
		if marked == 0 {
			return p.Case.Errorf(fmt.Sprintf("solid.%d.shape", i), "solid %q holds no node of the lattice: make it larger or raise reference.resolution", solid.Name)
		}
	}
	return nil
}

// SteadyBound is the bound on |∂u/∂t| at which the run stops, in U²/L: that of the case or, where the
// flow is slower than viscosity (Re < 1), as many νU/L², since changes are as fast as that there.
func (p *Problem) SteadyBound() float64 {
	return p.Case.Run.StopSteady * math.Max(1, p.Case.Reference.Viscosity)
}

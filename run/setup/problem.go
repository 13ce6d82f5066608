// Package setup translates a case into lattice units: the fluid with its faces and solids, the
// bodies with their markers and motions, where they go, how fast they are and what swings in
// time, and the parts of the domain that outputs are made of. It allocates no lattice.
package setup

import (
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/ib/packing"
	"lbmib/internal/mpi"
	"lbmib/io/casefile"
	"lbmib/lbm/joined"
	"lbmib/run/backend"
)

// Problem is a case in lattice units, complete once New returns: what is found later, from how
// bodies move, is kept so that it is found once. Lengths are in nodes, times in steps.
type Problem struct {
	Domain
	Bodies   []*rigid.Body         // rigid ones
	Coupling hybrid.CouplingConfig // with the elastic ones
	Drawn    []casefile.Body       // of each of its elastic bodies what the case says; suspended ones have that of their table
	Boxes    []joined.Box          // of finer nodes; none: one grid, which Flow is
	Grids    *joined.Grids         // that they make; nil likewise
	Ranks    mpi.Comm              // that share the grid; nil: one process has it
	Division *Division             // of grids into parts; nil: it is not divided
	Steps    int64                 // to be done
	Needs    *backend.Needs        // of memory; nil: not yet known
	Resuming bool                  // from a checkpoint, which is in memory for a while
	Earlier  backend.Decision      // where the run that is resumed was computed; nothing for another one
	Ends     []float64             // of each body: the step up to which a check looks for its speed
	Followed float64               // up to which bodies are followed
	driven   *[]Drive              // what swings in time; nil: not looked for yet
	fastest  map[string]speedAt    // of the bodies of each table: the fastest marker up to then, in nodes per step

	Suspended []Suspended // elastic cells, by table; none: there are none
	Conduit   *Conduit    // that they are in; nil: none that is known

	Unpacked *packing.Unfinished // where suspended cells are not packed to the end, as PackBriefly lets it be: no run begins from their places

	packingWork   float64                       // vertices that may be moved to pack cells; 0: any number
	packingTold   func(cells int, size float64) // is told of packing before each of its rounds; nil: nobody is
	stiffness     map[any]float64               // of each kind of cells: see StiffnessOf
	beforePacking []func(*Problem) error
}

// New translates a case. Errors point into the case file. Nothing that grows with the domain is allocated unless the case has elastic
// suspensions, for which solids are marked and cells packed; before that, those are asked who tell whether the machine holds
// the problem without its cells.
func New(c *casefile.Case, beforePacking ...func(*Problem) error) (*Problem, error) {
	p, err := withoutLevels(c, beforePacking)
	if err != nil {
		return nil, err
	}
	if err := p.setLevels(); err != nil {
		return nil, err
	}
	p.setHeldPeak()
	return p, nil
}

// Sketch is the problem of a case whose finer grids may be refused, for pictures: it has the boxes as far as they were found, and Grids is nil where they are refused. Errors are as of New.
func Sketch(c *casefile.Case, beforePacking ...func(*Problem) error) (*Problem, error) {
	p, err := withoutLevels(c, beforePacking)
	if err != nil {
		return nil, err
	}
	if p.setLevels() != nil {
		p.Grids = nil
	}
	return p, nil
}

// withoutLevels is the problem before finer grids are looked for.
func withoutLevels(c *casefile.Case, beforePacking []func(*Problem) error) (*Problem, error) {
	p := &Problem{Domain: Domain{Grid: Grid{Case: c, Units: c.Units()}}, Steps: c.Run.Steps, beforePacking: beforePacking}
	var err error
	if p.Flow, err = Bulk(c); err != nil {
		return nil, err
	}
	p.setHeldFlow()
	for i := range 2 * p.Flow.Lattice.Dim {
		p.Flow.Faces[i] = p.Face(i)
	}
	if err := p.setVessel(); err != nil {
		return nil, err
	}
	if err := p.Flow.Validate(); err != nil {
		return nil, c.Errorf("domain", "%v", err)
	}
	if c.Domain.Initial.Type == "file" {
		if p.Stored, err = findStored(&p.Domain); err != nil {
			return nil, err
		}
	}
	p.initial = p.initialState()
	if err := p.setBodies(); err != nil {
		return nil, err
	}
	return p, nil
}

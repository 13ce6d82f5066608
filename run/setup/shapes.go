package setup

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
)

// lattice is what the case's shapes are put on.
func (p *Problem) lattice() casefile.Lattice {
	if p.shapesOn.Node == nil {
		p.shapesOn = casefile.Lattice{Dim: p.Flow.Lattice.Dim, Resolution: p.Case.Reference.Resolution, Node: p.Node, Mesh: p.Surface}
	}
	return p.shapesOn
}

// Surface returns what a file holds; each is read once.
func (p *Problem) Surface(file string) (*casefile.Mesh, error) {
	if s := p.surfaces[file]; s != nil {
		return s, nil
	}
	f, size, err := regular.Open(file)
	if err != nil {
		return nil, fmt.Errorf("the surface cannot be read: %w: %s", err, durable.Remedy(err, "is the path right? It is relative to the case file"))
	}
	defer f.Close()
	s := new(casefile.Mesh)
	if s.Mesh, s.Report, err = geometry.ReadSTL(f, size); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if p.surfaces == nil {
		p.surfaces = map[string]*casefile.Mesh{}
	}
	p.surfaces[file] = s
	return s, nil
}

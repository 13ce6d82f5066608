package setup

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/ring"
	"lbmib/io/casefile"
)

// leastFrequency is that of meshes of 42 vertices, the coarsest of cells.
const leastFrequency = 2

// kindOfCell is what elastic bodies of one kind have in common, which then share a membrane.
type kindOfCell struct {
	shape    string
	size     [3]float64 // its extents free of angle, or the scale of a file
	source   string     // SHA-256 of the file, or the table of a polygon's points
	membrane casefile.Elastic
}

// kindOf is the kind of an elastic body.
func kindOf(b casefile.Body) kindOfCell {
	kind := kindOfCell{shape: b.Shape.Type, size: b.Shape.Vector("axes"), membrane: *b.Motion.Elastic}
	kind.size[0] += b.Shape.Number("diameter") + b.Shape.Number("scale") // it has one of them
	if _, kind.source = b.Shape.File(); len(b.Shape.Places("points")) > 0 {
		kind.source = b.Key
	}
	kind.membrane.Rate, kind.membrane.ViscosityRatio = 0, 1 // of no effect but by the modulus, and on the fluid
	return kind
}

// setCells makes the elastic bodies of the case.
func (p *Problem) setCells() error {
	made := map[kindOfCell]any{} // membranes and rings
	for _, b := range p.Case.Cells {
		s, err := b.Shape.On(p.lattice())
		if err == nil {
			err = p.inDomain(b.Name, s)
		}
		if err != nil {
			return p.Case.Errorf(b.Key+".shape", "%v", err)
		}
		kind := kindOf(b)
		m := made[kind]
		if m == nil {
			if m, err = p.membrane(b, s); err != nil {
				return err
			}
			made[kind] = m
		}
		turn := geometry.Rotation(geometry.Vec(b.Shape.Axis), b.Shape.Angle*math.Pi/180)
		var cell *flexible.Cell
		switch m := m.(type) {
		case *ring.Ring:
			cell, err = flexible.NewRing(b.Name, m, s.Center(), turn)
		case *elastic.Membrane:
			cell, err = flexible.NewCell(b.Name, m, s.Center(), turn)
		}
		if err != nil {
			return p.Case.Errorf(b.Key, "%v", err)
		}
		cell.Lambda = b.Motion.Elastic.ViscosityRatio
		if b.Motion.Elastic.Implicit {
			cell.SetImplicit()
		}
		cell.Loads = p.loads(b.Motion.Loads, cell)
		p.Coupling.Cells = append(p.Coupling.Cells, cell)
	}
	p.Drawn = slices.Clone(p.Case.Cells)
	return p.cellsApart()
}

// membrane is that of an elastic body in lattice units, in the plane a ring. One that explicit steps cannot follow is refused.
func (p *Problem) membrane(b casefile.Body, s geometry.Shape) (m stiff, err error) {
	if p.Flow.Lattice.Dim == 2 {
		m, err = p.ring(b)
	} else {
		m, err = p.surface(b, s)
	}
	if err != nil {
		return nil, err
	}
	return m, p.bears(b, m)
}

// surface is the membrane of an elastic body in space.
func (p *Problem) surface(b casefile.Body, s geometry.Shape) (*elastic.Membrane, error) {
	mesh, err := p.cellMesh(b, s)
	if err != nil {
		return nil, err
	}
	m, err := elastic.NewMembrane(mesh, p.material(b.Motion.Elastic))
	if err != nil {
		return nil, p.Case.Errorf(materialKey(b), "%v", err)
	}
	return m, nil
}

// cellMesh is the mesh of an elastic body in nodes, about its centre, not turned.
func (p *Problem) cellMesh(b casefile.Body, s geometry.Shape) (*elastic.Mesh, error) {
	if file, _ := b.Shape.File(); file != "" {
		mesh, err := p.fileMesh(b, file)
		if err != nil {
			return nil, p.Case.Errorf(b.Key+".shape.file", "body %q: %s cannot be a membrane: %v", b.Name, file, err)
		}
		return mesh, nil
	}
	frequency := max(leastFrequency, elastic.Frequency(b.Motion.Elastic.Mesh))
	if b.Motion.Elastic.Mesh == 0 {
		frequency = frequencyFor(s.Surface())
	}
	mesh, err := roundMesh(b.Shape, frequency, p.Case.Reference.Resolution)
	if err != nil {
		return nil, p.Case.Errorf(materialKey(b)+".mesh", "%v", err)
	}
	return mesh, nil
}

// roundMesh is the mesh of a shape that is a sphere mapped, in nodes about the origin.
func roundMesh(s casefile.Shape, frequency int, resolution float64) (*elastic.Mesh, error) {
	diameter := s.Number("diameter") * resolution
	switch s.Type {
	case "sphere":
		return elastic.NewSphere(frequency, geometry.Vec{}, diameter)
	case "rbc":
		return elastic.NewRedCell(frequency, geometry.Vec{}, diameter)
	case "ellipsoid":
		ball, err := elastic.NewSphere(frequency, geometry.Vec{}, 1)
		if err != nil {
			return nil, err
		}
		axes := s.Vector("axes")
		return ball.Map(func(x geometry.Vec) geometry.Vec {
			return geometry.Vec{axes[0] * x[0] * resolution, axes[1] * x[1] * resolution, axes[2] * x[2] * resolution}
		})
	}
	return nil, fmt.Errorf("shape %q has no elastic membrane: use sphere, rbc, ellipsoid or stl", s.Type)
}

// fileMesh is that of a file, in nodes about its centre. Messages have its own numbers and coordinates.
func (p *Problem) fileMesh(b casefile.Body, file string) (*elastic.Mesh, error) {
	from, err := p.Surface(file)
	if err != nil {
		return nil, err
	}
	points, triangles, _ := geometry.Triangles(from.Mesh)
	mesh, err := elastic.NewMesh(points, triangles)
	if err != nil {
		return nil, err
	}
	center, scale := mesh.Center(), b.Shape.Number("scale")*p.Case.Reference.Resolution
	return mesh.Map(func(x geometry.Vec) geometry.Vec { return x.Sub(center).Scale(scale) })
}

// RadiusOf is a of the capillary number of elastic body i, in L: of a file's, of the sphere that encloses as much.
func (p *Problem) RadiusOf(i int) float64 {
	b, resolution := p.Drawn[i], p.Case.Reference.Resolution
	if a := b.Motion.Elastic.Radius(b.Shape, resolution); a > 0 {
		return a
	}
	_, volume := p.Coupling.Cells[i].Rest()
	return casefile.RoundRadius(volume, p.Flow.Lattice.Dim) / resolution
}

// frequencyFor is the frequency of an icosahedron whose 20 f² triangles, on a surface of so many
// square nodes, have edges of about one node.
func frequencyFor(surface float64) int {
	const triangle = 0.4330127018922193 // √3/4, of edge 1
	return min(max(leastFrequency, int(math.Round(math.Sqrt(surface/(20*triangle))))), elastic.MaxFrequency)
}

// material is a membrane's in lattice units: moduli of the surface are in ρ Δx³/Δt², the bending
// stiffness in ρ Δx⁵/Δt².
func (p *Problem) material(e *casefile.Elastic) elastic.Material {
	to := p.Units.ToLattice
	return elastic.Material{
		Law: e.Law, Shear: to(casefile.Tension, e.Shear), Area: e.Area, Poisson: e.Poisson, Prestress: e.Prestress,
		ShearViscosity: to(casefile.SurfaceViscosity, e.ShearViscosity),
		Bending:        to(casefile.Energy, e.Bending), BendingModel: e.BendingModel, Curvature: to(casefile.Curvature, e.Curvature),
		AreaPenalty: to(casefile.Tension, e.AreaPenalty), VolumePenalty: to(casefile.Pressure, e.VolumePenalty),
	}
}

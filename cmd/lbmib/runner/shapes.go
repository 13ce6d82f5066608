package runner

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
)

// shape is a case's shape in node coordinates.
func (p *problem) shape(s casefile.Shape) (geometry.Shape, error) {
	made, err := p.straight(s)
	if err != nil {
		return nil, err
	}
	if s.Angle != 0 {
		axis := geometry.Vec(s.Axis)
		if made.Dim() == 2 {
			axis = geometry.Vec{0, 0, 1}
		}
		turn := geometry.Rotation(axis, s.Angle*math.Pi/180)
		from := made.Center()
		made = made.Rotated(turn)
		if s.Type == "naca" { // about the middle of its chord, which is where center puts it
			arm := from.Sub(geometry.Vec(p.node(s.Center)))
			made = made.Translated(turn.Apply(arm).Sub(arm))
		}
	}
	return made, nil
}

// straight is a shape before it is turned.
func (p *problem) straight(s casefile.Shape) (geometry.Shape, error) {
	resolution := p.cas.Reference.Resolution
	center, diameter := geometry.Vec(p.node(s.Center)), s.Diameter*resolution
	axes := s.Axes
	for a := range axes {
		axes[a] *= resolution
	}
	points := make([]geometry.Vec, len(s.Points))
	for i, x := range s.Points {
		points[i] = geometry.Vec(p.node(x))
	}
	switch s.Type {
	case "circle":
		return geometry.NewCircle(center, diameter)
	case "ellipse":
		return geometry.NewEllipse(center, [2]float64{axes[0], axes[1]})
	case "polygon":
		return geometry.NewPolygon(points)
	case "line":
		return geometry.NewLine(points)
	case "naca":
		return geometry.NewNACA(s.Digits, center, s.Chord*resolution)
	case "sphere":
		return geometry.NewSphere(center, diameter)
	case "ellipsoid":
		return geometry.NewEllipsoid(center, axes)
	case "cylinder":
		return geometry.NewCylinder(center, geometry.Vec(s.Direction), diameter, s.Length*resolution, s.Caps)
	case "rbc":
		return geometry.NewRedCell(center, diameter)
	case "stl":
		return p.mesh(s)
	case "union":
		var parts []geometry.Shape
		for _, of := range s.Of {
			part, err := p.shape(of)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		}
		return geometry.NewUnion(parts...)
	}
	return nil, fmt.Errorf("shape %q has no surface to put markers on: choose another", s.Type)
}

// surface is what a file holds; each is read once.
type surface struct {
	mesh   geometry.Mesh
	report geometry.STLReport
}

func (p *problem) surface(file string) (*surface, error) {
	if s := p.surfaces[file]; s != nil {
		return s, nil
	}
	f, size, err := regular.Open(file)
	if err != nil {
		return nil, fmt.Errorf("the surface cannot be read: %w: %s", err, durable.Remedy(err, "is the path right? It is relative to the case file"))
	}
	defer f.Close()
	s := new(surface)
	if s.mesh, s.report, err = geometry.ReadSTL(f, size); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if p.surfaces == nil {
		p.surfaces = map[string]*surface{}
	}
	p.surfaces[file] = s
	return s, nil
}

// mesh reads a surface from its file. Its origin is the case's, unless its
// centroid is placed.
func (p *problem) mesh(s casefile.Shape) (geometry.Shape, error) {
	from, err := p.surface(s.File)
	if err != nil {
		return nil, err
	}
	if !s.Open && !from.report.Watertight {
		return nil, fmt.Errorf("%s is not watertight: %d edges belong to one triangle only: close it, or say open = true for a thin surface", s.File, from.report.OpenEdges)
	}
	shape := from.mesh.Scaled(s.Scale * p.cas.Reference.Resolution)
	to := geometry.Vec(p.node([3]float64{}))
	if s.Placed {
		to = geometry.Vec(p.node(s.Center)).Sub(shape.Center())
	}
	shape = shape.Translated(to)
	if err := geometry.Check(shape); err != nil {
		return nil, fmt.Errorf("%s at scale = %v: %w", s.File, s.Scale, err)
	}
	return shape, nil
}

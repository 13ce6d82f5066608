package casefile

import (
	"errors"
	"fmt"

	"lbmib/geometry"
)

// readParts reads the shapes of a union.
func readParts(t *table, name string) any {
	const remedy = `give the parts, for instance of = [ { type = "circle", center = [1, 1], diameter = 1 }, { … } ]`
	if !t.has(name) {
		t.missing(name, remedy)
		return nil
	}
	tables := t.tables(name)
	if n := len(tables); (n < 1 || n > maxParts) && t.r.clean(t.key(name)) {
		t.fail(name, "has %d parts, must have 1 to %d: %s", n, maxParts, remedy)
		return nil
	}
	var of parts
	for _, part := range tables {
		s := readForm(part)
		if s.Type == "line" && t.r.c.Domain.Dim == 3 {
			part.fail("type", "is a line in space, which has no surface to be a part of: use a thin cylinder")
		}
		of = append(of, s)
	}
	return of
}

func unionOn(s Shape, l Lattice) (geometry.Shape, error) {
	var of []geometry.Shape
	for _, part := range s.Parts() {
		made, err := part.On(l)
		if err != nil {
			return nil, err
		}
		of = append(of, made)
	}
	return geometry.NewUnion(of...)
}

// readSurface reads the path of a file of triangles, which a problem reads when it is made.
func readSurface(t *table, name string) any {
	readFile(t, name, "give the path of an STL file", geometry.CheckSTL)
	return t.noted(name)
}

func readScale(t *table, name string) any {
	return t.number(name, spec{Length, positive, "give L per unit of the file, for instance 0.001, or that unit, for instance \"1 mm\""}, 1)
}

// readPlacement reads where the centroid moves, nil: it stays where the file says.
func readPlacement(t *table, name string) any {
	if !t.has(name) {
		return nil
	}
	return place(t.vector(name, centerSpec, [3]float64{}))
}

// readThickness reads how thick an open surface is to be, nil: it is as it is.
func readThickness(t *table, name string) any {
	if !t.has(name) {
		return nil
	}
	if t.has("open") {
		t.refuse("has no effect beside thickness, which closes the surface", "open")
	}
	return t.number(name, spec{Length, positive, "give the thickness of the shell in L, for instance 0.1"}, 0)
}

// noFile says that a shape cannot be known without its file.
func noFile(string) (*Mesh, error) { return nil, errors.New("casefile: the shape is in a file") }

// meshOn is the surface of a file. Its origin is the case's, unless its centroid is placed.
func meshOn(s Shape, l Lattice) (geometry.Shape, error) {
	path, _ := s.File()
	from, err := l.Mesh(path)
	if err != nil {
		return nil, err
	}
	thickness, thick := s.noted("thickness").(float64)
	if !s.Flag("open") && !thick && !from.Report.Watertight {
		return nil, fmt.Errorf("%s is not watertight: %d edges belong to one triangle only: close it, say open = true for a thin surface, or give it a thickness", path, from.Report.OpenEdges)
	}
	shape := from.Scaled(s.Number("scale") * l.Resolution)
	to := l.at([3]float64{})
	if s.noted("center") != nil {
		to = l.node(s, "center").Sub(shape.Center())
	}
	shape = shape.Translated(to)
	if thick {
		if shape, err = geometry.Thicken(shape, thickness*l.Resolution); err != nil {
			return nil, fmt.Errorf("%s with thickness = %v, which is %.3g nodes: %w (places and lengths in nodes, from the lower corner of the domain)", path, thickness, thickness*l.Resolution, err)
		}
	}
	if err := geometry.Check(shape); err != nil {
		return nil, fmt.Errorf("%s at scale = %v: %w%s", path, s.Number("scale"), err, AskScale(from.Report, s.Number("scale"), l.Resolution))
	}
	return shape, nil
}

// tinySurface is the size, in L, from which down a surface's scale is asked for, and fewNodes that in nodes, with some thirty markers or fewer.
const (
	tinySurface = 0.05
	fewNodes    = 4
)

// AskScale asks whether a scale is right that makes a surface from a file tiny, at so many nodes per L; empty where it does not.
func AskScale(r geometry.STLReport, scale, resolution float64) string {
	size := r.Hi.Sub(r.Lo)
	longest := max(size[0], size[1], size[2])
	if longest*scale > tinySurface && longest*scale*resolution > fewNodes {
		return ""
	}
	return fmt.Sprintf("; is its scale right? The file's surface is %.4g of its units long, which scale = %v makes %.3g L, %.3g nodes: where L is about the body's length, scale = %.3g makes it 1 L; with reference.length the unit will do, for instance scale = \"1 mm\"",
		longest, scale, longest*scale, longest*scale*resolution, 1/longest)
}

// insideBox are the lattice coordinates in a box along the axes.
func insideBox(s Shape, l Lattice) (geometry.Region, error) {
	lo, hi := l.node(s, "min"), l.node(s, "max")
	if l.Dim == 2 {
		lo[2], hi[2] = -1, 1
	}
	return geometry.NewBox(lo, hi)
}

// readLower reads the lower corner of a box.
func readLower(t *table, name string) any {
	return place(t.requiredVector(name, spec{quantity: Length, remedy: "give the lower corner in L, for instance [5.0, 0.0]"}))
}

// readUpper reads the upper corner of a box, beyond the lower one.
func readUpper(t *table, name string) any {
	hi := t.requiredVector(name, spec{quantity: Length, remedy: "give the upper corner in L, for instance [6.0, 1.0]"})
	if lo, ok := t.noted("min").(place); ok {
		checkCorners(t, lo, hi)
	}
	return place(hi)
}

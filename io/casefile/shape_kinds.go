package casefile

import "lbmib/geometry"

// shapeKind is a type of shape of the case file. A new one is an entry in shapeKinds, and its
// geometry a file in package geometry.
type shapeKind struct {
	name  string
	dim   int // 2 or 3; 0: any
	keys  []shapeKey
	turns bool   // takes angle, and axis in three dimensions
	about string // key of the point about which it turns; empty: its centroid
	// on makes it, before it is turned; nil: it has no surface for markers, and fills only solids.
	on     func(s Shape, l Lattice) (geometry.Shape, error)
	inside func(s Shape, l Lattice) (geometry.Region, error) // nil: as the geometry says
	thin   bool                                              // has no inside
	open   func(s Shape) bool                                // has none as it is given; nil: as thin says
	whole  bool                                              // cannot be a part of a union

	corners  func(s Shape) (lo, hi [3]float64) // of a shape that is its own bounds, in L; nil: the geometry's
	extruded bool                              // has a direction and a length along it: where open, the wall of a pipe
}

// shapeKey is a key of a shape and how it is read: nil is no value.
type shapeKey struct {
	name string
	read func(t *table, name string) any
}

// shapeKinds are the types of shapes, in the order in which messages name them.
var shapeKinds []shapeKind

// shapeKeys are the keys that each shape takes beside its type.
var shapeKeys = map[string][]string{}

// kindOf returns the kind of a type, nil of another word.
func kindOf(name string) *shapeKind {
	for i := range shapeKinds {
		if shapeKinds[i].name == name {
			return &shapeKinds[i]
		}
	}
	return nil
}

// names are the keys that a kind takes beside its type.
func (k *shapeKind) names() (names []string) {
	for _, key := range k.keys {
		names = append(names, key.name)
	}
	if k.turns {
		names = append(names, "angle")
		if k.dim != 2 {
			names = append(names, "axis")
		}
	}
	return names
}

func init() {
	diameter := sizeKey("diameter", "give the diameter in L, for instance 1.0")
	length := sizeKey("length", "give the length in L, for instance 4.0")
	shapeKinds = []shapeKind{
		{name: "circle", dim: 2, keys: []shapeKey{centerKey, diameter}, on: func(s Shape, l Lattice) (geometry.Shape, error) {
			return geometry.NewCircle(l.node(s, "center"), l.nodes(s, "diameter"))
		}},
		{name: "ellipse", dim: 2, keys: []shapeKey{centerKey, axesKey}, turns: true, on: func(s Shape, l Lattice) (geometry.Shape, error) {
			axes := scaled(s.Vector("axes"), l.Resolution)
			return geometry.NewEllipse(l.node(s, "center"), [2]float64{axes[0], axes[1]})
		}},
		{name: "polygon", dim: 2, keys: []shapeKey{pointsKey(3)}, turns: true, on: func(s Shape, l Lattice) (geometry.Shape, error) {
			return geometry.NewPolygon(l.points(s, "points"))
		}},
		{name: "line", keys: []shapeKey{pointsKey(2)}, turns: true, thin: true, on: func(s Shape, l Lattice) (geometry.Shape, error) {
			if l.Dim == 3 {
				return geometry.NewFibre(l.points(s, "points"))
			}
			return geometry.NewLine(l.points(s, "points"))
		}},
		{name: "naca", dim: 2, keys: []shapeKey{{"digits", readDigits}, centerKey, sizeKey("chord", "give the chord in L, for instance 1.0")}, turns: true, about: "center",
			on: func(s Shape, l Lattice) (geometry.Shape, error) {
				return geometry.NewNACA(s.Text("digits"), l.node(s, "center"), l.nodes(s, "chord"))
			}},
		{name: "sphere", dim: 3, keys: []shapeKey{centerKey, diameter}, on: func(s Shape, l Lattice) (geometry.Shape, error) {
			return geometry.NewSphere(l.node(s, "center"), l.nodes(s, "diameter"))
		}},
		{name: "ellipsoid", dim: 3, keys: []shapeKey{centerKey, axesKey}, turns: true, on: func(s Shape, l Lattice) (geometry.Shape, error) {
			return geometry.NewEllipsoid(l.node(s, "center"), scaled(s.Vector("axes"), l.Resolution))
		}},
		{name: "cylinder", dim: 3, keys: []shapeKey{centerKey, diameter, length, {"direction", readDirection}, flagKey("caps", true)}, turns: true,
			extruded: true, open: func(s Shape) bool { return !s.Flag("caps") },
			on: func(s Shape, l Lattice) (geometry.Shape, error) {
				return geometry.NewCylinder(l.node(s, "center"), s.Vector("direction"), l.nodes(s, "diameter"), l.nodes(s, "length"), s.Flag("caps"))
			}},
		{name: "rectangle", dim: 3, keys: []shapeKey{centerKey, length, sizeKey("width", "give the width in L, for instance 1.0")}, turns: true, thin: true,
			on: func(s Shape, l Lattice) (geometry.Shape, error) {
				return geometry.NewRectangle(l.node(s, "center"), [2]float64{l.nodes(s, "length"), l.nodes(s, "width")})
			}},
		{name: "rbc", dim: 3, keys: []shapeKey{centerKey, diameter}, turns: true, on: func(s Shape, l Lattice) (geometry.Shape, error) {
			return geometry.NewRedCell(l.node(s, "center"), l.nodes(s, "diameter"))
		}},
		{name: "stl", dim: 3, keys: []shapeKey{{"file", readSurface}, {"scale", readScale}, {"center", readPlacement}, flagKey("open", false), {"thickness", readThickness}}, turns: true,
			open: func(s Shape) bool { return s.Flag("open") }, on: meshOn},
		{name: "box", keys: []shapeKey{{"min", readLower}, {"max", readUpper}}, whole: true, inside: insideBox,
			corners: func(s Shape) (lo, hi [3]float64) { return s.Place("min"), s.Place("max") }},
		{name: "union", keys: []shapeKey{{"of", readParts}}, turns: true, whole: true, on: unionOn, open: func(s Shape) bool {
			for _, part := range s.Parts() {
				if part.open() {
					return true
				}
			}
			return false
		}},
	}
	for i := range shapeKinds {
		k := &shapeKinds[i]
		shapeKeys[k.name] = k.names()
	}
	shapes := func(fit func(k *shapeKind) bool) (names []string) {
		for i := range shapeKinds {
			if k := &shapeKinds[i]; fit(k) {
				names = append(names, k.name)
			}
		}
		return names
	}
	closed := func(k *shapeKind) bool { return !k.thin }
	choices["solid.shape.type"] = choice{"a shape of a solid", shapes(closed), nil}
	choices["solid.shape.of.type"] = choice{"a part of a union", shapes(func(k *shapeKind) bool { return closed(k) && !k.whole }), nil}
	choices["body.shape.type"] = choice{"a shape of a body", shapes(func(k *shapeKind) bool { return k.on != nil }), nil}
	choices["body.shape.of.type"] = choice{"a part of a union", shapes(func(k *shapeKind) bool { return !k.whole }), nil}
}

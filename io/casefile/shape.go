package casefile

import (
	"fmt"
	"sync"

	"lbmib/geometry"
)

// Shape is the geometry of a body or a solid as the case gives it. Places and
// lengths are in L; a copy of an array shares them and is shifted.
type Shape struct {
	Type  string
	Angle float64    // degrees, anticlockwise; about Axis in space
	Axis  [3]float64 // of unit length
	shift [3]float64 // L, from where the values put it
	*given
}

// given is what a shape's keys give; copies of an array share it.
type given struct {
	*notes

	lock sync.Mutex
	made bool
	// shape is it on a lattice whose first node is the origin of L, made when it is first asked
	// for; nil where it cannot be known without its file.
	shape geometry.Shape
}

// Number returns what a key of the shape's type gives, in L where it is a length; so do
// Vector, Place, Text and Flag. A key that was left out without a default gives zero.
func (s Shape) Number(key string) float64 { v, _ := s.noted(key).(float64); return v }

// Vector is Number for a direction or for extents along the axes.
func (s Shape) Vector(key string) [3]float64 { v, _ := s.noted(key).([3]float64); return v }

// Place is Number for a point, in L.
func (s Shape) Place(key string) [3]float64 {
	v, _ := s.noted(key).(place)
	return plus(v, s.shift)
}

// Places is Number for a list of points, in L.
func (s Shape) Places(key string) [][3]float64 {
	v, _ := s.noted(key).(places)
	moved := make([][3]float64, len(v))
	for i, x := range v {
		moved[i] = plus(x, s.shift)
	}
	return moved
}

// Text is Number for a string.
func (s Shape) Text(key string) string { v, _ := s.noted(key).(string); return v }

// Flag is Number for true or false.
func (s Shape) Flag(key string) bool { v, _ := s.noted(key).(bool); return v }

// Parts are the shapes that the shape consists of, if it consists of shapes.
func (s Shape) Parts() []Shape {
	v, _ := s.noted("of").(parts)
	moved := make([]Shape, len(v))
	for i, part := range v {
		moved[i] = part.moved(s.shift)
	}
	return moved
}

// File is the path of the file that holds the shape, joined with the case's folder, and
// the SHA-256 of its content in hexadecimal; both are empty of a shape without one.
func (s Shape) File() (path, sha256 string) {
	v, _ := s.noted("file").(source)
	return v.path, v.SHA256
}

// moved is the shape at another place.
func (s Shape) moved(by [3]float64) Shape {
	s.shift = plus(s.shift, by)
	return s
}

// placed reports whether the case says where the shape is, rather than its file.
func (s Shape) placed() bool {
	for _, part := range s.Parts() {
		if !part.placed() {
			return false
		}
	}
	path, _ := s.File()
	return path == "" || s.noted("center") != nil
}

// open reports whether the shape has no inside.
func (s Shape) open() bool {
	k := kindOf(s.Type)
	return k != nil && (k.thin || k.open != nil && k.open(s))
}

// Thin reports whether the shape is a plate or a line without thickness, with fluid on both sides.
func (s Shape) Thin() bool {
	k := kindOf(s.Type)
	return k != nil && k.thin
}

// Extruded reports whether the shape is a section drawn along a direction.
func (s Shape) Extruded() bool {
	k := kindOf(s.Type)
	return k != nil && k.extruded
}

// Lattice is what a shape is put on.
type Lattice struct {
	Dim        int
	Resolution float64                          // nodes per L
	Node       func(x [3]float64) [3]float64    // lattice coordinates of a place in L
	Mesh       func(path string) (*Mesh, error) // what a file holds, in its unit
}

// Mesh is a surface from a file.
type Mesh struct {
	geometry.Mesh
	Report geometry.STLReport
}

// On returns the shape in lattice coordinates. It fails where the geometry refuses
// what the case gives, where a file cannot be read, and of a box, which has no surface
// for markers.
func (s Shape) On(l Lattice) (geometry.Shape, error) {
	k := kindOf(s.Type)
	if k == nil || k.on == nil {
		return nil, fmt.Errorf("shape %q has no surface to put markers on: choose another", s.Type)
	}
	made, err := k.on(s, l)
	if err != nil || s.Angle == 0 {
		return made, err
	}
	axis := geometry.Vec(s.Axis)
	if made.Dim() == 2 {
		axis = geometry.Vec{0, 0, 1}
	}
	turn := geometry.Rotation(axis, radians(s.Angle))
	from := made.Center()
	made = made.Rotated(turn)
	if k.about != "" {
		arm := from.Sub(l.node(s, k.about))
		made = made.Translated(turn.Apply(arm).Sub(arm))
	}
	return made, nil
}

// Inside returns the lattice coordinates that are inside the shape, or why the shape
// cannot be made.
func (s Shape) Inside(l Lattice) (geometry.Region, error) {
	if k := kindOf(s.Type); k != nil && k.inside != nil {
		return k.inside(s, l)
	}
	return s.On(l)
}

func (l Lattice) at(x [3]float64) geometry.Vec {
	if l.Node == nil {
		return scaled(x, l.Resolution)
	}
	return l.Node(x)
}

func (l Lattice) node(s Shape, key string) geometry.Vec { return l.at(s.Place(key)) }

func (l Lattice) points(s Shape, key string) (points []geometry.Vec) {
	for _, x := range s.Places(key) {
		points = append(points, l.at(x))
	}
	return points
}

func (l Lattice) nodes(s Shape, key string) float64 { return s.Number(key) * l.Resolution }

// draw returns the shape before it was shifted, in nodes; nil where it is not known.
func (s Shape) draw(resolution float64) geometry.Shape {
	d := s.given
	if d == nil {
		return nil
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	if !d.made {
		d.made, s.shift = true, [3]float64{}
		if shape, err := s.On(Lattice{Resolution: resolution, Mesh: noFile}); err == nil {
			d.shape = shape
		}
	}
	return d.shape
}

// bounds returns a box around the shape, in L; ok is false where it is not known.
func (s Shape) bounds(resolution float64) (lo, hi [3]float64, ok bool) {
	if k := kindOf(s.Type); k != nil && k.corners != nil {
		lo, hi = k.corners(s)
		return lo, hi, true
	}
	made := s.draw(resolution)
	if made == nil {
		return lo, hi, false
	}
	from, to := made.Bounds()
	return plus(scaled(from, 1/resolution), s.shift), plus(scaled(to, 1/resolution), s.shift), true
}

// middle returns the point that the case gives as the shape's centre, else its centroid, in
// L; of files not placed it is the origin.
func (s Shape) middle(resolution float64) [3]float64 {
	if s.noted("center") != nil {
		return s.Place("center")
	}
	if made := s.draw(resolution); made != nil {
		return plus(scaled(made.Center(), 1/resolution), s.shift)
	}
	return s.shift
}

// reach returns how far from its centroid the shape goes, in L; 0 where it is not known.
func (s Shape) reach(resolution float64) float64 {
	if made := s.draw(resolution); made != nil {
		return made.Reach() / resolution
	}
	return 0
}

// Length returns the reference length of the shape as it lies, in L; 0 where only its file
// tells.
func (s Shape) Length(resolution float64) float64 {
	if made := s.draw(resolution); made != nil {
		return made.Length() / resolution
	}
	return 0
}

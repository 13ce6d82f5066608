package vessel

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Port is a plane that ends a vessel: what lies behind the patch around Point is cut off.
type Port struct {
	Name   string
	Point  geometry.Vec
	Normal geometry.Vec // into the fluid; of unit length
}

// Section is the disc of a port.
type Section struct {
	Port
	Center geometry.Vec // centroid
	Area   float64
	Depth  float64 // of the disc in front of the port's plane: at least 1 % of a spacing, and up to one where the vessel ends at the port

	plane plane
	rim   [][2]float64 // polygon in the plane, about plane.point
}

// Diameter is that of a circle of the same area.
func (s *Section) Diameter() float64 { return 2 * math.Sqrt(s.Area/math.Pi) }

// Vessel is a closed surface around a fluid, of the wall and the discs of its ports. Lengths are in the unit of the caller.
type Vessel struct {
	Sections []Section // of the ports, in their order
	Cracks   int       // places where triangles do not meet, too narrow to be holes
	Rough    bool      // the surface may cross itself here and there, as that of an image does within a voxel: nodes there are told by the winding number

	spacing float64 // of the lattice
	closed  surface
	wall    func() *geometry.Hierarchy // of the wall alone
	all     func() *geometry.Hierarchy
}

// crackWidth is how wide, in spacings of the lattice, what is open between triangles may be on average without being a hole.
const crackWidth = 0.25

// New cuts a surface, whose triangles between points face outwards, at ports, for a lattice of a spacing. Ends may be open there. Refused are
// surfaces that have other holes, that face inwards, whose neighbours face opposite ways, and ports that cut nothing,
// or more than one branch. A surface may cross itself only where no node of the lattice tells.
func New(points []geometry.Vec, triangles [][3]int, ports []Port, spacing float64) (*Vessel, error) {
	v := &Vessel{spacing: spacing}
	v.closed.points = points
	for _, t := range triangles {
		v.closed.add([3]int32{int32(t[0]), int32(t[1]), int32(t[2])}, wall)
	}
	if err := v.sized(); err != nil {
		return nil, err
	}
	for i := range ports {
		port := &ports[i]
		if n := port.Normal.Norm(); !(math.Abs(n-1) < 1e-9) {
			return nil, &PortError{i, fmt.Errorf("the normal has length %.4g, must have 1", n)}
		}
		p, l, err := v.closed.sectionOf(port, spacing)
		if err != nil {
			return nil, &PortError{i, err}
		}
		if err := v.closed.cutOff(&p, l, int16(i)); err != nil {
			if other, is := err.(*behindError); is {
				err = fmt.Errorf("port %q lies behind it: the normal %s must point into the fluid, turn it round, or move one of the two", ports[other.port].Name, at(port.Normal))
			}
			return nil, &PortError{i, err}
		}
		v.Sections = append(v.Sections, Section{Port: *port, Center: p.place(middle(l.x)), Area: l.area, Depth: p.depth, plane: p, rim: l.x})
	}
	if err := v.isClosed(); err != nil {
		return nil, err
	}
	v.hierarchies()
	return v, nil
}

// PortError is what is wrong with a port.
type PortError struct {
	Port int
	Err  error
}

// Error says what; which port it is the caller knows better.
func (e *PortError) Error() string { return e.Err.Error() }

// Unwrap is the error itself.
func (e *PortError) Unwrap() error { return e.Err }

// Bounds on a vessel's extent in spacings: less has no flow, more is a unit of length mistaken for another.
const minExtent, maxExtent = 4, 1 << 16

// sized refuses surfaces of absurd sizes.
func (v *Vessel) sized() error {
	lo, hi := v.closed.bounds()
	d := hi.Sub(lo)
	largest := max(d[0], d[1], d[2])
	if n := largest / v.spacing; !(n >= minExtent && n <= maxExtent) {
		return fmt.Errorf("the surface is %.4g L large, which is %.3g nodes, must be %d to %d: is the scale right? It is L per unit of the file; for a file in millimetres with L = 1 cm it is 0.1", largest, n, minExtent, maxExtent)
	}
	return nil
}

// isClosed refuses holes and surfaces that face the wrong way.
func (v *Vessel) isClosed() error {
	holes, opposite := v.closed.open()
	if len(opposite) > 0 {
		return fmt.Errorf("at %d edges two neighbouring triangles face opposite sides, the first at %s, all must face outwards: make the normals consistent in the program that the surface comes from", len(opposite), at(opposite[0]))
	}
	worst, wide := 0, 0
	for i, h := range holes {
		if h.width() <= crackWidth*v.spacing {
			v.Cracks++
			continue
		}
		if wide++; wide == 1 || h.area > holes[worst].area {
			worst = i
		}
	}
	if wide > 0 {
		h := holes[worst]
		return fmt.Errorf("the surface has a hole around %s, %.3g L across and %d edges round, and %d in all: only ports close ends; give it a [[port]], or close it in the program that the surface comes from", at(h.center), h.across, h.edges, wide)
	}
	if volume := v.closed.volume(); !(volume > 0) {
		return fmt.Errorf("the surface is inverted: its triangles face into the vessel (the volume counts %.3g L³), they must face out of it: flip the normals in the program that it comes from", volume)
	}
	return nil
}

// Volume is what wall and ports enclose.
func (v *Vessel) Volume() float64 { return v.closed.volume() }

// WallArea is the area of the wall.
func (v *Vessel) WallArea() float64 { return v.closed.area(wall) }

// Bounds are the corners of the box around the vessel between its ports.
func (v *Vessel) Bounds() (lo, hi geometry.Vec) { return v.closed.bounds() }

// Wall are the triangles of the wall between the ports, anticlockwise as seen from outside.
func (v *Vessel) Wall() (points []geometry.Vec, triangles [][3]int32) {
	number := make([]int32, len(v.closed.points))
	for k, t := range v.closed.triangles {
		if v.closed.of[k] != wall {
			continue
		}
		for i, p := range t {
			if number[p] == 0 {
				points = append(points, v.closed.points[p])
				number[p] = int32(len(points))
			}
			t[i] = number[p] - 1
		}
		triangles = append(triangles, t)
	}
	return points, triangles
}

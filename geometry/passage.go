package geometry

import (
	"fmt"
	"math"
)

// Ends is how a passage ends at the two faces of a box along an axis.
type Ends int

// A passage does not reach the faces, goes on through them as it begins at the other one, or ends at both or one of them, where markers are as if
// beside their mirror images.
const (
	NoEnds Ends = iota
	GoesOn
	EndsBelow
	EndsAbove
	EndsBoth
)

func (e Ends) at(side int) bool {
	return e == GoesOn || e == EndsBoth || e == EndsBelow && side == 0 || e == EndsAbove && side == 1
}

// OpenRim is the error of a passage whose surface ends at a place that is at no face.
type OpenRim struct {
	At Vec
	// Unmatched tells that it ends at a face through which it should go on, and does not at the other one; Crossed, that it
	// ends where two faces meet.
	Unmatched, Crossed bool
}

func (e *OpenRim) Error() string {
	switch {
	case e.Unmatched:
		return fmt.Sprintf("geometry: passage: its section at %v is not that at the other end", e.At)
	case e.Crossed:
		return fmt.Sprintf("geometry: passage: it is cut where two faces meet, at %v", e.At)
	}
	return fmt.Sprintf("geometry: passage: it is open at %v", e.At)
}

// snap is how near, in shares of reach, points are to a face that lie on it, and reach how near those at which the surface ends.
const snap = 0.02

// Passage is what of a mesh lies within the box from lo to hi: the wall of what goes through its faces. What is beyond the faces at which it ends is cut off,
// and so are triangles on them; points at which the surface ends are moved to a face that is nearer than reach.
// It is an open shape, of whose inside Capped tells. Its triangles face outwards, whatever way the mesh's do. Beside what NewMesh refuses, so
// are surfaces that end elsewhere or at two faces at once, and those that go on through faces with another section: *OpenRim.
func Passage(s Shape, lo, hi Vec, ends [3]Ends, reach float64) (Shape, error) {
	points, sides, ok := Triangles(s)
	if !ok {
		return nil, fmt.Errorf("geometry: passage: the %T is no mesh", s)
	}
	c := &cutter{points: points, lo: lo, hi: hi, ends: ends}
	for _, t := range sides {
		c.triangles = append(c.triangles, [3]int32{int32(t[0]), int32(t[1]), int32(t[2])})
	}
	c.settle(reach)
	for a := range ends {
		for side := range 2 {
			if ends[a].at(side) {
				c.cut(a, side)
			}
		}
	}
	if c.clean(); len(c.triangles) == 0 {
		return nil, fmt.Errorf("geometry: passage: nothing of it is between the faces, from %v to %v: move it", lo, hi)
	}
	if err := c.seal(); err != nil {
		return nil, err
	}
	if err := c.matched(reach); err != nil {
		return nil, err
	}
	return c.shape()
}

// cutter cuts a mesh by the faces of a box.
type cutter struct {
	points    []Vec
	triangles [][3]int32
	lo, hi    Vec
	ends      [3]Ends
	rims      [6][][2]int32 // edges of one triangle at each face, as their triangles pass them
	caps      [][3]int32    // that close it there, around points of their own
}

// beyond is how far a point is beyond a face.
func (c *cutter) beyond(p Vec, a, side int) float64 {
	if side == 0 {
		return c.lo[a] - p[a]
	}
	return p[a] - c.hi[a]
}

// at is the place of a face along its axis.
func (c *cutter) at(a, side int) float64 { return [2]float64{c.lo[a], c.hi[a]}[side] }

// settle moves points to faces that they are meant to be on.
func (c *cutter) settle(reach float64) {
	rim := make([]bool, len(c.points))
	for _, e := range edgesOf(c.points, c.triangles) {
		if e.forth+e.back == 1 {
			rim[e.a], rim[e.b] = true, true
		}
	}
	for a, ends := range c.ends {
		for side := range 2 {
			if !ends.at(side) {
				continue
			}
			for k := range c.points {
				near := snap * reach
				if rim[k] {
					near = reach
				}
				if math.Abs(c.beyond(c.points[k], a, side)) <= near {
					c.points[k][a] = c.at(a, side)
				}
			}
		}
	}
}

// cut leaves of every triangle what is not beyond a face. Neighbours share the new points.
func (c *cutter) cut(a, side int) {
	between := map[[2]int32]int32{}
	var kept [][3]int32
	for _, t := range c.triangles {
		var left []int32 // corners of what is left, at most four
		inner := false
		for i := range 3 {
			p, q := t[i], t[(i+1)%3]
			d, e := c.beyond(c.points[p], a, side), c.beyond(c.points[q], a, side)
			if d <= 0 {
				left = append(left, p)
				inner = inner || d < 0
			}
			if d < 0 && e > 0 || d > 0 && e < 0 {
				left = append(left, c.between(between, min(p, q), max(p, q), a, side))
			}
		}
		if !inner {
			continue
		}
		for k := 2; k < len(left); k++ {
			kept = append(kept, [3]int32{left[0], left[k-1], left[k]})
		}
	}
	c.triangles = kept
}

// between is the point of an edge on a face.
func (c *cutter) between(known map[[2]int32]int32, p, q int32, a, side int) int32 {
	key := [2]int32{p, q}
	if k, ok := known[key]; ok {
		return k
	}
	x, y := c.points[p], c.points[q]
	d, e := c.beyond(x, a, side), c.beyond(y, a, side)
	z := x.Add(y.Sub(x).Scale(d / (d - e)))
	z[a] = c.at(a, side)
	known[key] = int32(len(c.points))
	c.points = append(c.points, z)
	return known[key]
}

// clean welds points that have come together and drops triangles that have lost their area by that.
func (c *cutter) clean() {
	number := map[Vec]int32{}
	var points []Vec
	weld := func(k int32) int32 {
		x := c.points[k]
		n, ok := number[x]
		if !ok {
			n = int32(len(points))
			number[x], points = n, append(points, x)
		}
		return n
	}
	kept := c.triangles[:0]
	for _, t := range c.triangles {
		if t = [3]int32{weld(t[0]), weld(t[1]), weld(t[2])}; t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
			kept = append(kept, t)
		}
	}
	c.points, c.triangles = points, kept
}

// seal finds where the surface ends at each face, and closes it there by cones over the rims: flat ones around one point, whose triangles may overlap, but count the
// inside once.
func (c *cutter) seal() error {
	passed := map[[2]int32]int{}
	for _, t := range c.triangles {
		for i := range 3 {
			p, q := t[i], t[(i+1)%3]
			if p < q {
				passed[[2]int32{p, q}]++
			} else {
				passed[[2]int32{q, p}]--
			}
		}
	}
	for _, t := range c.triangles {
		for i := range 3 {
			p, q := t[i], t[(i+1)%3]
			if passed[[2]int32{min(p, q), max(p, q)}] == 0 {
				continue
			}
			face := c.faceOf(p, q)
			if face < 0 {
				return &OpenRim{At: c.points[p].Add(c.points[q]).Scale(0.5)}
			}
			c.rims[face] = append(c.rims[face], [2]int32{p, q})
		}
	}
	for face, rim := range c.rims {
		if len(rim) == 0 {
			continue
		}
		meet := map[int32]int{}
		middle := Vec{}
		for _, e := range rim {
			meet[e[0]]++
			meet[e[1]]--
			middle = middle.Add(c.points[e[0]])
		}
		for _, e := range rim {
			if meet[e[0]] != 0 {
				return &OpenRim{At: c.points[e[0]], Crossed: true}
			}
		}
		middle = middle.Scale(1 / float64(len(rim)))
		middle[face/2] = c.at(face/2, face%2)
		at := int32(len(c.points))
		c.points = append(c.points, middle)
		for _, e := range rim {
			c.caps = append(c.caps, [3]int32{e[1], e[0], at})
		}
	}
	return nil
}

// faceOf is the face that an edge is on, −1: it is on none.
func (c *cutter) faceOf(p, q int32) int {
	for a, ends := range c.ends {
		for side := range 2 {
			if ends.at(side) && c.beyond(c.points[p], a, side) == 0 && c.beyond(c.points[q], a, side) == 0 {
				return 2*a + side
			}
		}
	}
	return -1
}

// mostRim is of how many points of a rim it is asked whether the other end has them.
const mostRim = 500

// matched refuses surfaces that go on with another section than they end with.
func (c *cutter) matched(reach float64) error {
	for a, ends := range c.ends {
		if ends != GoesOn {
			continue
		}
		for side := range 2 {
			here, there := c.rims[2*a+side], c.rims[2*a+1-side]
			for k := 0; k < len(here); k += 1 + len(here)/mostRim {
				p := c.points[here[k][0]]
				p[a] = c.at(a, 1-side)
				nearest := math.Inf(1)
				for _, e := range there {
					nearest = min(nearest, fromSegment(p, c.points[e[0]], c.points[e[1]]))
				}
				if nearest > reach {
					return &OpenRim{At: c.points[here[k][0]], Unmatched: true}
				}
			}
		}
	}
	return nil
}

// fromSegment is the distance of p from the segment from a to b.
func fromSegment(p, a, b Vec) float64 {
	d := b.Sub(a)
	t := min(max(p.Sub(a).Dot(d)/max(d.Dot(d), math.SmallestNonzeroFloat64), 0), 1)
	return p.Sub(a.Add(d.Scale(t))).Norm()
}

// shape is the passage around the centre of its surface.
func (c *cutter) shape() (Shape, error) {
	const kind = "stl"
	sealed := newMeshForm(c.points, append(append([][3]int32{}, c.triangles...), c.caps...))
	for _, e := range edgesOf(sealed.points, sealed.triangles) {
		if e.forth != e.back {
			return nil, fmt.Errorf("geometry: passage: neighbouring triangles face opposite sides at %v, all must face outwards: make the normals consistent in the program that it comes from", c.points[e.a])
		}
	}
	if sealed.volume < 0 {
		for _, all := range [][][3]int32{c.triangles, sealed.triangles} {
			for k, t := range all {
				all[k] = [3]int32{t[0], t[2], t[1]}
			}
		}
		sealed.volume = -sealed.volume
	}
	m := newMeshForm(c.points, c.triangles)
	if !(sealed.volume > 1e-12*math.Pow(m.area, 1.5)) {
		return nil, fmt.Errorf("geometry: passage: it encloses a volume of %.3g with a surface of %.3g: give the whole wall", sealed.volume, m.area)
	}
	m.isOpen, m.kind, m.sealed = true, kind, sealed
	center := m.centre()
	for k := range m.points { // those of sealed, too
		m.points[k] = m.points[k].Sub(center)
	}
	m.images = &images{lo: c.lo.Sub(center), hi: c.hi.Sub(center), ends: c.ends}
	return place(m, center), nil
}

// images are where points of a surface are again, across faces at which it ends.
type images struct {
	lo, hi Vec
	ends   [3]Ends
}

// of appends to into the images of x that are within radius of the box.
func (im *images) of(x Vec, radius float64, into []Vec) []Vec {
	if im == nil {
		return into
	}
	from := len(into)
	into = append(into, x)
	for a, ends := range im.ends {
		for k, n := from, len(into); k < n; k++ {
			for side := range 2 {
				if !ends.at(side) {
					continue
				}
				y := into[k]
				switch {
				case ends != GoesOn && side == 0:
					y[a] = 2*im.lo[a] - y[a]
				case ends != GoesOn:
					y[a] = 2*im.hi[a] - y[a]
				case side == 0:
					y[a] += im.hi[a] - im.lo[a]
				default:
					y[a] -= im.hi[a] - im.lo[a]
				}
				if y[a] >= im.lo[a]-radius && y[a] <= im.hi[a]+radius {
					into = append(into, y)
				}
			}
		}
	}
	return append(into[:from], into[from+1:]...)
}

// all are the images of points within radius of the box, and of which each is one.
func (im *images) all(x []Vec, radius float64) (at []Vec, of []int32) {
	if im == nil {
		return nil, nil
	}
	for k := range x {
		at = im.of(x[k], radius, at)
		for len(of) < len(at) {
			of = append(of, int32(k))
		}
	}
	return at, of
}

// normal is that of the image at y of a point at x with the normal n.
func (im *images) normal(n, x, y Vec) Vec {
	for a, ends := range im.ends {
		if ends != NoEnds && ends != GoesOn && x[a] != y[a] {
			n[a] = -n[a]
		}
	}
	return n
}

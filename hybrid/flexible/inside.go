package flexible

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Inside are the shares of nodes that are inside a cell.
type Inside struct {
	Rows  []InsideRow
	Share []float64 // > 0 to 1, of each node of the rows
}

// InsideRow is so many nodes along x from a first one, which is not wrapped around periodic axes.
type InsideRow struct {
	First [3]int
	N     int
}

// InsideFinder finds the insides of cells. One is for one worker.
type InsideFinder struct {
	area           []geometry.Vec // of each vertex: a third of the triangles around it, of a ring half of the segments beside it, outwards
	weight, height []float64      // of each node of a box: Σ w A, Σ w A n·(x − X)
	lo, n          [3]int         // the box
	flat           bool           // it is of the plane z = 0
}

// insideReach is how far from a node, in nodes, a vertex tells on which side of the surface it is. Vertices of edges
// of two nodes still cover all nodes within half a node of the surface: √(1/4 + 4/3) = 1.26.
const insideReach = 1.75

// Find is the inside of a cell of triangles, or of a ring, where it is now. Near the surface the height of a node over it is the mean of those over the planes of
// vertices around, n·(x − X), by weights (1 − r²/R²)²; R = insideReach, and its share is what of a cube along such a plane lies below it, 1/2 − height
// within 0 and 1; nodes farther off are what their neighbours along x are. On a sphere of radius a the surface lies R²/(8 a)
// = 0.4/a too far out, on a circle R²/(14 a) = 0.2/a. Edges that are much longer than two nodes are refused: they leave holes.
func (f *InsideFinder) Find(c *Cell, in *Inside) error {
	in.Rows, in.Share = in.Rows[:0], in.Share[:0]
	if f.flat = c.Ring != nil; f.flat {
		f.setLengths(c.x)
	} else {
		f.setAreas(c)
	}
	if n, fits := f.setBox(c.x); !fits {
		return fmt.Errorf("body %q: its surface has holes for the nodes, %d × %d × %d of which its %d vertices are drawn out over: its edges must not be longer than two nodes: use a finer mesh", c.Name, n[0], n[1], n[2], len(c.x))
	}
	for v, x := range c.x {
		f.add(x, f.area[v])
	}
	at := 0
	for z := range f.n[2] {
		for y := range f.n[1] {
			weight, height := f.weight[at:at+f.n[0]], f.height[at:at+f.n[0]]
			at += f.n[0]
			if whole := in.scan([3]int{f.lo[0], f.lo[1] + y, f.lo[2] + z}, weight, height); !whole {
				return fmt.Errorf("body %q: its surface has holes for the nodes at y = %d, z = %d: its edges must not be longer than two nodes: use a finer mesh, or a volume_penalty where it has been drawn out", c.Name, f.lo[1]+y, f.lo[2]+z)
			}
		}
	}
	return nil
}

// room is areas of so many vertices, all 0.
func (f *InsideFinder) room(vertices int) []geometry.Vec {
	if len(f.area) < vertices {
		f.area = make([]geometry.Vec, vertices)
	}
	area := f.area[:vertices]
	clear(area)
	return area
}

// setLengths makes the areas those of the vertices of a ring at x, which goes round anticlockwise.
func (f *InsideFinder) setLengths(x []geometry.Vec) {
	area := f.room(len(x))
	for v := range x {
		next := (v + 1) % len(x)
		d := x[next].Sub(x[v])
		n := geometry.Vec{d[1] / 2, -d[0] / 2}
		area[v], area[next] = area[v].Add(n), area[next].Add(n)
	}
}

// setAreas makes the areas those of the vertices now.
func (f *InsideFinder) setAreas(c *Cell) {
	area := f.room(len(c.x))
	mesh := c.Membrane.Mesh()
	for k := range mesh.Triangles() {
		t := mesh.Triangle(k)
		n := c.x[t[1]].Sub(c.x[t[0]]).Cross(c.x[t[2]].Sub(c.x[t[0]])).Scale(1. / 6)
		for _, v := range t {
			area[v] = area[v].Add(n)
		}
	}
}

// mostDrawnOut is how many times as many nodes as around a sphere of edges of two nodes there may be around a surface.
const mostDrawnOut = 16

// setBox makes an empty box around points, of nodes beyond the reach of all at its faces: so many along each axis. There is none where these are far more than
// so many points can surround.
func (f *InsideFinder) setBox(x []geometry.Vec) (n [3]int, fits bool) {
	lo, hi := x[0], x[0]
	for _, p := range x {
		for a := range p {
			lo[a], hi[a] = math.Min(lo[a], p[a]), math.Max(hi[a], p[a])
		}
	}
	around := math.Sqrt(float64(len(x))) + 5 // a sphere of v such vertices has a radius of 0.53 √v nodes
	if f.flat {
		around = float64(len(x)) + 5
	}
	nodes, most := 1., mostDrawnOut*around*around*around
	for a := range lo {
		low := math.Floor(lo[a] - insideReach)
		wide := math.Ceil(hi[a]+insideReach) - low + 1
		if f.flat && a == 2 {
			low, wide = 0, 1
		}
		f.lo[a], f.n[a] = int(low), int(wide)
		nodes *= wide
	}
	if f.flat {
		most /= around
	}
	if !(nodes <= most) {
		return f.n, false
	}
	all := int(nodes)
	if len(f.weight) < all {
		f.weight, f.height = make([]float64, all), make([]float64, all)
	}
	clear(f.weight[:all])
	clear(f.height[:all])
	return f.n, true
}

// add has a vertex tell the nodes around it how high they are over its plane.
func (f *InsideFinder) add(x, area geometry.Vec) {
	const square = insideReach * insideReach
	of := math.Sqrt(area.Dot(area))
	first := func(a int, reach float64) int { return int(math.Ceil(x[a]-reach)) - f.lo[a] }
	last := func(a int, reach float64) int { return int(math.Floor(x[a]+reach)) - f.lo[a] }
	from, to := first(2, insideReach), last(2, insideReach)
	if f.flat {
		from, to = 0, 0
	}
	for z := from; z <= to; z++ {
		dz := float64(z+f.lo[2]) - x[2]
		left := square - dz*dz
		reach := math.Sqrt(math.Max(0, left))
		for y := first(1, reach); y <= last(1, reach); y++ {
			dy := float64(y+f.lo[1]) - x[1]
			left := left - dy*dy
			reach := math.Sqrt(math.Max(0, left))
			row := (z*f.n[1] + y) * f.n[0]
			height := area[1]*dy + area[2]*dz
			for i := first(0, reach); i <= last(0, reach); i++ {
				dx := float64(i+f.lo[0]) - x[0]
				w := (left - dx*dx) / square
				w *= w
				f.weight[row+i] += w * of
				f.height[row+i] += w * (height + area[0]*dx)
			}
		}
	}
}

// scan appends what of a row is inside. It is false where the row has come in or out between nodes that no vertex is near: a
// node without one is on the side of its neighbours.
func (in *Inside) scan(first [3]int, weight, height []float64) (whole bool) {
	open := false // a run goes on
	inside, far := false, true
	for i, w := range weight {
		share := 0.
		switch {
		case w > 0:
			d := height[i] / w
			if far && (d < 0) != inside {
				return false
			}
			share, inside, far = math.Min(1, 0.5-d), d < 0, false
		case inside:
			share, far = 1, true
		default:
			far = true
		}
		if !(share > 0) {
			open = false
			continue
		}
		if !open {
			open = true
			in.Rows = append(in.Rows, InsideRow{First: [3]int{first[0] + i, first[1], first[2]}})
		}
		in.Rows[len(in.Rows)-1].N++
		in.Share = append(in.Share, share)
	}
	return !inside
}

package vessel

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
)

// nearWall is the distance in spacings, along a link, within which a node counts as on the wall: along x it is then
// outside, and along other links, where it may still be inside, the wall is this far away.
const nearWall = 1e-6

// Run are nodes in the fluid: those from X0 up to X1 − 1 of a row along x.
// Of two that meet, with a wall between, Links takes a node away.
type Run struct{ X0, X1 int32 }

// Fluid are the nodes of a box that lie in a vessel.
type Fluid struct {
	Size    [3]int
	Runs    []Run   // row by row, sorted
	Rows    []int32 // the runs of row y + Size[1] z are Runs[Rows[row]:Rows[row+1]]
	Nodes   int64
	Pockets int   // parts of the fluid that no port reaches, which were removed
	Removed int64 // nodes in them

	vessel  *Vessel
	surface surface // in node coordinates
	origin  geometry.Vec
	reaches [2]int // first and last node along x that the surface's box holds
}

// Fill finds the nodes of a box that lie in the vessel; node (0, 0, 0) is at origin. Nodes on the wall, to 1e-6 of the spacing along x, are
// outside. What no port reaches is left out; without ports all but the largest part. Refused are boxes that do not hold the vessel, ports
// that reach no node, and surfaces that cross themselves at a node.
func (v *Vessel) Fill(origin geometry.Vec, size [3]int) (*Fluid, error) {
	f := &Fluid{Size: size, vessel: v, origin: origin, surface: surface{triangles: v.closed.triangles, of: v.closed.of}}
	f.surface.points = make([]geometry.Vec, len(v.closed.points))
	for i, p := range v.closed.points {
		f.surface.points[i] = f.node(p)
	}
	lo, hi := f.surface.bounds()
	for a := range 3 {
		if !(lo[a] > 0 && hi[a] < float64(size[a]-1)) {
			return nil, fmt.Errorf("the vessel reaches from %.4g to %.4g nodes along %s, the box has 0 to %d: make it larger", lo[a], hi[a], "xyz"[a:a+1], size[a]-1)
		}
	}
	f.reaches = [2]int{int(math.Ceil(lo[0])), int(math.Floor(hi[0]))}
	if err := f.fill(newLines([3]int{1, 0, 0}, size).cross(&f.surface)); err != nil {
		return nil, err
	}
	return f, f.removePockets()
}

// node is the place of a point in node coordinates, and place its inverse.
func (f *Fluid) node(p geometry.Vec) geometry.Vec { return p.Sub(f.origin).Scale(1 / f.vessel.spacing) }

func (f *Fluid) place(n geometry.Vec) geometry.Vec {
	return n.Scale(f.vessel.spacing).Add(f.origin)
}

// Row is the number of a row along x.
func (f *Fluid) Row(y, z int) int { return y + f.Size[1]*z }

// Node is the index of a node in the box, x fastest.
func (f *Fluid) Node(x, row int) int64 { return int64(x) + int64(f.Size[0])*int64(row) }

// Has tells whether a node is in the fluid; none is beyond the box.
func (f *Fluid) Has(x, y, z int) bool {
	if y < 0 || y >= f.Size[1] || z < 0 || z >= f.Size[2] {
		return false
	}
	row := f.Row(y, z)
	runs := f.Runs[f.Rows[row]:f.Rows[row+1]]
	for len(runs) > 8 {
		if mid := len(runs) / 2; int(runs[mid].X0) <= x {
			runs = runs[mid:]
		} else {
			runs = runs[:mid]
		}
	}
	for _, r := range runs {
		if x < int(r.X1) {
			return x >= int(r.X0)
		}
	}
	return false
}

// Solid sets those nodes of the box that are not in the fluid.
func (f *Fluid) Solid() []bool {
	solid := make([]bool, f.Size[0]*f.Size[1]*f.Size[2])
	for row := range len(f.Rows) - 1 {
		nodes := solid[row*f.Size[0]:][:f.Size[0]]
		x := 0
		for _, r := range f.Runs[f.Rows[row]:f.Rows[row+1]] {
			for ; x < int(r.X0); x++ {
				nodes[x] = true
			}
			x = int(r.X1)
		}
		for ; x < len(nodes); x++ {
			nodes[x] = true
		}
	}
	return solid
}

// fill finds the runs from where rows cross the surface.
func (f *Fluid) fill(c *crossings) error {
	rows := f.Size[1] * f.Size[2]
	f.Rows = make([]int32, rows+1)
	twisted, first := 0, [3]int{}
	for row := range rows {
		cross := c.of[c.first[row]:c.first[row+1]]
		start := len(f.Runs)
		nodes := f.Nodes
		bad, where := f.byCrossings(cross)
		if cracks := f.vessel.Cracks > 0; bad || cracks && f.misses(start, row) {
			f.Runs, f.Nodes = f.Runs[:start], nodes
			if cracks || f.vessel.Rough {
				f.byWinding(row)
			} else if twisted++; twisted == 1 {
				first = [3]int{where, row % f.Size[1], row / f.Size[1]}
			}
		}
		f.Rows[row+1] = int32(len(f.Runs))
	}
	if twisted > 0 {
		p := f.place(geometry.Vec{float64(first[0]), float64(first[1]), float64(first[2])})
		return fmt.Errorf("the surface crosses itself, or one part of it lies in another, near %s and on %d rows of nodes in all: it must enclose every point once; unite its parts in the program that it comes from", at(p), twisted)
	}
	return nil
}

// byCrossings appends the runs of a row; where the surface does not wind around its nodes once or not at all it tells at which.
func (f *Fluid) byCrossings(cross []crossing) (bad bool, where int) {
	winding := 0
	for i := range cross {
		winding -= int(cross[i].out)
		if i+1 < len(cross) {
			from, to := int(math.Floor(cross[i].s+nearWall))+1, int(math.Ceil(cross[i+1].s-nearWall)) // to − 1 is the last
			if from >= to {
				continue
			}
			switch winding {
			case 0:
			case 1:
				f.Runs = append(f.Runs, Run{int32(from), int32(to)})
				f.Nodes += int64(to - from)
			default:
				return true, from
			}
		}
	}
	if winding != 0 {
		return true, int(cross[len(cross)-1].s)
	}
	return false, 0
}

// misses tells whether the winding number takes the middle of a run, or of a gap between runs, for something else than the crossings of a row,
// some of which may have gone through cracks.
func (f *Fluid) misses(start, row int) bool {
	if start == len(f.Runs) { // no crossing: where the row beside has runs
		if row%f.Size[1] > 0 {
			for _, r := range f.Runs[f.Rows[row-1]:f.Rows[row]] {
				if f.isIn(int(r.X0+r.X1-1)/2, row) {
					return true
				}
			}
		}
		return false
	}
	x := f.reaches[0]
	for _, r := range append(slices.Clone(f.Runs[start:]), Run{int32(f.reaches[1]) + 1, 0}) {
		if gap := int(r.X0); gap > x && f.isIn((x+gap-1)/2, row) {
			return true
		}
		if x = int(r.X1); x > 0 && !f.isIn(int(r.X0+r.X1-1)/2, row) {
			return true
		}
	}
	return false
}

// isIn tells by the winding number whether a node of a row is in the vessel.
func (f *Fluid) isIn(x, row int) bool {
	return f.vessel.Contains(f.place(geometry.Vec{float64(x), float64(row % f.Size[1]), float64(row / f.Size[1])}))
}

// byWinding appends the runs of a row by the winding numbers of its nodes.
func (f *Fluid) byWinding(row int) {
	inside := false
	for x := f.reaches[0]; x <= f.reaches[1]; x++ {
		was := inside
		inside = f.isIn(x, row)
		switch {
		case inside && !was:
			f.Runs = append(f.Runs, Run{int32(x), int32(x + 1)})
		case inside:
			f.Runs[len(f.Runs)-1].X1++
		}
		if inside {
			f.Nodes++
		}
	}
}

// removePockets keeps the parts of the fluid, joined along axes, that ports reach.
func (f *Fluid) removePockets() error {
	parts := newJoints(len(f.Runs))
	for row := range len(f.Rows) - 1 {
		if row%f.Size[1] > 0 {
			f.joinRows(parts, row, row-1)
		}
		if row >= f.Size[1] {
			f.joinRows(parts, row, row-f.Size[1])
		}
	}
	nodes := make([]int64, len(f.Runs))
	for i, r := range f.Runs {
		nodes[parts.root(int32(i))] += int64(r.X1 - r.X0)
	}
	keep := make([]bool, len(f.Runs))
	for i := range f.vessel.Sections {
		if err := f.reach(parts, keep, i); err != nil {
			return err
		}
	}
	if len(f.vessel.Sections) == 0 && len(nodes) > 0 {
		keep[slices.Index(nodes, slices.Max(nodes))] = true
	}
	for i, n := range nodes {
		if n > 0 && !keep[i] {
			f.Pockets++
			f.Removed += n
		}
	}
	if f.Nodes -= f.Removed; f.Nodes == 0 {
		return fmt.Errorf("no node lies in the vessel: raise reference.resolution")
	}
	if f.Pockets == 0 {
		return nil
	}
	kept := f.Runs[:0]
	for row := range len(f.Rows) - 1 {
		from, to := f.Rows[row], f.Rows[row+1]
		f.Rows[row] = int32(len(kept))
		for i := from; i < to; i++ {
			if keep[parts.root(i)] {
				kept = append(kept, f.Runs[i])
			}
		}
	}
	f.Rows[len(f.Rows)-1] = int32(len(kept))
	f.Runs = kept
	return nil
}

// joinRows joins runs of two rows that lie beside each other.
func (f *Fluid) joinRows(parts joints, row, other int) {
	i, j := f.Rows[row], f.Rows[other]
	for i < f.Rows[row+1] && j < f.Rows[other+1] {
		a, b := f.Runs[i], f.Runs[j]
		if a.X0 < b.X1 && b.X0 < a.X1 {
			parts.join(i, j)
		}
		if a.X1 < b.X1 {
			i++
		} else {
			j++
		}
	}
}

// reach marks the parts with nodes within one and a half spacings in front of a port's disc.
func (f *Fluid) reach(parts joints, keep []bool, port int) error {
	s := &f.vessel.Sections[port]
	h := f.vessel.spacing
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, x := range s.rim {
		for a := range 2 {
			lo[a], hi[a] = min(lo[a], x[a]), max(hi[a], x[a])
		}
	}
	found := false
	for x := lo[0]; x <= hi[0]; x += h / 2 {
		for y := lo[1]; y <= hi[1]; y += h / 2 {
			if !holds(s.rim, [2]float64{x, y}) {
				continue
			}
			for _, depth := range [3]float64{0.5, 1, 1.5} {
				n := f.node(s.plane.place([2]float64{x, y}).Add(s.Normal.Scale(depth * h)))
				if i := f.run(int(math.Round(n[0])), int(math.Round(n[1])), int(math.Round(n[2]))); i >= 0 {
					keep[parts.root(i)], found = true, true
				}
			}
		}
	}
	if !found {
		return &PortError{port, fmt.Errorf("its disc of %.3g nodes across reaches no node of the fluid: raise reference.resolution", s.Diameter()/h)}
	}
	return nil
}

// run is the number of the run of a node, −1 outside.
func (f *Fluid) run(x, y, z int) int32 {
	if y < 0 || y >= f.Size[1] || z < 0 || z >= f.Size[2] {
		return -1
	}
	row := f.Row(y, z)
	for i := f.Rows[row]; i < f.Rows[row+1]; i++ {
		if int(f.Runs[i].X0) <= x && x < int(f.Runs[i].X1) {
			return i
		}
	}
	return -1
}

package vessel

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/xruns"
)

// nearWall is the distance in spacings, along a link, within which a node counts as on the wall: along x it is then
// outside, and along other links, where it may still be inside, the wall is this far away.
const nearWall = 1e-6

// Run are nodes in the fluid: those from X0 up to X1 − 1 of a row along x.
// Of two that meet, with a wall between, Links takes a node away.
type Run = xruns.Run

// Fluid are the nodes of a box that lie in a vessel.
type Fluid struct {
	Size    [3]int
	Set     *xruns.Set
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
func (f *Fluid) Has(x, y, z int) bool { return f.Set.Has(x, y, z) }

// fill finds the runs from where rows cross the surface.
func (f *Fluid) fill(c *crossings) error {
	set := xruns.New(f.Size)
	twisted, first := 0, [3]int{}
	var runs, before []Run // of the row at hand, and of the one before if that is beside it
	cracks, last := f.vessel.Cracks > 0, -2
	for k := 0; k < len(c.line) || cracks && len(before) > 0; {
		row, cross := last+1, []crossing(nil)
		if beside := cracks && len(before) > 0 && row%f.Size[1] > 0; k < len(c.line) && (!beside || int(c.line[k]) == row) {
			row, cross = int(c.line[k]), c.of[c.first[k]:c.first[k+1]]
			k++
		} else if !beside {
			break
		}
		if row != last+1 || row%f.Size[1] == 0 {
			before = before[:0]
		}
		runs = runs[:0]
		bad, where := f.byCrossings(&runs, cross)
		if bad || cracks && f.misses(runs, before, row) {
			runs = runs[:0]
			if cracks || f.vessel.Rough {
				f.byWinding(&runs, row)
			} else if twisted++; twisted == 1 {
				first = [3]int{where, row % f.Size[1], row / f.Size[1]}
			}
		}
		for _, r := range runs {
			set.Add(row%f.Size[1], row/f.Size[1], r)
		}
		before, runs, last = runs, before, row
	}
	if twisted > 0 {
		p := f.place(geometry.Vec{float64(first[0]), float64(first[1]), float64(first[2])})
		return fmt.Errorf("the surface crosses itself, or one part of it lies in another, near %s and on %d rows of nodes in all: it must enclose every point once; unite its parts in the program that it comes from", at(p), twisted)
	}
	if n := set.Nodes(); n > maxNodes {
		return fmt.Errorf("%d nodes lie in the vessel, which are counted in 32 bits, up to %d: lower reference.resolution", n, maxNodes)
	}
	f.holds(set)
	return nil
}

// maxNodes is how many nodes a fluid can have, and so runs.
const maxNodes = math.MaxInt32

// holds makes a set the fluid's.
func (f *Fluid) holds(set *xruns.Set) {
	set.Close()
	f.Set, f.Nodes = set, set.Nodes()
}

// Solid sets those nodes of the box that are not in the fluid.
func (f *Fluid) Solid() []bool { return f.Set.Walls() }

// byCrossings appends the runs of a row; where the surface does not wind around its nodes once or not at all it tells at which.
func (f *Fluid) byCrossings(runs *[]Run, cross []crossing) (bad bool, where int) {
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
				*runs = append(*runs, Run{X0: int32(from), X1: int32(to)})
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
func (f *Fluid) misses(runs, before []Run, row int) bool {
	if len(runs) == 0 { // no crossing: where the row beside has runs
		for _, r := range before {
			if f.isIn(int(r.X0+r.X1-1)/2, row) {
				return true
			}
		}
		return false
	}
	x := f.reaches[0]
	for _, r := range append(slices.Clone(runs), Run{X0: int32(f.reaches[1]) + 1}) {
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
func (f *Fluid) byWinding(runs *[]Run, row int) {
	inside := false
	for x := f.reaches[0]; x <= f.reaches[1]; x++ {
		was := inside
		inside = f.isIn(x, row)
		switch {
		case inside && !was:
			*runs = append(*runs, Run{X0: int32(x), X1: int32(x + 1)})
		case inside:
			(*runs)[len(*runs)-1].X1++
		}
	}
}

// removePockets keeps the parts of the fluid, joined along axes, that ports reach.
func (f *Fluid) removePockets() error {
	set := f.Set
	all := set.Runs()
	parts := newJoints(len(all))
	for i, row := range set.Rows() {
		lo, hi := set.RunsOf(i)
		for _, beside := range [2][2]int{{int(row.Y) - 1, int(row.Z)}, {int(row.Y), int(row.Z) - 1}} {
			from, to := set.Row(beside[0], beside[1])
			joinRows(parts, all, [2]int{lo, hi}, [2]int{from, to})
		}
	}
	nodes := make([]int64, len(all))
	for i, r := range all {
		nodes[parts.root(int32(i))] += int64(r.X1 - r.X0)
	}
	keep := make([]bool, len(all))
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
	if f.Nodes == f.Removed {
		return fmt.Errorf("no node lies in the vessel: raise reference.resolution")
	}
	if f.Pockets == 0 {
		return nil
	}
	kept := xruns.New(f.Size)
	set.Each(func(k, y, z int, r Run) {
		if keep[parts.root(int32(k))] {
			kept.Add(y, z, r)
		}
	})
	f.holds(kept)
	return nil
}

// joinRows joins runs of two rows that lie beside each other.
func joinRows(parts joints, runs []Run, row, other [2]int) {
	i, j := row[0], other[0]
	for i < row[1] && j < other[1] {
		a, b := runs[i], runs[j]
		if a.X0 < b.X1 && b.X0 < a.X1 {
			parts.join(int32(i), int32(j))
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
				if i := f.Set.Run(int(math.Round(n[0])), int(math.Round(n[1])), int(math.Round(n[2]))); i >= 0 {
					keep[parts.root(int32(i))], found = true, true
				}
			}
		}
	}
	if !found {
		return &PortError{port, fmt.Errorf("its disc of %.3g nodes across reaches no node of the fluid: raise reference.resolution", s.Diameter()/h)}
	}
	return nil
}

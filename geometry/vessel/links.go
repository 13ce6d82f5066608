package vessel

import (
	"cmp"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/xruns"
)

// Link is one that the surface cuts: the population of direction I comes to the node from the node less the direction, which is
// outside. The surface is at the fraction Q of the way from the node.
type Link struct {
	Node int64 // in the box, x fastest
	Q    float32
	Port int16 // −1: the wall
	I    uint8
}

// Links are those that the surface cuts, sorted by node and then by direction.
type Links struct {
	Cut     []Link
	Thin    int // nodes that were left out: see Fluid.Links
	Guessed int // of the links, those that no triangle cuts: through cracks, where the winding number passes ½, and to nodes that were left out, all the way
}

// Links finds where the surface cuts links along directions of components −1, 0 and 1, which hold with each its opposite; a direction of
// zeros has none. Q is at least 1e-6 and at most 1. Where a wall thinner than a spacing, or a bulge of one, lies between two nodes of the fluid, the one that is
// nearer to it is left out of the fluid.
func (f *Fluid) Links(directions [][3]int) *Links {
	rows := make([][]Link, len(f.Set.Rows()))
	thin := map[int64]bool{}
	for i, c := range directions {
		if j := slices.Index(directions, [3]int{-c[0], -c[1], -c[2]}); leads(c) {
			f.linksAlong(newLines(c, f.Size).cross(&f.surface), uint8(i), uint8(j), rows, thin)
		}
	}
	all := f.Set
	f.leaveOut(thin)
	l := &Links{Thin: len(thin)}
	for row, of := range all.Rows() {
		cut, y, z := rows[row], int(of.Y), int(of.Z)
		if lo, hi := f.Set.Row(y, z); lo < hi {
			if len(thin) > 0 {
				cut = slices.DeleteFunc(cut, func(l Link) bool { return thin[l.Node] })
			}
			slices.SortFunc(cut, func(a, b Link) int {
				return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.I, b.I), cmp.Compare(a.Q, b.Q), cmp.Compare(a.Port, b.Port))
			})
			cut = slices.CompactFunc(cut, func(a, b Link) bool { return a.Node == b.Node && a.I == b.I })
			f.gatherRow(l, cut, y, z, directions)
		}
		rows[row] = nil
	}
	return l
}

// leaveOut takes nodes out of the fluid.
func (f *Fluid) leaveOut(nodes map[int64]bool) {
	if len(nodes) == 0 {
		return
	}
	kept := xruns.New(f.Size)
	f.Set.Each(func(_, y, z int, r Run) {
		row, from := f.Row(y, z), r.X0
		for x := r.X0; x < r.X1; x++ {
			if !nodes[f.Node(int(x), row)] {
				continue
			}
			if x > from {
				kept.Add(y, z, Run{X0: from, X1: x})
			}
			from = x + 1
		}
		if r.X1 > from {
			kept.Add(y, z, Run{X0: from, X1: r.X1})
		}
	})
	f.holds(kept)
}

// leads tells that the first component that is not 0 is 1: of a direction and its opposite one does.
func leads(c [3]int) bool {
	for _, x := range c {
		if x != 0 {
			return x > 0
		}
	}
	return false
}

// linksAlong adds to its row what each crossing of lines cuts: direction i is along them, j against them. Of two nodes of the fluid with a wall
// between, one is added to thin.
func (f *Fluid) linksAlong(c *crossings, i, j uint8, rows [][]Link, thin map[int64]bool) {
	add := func(x [3]int, i uint8, q float64, port int16) {
		row, _ := f.Set.Find(x[1], x[2])
		rows[row] = append(rows[row], Link{f.Node(x[0], f.Row(x[1], x[2])), float32(min(max(q, nearWall), 1)), port, i})
	}
	for k, line := range c.line {
		for _, x := range c.of[c.first[k]:c.first[k+1]] {
			s := int(x.s) // ≥ 0: the vessel is in the box
			part := x.s - float64(s)
			for _, below := range [3]int{s - 1, s, s + 1} {
				beside := below != s // a link that ends at a node which is on the wall by rounding
				if below < s && part > nearWall || below > s && part < 1-nearWall {
					continue
				}
				at, next := c.node(line, below), c.node(line, below+1)
				here, there := f.Has(at[0], at[1], at[2]), f.Has(next[0], next[1], next[2])
				if here && (!there || x.out > 0 && !beside) {
					add(at, j, x.s-float64(below), x.of)
				}
				if there && (!here || x.out < 0 && !beside) {
					add(next, i, float64(below+1)-x.s, x.of)
				}
				if here && there && !beside && x.out > 0 {
					f.thinOut(thin, at, next, part)
				}
			}
		}
	}
}

// thinOut adds one of two nodes, between which the wall is first met at a part of the way, to those that are left out.
func (f *Fluid) thinOut(thin map[int64]bool, at, next [3]int, part float64) {
	here, there := f.Node(at[0], f.Row(at[1], at[2])), f.Node(next[0], f.Row(next[1], next[2]))
	switch {
	case thin[here] || thin[there]:
	case part < 0.5:
		thin[here] = true
	default:
		thin[there] = true
	}
}

// nearRows are the runs of a row and of those around it: of row dy, dz away the numbers of its first, and behind its last, at dy + 1 + 3 (dz + 1).
type nearRows [9][2]int

// around are those around row y, z.
func (f *Fluid) around(y, z int) (near nearRows) {
	for k := range near {
		near[k][0], near[k][1] = f.Set.Row(y+k%3-1, z+k/3-1)
	}
	return near
}

// gatherRow appends the links of a row, with those that lead out of the fluid but were not cut.
func (f *Fluid) gatherRow(l *Links, cut []Link, y, z int, directions [][3]int) {
	row, near := f.Row(y, z), f.around(y, z)
	for _, r := range f.Set.Runs()[near[4][0]:near[4][1]] {
		for x := int(r.X0); x < int(r.X1); x++ {
			upTo := int(r.X1)
			if len(cut) > 0 {
				upTo = min(upTo, int(cut[0].Node-f.Node(0, row)))
			}
			if x = f.deep(x, &near, upTo); x == int(r.X1) {
				break
			}
			node := f.Node(x, row)
			for i, c := range directions {
				if c == ([3]int{}) {
					continue
				}
				known := len(cut) > 0 && cut[0].Node == node && int(cut[0].I) == i
				beside := near[4-c[1]-3*c[2]]
				within := f.Set.RunIn(beside[0], beside[1], x-c[0]) >= 0
				switch {
				case known && !within:
					l.Cut, cut = append(l.Cut, cut[0]), cut[1:]
				case known: // what the surface passes there and back: its other half is another link
					cut = cut[1:]
				case !within:
					l.Guessed++
					l.Cut = append(l.Cut, Link{node, f.guess([3]int{x, y, z}, c), wall, uint8(i)})
				}
			}
		}
	}
}

// deep is the first node from x to upTo − 1 of a row that may have a neighbour outside, or upTo.
func (f *Fluid) deep(x int, near *nearRows, upTo int) int {
	for _, row := range near {
		i := f.Set.RunIn(row[0], row[1], x)
		if i < 0 || int(f.Set.Runs()[i].X0) >= x {
			return x
		}
		upTo = min(upTo, max(int(f.Set.Runs()[i].X1)-1, x))
	}
	return upTo
}

// guess is where the winding number passes ½ on the way from a node against a direction: all the way to a node that was left out, half
// way where it tells nothing.
func (f *Fluid) guess(node, c [3]int) float32 {
	at := func(q float64) bool {
		var n geometry.Vec
		for a := range 3 {
			n[a] = float64(node[a]) - q*float64(c[a])
		}
		return f.vessel.Contains(f.place(n))
	}
	switch {
	case !at(0):
		return 0.5
	case at(1):
		return 1
	}
	in, out := 0., 1.
	for range 16 {
		if q := (in + out) / 2; at(q) {
			in = q
		} else {
			out = q
		}
	}
	return float32(out)
}

// Package layout draws how a case is laid out: its domain with its faces, its grids, and the bodies in them.
package layout

import (
	"fmt"
	"strings"

	"lbmib/geometry"
	"lbmib/internal/partition"
	"lbmib/io/casefile"
	"lbmib/io/plot"
	"lbmib/run/setup"
)

// Picture is the name of the picture of Draw in a run directory.
const Picture = "grids.png"

// Draw draws domain, faces, boxes of finer nodes, solids and bodies, which have been placed, to scale: in the plane, or in three sections through the middle of
// the first body, or of the domain.
func Draw(path string, p *setup.Problem, title string) error {
	return DrawRanks(path, p, nil, title)
}

// DrawRanks is Draw with what each rank has, in a colour of its own: their boxes on each level, in its nodes.
func DrawRanks(path string, p *setup.Problem, ranks [][]partition.Box, title string) error {
	g := &plot.Grids{Title: title}
	width := 1.
	if p.Grids != nil {
		width = float64(p.Grids.Levels[0].Width)
		g.Note = fmt.Sprintf("%s nodes and %s updates a step; one grid of the finest has %s", Grouped(p.Nodes()), Grouped(int64(p.Updates())), Grouped(int64(p.Flow.Nodes())))
		for i, l := range p.Grids.Levels {
			g.Levels = append(g.Levels, fmt.Sprintf("level %d: Δx = %.4g L, %s nodes", i, float64(l.Width)*p.Units.Dx, Grouped(l.Nodes)))
		}
	} else if boxed := finest(p); boxed > 0 { // they are refused
		width = float64(int(1) << boxed)
		g.Note = "boxes of finer nodes as asked for, which are refused"
		for l := range boxed + 1 {
			g.Levels = append(g.Levels, fmt.Sprintf("level %d: Δx = %.4g L", l, float64(int(1)<<(boxed-l))*p.Units.Dx))
		}
	} else {
		g.Note = "one grid"
		if len(p.Case.Refine) > 0 {
			g.Note = "the nodes of the finest grid everywhere: boxes of [[refine]] are refused, and not drawn"
		}
		g.Levels = []string{fmt.Sprintf("Δx = %.4g L, %s nodes", p.Units.Dx, Grouped(p.Nodes()))}
	}
	cut := middle(p)
	for _, axes := range viewsOf(p) {
		g.Views = append(g.Views, view(p, axes, cut, width))
		addRanks(&g.Views[len(g.Views)-1], p, ranks, axes, cut)
		if len(ranks) > 0 {
			addShadow(&g.Views[len(g.Views)-1], p, ranks[0], axes)
		}
	}
	if len(ranks) > 0 {
		g.Note = fmt.Sprintf("%d ranks, by colour; %s", len(ranks[0]), g.Note)
	}
	return plot.DrawGrids(path, g)
}

// finest is the level of the finest nodes; 0: there is one grid.
func finest(p *setup.Problem) (level int) {
	for _, b := range p.Boxes {
		level = max(level, b.Level)
	}
	return level
}

// viewsOf are the axes of the views: to the right, up, and across.
func viewsOf(p *setup.Problem) [][3]int {
	if p.Flow.Lattice.Dim == 2 {
		return [][3]int{{0, 1, 2}}
	}
	return [][3]int{{0, 1, 2}, {2, 1, 0}, {0, 2, 1}}
}

// middle is the node through which sections are.
func middle(p *setup.Problem) (n [3]int) {
	for a := range n {
		n[a] = p.Flow.Size[a] / 2
	}
	if len(p.Bodies) == 0 || p.Flow.Lattice.Dim == 2 {
		return n
	}
	center := p.Bodies[0].State().Position
	for a := range n {
		n[a] = min(max(int(center[a]+0.5), 0), p.Flow.Size[a]-1)
	}
	return n
}

// view is what a section shows.
func view(p *setup.Problem, axes, cut [3]int, coarsest float64) plot.GridView {
	corner := func(n [3]int) (at [2]float64) {
		for i := range at {
			at[i] = float64(n[axes[i]])*p.Units.Dx + p.Case.Domain.Origin[axes[i]]
		}
		return at
	}
	v := plot.GridView{X: "xyz"[axes[0]:axes[0]+1] + " / L", Y: "xyz"[axes[1]:axes[1]+1] + " / L", Coarsest: coarsest * p.Units.Dx}
	v.Low, v.High = corner([3]int{}), corner(p.Flow.Size)
	for side := range v.Faces {
		v.Faces[side] = faceText(p.Case, 2*axes[side/2]+side%2)
	}
	for level := 1; level <= finest(p); level++ {
		for _, b := range p.Boxes {
			if across := axes[2]; b.Level == level && (p.Flow.Lattice.Dim == 2 || b.Lo[across] <= cut[across] && cut[across] < b.Hi[across]) {
				v.Boxes = append(v.Boxes, plot.GridBox{Level: level, Low: corner(b.Lo), High: corner(b.Hi), Width: float64(int(1)<<(finest(p)-level)) * p.Units.Dx})
			}
		}
	}
	for i := range p.Case.Solids {
		v.Outlines = append(v.Outlines, solid(p, i, axes, cut[axes[2]])...)
	}
	if axes[2] == 2 {
		closed, open := Outlines(p, cut[2], p.Place)
		v.Outlines, v.Lines = append(v.Outlines, closed...), open
		return v
	}
	for _, b := range p.Bodies {
		if b.Structure != nil {
			continue
		}
		switch lines := section(p, b.Shape, b.State().Position, axes, cut[axes[2]]); {
		case b.Hollow || b.Shape.Open():
			v.Lines = append(v.Lines, lines...)
		default:
			v.Outlines = append(v.Outlines, lines...)
		}
	}
	return v
}

// faceText is what is said of a face.
func faceText(c *casefile.Case, side int) string { return c.Domain.Boundary[side].Type }

// solid is the section of a solid, if the plane of nodes cuts it.
func solid(p *setup.Problem, i int, axes [3]int, cut int) [][][2]float64 {
	made, err := p.SolidShape(i)
	if err == nil && made != nil {
		return section(p, made, made.Center(), axes, cut)
	}
	lo, hi, err := p.SolidReach(i)
	if across := axes[2]; err != nil || p.Flow.Lattice.Dim == 3 && (float64(cut) < lo[across] || float64(cut) > hi[across]) {
		return nil // what has no shape is refused elsewhere
	}
	from, to := p.Place(lo), p.Place(hi)
	u, v := axes[0], axes[1]
	return [][][2]float64{{{from[u], from[v]}, {to[u], from[v]}, {to[u], to[v]}, {from[u], to[v]}}}
}

// section is that of a shape with its centre at a place, through the centre, if the plane of nodes cuts it: turned as it was drawn.
func section(p *setup.Problem, s geometry.Shape, now geometry.Vec, axes [3]int, cut int) (lines [][][2]float64) {
	across := axes[2]
	lo, hi := s.Bounds()
	center := s.Center()
	if at := float64(cut) + center[across] - now[across]; p.Flow.Lattice.Dim == 3 && (at < lo[across]-1 || at > hi[across]+1) {
		return nil
	}
	turn := geometry.Identity()
	if across != 2 { // bring the axes of the view to x and y
		turn = geometry.Mat{}
		turn[0][axes[0]], turn[1][axes[1]], turn[2][across] = 1, 1, -1 // neither view is one that a rotation leaves in order
	}
	var line [][2]float64
	for _, x := range s.Rotated(turn).Outline(outlinePoints) {
		var at [3]float64
		at[axes[0]], at[axes[1]] = now[axes[0]]+x[0]-center[0], now[axes[1]]+x[1]-center[1]
		q := p.Place(at)
		line = append(line, [2]float64{q[axes[0]], q[axes[1]]})
	}
	return pieces(line)
}

// Grouped is a number with spaces between thousands.
func Grouped(n int64) string {
	s := fmt.Sprint(n)
	var parts []string
	for len(s) > 3 {
		parts, s = append([]string{s[len(s)-3:]}, parts...), s[:len(s)-3]
	}
	return strings.Join(append([]string{s}, parts...), " ")
}

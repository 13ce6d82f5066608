package setup

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/lbm"
)

// How finely sections are looked at to find how fast a flow that is held gets: cells along the longer side, sections whose developed flow is found, and others at obstacles.
const (
	peakCells     = 64
	peakSections  = 16
	peakObstacles = 16
	peakWork      = 20_000_000 // cells times solids that are looked at, some: as many sections as that allows
)

// setHeldPeak finds how fast a flow that is held gets where it is fastest: its share of the section that is open, and the profile of developed flow there.
func (p *Problem) setHeldPeak() {
	flow := p.Case.Domain.Flow
	if flow == nil {
		return
	}
	s := p.newSections(flow.Axis)
	if s == nil {
		return
	}
	n := float64(p.Flow.Size[flow.Axis])
	count := min(p.Flow.Size[flow.Axis], max(peakSections, peakWork/(len(s.fluid)*(1+len(s.solids)))))
	var at []float64
	for k := range count {
		at = append(at, (float64(k)+0.5)*n/float64(count)-0.5)
	}
	if count < p.Flow.Size[flow.Axis] { // narrow places may lie between
		for _, x := range s.obstacles[:min(len(s.obstacles), peakObstacles)] {
			at = append(at, x-n*math.Floor((x+0.5)/n))
		}
	}
	held, opens := 0., make([]float64, len(at))
	for k, x := range at {
		s.look(x)
		fluid, open := s.shares()
		if opens[k] = open; k < count {
			held += fluid / float64(count)
		}
	}
	if most := s.fastest(at, opens); most > 0 && held > 0 {
		flow.Open, flow.Peak = held, most*held
	}
}

// fastest is the largest speed of developed flow over the mean through a section with all cells open: in the narrowest sections, and in some evenly along the axis.
// 0: all are closed, and nothing can be held.
func (s *sections) fastest(at, opens []float64) (most float64) {
	narrowest := make([]int, len(at))
	for k := range narrowest {
		narrowest[k] = k
	}
	slices.SortStableFunc(narrowest, func(i, j int) int { return cmp.Compare(opens[i], opens[j]) })
	known := map[string]float64{} // by the cells that are open: peak over mean
	look := func(k, limit int) {
		if opens[k] == 0 || len(known) >= limit {
			return
		}
		s.look(at[k])
		key := fmt.Sprint(s.fluid)
		if known[key] == 0 {
			known[key] = s.peak()
		}
		most = math.Max(most, known[key]/opens[k])
	}
	for _, k := range narrowest {
		look(k, peakSections)
	}
	for k := 0; k < len(at); k += max(1, len(at)/peakSections) {
		look(k, 2*peakSections)
	}
	return most
}

// sections are sections across an axis, in cells.
type sections struct {
	p         *Problem
	axis      int
	sides     [2]int // the axes across; in the plane the second is the axis itself, one cell wide
	cells     [2]int
	width     [2]float64 // of a cell, nodes
	solids    []func(geometry.Vec) bool
	only      []bool         // of these: the fluid is inside
	walls     []geometry.Vec // markers of open bodies
	obstacles []float64      // where along the axis solids and bodies in the flow have their centres

	fluid []bool // of the cells of the section that is looked at
	part  []bool // likewise: in the flow, and in a body that stands in it
}

// newSections prepares to look at sections of the problem across an axis; nil where a solid cannot be made, of which MarkSolids tells.
func (p *Problem) newSections(axis int) *sections {
	dim := p.Flow.Lattice.Dim
	s := &sections{p: p, axis: axis, sides: [2]int{(axis + 1) % dim, axis}, cells: [2]int{1, 1}, width: [2]float64{1, 1}}
	longest := 0
	for a := range dim {
		if a != axis {
			longest = max(longest, p.Flow.Size[a])
		}
	}
	if dim == 3 {
		s.sides[1] = (axis + 2) % dim
	}
	for i, a := range s.sides[:dim-1] {
		size := float64(p.Flow.Size[a])
		s.cells[i] = max(1, int(math.Round(size/math.Max(1, float64(longest)/peakCells))))
		s.width[i] = size / float64(s.cells[i])
	}
	s.fluid, s.part = make([]bool, s.cells[0]*s.cells[1]), make([]bool, s.cells[0]*s.cells[1])
	for _, solid := range p.Case.Solids {
		inside, err := solid.Shape.Inside(p.lattice())
		if err != nil {
			return nil
		}
		s.solids, s.only = append(s.solids, inside.Contains), append(s.only, solid.Fluid == "inside")
		if shape, err := solid.Shape.On(p.lattice()); err == nil && solid.Fluid != "inside" {
			s.obstacles = append(s.obstacles, shape.Center()[axis])
		}
	}
	for _, b := range p.Bodies {
		if b.IsMovedByFluid() || b.Hollow { // goes along with the flow, or holds it
			continue
		}
		s.obstacles = append(s.obstacles, b.Shape.Center()[axis])
		if b.Shape.Open() {
			s.walls = append(s.walls, b.Markers.X...)
		}
	}
	return s
}

// place is the middle of a cell of the section at x.
func (s *sections) place(k int, x float64) (at geometry.Vec) {
	for i, c := range [2]int{k % s.cells[0], k / s.cells[0]} {
		at[s.sides[i]] = (float64(c)+0.5)*s.width[i] - 0.5
	}
	at[s.axis] = x
	return at
}

// look finds what of the section at x is fluid.
func (s *sections) look(x float64) {
	holds := false
	for _, b := range s.p.Bodies {
		holds = holds || b.Hollow
	}
	for k := range s.fluid {
		s.fluid[k], s.part[k] = !holds, false
	}
	for _, b := range s.p.Bodies { // the rooms first, what stands in them after that
		if b.Hollow {
			s.fill(geometry.Capped(b.Shape), x, func(k int) { s.fluid[k] = true })
		}
	}
	for k := range s.fluid {
		for i, inside := range s.solids {
			if inside(s.place(k, x)) != s.only[i] {
				s.fluid[k] = false
			}
		}
	}
	blocks := func(k int) {
		if s.fluid[k] {
			s.fluid[k], s.part[k] = false, true
		}
	}
	for _, b := range s.p.Bodies {
		if !b.IsMovedByFluid() && !b.Hollow && !b.Shape.Open() {
			s.fill(b.Shape, x, blocks)
		}
	}
	for _, at := range s.walls {
		if math.Abs(at[s.axis]-x) > 0.5 {
			continue
		}
		var c [2]int
		for i, a := range s.sides[:s.p.Flow.Lattice.Dim-1] {
			c[i] = min(max(int(math.Floor((at[a]+0.5)/s.width[i])), 0), s.cells[i]-1)
		}
		blocks(c[0] + s.cells[0]*c[1])
	}
}

// fill does something with the cells of the section at x that are inside a shape, or inside an image of it across periodic faces.
func (s *sections) fill(shape geometry.Shape, x float64, do func(k int)) {
	var shifts [3][]float64
	lo, hi := shape.Bounds()
	for a := range shifts {
		shifts[a] = []float64{0}
		if n := float64(s.p.Flow.Size[a]); a < s.p.Flow.Lattice.Dim && s.p.Flow.Periodic(a) {
			if hi[a] > n-0.5 {
				shifts[a] = append(shifts[a], n)
			}
			if lo[a] < -0.5 {
				shifts[a] = append(shifts[a], -n)
			}
		}
	}
	for _, along := range shifts[s.axis] {
		if x+along < lo[s.axis] || x+along > hi[s.axis] {
			continue
		}
		for k := range s.fluid {
			at := s.place(k, x+along)
			for _, first := range shifts[s.sides[0]] {
				for _, second := range shifts[s.sides[1]] {
					moved := at
					moved[s.sides[0]] += first
					if s.sides[1] != s.axis {
						moved[s.sides[1]] += second
					}
					if shape.Contains(moved) {
						do(k)
					}
				}
			}
		}
	}
}

// shares are the parts of the section's cells that are in the flow, with what stands in it, and that are open.
func (s *sections) shares() (fluid, open float64) {
	for k := range s.fluid {
		switch {
		case s.fluid[k]:
			open++
			fluid++
		case s.part[k]:
			fluid++
		}
	}
	n := float64(len(s.fluid))
	return fluid / n, open / n
}

// peak is the largest speed of developed flow through the section over its mean; 1 where it has no walls.
func (s *sections) peak() float64 {
	beside, walls := make([][4]int32, len(s.fluid)), false
	for k, fluid := range s.fluid {
		for side := range 4 {
			if !fluid {
				continue
			}
			beside[k][side] = s.beside(k, side/2, 2*(side%2)-1)
			walls = walls || beside[k][side] < 0
		}
	}
	if !walls {
		return 1
	}
	u := developed(s.fluid, beside, [2]float64{1 / (s.width[0] * s.width[0]), 1 / (s.width[1] * s.width[1])})
	most, sum, n := 0., 0., 0.
	for k, fluid := range s.fluid {
		if fluid {
			most, sum, n = math.Max(most, u[k]), sum+u[k], n+1
		}
	}
	return most / (sum / n)
}

// beside is the cell next to cell k along a side: itself at a mirror, −1: a wall.
func (s *sections) beside(k, i, by int) int32 {
	at := [2]int{k % s.cells[0], k / s.cells[0]}
	a := s.sides[i]
	if a == s.axis {
		return int32(k)
	}
	if at[i] += by; at[i] < 0 || at[i] >= s.cells[i] {
		face := s.p.Flow.Faces[2*a+(by+1)/2].Kind
		switch {
		case face == lbm.Periodic:
			at[i] = (at[i] + s.cells[i]) % s.cells[i]
		case face.IsWall() && !face.IsMirror():
			return -1
		default:
			return int32(k)
		}
	}
	next := at[0] + s.cells[0]*at[1]
	if !s.fluid[next] {
		return -1
	}
	return int32(next)
}

package setup

import (
	"fmt"
	"math"
	"strings"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// setLevels finds the boxes of finer nodes that the case asks for.
func (p *Problem) setLevels() error {
	c := p.Case
	finest := p.finest()
	if finest == 0 {
		return nil
	}
	if err := c.CheckLevels(); err != nil {
		return err
	}
	if err := p.checkDivides(finest); err != nil {
		return err
	}
	boxes := make([][]lbm.Box, finest+1)
	for _, r := range c.Refine {
		lo, hi, err := p.refined(&r)
		if err != nil {
			return err
		}
		b := p.cells(lo, hi, finest-r.Level+1)
		boxes[r.Level] = append(boxes[r.Level], b)
	}
	for l := finest; l > 0; l-- { // a box lies in one of the level above
		boxes[l] = p.apart(boxes[l], finest-l+1)
		for _, b := range boxes[l] {
			p.Boxes = append(p.Boxes, joined.Box{Level: l, Lo: b.Lo, Hi: b.Hi})
			if l > 1 {
				boxes[l-1] = append(boxes[l-1], p.around(b, finest-l+1))
			}
		}
	}
	var err error
	if p.Grids, err = joined.Plan(p.Flow, p.Boxes); err != nil {
		return c.Errorf(c.Refine[0].Key, "%v", err)
	}
	return p.bodiesInFinest()
}

// MarkLevels marks solids, and refuses those that nested grids cannot have where they are.
func (p *Problem) MarkLevels() error {
	if err := p.MarkSolids(); err != nil {
		return err
	}
	if err := joined.CheckSolids(p.Flow, p.Boxes); err != nil {
		return p.Case.Errorf(p.Case.Refine[0].Key, "%s", strings.TrimPrefix(err.Error(), "joined: "))
	}
	return nil
}

// Refined is the problem with boxes of finer nodes as such tables ask for, in a domain of so many nodes of the finest grid, to see what
// they would bring: it shares all else with the problem, whose bodies stay where they are.
func (p *Problem) Refined(tables []casefile.Refine, size [3]int) (*Problem, error) {
	q, c := *p, *p.Case
	c.Refine = tables
	q.Case, q.Flow.Size, q.Boxes, q.Grids, q.Needs = &c, size, nil, nil, nil
	if p.Flow.Solid != nil && size != p.Flow.Size { // the mask is of the other domain
		q.Flow.Solid = nil
		if err := q.MarkSolids(); err != nil {
			return nil, err
		}
	}
	if err := q.setLevels(); err != nil {
		return nil, err
	}
	return &q, nil
}

// Nodes is how many nodes the flow has, on all grids; of one grid those that are not walls, once these are marked.
func (p *Problem) Nodes() int64 {
	if p.Grids != nil {
		return p.Grids.Nodes()
	}
	return p.Flow.FluidNodes()
}

// Level is a level of nodes as the manifest tells it.
type Level struct {
	Level int      `json:"level"`
	Width int      `json:"width"` // of its nodes in those of the finest
	Nodes int64    `json:"nodes"` // that no finer box covers
	Boxes [][2]any `json:"boxes"` // corners of each, in L
}

// Levels are those of the flow, the coarsest first; nil: there is one grid.
func (p *Problem) Levels() (all []Level) {
	if p.Grids == nil {
		return nil
	}
	dim := p.Flow.Lattice.Dim
	corner := func(n [3]int) any {
		var at [3]float64
		for a := range dim {
			at[a] = float64(n[a])/p.Case.Reference.Resolution + p.Case.Domain.Origin[a]
		}
		return at[:dim]
	}
	for i, l := range p.Grids.Levels {
		level := Level{Level: i, Width: l.Width, Nodes: l.Nodes}
		if i == 0 {
			level.Boxes = [][2]any{{corner([3]int{}), corner(p.Flow.Size)}}
		}
		for _, b := range p.Boxes {
			if b.Level == i {
				level.Boxes = append(level.Boxes, [2]any{corner(b.Lo), corner(b.Hi)})
			}
		}
		all = append(all, level)
	}
	return all
}

// CellCentre is the centre of the cell of the finest level at a node of the finest grid, in nodes of that: the node where that level has it.
func (p *Problem) CellCentre(node [3]int) (x [3]float64) {
	level := 0
	for _, b := range p.Boxes {
		if inside(lbm.Box{Lo: b.Lo, Hi: b.Hi}, node) {
			level = max(level, b.Level)
		}
	}
	w := 1 << (p.finest() - level)
	for a := range p.Flow.Lattice.Dim {
		x[a] = float64(node[a]/w*w) + float64(w-1)/2
	}
	return x
}

// Updates is how many nodes are updated in a step, walls left aside as in Nodes.
func (p *Problem) Updates() float64 {
	if p.Grids != nil {
		return p.Grids.Updates()
	}
	return float64(p.Flow.FluidNodes())
}

// checkDivides refuses domains that the coarsest cells do not fill.
func (p *Problem) checkDivides(finest int) error {
	n := 1 << finest
	for a := range p.Flow.Lattice.Dim {
		if size := p.Flow.Size[a]; size%n != 0 {
			res := p.Case.Reference.Resolution
			return p.Case.Errorf(fmt.Sprintf("domain.size.%d", a), "%.6g L along %c are %d nodes, which coarsest cells %d nodes wide do not fill: use %.6g or %.6g, or fewer levels",
				float64(size)/res, "xyz"[a], size, n, float64(size/n*n)/res, float64((size/n+1)*n)/res)
		}
	}
	return nil
}

// refined is the part of the domain that a table means, in nodes: coordinates of its corners.
func (p *Problem) refined(r *casefile.Refine) (lo, hi geometry.Vec, err error) {
	if r.Around == "" {
		lo, hi = p.Node(r.Min), p.Node(r.Max)
	} else if lo, hi, err = p.ReachOf(r.Around); err != nil {
		return lo, hi, err
	}
	for a := range p.Flow.Lattice.Dim {
		lo[a] -= r.Margin[a][0] * p.Case.Reference.Resolution
		hi[a] += r.Margin[a][1] * p.Case.Reference.Resolution
	}
	return lo, hi, nil
}

// pathSamples is at how many times a body is looked for on its path, at most: in each of its steps, or scattered over the run by the
// golden section, so that no period hides what lies between.
const pathSamples = 1 << 17

// pathTimes calls do for these times, in steps.
func pathTimes(steps int64, do func(t float64)) {
	if steps <= pathSamples {
		for t := range steps + 1 {
			do(float64(t))
		}
		return
	}
	do(0)
	do(float64(steps))
	for k := range pathSamples {
		_, part := math.Modf(float64(k) * (math.Phi - 1))
		do(float64(steps) * part)
	}
}

// ReachOf is where a body comes to be: of one that moves freely or bends, where it begins.
func (p *Problem) ReachOf(name string) (lo, hi geometry.Vec, err error) {
	for a := range lo {
		lo[a], hi[a] = math.Inf(1), math.Inf(-1)
	}
	take := func(x geometry.Vec, reach float64) {
		for a := range lo {
			lo[a], hi[a] = math.Min(lo[a], x[a]-reach), math.Max(hi[a], x[a]+reach)
		}
	}
	for _, b := range p.Bodies {
		if b.Name != name {
			continue
		}
		for k := 0; b.Motion == nil && k < b.Markers.Len(); k++ {
			take(b.Markers.X[k], 0)
		}
		if b.Motion != nil {
			reach := b.Shape.Reach()
			pathTimes(p.Steps, func(t float64) { take(b.Motion.At(t).Position, reach) })
		}
		return lo, hi, nil
	}
	for _, c := range p.Coupling.Cells {
		if c.Name == name {
			for _, x := range c.Points() {
				take(x, 0)
			}
			return lo, hi, nil
		}
	}
	return lo, hi, fmt.Errorf("no body is called %q", name)
}

// SolidShape is the shape of the i-th solid, in nodes; nil: a box along the axes, which SolidReach tells.
func (p *Problem) SolidShape(i int) (geometry.Shape, error) {
	if s := p.Case.Solids[i].Shape; s.Type != "box" {
		return s.On(p.lattice())
	}
	return nil, nil
}

// SolidReach is the box around the i-th solid, in nodes: coordinates of its corners.
func (p *Problem) SolidReach(i int) (lo, hi geometry.Vec, err error) {
	made, err := p.SolidShape(i)
	switch s := p.Case.Solids[i].Shape; {
	case err != nil:
		return lo, hi, err
	case made == nil:
		return p.Node(s.Place("min")), p.Node(s.Place("max")), nil
	}
	lo, hi = made.Bounds()
	return lo, hi, nil
}

// cells is the box of cells, each 2^shift nodes wide, that holds points lo to hi: with the cells before a face or, across a periodic
// one, up to itself where fewer than the margin would be left. In the order of nodes.
func (p *Problem) cells(lo, hi geometry.Vec, shift int) (b lbm.Box) {
	b.Hi[2] = 1
	w := 1 << shift
	for a := range p.Flow.Lattice.Dim {
		n := p.Flow.Size[a]
		b.Lo[a], b.Hi[a] = int(math.Floor((lo[a]+0.5)/float64(w)))*w, int(math.Ceil((hi[a]+0.5)/float64(w)))*w
		p.closeTo(&b, a, n, w)
	}
	return b
}

// closeTo has a box end at walls that it comes near to, keep away from faces that are open, and take all of a periodic axis of which
// it would leave little.
func (p *Problem) closeTo(b *lbm.Box, a, n, w int) {
	const near = joined.Margin
	if p.Flow.Periodic(a) {
		if b.Hi[a]-b.Lo[a] > n-2*near*w || b.Lo[a] < 0 || b.Hi[a] > n {
			b.Lo[a], b.Hi[a] = 0, n
		}
		return
	}
	low, high := p.Flow.Faces[2*a].Kind.IsOpen(), p.Flow.Faces[2*a+1].Kind.IsOpen()
	open := near * (2<<p.finest() - w) // what boxes around this one leave, too
	switch {
	case low:
		b.Lo[a] = max(b.Lo[a], open)
	case b.Lo[a] < near*w:
		b.Lo[a] = 0
	}
	switch {
	case high:
		b.Hi[a] = min(b.Hi[a], n-open)
	case n-b.Hi[a] < near*w:
		b.Hi[a] = n
	}
}

// finest is the level of the finest nodes that the case asks for.
func (p *Problem) finest() (level int) {
	for _, r := range p.Case.Refine {
		level = max(level, r.Level)
	}
	return level
}

// around is a box that holds another of the level below with the margin that it needs.
func (p *Problem) around(b lbm.Box, shift int) lbm.Box {
	w := 1 << shift // of the cells that b is made of
	for a := range p.Flow.Lattice.Dim {
		n, wide := p.Flow.Size[a], 2*w
		if b.Lo[a] > 0 || p.Flow.Periodic(a) && b.Hi[a] < n {
			b.Lo[a] = floorTo(b.Lo[a]-joined.Margin*w, wide)
		}
		if b.Hi[a] < n || p.Flow.Periodic(a) && b.Lo[a] > 0 {
			b.Hi[a] = -floorTo(-b.Hi[a]-joined.Margin*w, wide)
		}
		p.closeTo(&b, a, n, wide)
	}
	return b
}

func floorTo(n, w int) int { return int(math.Floor(float64(n)/float64(w))) * w }

// apart joins boxes of cells 2^shift wide that are too near to each other to be two.
func (p *Problem) apart(boxes []lbm.Box, shift int) []lbm.Box {
	for i := 0; i < len(boxes); i++ {
		for j := i + 1; j < len(boxes); j++ {
			if !p.tooNear(boxes[i], boxes[j], joined.Margin<<shift) {
				continue
			}
			for a := range 3 {
				boxes[i].Lo[a], boxes[i].Hi[a] = min(boxes[i].Lo[a], boxes[j].Lo[a]), max(boxes[i].Hi[a], boxes[j].Hi[a])
			}
			for a := range p.Flow.Lattice.Dim {
				p.closeTo(&boxes[i], a, p.Flow.Size[a], 1<<shift)
			}
			boxes = append(boxes[:j], boxes[j+1:]...)
			i, j = -1, len(boxes) // from the beginning
		}
	}
	return boxes
}

func (p *Problem) tooNear(b, o lbm.Box, margin int) bool {
	for a := range p.Flow.Lattice.Dim {
		gap := max(o.Lo[a]-b.Hi[a], b.Lo[a]-o.Hi[a])
		if n := p.Flow.Size[a]; p.Flow.Periodic(a) {
			gap = min(gap, n-max(b.Hi[a], o.Hi[a])+min(b.Lo[a], o.Lo[a]))
		}
		if gap >= margin {
			return false
		}
	}
	return true
}

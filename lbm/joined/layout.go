package joined

import (
	"errors"
	"fmt"
	"slices"

	"lbmib/lbm"
)

// Box is a box of a level of refinement, in nodes of the finest grid: Lo ≤ p < Hi. In the plane Lo[2] is 0 and Hi[2] 1.
type Box struct {
	Level  int // its nodes are 2^Level times as narrow as those of the coarsest grid
	Lo, Hi [3]int
	Part   bool // of a finer level: it is a part of a box of that level, which is listed, too; those of level 0 are parts of the domain
}

// divides tells whether a box is a part of another.
func (b *Box) divides() bool { return b.Level == 0 || b.Part }

// layout is where the grids of a flow lie: which nodes each level has, whatever computes them. Seams between levels are those of whole boxes,
// however these are divided into parts.
type layout struct {
	cfg   lbm.Config   // of the finest grid, as if that covered the domain
	flows []lbm.Config // likewise of each level
	whole [][]*grid    // boxes of each level, undivided; that of level 0 is the domain
	boxes [][]*grid    // the parts of them, those of a box one after the other
	given []*grid      // parts in the order in which they were given; the domain comes first where it is not divided
}

// newLayout finds the grids of all levels.
func newLayout(cfg lbm.Config, boxes []Box) (*layout, error) {
	lay := &layout{cfg: cfg}
	finest := 0
	for _, b := range boxes {
		finest = max(finest, b.Level)
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if finest > 0 && (cfg.Inside != nil || len(cfg.Cuts) > 0) {
		return nil, errors.New("joined: the fluid in a vessel, given by its runs or with links that a surface cuts, has one level: leave finer boxes out")
	}
	for a := range cfg.Lattice.Dim {
		if n := 1 << finest; cfg.Size[a]%n != 0 {
			return nil, fmt.Errorf("joined: the domain has %d nodes of the finest grid along %c, which %d levels below it do not divide: use %d or %d", cfg.Size[a], "xyz"[a], finest, cfg.Size[a]/n*n, (cfg.Size[a]/n+1)*n)
		}
	}
	for l := range finest + 1 {
		flow, err := levelConfig(&cfg, 1<<(finest-l))
		if err != nil {
			return nil, err
		}
		lay.flows = append(lay.flows, flow)
		lay.whole = append(lay.whole, nil)
		lay.boxes = append(lay.boxes, nil)
	}
	lay.whole[0] = []*grid{newGrid(&lay.flows[0], 0, lay.flows[0].Size, [3]int{}, lay.flows[0].Size)}
	for l := 1; l <= finest; l++ {
		for _, b := range boxes {
			if b.Level == l && !b.Part {
				if err := lay.add(b, finest); err != nil {
					return nil, err
				}
			}
		}
		if len(lay.whole[l]) == 0 {
			return nil, fmt.Errorf("joined: level %d has no box: a box lies in one of the level above", l)
		}
	}
	if err := lay.divide(boxes, finest); err != nil {
		return nil, err
	}
	lay.numberFluid()
	return lay, nil
}

// divide lays the parts of all boxes. One that has none is a part by itself.
func (lay *layout) divide(boxes []Box, finest int) error {
	parts := map[*grid][]*grid{}
	for _, b := range boxes {
		if !b.divides() {
			continue
		}
		lo, hi, err := lay.inNodes(b, finest)
		if err != nil {
			return err
		}
		flow := &lay.flows[b.Level]
		g := newGrid(flow, b.Level, flow.Size, lo, hi)
		if g.whole = lay.wholeAt(b.Level, lo); g.whole == nil {
			return fmt.Errorf("joined: part %v … %v of level %d begins in no box of that: list the box that it is a part of", b.Lo, b.Hi, b.Level)
		}
		parts[g.whole] = append(parts[g.whole], g)
		lay.given = append(lay.given, g)
	}
	for l, level := range lay.whole {
		for _, w := range level {
			own := parts[w]
			if own == nil {
				only := *w
				only.whole = w
				own = []*grid{&only}
				if l == 0 {
					lay.given = append(own, lay.given...)
				}
			} else if err := checkParts(w, own, lay.cfg.Lattice.Dim, lay.cfg.Cuts); err != nil {
				return err
			}
			for _, g := range own {
				g.number = len(lay.boxes[l])
				lay.boxes[l] = append(lay.boxes[l], g)
			}
		}
	}
	return nil
}

// wholeAt is the undivided box of a level that has a place; nil: none.
func (lay *layout) wholeAt(level int, p [3]int) *grid {
	for _, w := range lay.whole[level] {
		if level == 0 || w.contains(p) {
			return w
		}
	}
	return nil
}

// partsIn are the parts of an undivided box.
func (lay *layout) partsIn(whole *grid) []*grid {
	all := lay.boxes[whole.level]
	from := slices.IndexFunc(all, func(g *grid) bool { return g.whole == whole })
	to := from
	for to < len(all) && all[to].whole == whole {
		to++
	}
	return all[from:to]
}

// inNodes are the ends of a box in nodes of its level.
func (lay *layout) inNodes(b Box, finest int) (lo, hi [3]int, err error) {
	lo, hi = b.Lo, b.Hi
	r := 1 << (finest - b.Level)
	for a := range lay.cfg.Lattice.Dim {
		if lo[a]%r != 0 || hi[a]%r != 0 {
			return lo, hi, fmt.Errorf("joined: box %v … %v of level %d does not end between its nodes along %c: use multiples of %d", b.Lo, b.Hi, b.Level, "xyz"[a], max(2*r, 1))
		}
		lo[a], hi[a] = lo[a]/r, hi[a]/r
	}
	return lo, hi, nil
}

// add lays an undivided box.
func (lay *layout) add(b Box, finest int) error {
	flow := &lay.flows[b.Level]
	lo, hi, err := lay.inNodes(b, finest)
	if err != nil {
		return err
	}
	g := newGrid(flow, b.Level, flow.Size, lo, hi)
	above := lay.above(g)
	if above == nil {
		return fmt.Errorf("joined: box %v … %v of level %d does not lie in a box of level %d", b.Lo, b.Hi, b.Level, b.Level-1)
	}
	others := lay.whole[b.Level]
	if err := checkBox(flow, b.Level, lo, hi, above, others); err != nil {
		return err
	}
	g.number = len(others)
	lay.whole[b.Level] = append(others, g)
	return nil
}

// above is the undivided box of the level above that one lies in; nil: none.
func (lay *layout) above(g *grid) *grid {
	last := g.hi
	for a := range last {
		last[a]--
	}
	for _, p := range lay.whole[g.level-1] {
		if p.contains(g.coarse(g.lo)) && p.contains(g.coarse(last)) {
			return p
		}
	}
	return nil
}

// coveredBy tells which cells of a level finer boxes cover.
func (lay *layout) coveredBy(level int) func(p [3]int) bool {
	return func(p [3]int) bool {
		if level+1 == len(lay.whole) {
			return false
		}
		for a := range lay.cfg.Lattice.Dim {
			p[a] *= 2
		}
		for _, o := range lay.whole[level+1] {
			if o.contains(p) {
				return true
			}
		}
		return false
	}
}

// place is where point x of a part's own coordinates is in those of the finest grid.
func (lay *layout) place(g *grid, level int, x [3]float64) [3]float64 {
	r := float64(lay.width(level))
	for a := range lay.cfg.Lattice.Dim {
		x[a] = (x[a]+float64(g.lo[a]-g.ghosts[2*a])+0.5)*r - 0.5
	}
	return x
}

// inDomain is a place in the domain that is the same, across periodic faces.
func (lay *layout) inDomain(x [3]float64) [3]float64 {
	for a := range lay.cfg.Lattice.Dim {
		n := float64(lay.cfg.Size[a])
		switch {
		case !lay.cfg.Periodic(a):
		case x[a] < -0.5:
			x[a] += n
		case x[a] > n-0.5:
			x[a] -= n
		}
	}
	return x
}

// width is that of a level's nodes in nodes of the finest.
func (lay *layout) width(level int) int { return 1 << (len(lay.boxes) - 1 - level) }

// eachPiece calls do for boxes, in places of their level, which make up what no finer part covers of the nodes lo ≤ p < hi of the
// finest grid: of each level all that have a node there.
func (lay *layout) eachPiece(lo, hi [3]int, do func(p *grid, b lbm.Box)) {
	lay.eachPieceIn(lay.boxes, lo, hi, do)
}

// eachPieceIn is eachPiece of grids of all levels: parts, or undivided boxes.
func (lay *layout) eachPieceIn(grids [][]*grid, lo, hi [3]int, do func(p *grid, b lbm.Box)) {
	for l, parts := range grids {
		b := lbm.Box{Lo: lo, Hi: hi}
		for a := range lay.cfg.Lattice.Dim {
			b.Lo[a], b.Hi[a] = lo[a]/lay.width(l), (hi[a]+lay.width(l)-1)/lay.width(l)
		}
		for _, p := range parts {
			pieces := []lbm.Box{meet(b, lbm.Box{Lo: p.lo, Hi: p.hi})}
			if l+1 < len(lay.whole) {
				for _, o := range lay.whole[l+1] {
					pieces = without(pieces, lay.cells(o), lay.cfg.Lattice.Dim)
				}
			}
			for _, piece := range pieces {
				if piece.Nodes() > 0 {
					do(p, piece)
				}
			}
		}
	}
}

// cells are those of the level above that a part covers.
func (lay *layout) cells(p *grid) (b lbm.Box) {
	b.Lo, b.Hi = p.lo, p.hi
	for a := range lay.cfg.Lattice.Dim {
		b.Lo[a], b.Hi[a] = b.Lo[a]/2, b.Hi[a]/2
	}
	return b
}

// eachPieceOf calls do for boxes that make up what no finer part covers of a part.
func (lay *layout) eachPieceOf(of *grid, do func(b lbm.Box)) {
	lay.eachPiece([3]int{}, lay.cfg.Size, func(p *grid, b lbm.Box) {
		if p == of {
			do(b)
		}
	})
}

// eachNode calls do for every node of the finest grid in a cell r nodes wide.
func (lay *layout) eachNode(cell [3]int, r int, do func(x [3]int)) {
	lo, hi := cell, cell
	for a := range 3 {
		hi[a]++
		if a < lay.cfg.Lattice.Dim {
			lo[a], hi[a] = lo[a]*r, hi[a]*r
		}
	}
	each(lo, hi, do)
}

// finestWith is which part of the finest level has a place, −1: none.
func (lay *layout) finestWith(p [3]int) int {
	for k, o := range lay.boxes[len(lay.boxes)-1] {
		if o.contains(p) {
			return k
		}
	}
	return -1
}

// widened is a box with a cell more on every side, where the level is.
func (lay *layout) widened(p *grid, b lbm.Box) lbm.Box {
	lo, hi := p.whole.lo, p.whole.hi // whatever its parts are
	for a := range p.dim {
		b.Lo[a], b.Hi[a] = max(b.Lo[a]-1, lo[a]), min(b.Hi[a]+1, hi[a])
	}
	return b
}

// onlyBox is the undivided box of the finest level that has all of another one; nil: none has.
func (lay *layout) onlyBox(lo, hi [3]int) *grid {
	for _, p := range lay.whole[len(lay.whole)-1] {
		inside := true
		for a := range lo {
			inside = inside && lo[a] >= p.lo[a] && hi[a] <= p.hi[a]
		}
		if inside {
			return p
		}
	}
	return nil
}

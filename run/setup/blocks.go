package setup

import (
	"math"

	"lbmib/internal/partition"
	"lbmib/lbm"
)

// LinkWork is what a link at a wall takes, and its part in how short runs are, in updates of nodes of a large box: in the coronary tree,
// with 1.5 links a node, 75 MFLUPS were measured where the box made 169.
const LinkWork = 0.8

// mostBlocks is how many blocks there are at most, whose tables each rank makes.
const mostBlocks = 1 << 20

// BlockWidth is how wide the blocks are that a domain is shared among so many ranks in: eight nodes, so that rows along x are made of whole vectors; fewer where ranks would
// have few blocks, and more where there were more than a million.
func BlockWidth(size [3]int, ranks int) (width int) {
	count := func(w int) int { return (&partition.Blocks{Size: size, Width: w}).Count() }
	for width = 8; width > 2 && count(width) < 64*ranks; width /= 2 {
	}
	for count(width) > mostBlocks {
		width *= 2
	}
	return width
}

// LevelBlockWidth is BlockWidth of a level: of a finer one as if its boxes were one that is as wide along all axes.
func (p *Problem) LevelBlockWidth(level, ranks int) (width int) {
	if level == 0 {
		size := p.Flow.Size
		if p.Grids != nil {
			size = p.Grids.Levels[0].Flow.Size
		}
		if width = BlockWidth(size, ranks); p.Vessel != nil { // patches of its wall lie in one part each
			width = max(width, lbm.PatchWidth)
		}
		return width
	}
	nodes, w := 0., float64(p.Grids.Levels[level].Width)
	for _, b := range p.Boxes {
		if b.Level == level {
			nodes += float64(lbm.Box{Lo: b.Lo, Hi: b.Hi}.Nodes()) / math.Pow(w, float64(p.Flow.Lattice.Dim))
		}
	}
	side := int(math.Round(math.Pow(nodes, 1/float64(p.Flow.Lattice.Dim))))
	size := [3]int{side, side, side}
	if p.Flow.Lattice.Dim == 2 {
		size[2] = 1
	}
	width = BlockWidth(size, ranks)
	for (&partition.Blocks{Size: p.Grids.Levels[level].Flow.Size, Width: width}).Count() > mostBlocks {
		width *= 2 // they are laid over all of the domain
	}
	return width
}

// LevelBlocks are a level of the flow in blocks of so many of its nodes a side: with one grid, level 0 is all of it. Where
// fluid is stored by runs, once solids are marked, blocks have the weight of their fluid; else of all their nodes. Bodies that ranks share weigh where they are: see BodyWork.
func (p *Problem) LevelBlocks(level, width int) *partition.Blocks {
	flow := &p.Flow
	if p.Grids != nil {
		flow = &p.Grids.Levels[level].Flow
	}
	b := &partition.Blocks{Size: flow.Size, Width: width}
	for a := range flow.Lattice.Dim {
		b.Periodic[a] = flow.Periodic(a)
	}
	c := blockCount{Blocks: b, n: b.Grid()}
	b.Weight = make([]float64, b.Count())
	storage, err := p.Flow.StorageOf()
	switch {
	case level > 0:
		c.countBoxes(p, level)
	case p.Grids == nil && p.Flow.HasWalls() && err == nil && storage == "runs":
		b.Row = 1e-9 // runs are short wherever they are cut
		c.countFluid(&p.Flow)
	default:
		for i := range b.Weight {
			b.Weight[i] = float64(b.Block(i).Nodes())
		}
	}
	if level == p.levels()-1 && p.SharesBodies() {
		c.addBodies(p)
	}
	return b
}

// blockCount counts what is in blocks.
type blockCount struct {
	*partition.Blocks
	n [3]int
}

// at is the block of node p.
func (c *blockCount) at(p [3]int) int {
	for a := range p {
		p[a] = min(p[a]/c.Width, c.n[a]-1)
	}
	return p[0] + c.n[0]*(p[1]+c.n[1]*p[2])
}

// countBoxes weighs the blocks of a level by the nodes that its boxes have there.
func (c *blockCount) countBoxes(p *Problem, level int) {
	w := p.Grids.Levels[level].Width
	for a := range c.Faces {
		c.Faces[a] = make([]float64, len(c.Weight))
	}
	for _, box := range p.Boxes {
		if box.Level != level {
			continue
		}
		lo, hi := box.Lo, box.Hi
		for a := range p.Flow.Lattice.Dim {
			lo[a], hi[a] = lo[a]/w, hi[a]/w
		}
		for i := range c.Weight {
			of := c.Block(i)
			size, nodes := [3]int{}, 1
			for a := range size {
				size[a] = max(0, min(of.Hi[a], hi[a])-max(of.Lo[a], lo[a]))
				nodes *= size[a]
			}
			if nodes == 0 {
				continue
			}
			c.Weight[i] += float64(nodes)
			for a := range size {
				if ends := of.Hi[a]; ends < hi[a] || ends == c.Size[a] && lo[a] == 0 { // goes on, or around
					c.Faces[a][i] += float64(nodes / size[a])
				}
			}
		}
	}
}

// countFluid weighs blocks by their fluid, to which what walls take is added all over, and finds the pairs of nodes of fluid at their faces.
func (c *blockCount) countFluid(flow *lbm.Config) {
	all := flow.FluidNodes()
	flow.EachRun(func(x, n, y, z int) {
		for i := x; i < x+n; i++ {
			c.Weight[c.at([3]int{i, y, z})]++
		}
	})
	each := 1 + LinkWork*float64(flow.SolidLinks())/float64(max(1, all))
	for i := range c.Weight {
		c.Weight[i] *= each
	}
	for a := range c.Faces {
		c.Faces[a] = make([]float64, len(c.Weight))
	}
	flow.EachRun(func(x, n, y, z int) {
		for i := x; i < x+n; i++ {
			c.countFaces(flow, [3]int{i, y, z})
		}
	})
}

// countFaces counts node p of the fluid where it is the last in its block along an axis and fluid follows, around the domain too.
func (c *blockCount) countFaces(flow *lbm.Config, p [3]int) {
	for a, n := range flow.Size {
		q := p
		if q[a]++; q[a] == n {
			q[a] = 0
		} else if q[a]%c.Width != 0 || q[a]/c.Width >= c.n[a] {
			continue
		}
		if !flow.Wall(q) {
			c.Faces[a][c.at(p)]++
		}
	}
}

// Divisible is why a run divides the flow neither into parts nor among ranks; nil: it does.
func (p *Problem) Divisible() error { return p.divides() }

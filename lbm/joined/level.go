package joined

import (
	"fmt"

	"lbmib/lbm"
)

// levelConfig is the flow on a grid that is so many times coarser, 1, 2, 4, …, as if that covered the domain: velocities and densities
// are the same numbers, a step is as many times longer. Viscosity, in nodes and steps, is as many times smaller, and the force
// per mass as many times larger.
func levelConfig(fine *lbm.Config, times int) (lbm.Config, error) {
	c := *fine
	if times == 1 {
		return c, nil
	}
	for a := range c.Lattice.Dim {
		c.Size[a] /= times
	}
	var err error
	if c.Collision, err = coarser(fine.Collision, times); err != nil {
		return c, err
	}
	r := float64(times)
	scale := func(f [3]float64) [3]float64 { return [3]float64{f[0] * r, f[1] * r, f[2] * r} }
	c.Force = scale(fine.Force)
	if fine.Acceleration != nil {
		c.Acceleration = func(t float64) [3]float64 { return scale(fine.Acceleration(t * r)) }
	}
	for side := range c.Faces {
		c.Faces[side] = stretched(fine.Faces[side], c.Lattice.Dim, r)
	}
	c.Solid = coarsened(fine, &c, times)
	return c, nil
}

// coarser is a collision on nodes so many times as wide. Where Λ sets the odd rate it falls with the square of the width, so that τ⁻ − ½ halves
// from level to level as τ⁺ − ½ does, and the odd part of the non-equilibrium, like the even one, is the same on both sides of a seam: with the same
// Λ it would be four times as large on the coarser side, and waves grow there. Λ stays below 8/(U Δx/ν)², too, which falls likewise.
func coarser(fine lbm.Collision, times int) (lbm.Collision, error) {
	c, err := lbm.NewCollision(fine.Name, fine.Viscosity()/float64(times), fine.Magic()/float64(times*times))
	c.Smagorinsky = fine.Smagorinsky
	if law := fine.Rheology; law.Exists() {
		law.Zero, law.Time, law.Typical = max(law.Zero/float64(times), c.Viscosity()), law.Time/float64(times), law.Typical*float64(times)
		c.Rheology = law
	}
	return c, err
}

// stretched is a face in coordinates and steps that are r times as large.
func stretched(f lbm.Face, dim int, r float64) lbm.Face {
	if of := f.Velocity; of != nil {
		f.Velocity = func(p [3]float64) [3]float64 {
			for a := range dim {
				p[a] = (p[a]+0.5)*r - 0.5
			}
			return of(p)
		}
	}
	if of := f.Amplitude; of != nil {
		f.Amplitude = func(t float64) float64 { return of(t * r) }
	}
	return f
}

// coarsened are the cells all of whose nodes are solid.
func coarsened(fine, coarse *lbm.Config, times int) []bool {
	if fine.Solid == nil {
		return nil
	}
	solid := make([]bool, coarse.Nodes())
	for n := range solid {
		solid[n] = true
	}
	deep := 1 // how many fine nodes a cell has along z
	if coarse.Lattice.Dim == 3 {
		deep = times
	}
	nx, ny := fine.Size[0], fine.Size[1]
	for row := range ny * fine.Size[2] {
		at := [3]int{0, row % ny / times, row / ny / deep}
		if at[1] >= coarse.Size[1] || at[2] >= coarse.Size[2] {
			continue
		}
		cells := solid[coarse.Node(at):][:coarse.Size[0]]
		for x, wall := range fine.Solid[row*nx : (row+1)*nx] {
			if !wall && x/times < len(cells) {
				cells[x/times] = false
			}
		}
	}
	return solid
}

// partConfig is the flow of a grid by itself. Its outer sides are those of the domain, or walls behind ghosts, which nobody looks
// at. Nodes that finer boxes cover take no part but for the outermost.
func partConfig(level *lbm.Config, g *grid, covered func(p [3]int) bool) lbm.Config {
	c := *level
	c.Size, c.Whole, c.Cuts = g.full(), level, g.cuts
	var first [3]int // place of node 0
	for a := range first {
		first[a] = g.lo[a] - g.ghosts[2*a]
	}
	c.Origin = first
	for side := range c.Faces {
		if g.ghosts[side] > 0 {
			c.Faces[side], c.Ghosts[side] = lbm.Face{Kind: lbm.NoSlip}, g.level == 0 || g.cut(side) // in those beside the level above populations fly on
			continue
		}
		if of := c.Faces[side].Velocity; of != nil {
			c.Faces[side].Velocity = func(p [3]float64) [3]float64 {
				for a := range p {
					if p[a] += float64(first[a]); g.periodic[a] { // ghosts are nodes of the other end
						switch n := float64(g.size[a]); {
						case p[a] < -0.5:
							p[a] += n
						case p[a] > n-0.5:
							p[a] -= n
						}
					}
				}
				return of(p)
			}
		}
	}
	if g.inside != nil {
		c.Inside = g.inside
		return c
	}
	c.Solid = nil
	asleep := make([]bool, c.Nodes())
	any := false
	for n := range asleep {
		p := c.Position(n)
		for a := range p {
			p[a] += first[a]
		}
		asleep[n] = sleeps(level, g, g.wrapped(p), covered)
		any = any || asleep[n]
	}
	if any {
		c.Solid = asleep
	}
	return c
}

// sleeps tells whether a node of a level takes no part.
func sleeps(level *lbm.Config, g *grid, p [3]int, covered func(p [3]int) bool) bool {
	return level.Solid != nil && level.Solid[level.Node(p)] || deep(g, p, covered)
}

// deep tells whether a cell and all around it are covered.
func deep(g *grid, p [3]int, covered func(p [3]int) bool) bool {
	if !covered(p) { // mostly
		return false
	}
	lo, hi := p, p
	for a := range 3 {
		hi[a]++
		if a < g.dim {
			lo[a]--
			hi[a]++
		}
	}
	all := true
	each(lo, hi, func(q [3]int) {
		q = g.wrapped(q)
		for a := range g.dim {
			if q[a] < 0 || q[a] >= g.size[a] {
				return // behind a face
			}
		}
		all = all && covered(q)
	})
	return all
}

// checkBox refuses a box of a level, lo ≤ p < hi in nodes of the level, that cannot be joined to the one above.
func checkBox(level *lbm.Config, number int, lo, hi [3]int, above *grid, others []*grid) error {
	name := fmt.Sprintf("joined: box %v … %v of level %d", lo, hi, number)
	for a := range level.Lattice.Dim {
		switch {
		case lo[a]%2 != 0 || hi[a]%2 != 0:
			return fmt.Errorf("%s does not end between cells of the level above along %c: use even numbers, such as %d and %d", name, "xyz"[a], lo[a]&^1, (hi[a]+1)&^1)
		case hi[a]-lo[a] < leastCells*2:
			return fmt.Errorf("%s is %d nodes wide along %c: make it at least %d", name, hi[a]-lo[a], "xyz"[a], leastCells*2)
		case lo[a] < 0 || hi[a] > level.Size[a]:
			return fmt.Errorf("%s leaves the domain along %c, which has %d nodes of this level", name, "xyz"[a], level.Size[a])
		}
		for end, at := range [2]int{lo[a], hi[a] - level.Size[a]} {
			side := 2*a + end
			face := level.Faces[side].Kind
			if at == 0 && face.IsOpen() {
				return fmt.Errorf("%s lies at face %s (%s): keep it %d nodes away, or let it end at walls and periodic faces", name, lbm.FaceNames[side], face, 2*Margin)
			}
			edge := [2]int{lo[a] / 2, hi[a] / 2}[end]
			room := [2]int{edge - above.lo[a], above.hi[a] - edge}[end]
			if faced := at == 0 && (!above.periodic[a] || lo[a] == 0 && hi[a] == level.Size[a]); !faced && room < Margin && above.ghosts[side] > 0 || room < 0 {
				return fmt.Errorf("%s ends %d cells from the end of the box around it at the side %s: leave %d", name, room, lbm.FaceNames[side], Margin)
			} else if !faced && room > 0 && room < Margin && above.ghosts[side] == 0 && !above.periodic[a] {
				return fmt.Errorf("%s ends %d cells from face %s: let it end there, or leave %d", name, room, lbm.FaceNames[side], Margin)
			}
		}
	}
	for a := range level.Lattice.Dim {
		if left := level.Size[a] - (hi[a] - lo[a]); above.periodic[a] && left > 0 && left < 2*Margin {
			return fmt.Errorf("%s leaves %d nodes of the periodic axis %c: leave at least %d, or none", name, left, "xyz"[a], 2*Margin)
		}
	}
	for _, o := range others {
		if tooNear(level, lo, hi, o) {
			return fmt.Errorf("%s and box %v … %v are less than %d nodes apart: join them to one, or move them apart", name, o.lo, o.hi, 2*Margin)
		}
	}
	return nil
}

// Margin is how many cells of a level lie between a finer box and what is another level again: one that explodes, and one for its slope.
const Margin = 2

// leastCells is how many cells of the level above a box covers along each axis.
const leastCells = 2

// tooNear tells whether fewer cells than the margin lie between a box and another of its level.
func tooNear(level *lbm.Config, lo, hi [3]int, o *grid) bool {
	for a := range level.Lattice.Dim {
		n, apart := level.Size[a], true
		for _, shift := range [3]int{-n, 0, n} {
			if shift != 0 && !o.periodic[a] {
				continue
			}
			apart = apart && (lo[a]+shift >= o.hi[a]+2*Margin || hi[a]+shift+2*Margin <= o.lo[a])
		}
		if apart {
			return false
		}
	}
	return true
}

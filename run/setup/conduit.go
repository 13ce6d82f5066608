package setup

import (
	"math"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// Conduit is a channel or tube along an axis, of one section all along, whose fluid a constant force drives.
type Conduit struct {
	Axis   int
	Sides  [2]int        // the axes across
	Ends   [2][2]float64 // of the section along them, half a node beyond its outermost nodes: lower, upper
	Walls  [2][2]bool    // whether these are walls; else mirrors, or open to the other end
	Fluid  []bool        // of the nodes of a section, the first axis across fastest
	Area   float64       // of the section, nodes²
	Center geometry.Vec  // of the section, in nodes
	Alone  float64       // flow rate of the suspending fluid alone, nodes³ a step
	Spread float64       // polar moment of area of the section about its centre, over that of a circle as large: 1 for a circle, π/3 for a square
}

// roundSpread is the spread of what counts as round. Circles of nodes have at most 1.027 where they are 8 nodes wide, 1.004 from 20 on; their area differs from that of a circle as
// wide as their outermost nodes by 10 % even then, as these lie up to half a node inside.
const roundSpread = 1.03

// Round tells that the section is a circle of nodes with walls all around: as wide as high to one node, and as compact as a circle.
func (c *Conduit) Round() bool {
	return c.Walls == [2][2]bool{{true, true}, {true, true}} && c.Spread < roundSpread &&
		math.Abs((c.Ends[0][1]-c.Ends[0][0])-(c.Ends[1][1]-c.Ends[1][0])) <= 1
}

// Radius is that of the circle as large as the section, in nodes.
func (c *Conduit) Radius() float64 { return math.Sqrt(c.Area / math.Pi) }

// sectionVaries is the part of its nodes by which the section may vary along a conduit: those that rounding puts to either side of its wall.
const sectionVaries = 0.01

// FlowAlone is the flow rate of the suspending fluid alone, UL².
func (p *Problem) FlowAlone() float64 { return p.Units.FromLattice(casefile.FlowRate, p.Conduit.Alone) }

// newConduit finds the conduit of a problem in space, whose solids have been marked; nil where its fluid is in none.
func (p *Problem) newConduit() *Conduit {
	along := -1
	for a, f := range p.Case.Domain.Force {
		if f.Constant() && f.Value == 0 {
			continue
		}
		if along >= 0 || !f.Constant() {
			return nil
		}
		along = a
	}
	if along < 0 || !p.Flow.Periodic(along) || p.Vessel != nil || p.Flow.Lattice.Dim != 3 {
		return nil
	}
	c := &Conduit{Axis: along, Sides: [2]int{(along + 1) % 3, (along + 2) % 3}}
	for _, a := range c.Sides {
		for side := range 2 {
			switch p.Flow.Faces[2*a+side].Kind {
			case lbm.NoSlip, lbm.Periodic, lbm.FreeSlip, lbm.Symmetry:
			default:
				return nil
			}
		}
	}
	n := [2]int{p.Flow.Size[c.Sides[0]], p.Flow.Size[c.Sides[1]]}
	c.Fluid = make([]bool, n[0]*n[1])
	others := 0 // nodes that are not as most of their line
	for k := range c.Fluid {
		at := [3]int{}
		at[c.Sides[0]], at[c.Sides[1]] = k%n[0], k/n[0]
		open := p.openAlong(at, along)
		c.Fluid[k] = 2*open > p.Flow.Size[along]
		others += min(open, p.Flow.Size[along]-open)
		if c.Fluid[k] {
			c.Area++
			c.Center[c.Sides[0]] += float64(k % n[0])
			c.Center[c.Sides[1]] += float64(k / n[0])
		}
	}
	if c.Area == 0 || float64(others) > sectionVaries*c.Area*float64(p.Flow.Size[along]) {
		return nil
	}
	c.Center = c.Center.Scale(1 / c.Area)
	if !c.findWalls(p, n) {
		return nil
	}
	c.Alone = math.Abs(p.Flow.Force[along]) / p.Units.Nu * c.flowOfUnit(p, n)
	return c
}

// openAlong is how many nodes of the line through a node along an axis are no walls.
func (p *Problem) openAlong(at [3]int, axis int) (open int) {
	at[axis] = 0
	if axis == 0 && p.Flow.Solid != nil { // a row
		for _, solid := range p.Flow.Solid[p.Flow.Node(at):][:p.Flow.Size[0]] {
			if !solid {
				open++
			}
		}
		return open
	}
	for x := range p.Flow.Size[axis] {
		if at[axis] = x; !p.Flow.Wall(at) {
			open++
		}
	}
	return open
}

// findWalls finds where the section ends, at what, and its spread, and tells whether it has walls.
func (c *Conduit) findWalls(p *Problem, n [2]int) (found bool) {
	for i := range c.Sides {
		c.Ends[i], c.Walls[i] = [2]float64{math.Inf(1), math.Inf(-1)}, [2]bool{true, true}
	}
	moment := c.Area / 6 // of the nodes' squares about their own centres
	for k, fluid := range c.Fluid {
		for i, at := range [2]int{k % n[0], k / n[0]} {
			if x := float64(at); fluid {
				c.Ends[i] = [2]float64{math.Min(c.Ends[i][0], x-0.5), math.Max(c.Ends[i][1], x+0.5)}
				moment += (x - c.Center[c.Sides[i]]) * (x - c.Center[c.Sides[i]])
			}
		}
	}
	c.Spread = moment / (c.Area * c.Area / (2 * math.Pi))
	for k, fluid := range c.Fluid {
		for i, at := range [2]int{k % n[0], k / n[0]} {
			for side, by := range [2]int{-1, 1} {
				if !fluid {
					continue
				}
				_, wall, _ := c.beside(p, n, k, i, by)
				found = found || wall
				if !wall && float64(at)+0.5*float64(by) == c.Ends[i][side] {
					c.Walls[i][side] = false
				}
			}
		}
	}
	return found
}

// beside is the node next to node k of the section along an axis across: another one, a wall, or a mirror.
func (c *Conduit) beside(p *Problem, n [2]int, k, i, by int) (next int, wall, mirror bool) {
	at := [2]int{k % n[0], k / n[0]}
	at[i] += by
	if a := c.Sides[i]; at[i] < 0 || at[i] >= n[i] {
		side := 2 * a
		if by > 0 {
			side++
		}
		switch p.Flow.Faces[side].Kind {
		case lbm.Periodic:
			at[i] = (at[i] + n[i]) % n[i]
		case lbm.NoSlip:
			return 0, true, false
		default:
			return 0, false, true
		}
	}
	next = at[0] + n[0]*at[1]
	return next, !c.Fluid[next], false
}

// flowOfUnit is the flow rate of a fluid of viscosity one, driven by a force of one.
func (c *Conduit) flowOfUnit(p *Problem, n [2]int) (sum float64) {
	size := len(c.Fluid)
	beside := make([][4]int32, size) // the node itself: a mirror; −1: a wall
	for k, fluid := range c.Fluid {
		for side := range 4 {
			if !fluid {
				continue
			}
			next, wall, mirror := c.beside(p, n, k, side/2, 2*(side%2)-1)
			switch beside[k][side] = int32(next); {
			case wall:
				beside[k][side] = -1
			case mirror:
				beside[k][side] = int32(k)
			}
		}
	}
	for _, v := range developed(c.Fluid, beside, [2]float64{1, 1}) {
		sum += v
	}
	return sum
}

// developed is the velocity of a fluid of viscosity one, driven by a force of one, in the cells of a section whose walls are halfway to cells that are not fluid: the
// solution of Poisson's equation by conjugate gradients. beside are the cells beside each, two along each side: itself: a mirror; −1: a wall; weights are one over the
// squares of the cells' widths.
func developed(fluid []bool, beside [][4]int32, weights [2]float64) []float64 {
	size := len(fluid)
	u, r, d, q := make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
	apply := func(x, to []float64) { // −∇²
		for k, in := range fluid {
			if !in {
				continue
			}
			to[k] = 0
			for side, j := range beside[k] {
				if j < 0 {
					to[k] += 2 * weights[side/2] * x[k]
				} else {
					to[k] += weights[side/2] * (x[k] - x[j])
				}
			}
		}
	}
	rr := 0.
	for k, in := range fluid {
		if in {
			r[k], d[k] = 1, 1
			rr++
		}
	}
	for first := rr; rr > 1e-20*first; {
		apply(d, q)
		dq := 0.
		for k := range d {
			dq += d[k] * q[k]
		}
		by, before := rr/dq, rr
		rr = 0
		for k := range u {
			u[k] += by * d[k]
			r[k] -= by * q[k]
			rr += r[k] * r[k]
		}
		for k := range d {
			d[k] = r[k] + rr/before*d[k]
		}
	}
	return u
}

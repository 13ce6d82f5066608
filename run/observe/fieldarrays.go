package observe

import (
	"math"
	"unsafe"

	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// Extract is the state of a region at one step and the arrays of its file.
type Extract[T lbm.Float] struct {
	setup.FieldSeries
	State  Snapshot[T]
	layers []vtkhdf.Array     // of all layers, converted; kept from image to image
	Arrays []vtkhdf.Array     // what is written: the same, or of the plane between them
	bodies []kinematics.State // where they were, of a body mask
	origin [3]float64         // where its first point was, L
	corner [3]float64         // and the domain's
	grids  []*Extract[T]      // of each of Grids, in nodes of its width; what is written is theirs
}

// due tells whether a file is to be written of the state after a step.
func (e *Extract[T]) due(step int64) bool { return step%e.Interval == 0 }

// Take copies the state at hand.
func (e *Extract[T]) Take(r *State[T]) {
	if e.Grids != nil {
		e.takeGrids(r)
		return
	}
	if e.Fluid {
		e.State.Take(r)
		return
	}
	e.State.Read(r, e.From, e.Around.Size)
}

// Tiles are the boxes of the domain that the state is read from; none of several grids, or of the fluid alone, which are read by themselves.
func (e *Extract[T]) Tiles(p *setup.Problem) []setup.Tile {
	if e.Grids != nil || e.Fluid {
		return nil
	}
	hi := e.From
	for a := range hi {
		hi[a] += e.Around.Size[a]
	}
	return p.Tiles(e.From, hi)
}

// Drain copies the state of a capture, of which the extract's tiles begin with a box.
func (e *Extract[T]) Drain(p *setup.Problem, from *hybrid.CapturedBoxes[T], first int) error {
	if e.Grids != nil {
		return nil
	}
	e.State.hold(e.Around.Size, p.Flow.Lattice.Dim)
	return setup.Together(e.Around.Size, e.Tiles(p), e.State.Rho, e.State.U, func(k int, rho []T, u [][]T) error {
		return from.Box(first+k, rho, u)
	})
}

// Convert sets the arrays to what the case asks for of the copied state.
func (e *Extract[T]) Convert(p *setup.Problem) {
	if e.Grids != nil {
		e.convertGrids(p)
		return
	}
	if e.Fluid {
		e.fillFluid(p)
		return
	}
	if p.Flow.HasWalls() {
		to := e.From
		for a := range to {
			to[a] += e.Around.Size[a]
		}
		e.State.Settle(p.SolidIn(e.From, to))
	}
	e.fill(p, 1)
}

// fill sets the arrays, of nodes so wide.
func (e *Extract[T]) fill(p *setup.Problem, width int) {
	held := e.Region.Layers()
	if e.layers == nil {
		e.layers = newArrays(p, held.Nodes())
		e.Arrays = e.layers
		if e.Beyond > 0 {
			e.Arrays = newArrays(p, e.Nodes())
		}
	}
	speed := p.Units.FromLatticeVelocity(1)
	for _, a := range e.layers {
		to := a.Data.([]float32)
		switch a.Name {
		case "density":
			e.rows(held, func(k, from, n int) { Scaled(to[k:], 0, 1, e.State.Rho[from:][:n], 1) })
		case "velocity":
			for axis, u := range e.State.U {
				e.rows(held, func(k, from, n int) { Scaled(to[3*k:], axis, 3, u[from:][:n], speed) })
			}
		case "vorticity":
			e.vorticity(held, to, speed/(p.Units.Dx*float64(width)))
		case "pressure", "pressure_coefficient":
			scale := pressureScale(p, a.Name)
			e.rows(held, func(k, from, n int) { pressure(to[k:], e.State.Rho[from:][:n], scale) })
		case "q_criterion":
			rate := speed / (p.Units.Dx * float64(width))
			e.qCriterion(held, to, rate*rate)
		case "body":
			e.mask(p, held, to, width)
		}
	}
	if e.Beyond > 0 {
		for i, a := range e.layers {
			w := e.Beyond
			if a.Name == "body" { // a number is no mean of two
				w = math.Round(w)
			}
			between(e.Arrays[i].Data.([]float32), a.Data.([]float32), held.Size, e.Across, a.Components, w)
		}
	}
}

// Held is the memory of what has been copied and converted, in bytes.
func (e *Extract[T]) Held() (n int64) {
	for _, g := range e.grids {
		n += g.Held()
	}
	var one T
	n += int64(unsafe.Sizeof(one)) * int64(len(e.State.Rho)*(1+len(e.State.U)))
	for _, a := range e.Arrays {
		n += 4 * int64(len(a.Data.([]float32)))
	}
	return n
}

func newArrays(p *setup.Problem, nodes int) (arrays []vtkhdf.Array) {
	for _, q := range setup.Quantities(p.Case) {
		n := p.Components(q)
		arrays = append(arrays, vtkhdf.Array{Name: q, Components: n, Data: make([]float32, n*nodes)})
	}
	return arrays
}

// mask stores which body a node, so wide, is in, and marks those of walls.
func (e *Extract[T]) mask(p *setup.Problem, held setup.Region, to []float32, width int) {
	markBodies(p, e.bodies, lattice{held.Lo, held.Size, width}, func(int) bool { return true }, to)
	if !p.Flow.HasWalls() {
		return
	}
	for n, wall := range p.SolidCells(held.Lo, held.Size, width) {
		if wall {
			to[n] = inSolid
		}
	}
}

// rows calls do for every row of the region: its first node among the region's
// and among those copied, and the number of its nodes.
func (e *Extract[T]) rows(held setup.Region, do func(k, from, n int)) {
	n := held.Size[0]
	for row := range held.Size[1] * held.Size[2] {
		p := [3]int{held.Lo[0], held.Lo[1] + row%held.Size[1], held.Lo[2] + row/held.Size[1]}
		for a := range p {
			p[a] -= e.From[a]
		}
		do(row*n, e.Around.Node(p), n)
	}
}

// vorticity stores ∇×u times a scale in single precision, all components of a node
// beside each other.
func (e *Extract[T]) vorticity(held setup.Region, to []float32, scale float64) {
	c := &e.Around
	w, scratch := make([]T, c.Size[0]), make([]T, c.Size[0])
	components := len(curlAxes(c.Lattice.Dim))
	e.rows(held, func(k, from, n int) {
		row := from / c.Size[0]
		for i := range components {
			vorticityRow(c, e.State.U, i, row%c.Size[1], row/c.Size[1], w, scratch)
			Scaled(to[components*k:], i, components, w[from%c.Size[0]:][:n], scale)
		}
	})
}

// qCriterion stores Q = (|Ω|² − |S|²)/2 = −½ Σ ∂_i u_j ∂_j u_i times a scale, where Ω and S are the parts of the velocity's
// gradient that turn and strain (Hunt, Wray & Moin, CTR-S88, 1988): above 0 in vortices.
func (e *Extract[T]) qCriterion(held setup.Region, to []float32, scale float64) {
	c := &e.Around
	dim := c.Lattice.Dim
	g, h, sum := make([]T, c.Size[0]), make([]T, c.Size[0]), make([]T, c.Size[0])
	e.rows(held, func(k, from, n int) {
		row := from / c.Size[0]
		y, z := row%c.Size[1], row/c.Size[1]
		clear(sum)
		for i := range dim {
			for j := i; j < dim; j++ {
				derivativeRow(c, e.State.U[j], i, y, z, g)
				if i == j {
					for x, d := range g {
						sum[x] -= d * d / 2
					}
					continue
				}
				derivativeRow(c, e.State.U[i], j, y, z, h)
				for x, d := range g {
					sum[x] -= d * h[x]
				}
			}
		}
		Scaled(to[k:], 0, 1, sum[from%c.Size[0]:][:n], scale)
	})
}

// Scaled stores a field times a scale in single precision, as component i of n at
// every node.
func Scaled[T lbm.Float](to []float32, i, n int, f []T, scale float64) {
	for k, v := range f {
		to[n*k+i] = float32(float64(v) * scale)
	}
}

// between stores what is the part w of the way from the first to the second of two
// layers across an axis; size is that of both together, of the given components.
func between(to, layers []float32, size [3]int, axis, components int, w float64) {
	run := components // numbers beside each other in one layer
	for a := range axis {
		run *= size[a]
	}
	for k := range to {
		first := layers[k/run*2*run+k%run:]
		to[k] = float32((1-w)*float64(first[0]) + w*float64(first[run]))
	}
}

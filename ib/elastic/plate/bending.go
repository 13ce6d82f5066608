package plate

import "lbmib/geometry"

// bending is the energy
//
//	½ Σ_nodes D w [|X₁₁|² + |X₂₂|² + 2ν X₁₁·X₂₂] + ½ Σ_cells 2D(1−ν) h₁h₂ |X₁₂|²
//
// of the second differences X₁₁ and X₂₂ at nodes of area w and X₁₂ in cells. At edges that may turn the moment across
// them is 0: X₁₁ = −ν X₂₂ there, which leaves D w (1−ν²)|X₂₂|². It is quadratic in X: its stiffness is
// the same in every shape.
type bending struct {
	grid
	stiffness, poisson float64
	share              []float64 // of a node's area, 0 where it has no second difference
	one, both          [2][]bool // of nodes: has that along an axis; of held edges: the tangent stands in
	tangent            [2][]geometry.Vec
	twist              float64 // 2D(1−ν) h₁h₂/(h₁h₂)²

	// k is the stiffness of a node with itself and those in the blocks of a row, and
	// two nodes further along s₁ and s₂.
	k [][far + 2]float64
}

// newBending derives the stiffness of nodes that begin at x.
func newBending(g grid, stiffness, poisson float64, edges [4]EdgeKind, x []geometry.Vec) *bending {
	n := len(x)
	b := &bending{grid: g, stiffness: stiffness, poisson: poisson, share: make([]float64, n), k: make([][far + 2]float64, n)}
	b.twist = 2 * stiffness * (1 - poisson) / (g.h[0] * g.h[1])
	for axis := range 2 {
		b.one[axis], b.both[axis], b.tangent[axis] = make([]bool, n), make([]bool, n), make([]geometry.Vec, n)
	}
	for k := range x {
		at := [2]int{}
		at[0], at[1] = g.at(k)
		b.share[k] = g.width(0, at[0]) * g.width(1, at[1])
		for axis := range 2 {
			step := g.stride(axis)
			switch last := g.n[axis] - 1; {
			case at[axis] > 0 && at[axis] < last:
				b.one[axis][k], b.both[axis][k] = true, true
			case at[axis] == 0 && edges[2*axis] == Clamped:
				b.one[axis][k] = true
				b.tangent[axis][k] = unit(x[k+step].Sub(x[k]))
			case at[axis] == last && edges[2*axis+1] == Clamped:
				b.one[axis][k] = true
				b.tangent[axis][k] = unit(x[k].Sub(x[k-step]))
			}
		}
	}
	b.assemble()
	return b
}

func unit(v geometry.Vec) geometry.Vec { return v.Scale(1 / v.Norm()) }

// stride is from a node to the next along an axis.
func (g *grid) stride(axis int) int {
	if axis == 0 {
		return 1
	}
	return g.n[0]
}

// second is the second difference along an axis at node k, where there is one.
func (b *bending) second(axis, k int, x []geometry.Vec) geometry.Vec {
	h, step := b.h[axis], b.stride(axis)
	if b.both[axis][k] {
		return x[k+step].Sub(x[k]).Sub(x[k].Sub(x[k-step])).Scale(1 / (h * h))
	}
	if b.isFirst(axis, k) {
		return x[k+step].Sub(x[k]).Sub(b.tangent[axis][k].Scale(h)).Scale(2 / (h * h))
	}
	return x[k-step].Sub(x[k]).Add(b.tangent[axis][k].Scale(h)).Scale(2 / (h * h))
}

// isFirst tells whether node k is the first along an axis.
func (b *bending) isFirst(axis, k int) bool {
	i, j := b.at(k)
	return [2]int{i, j}[axis] == 0
}

// stencil are the nodes of a second difference and their factors.
func (b *bending) stencil(axis, k int) (nodes [3]int, factors [3]float64) {
	h, step := b.h[axis], b.stride(axis)
	f := 1 / (h * h)
	if b.both[axis][k] {
		return [3]int{k - step, k, k + step}, [3]float64{f, -2 * f, f}
	}
	if !b.isFirst(axis, k) {
		step = -step
	}
	return [3]int{k, k + step, k}, [3]float64{-2 * f, 2 * f, 0}
}

// density is w D times the factors of |X₁₁|², |X₂₂|² and 2 X₁₁·X₂₂ at node k.
func (b *bending) density(k int) (squares [2]float64, product float64) {
	d := b.stiffness * b.share[k]
	switch {
	case b.one[0][k] && b.one[1][k]:
		return [2]float64{d, d}, d * b.poisson
	case b.one[0][k]:
		return [2]float64{d * (1 - b.poisson*b.poisson), 0}, 0
	case b.one[1][k]:
		return [2]float64{0, d * (1 - b.poisson*b.poisson)}, 0
	}
	return squares, 0
}

// twisted is h₁h₂ X₁₂ of cell k.
func (b *bending) twisted(k int, x []geometry.Vec) geometry.Vec {
	c := b.corner(k)
	o := c + b.n[0]
	return x[o+1].Sub(x[o]).Sub(x[c+1].Sub(x[c]))
}

// energy is that at x.
func (b *bending) energy(x []geometry.Vec) (sum float64) {
	if b.stiffness == 0 {
		return 0
	}
	for k := range x {
		squares, product := b.density(k)
		var c [2]geometry.Vec
		for axis, w := range squares {
			if w != 0 {
				c[axis] = b.second(axis, k, x)
				sum += w / 2 * c[axis].Dot(c[axis])
			}
		}
		sum += product * c[0].Dot(c[1])
	}
	for k := range b.cells() {
		t := b.twisted(k, x)
		sum += b.twist / 2 * t.Dot(t)
	}
	return sum
}

// addForces adds −∂E/∂X at x to f.
func (b *bending) addForces(f, x []geometry.Vec) {
	if b.stiffness == 0 {
		return
	}
	for k := range x {
		squares, product := b.density(k)
		var c [2]geometry.Vec
		for axis, w := range squares {
			if w != 0 {
				c[axis] = b.second(axis, k, x)
			}
		}
		for axis, w := range squares {
			if w == 0 {
				continue
			}
			moment := c[axis].Scale(w).Add(c[1-axis].Scale(product))
			nodes, factors := b.stencil(axis, k)
			for v, node := range nodes {
				f[node] = f[node].Sub(moment.Scale(factors[v]))
			}
		}
	}
	for k := range b.cells() {
		c := b.corner(k)
		o := c + b.n[0]
		t := b.twisted(k, x).Scale(b.twist)
		f[c], f[o+1] = f[c].Sub(t), f[o+1].Sub(t)
		f[c+1], f[o] = f[c+1].Add(t), f[o].Add(t)
	}
}

// assemble sums the stiffness.
func (b *bending) assemble() {
	if b.stiffness == 0 {
		return
	}
	for k := range b.k {
		squares, product := b.density(k)
		var nodes [2][3]int
		var factors [2][3]float64
		for axis, w := range squares {
			if w != 0 {
				nodes[axis], factors[axis] = b.stencil(axis, k)
			}
		}
		for e := range 2 {
			for g := range 2 {
				w := product
				if e == g {
					w = squares[e]
				}
				if w == 0 {
					continue
				}
				for v, node := range nodes[e] {
					for u, other := range nodes[g] {
						b.add(node, other, w*factors[e][v]*factors[g][u])
					}
				}
			}
		}
	}
	for k := range b.cells() {
		c := b.corner(k)
		o := c + b.n[0]
		signs := [4]float64{1, -1, -1, 1}
		for v, node := range [4]int{c, c + 1, o, o + 1} {
			for u, other := range [4]int{c, c + 1, o, o + 1} {
				b.add(node, other, b.twist*signs[v]*signs[u])
			}
		}
	}
}

// add adds to the stiffness between two nodes; that of a pair is kept with the lower one.
func (b *bending) add(node, other int, v float64) {
	if other < node {
		return
	}
	b.k[node][b.blockOf(node, other)] += v
}

// blockOf is where a row keeps what node has with another, of a higher number.
func (g *grid) blockOf(node, other int) int {
	i, j := g.at(node)
	p, q := g.at(other)
	switch [2]int{p - i, q - j} {
	case [2]int{0, 0}:
		return self
	case [2]int{1, 0}:
		return east
	case [2]int{-1, 1}:
		return northwest
	case [2]int{0, 1}:
		return north
	case [2]int{1, 1}:
		return northeast
	case [2]int{2, 0}:
		return far
	case [2]int{0, 2}:
		return far + 1
	}
	panic("plate: nodes that have no block")
}

package beam

import "lbmib/geometry"

// bending is the energy ½ Σ w_i |c_i|² of the curvature vectors
//
//	c_i = D²X_i − κ₀_i J D¹X_i = Σ_b (p_b + q_b J) X_b + r_i,   b = i−1, i, i+1
//
// where J turns by 90° in the plane and w_i is k_b times the node's share of the length. It is
// quadratic in X: its stiffness is the same in every shape. r_i comes from the tangent of a
// clamped end.
type bending struct {
	w    []float64
	p, q [][3]float64 // of nodes i−1, i, i+1
	rest [2]geometry.Vec

	// The stiffness: the blocks of node i with itself and the next two are s + t J; J's part
	// of the first is 0.
	s, t [][3]float64
}

// turn is J v, v turned left by 90° in the plane z = 0.
func turn(v geometry.Vec) geometry.Vec { return geometry.Vec{-v[1], v[0], 0} }

// newBending derives the stencils. lengths are those of segments, shares those of nodes.
func newBending(stiffness float64, lengths, shares, curvature []float64, ends [2]End) *bending {
	n := len(shares)
	e := &bending{
		w: make([]float64, n), p: make([][3]float64, n), q: make([][3]float64, n),
		s: make([][3]float64, n), t: make([][3]float64, n),
	}
	for i := range n {
		first, last := i == 0, i == n-1
		if first && ends[0].Kind != Clamped || last && ends[1].Kind != Clamped {
			continue // no moment, no energy
		}
		e.w[i] = stiffness * shares[i]
		// c = (d₊ − d₋)/share of the slopes d of the two segments, one of which is the
		// tangent at a clamped end.
		if !first {
			before := 1 / (lengths[i-1] * shares[i])
			e.p[i][0], e.p[i][1] = before, -before
		}
		if !last {
			after := 1 / (lengths[i] * shares[i])
			e.p[i][1] -= after
			e.p[i][2] = after
		}
		if curvature != nil && curvature[i] != 0 && !first && !last {
			k := curvature[i] / (lengths[i-1] + lengths[i])
			e.q[i][0], e.q[i][2] = k, -k
		}
	}
	e.assemble()
	return e
}

// assemble sums the stiffness Σ w LᵀL over the nodes' stencils L.
func (e *bending) assemble() {
	n := len(e.w)
	for i, w := range e.w {
		for b := range 3 {
			for d := range 3 - b {
				if at := i - 1 + b; at >= 0 && at < n { // columns b, rows b + d
					e.s[at][d] += w * (e.p[i][b+d]*e.p[i][b] + e.q[i][b+d]*e.q[i][b])
					e.t[at][d] += w * (e.p[i][b+d]*e.q[i][b] - e.q[i][b+d]*e.p[i][b])
				}
			}
		}
	}
}

// hold keeps what the tangent of a clamped end adds to the curvature vector of its node.
func (e *bending) hold(end int, tangent geometry.Vec, share, curvature float64) {
	sign := -1.
	if end == 1 {
		sign = 1
	}
	e.rest[end] = tangent.Scale(sign / share).Sub(turn(tangent).Scale(curvature))
}

// vector is c_i at x.
func (e *bending) vector(i int, x []geometry.Vec) (c geometry.Vec) {
	n := len(x)
	if e.w[i] == 0 {
		return c
	}
	// Differences of places first: their rounding does not grow with the distance from the
	// origin. p of the node itself is minus the sum of the other two, q is ±q₊.
	p, q := &e.p[i], e.q[i][2]
	if i == 0 {
		c = e.rest[0]
	} else {
		c = x[i-1].Sub(x[i]).Scale(p[0])
	}
	if i == n-1 {
		return c.Add(e.rest[1])
	}
	c = c.Add(x[i+1].Sub(x[i]).Scale(p[2]))
	if q != 0 {
		c = c.Add(turn(x[i+1].Sub(x[i-1])).Scale(q))
	}
	return c
}

// vectorAtEnd is that of the node of a clamped end, where its two nodes are at x, in the line's order.
func (e *bending) vectorAtEnd(node int, x [2]geometry.Vec) geometry.Vec {
	if node == 0 {
		return e.rest[0].Add(x[1].Sub(x[0]).Scale(e.p[0][2]))
	}
	return x[0].Sub(x[1]).Scale(e.p[node][0]).Add(e.rest[1])
}

// energy is ½ Σ w|c|² at x.
func (e *bending) energy(x []geometry.Vec) (sum float64) {
	for i, w := range e.w {
		if w != 0 {
			c := e.vector(i, x)
			sum += w / 2 * c.Dot(c)
		}
	}
	return sum
}

// addForces adds −∂E/∂X = −Lᵀ w c at x to f.
func (e *bending) addForces(f, x []geometry.Vec) {
	n := len(x)
	for _, end := range [2]struct{ node, next, at int }{{0, 1, 2}, {n - 1, n - 2, 0}} {
		if w := e.w[end.node]; w != 0 { // clamped
			pull := e.vector(end.node, x).Scale(-w * e.p[end.node][end.at])
			f[end.next], f[end.node] = f[end.next].Add(pull), f[end.node].Sub(pull)
		}
	}
	for i := 1; i < n-1; i++ {
		w, before, after, q := e.w[i], e.p[i][0], e.p[i][2], e.q[i][2]
		a, b, d := &x[i-1], &x[i], &x[i+1]
		cx := w * (before*(a[0]-b[0]) + after*(d[0]-b[0]) - q*(d[1]-a[1]))
		cy := w * (before*(a[1]-b[1]) + after*(d[1]-b[1]) + q*(d[0]-a[0]))
		cz := w * (before*(a[2]-b[2]) + after*(d[2]-b[2]))
		g, h, k := &f[i-1], &f[i], &f[i+1]
		g[0], g[1], g[2] = g[0]-before*cx+q*cy, g[1]-before*cy-q*cx, g[2]-before*cz
		h[0], h[1], h[2] = h[0]+(before+after)*cx, h[1]+(before+after)*cy, h[2]+(before+after)*cz
		k[0], k[1], k[2] = k[0]-after*cx-q*cy, k[1]-after*cy+q*cx, k[2]-after*cz
	}
}

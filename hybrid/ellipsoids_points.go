package hybrid

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// pointTransfer interpolates velocity and its curl at single points, and spreads forces and torques from them, between points and fields of the
// whole domain:
//
//	Ũ = Σ u(x) δ(x−X)                     G(x) = F δ(x−X) + ½ T × ∇δ(x−X)
//	Ω̃ = ½ Σ ∇δ(x−X) × u(x) = ½ ∇ × Ũ
//
// where ∇ is by X: adjoint, so that F·Ũ + T·Ω̃ is the power Σ G·u. Couples have no sum, and have the torque T exactly.
//
// Nodes that are solid, or beyond a face, take no part: δ is divided by its sum over the others, and ∇ acts on that quotient, so that uniform
// flow is felt as it is, and the fluid gets all of F and no force by T, beside walls too.
//
// The sum on a node is that of the points in the order of the planes that their supports begin at, and by number in each: planes of
// nodes have owners, and the bits do not depend on how many. A point that is on a plane's border is looked at by both.
type pointTransfer[T lbm.Float] struct {
	flow    *lbm.Config
	delta   ib.Sloped[float64]
	support int
	loops   parallel.Loops
	open    []bool // of each node: a support that begins there has no solid node; nil: none has
	mine    []bool // of each point: this rank interpolates to it; nil: to all
	local   []bool // likewise, and spreads from it
	planes  [2]int // from which and before which nodes are this rank's; 0, 0: all
	at      []geometry.Vec

	plane    []int32 // of each point: that its support begins at, from 0 on
	first    []int32 // of each plane: its first in order; one more
	order    []int32
	closed   []int          // of each worker: a point without any fluid around; −1: none
	supports []pointSupport // of each worker: that of the point at hand

	felt, spin, push, twist []geometry.Vec // of the call
	field                   [][]T

	locate, gather, scatter func(worker int)
}

func newPointTransfer[T lbm.Float](flow *lbm.Config, delta ib.Sloped[float64], points int, loops parallel.Loops) *pointTransfer[T] {
	p := &pointTransfer[T]{flow: flow, delta: delta, support: delta.Support(), loops: loops}
	p.plane, p.order = make([]int32, points), make([]int32, points)
	p.first = make([]int32, flow.Size[2]+p.support)
	workers := loops.Workers()
	p.closed, p.supports = make([]int, workers), make([]pointSupport, workers)
	p.findOpen()
	p.locate = func(w int) {
		lo, hi := parallel.Share(points, w, workers)
		p.locateShare(lo, hi)
	}
	p.gather = func(w int) {
		lo, hi := parallel.Share(points, w, workers)
		p.closed[w] = p.gatherShare(&p.supports[w], lo, hi)
	}
	p.scatter = func(w int) {
		lo, hi := parallel.Share(flow.Size[2], w, workers)
		if p.planes[1] > 0 {
			lo, hi = parallel.Share(p.planes[1]-p.planes[0], w, workers)
			lo, hi = lo+p.planes[0], hi+p.planes[0]
		}
		p.scatterShare(&p.supports[w], lo, hi)
	}
	return p
}

// findOpen finds where supports begin that have no solid node.
func (p *pointTransfer[T]) findOpen() {
	if p.flow.Solid == nil {
		return
	}
	p.open = make([]bool, len(p.flow.Solid))
	for n := range p.open {
		p.open[n] = true
	}
	size := p.flow.Size
	for n, solid := range p.flow.Solid {
		if !solid {
			continue
		}
		at := p.flow.Position(n)
		for z := range p.support {
			for y := range p.support {
				for x := range p.support {
					to := [3]int{at[0] - x, at[1] - y, at[2] - z}
					for a := range to {
						to[a] = (to[a] + size[a]) % size[a]
					}
					p.open[p.flow.Node(to)] = false
				}
			}
		}
	}
}

// setPoints tells where the points are. Every one must be in the domain.
func (p *pointTransfer[T]) setPoints(x []geometry.Vec) error {
	p.at = x
	p.loops.Run(len(x), p.locate)
	clear(p.first)
	for i, plane := range p.plane {
		if plane < 0 {
			return fmt.Errorf("ellipsoid %d is at x = %.6g, y = %.6g, z = %.6g, outside the domain of %v nodes: it has passed through a wall; use a stronger repulsion", i, x[i][0], x[i][1], x[i][2], p.flow.Size)
		}
		p.first[plane]++
	}
	sum := int32(0)
	for k, n := range p.first {
		p.first[k], sum = sum, sum+n
	}
	for i, plane := range p.plane { // which moves every start to the next
		p.order[p.first[plane]] = int32(i)
		p.first[plane]++
	}
	copy(p.first[1:], p.first)
	p.first[0] = 0
	return nil
}

func (p *pointTransfer[T]) locateShare(lo, hi int) {
	for i := lo; i < hi; i++ {
		x := &p.at[i]
		inside := true
		for a, n := range p.flow.Size {
			inside = inside && x[a] >= -0.5 && x[a] <= float64(n)-0.5
		}
		if !inside {
			p.plane[i] = -1
			continue
		}
		p.plane[i] = int32(p.bucket(p.delta.First(x[2])))
	}
}

// bucket is the number of the plane that supports begin at with node z, −support < z < size.
func (p *pointTransfer[T]) bucket(z int) int {
	switch {
	case !p.flow.Periodic(2):
		return z + p.support - 1
	case z < 0:
		return z + p.flow.Size[2]
	default:
		return z
	}
}

// pointSupport is the nodes of a point and their weights along each axis.
type pointSupport struct {
	w, d  [3][ib.MaxSupport]float64 // φ, φ′
	node  [3][ib.MaxSupport]int     // offsets of nodes along an axis; −1: there is none
	from  [3]int                    // the first node, not wrapped
	whole bool                      // all are fluid
}

// set makes the support that of a point.
func (p *pointTransfer[T]) set(s *pointSupport, x *geometry.Vec) {
	stride, begin := 1, 0
	s.whole = true
	for a, n := range p.flow.Size {
		first := p.delta.Slopes(&s.w[a], &s.d[a], x[a])
		s.from[a] = first
		for k := range p.support {
			j := first + k
			if j < 0 || j >= n {
				if !p.flow.Periodic(a) {
					s.node[a][k], s.whole = -1, false
					continue
				}
				if j < 0 {
					j += n
				} else {
					j -= n
				}
			}
			if k == 0 {
				begin += j * stride
			}
			s.node[a][k] = j * stride
		}
		stride *= n
	}
	if s.whole && p.open != nil {
		s.whole = p.open[begin]
	}
}

// interpolate stores velocity and spin at the points. Every one must have some fluid around.
func (p *pointTransfer[T]) interpolate(felt, spin []geometry.Vec, u [][]T) error {
	p.felt, p.spin, p.field = felt, spin, u
	p.loops.Run(len(p.at), p.gather)
	for _, i := range p.closed {
		if i >= 0 {
			x := p.at[i]
			return fmt.Errorf("ellipsoid %d is at x = %.6g, y = %.6g, z = %.6g, with no fluid around: it has passed through a wall; use a stronger repulsion", i, x[0], x[1], x[2])
		}
	}
	return nil
}

func (p *pointTransfer[T]) gatherShare(s *pointSupport, lo, hi int) (closed int) {
	closed = -1
	ux, uy, uz := p.field[0], p.field[1], p.field[2]
	n := p.support
	for _, i := range p.order[lo:hi] {
		if p.mine != nil && !p.mine[i] {
			continue
		}
		p.set(s, &p.at[i])
		if !s.whole {
			if !p.gatherBeside(int(i), s) {
				closed = int(i)
			}
			continue
		}
		var vx, vy, vz float64             // Ũ
		var xy, xz, yx, yz, zx, zy float64 // ∂ of its components: yx is ∂Ũx/∂y
		for c := range n {
			for b := range n {
				row := s.node[2][c] + s.node[1][b]
				var ax, ay, az, by, bz float64 // Σ φ u, Σ φ′ u along x
				for a := range n {
					k := row + s.node[0][a]
					w, d := s.w[0][a], s.d[0][a]
					x, y, z := float64(ux[k]), float64(uy[k]), float64(uz[k])
					ax, ay, az = ax+w*x, ay+w*y, az+w*z
					by, bz = by+d*y, bz+d*z
				}
				w := s.w[1][b] * s.w[2][c]
				vx, vy, vz = vx+w*ax, vy+w*ay, vz+w*az
				xy, xz = xy+w*by, xz+w*bz
				w = s.d[1][b] * s.w[2][c]
				yx, yz = yx+w*ax, yz+w*az
				w = s.w[1][b] * s.d[2][c]
				zx, zy = zx+w*ax, zy+w*ay
			}
		}
		p.felt[i] = geometry.Vec{vx, vy, vz}
		p.spin[i] = geometry.Vec{(yz - zy) / 2, (zx - xz) / 2, (xy - yx) / 2}
	}
	return closed
}

// spread makes a field of force densities that of forces push and torques twist.
func (p *pointTransfer[T]) spread(field [][]T, push, twist []geometry.Vec) {
	p.push, p.twist, p.field = push, twist, field
	p.loops.Run(len(p.at), p.scatter)
}

// scatterShare makes the field on planes lo ≤ z < hi.
func (p *pointTransfer[T]) scatterShare(s *pointSupport, lo, hi int) {
	plane := p.flow.Size[0] * p.flow.Size[1]
	for _, f := range p.field {
		clear(f[lo*plane : hi*plane])
	}
	if lo == hi {
		return
	}
	for z := lo - p.support + 1; z < hi; z++ {
		bucket := p.bucket(z)
		for _, i := range p.order[p.first[bucket]:p.first[bucket+1]] {
			if p.local != nil && !p.local[i] {
				continue
			}
			p.set(s, &p.at[i])
			from, to := max(0, lo-z), min(p.support, hi-z)
			if s.whole {
				p.scatterPoint(s, &p.push[i], &p.twist[i], from, to)
			} else {
				p.scatterBeside(s, &p.push[i], &p.twist[i], from, to)
			}
		}
	}
}

// scatterPoint adds a point's force and torque on planes from ≤ c < to of its support.
func (p *pointTransfer[T]) scatterPoint(s *pointSupport, f, t *geometry.Vec, from, to int) {
	gx, gy, gz := p.field[0], p.field[1], p.field[2]
	n := p.support
	tx, ty, tz := t[0]/2, t[1]/2, t[2]/2
	for c := from; c < to; c++ {
		for b := range n {
			row := s.node[2][c] + s.node[1][b]
			w, dy, dz := s.w[1][b]*s.w[2][c], s.d[1][b]*s.w[2][c], s.w[1][b]*s.d[2][c]
			x, y, z := f[0]*w+ty*dz-tz*dy, f[1]*w-tx*dz, f[2]*w+tx*dy // times φ along x
			ey, ez := tz*w, -ty*w                                     // times φ′
			for a := range n {
				k := row + s.node[0][a]
				w, d := s.w[0][a], s.d[0][a]
				gx[k] += T(x * w)
				gy[k] += T(y*w + ey*d)
				gz[k] += T(z*w + ez*d)
			}
		}
	}
}

// besideNode is a node that is fluid, of a support that has others, too.
type besideNode struct {
	node, plane int // in the fields; in the support
	w           float64
	slope       geometry.Vec
}

// besideNodes is room for all of a support.
type besideNodes [ib.MaxSupport * ib.MaxSupport * ib.MaxSupport]besideNode

// beside finds the nodes that are fluid, with δ and ∇δ of the quotient; there are none where they have nothing of δ.
func (p *pointTransfer[T]) beside(s *pointSupport, room *besideNodes) []besideNode {
	count := 0
	n := p.support
	sum, slope := 0., geometry.Vec{}
	for c := range n {
		for b := range n {
			for a := range n {
				x, y, z := s.node[0][a], s.node[1][b], s.node[2][c]
				if x < 0 || y < 0 || z < 0 || p.flow.Solid != nil && p.flow.Solid[x+y+z] {
					continue
				}
				e := &room[count]
				e.node, e.plane = x+y+z, c
				e.w = s.w[0][a] * s.w[1][b] * s.w[2][c]
				e.slope = geometry.Vec{s.d[0][a] * s.w[1][b] * s.w[2][c], s.w[0][a] * s.d[1][b] * s.w[2][c], s.w[0][a] * s.w[1][b] * s.d[2][c]}
				sum, slope = sum+e.w, slope.Add(e.slope)
				count++
			}
		}
	}
	if !(sum > leastShare) {
		return nil
	}
	all := room[:count]
	for k := range all {
		e := &all[k]
		e.w /= sum
		e.slope = e.slope.Sub(slope.Scale(e.w)).Scale(1 / sum)
	}
	return all
}

// leastShare is how much of δ must be on nodes of the fluid: a point in the middle of a solid has 0.
const leastShare = 1e-3

// gatherBeside is gatherShare for a point beside walls; it tells whether there is fluid.
func (p *pointTransfer[T]) gatherBeside(i int, s *pointSupport) bool {
	var room besideNodes
	var felt, spin geometry.Vec
	all := p.beside(s, &room)
	for k := range all {
		e := &all[k]
		u := geometry.Vec{float64(p.field[0][e.node]), float64(p.field[1][e.node]), float64(p.field[2][e.node])}
		felt, spin = felt.Add(u.Scale(e.w)), spin.Add(e.slope.Cross(u).Scale(0.5))
	}
	p.felt[i], p.spin[i] = felt, spin
	return len(all) > 0
}

// scatterBeside is scatterPoint for a point beside walls.
func (p *pointTransfer[T]) scatterBeside(s *pointSupport, f, t *geometry.Vec, from, to int) {
	var room besideNodes
	all := p.beside(s, &room)
	for k := range all {
		e := &all[k]
		if e.plane < from || e.plane >= to {
			continue
		}
		force := f.Scale(e.w).Add(t.Scale(0.5).Cross(e.slope))
		for a, g := range p.field {
			g[e.node] += T(force[a])
		}
	}
}

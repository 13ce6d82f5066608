package hybrid

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// innerReader reads the momentum of the fluid inside bodies from a fluid.
type innerReader[T lbm.Float] struct {
	of  []innerNodes // of each body
	rho []T
	u   [][]T
}

// innerNodes are the nodes inside a body, wrapped around periodic axes.
type innerNodes struct {
	nodes, at []int32 // as the fluid numbers them, and 0, 1, …
	share     []float64
	arm       []geometry.Vec // from the centre
}

// collect lists the nodes inside a body where it is now; nodes beyond faces that are not
// periodic do not exist.
func (n *innerNodes) collect(b *rigid.Body, flow *lbm.Config) {
	if !b.Moving() && len(n.nodes) > 0 {
		return
	}
	n.nodes, n.at, n.share, n.arm = n.nodes[:0], n.at[:0], n.share[:0], n.arm[:0]
	in := b.Inside()
	if in.Shares == nil {
		return
	}
	dim := flow.Lattice.Dim
	s := b.Here()
	back := s.Rotation.Transpose()
	var lo, hi [3]int
	for a := range dim {
		extent := in.Radius
		if !b.Moving() { // the grid is along the axes
			extent = in.Reach(a)
		}
		lo[a], hi[a] = int(math.Floor(s.Position[a]-extent)), int(math.Ceil(s.Position[a]+extent))
	}
	along := geometry.Vec{back[0][0], back[1][0], back[2][0]} // of x, in the body's coordinates
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			arm := geometry.Vec{0, float64(y) - s.Position[1], float64(z) - s.Position[2]}
			if dim == 2 {
				arm[2] = 0
			}
			first, last := lo[0], hi[0]
			if b.Moving() { // what of the row lies within reach, however the body has turned
				half := math.Sqrt(in.Radius*in.Radius - arm[1]*arm[1] - arm[2]*arm[2])
				if !(half >= 0) {
					continue
				}
				first, last = max(first, int(math.Floor(s.Position[0]-half))), min(last, int(math.Ceil(s.Position[0]+half)))
			}
			start := back.Apply(geometry.Vec{-s.Position[0], arm[1], arm[2]})
			for x := first; x <= last; x++ {
				share := in.ShareAt(start.Add(along.Scale(float64(x))), dim)
				if share == 0 {
					continue
				}
				p := [3]int{x, y, z}
				if !patch.Wrap(flow, &p) {
					continue
				}
				n.at = append(n.at, int32(len(n.nodes)))
				n.nodes = append(n.nodes, int32(flow.Node(p)))
				n.share = append(n.share, share)
				arm[0] = float64(x) - s.Position[0]
				n.arm = append(n.arm, arm)
			}
		}
	}
}

// read is the momentum of the fluid inside a body where it is now; 0 where none is inside.
func (r *innerReader[T]) read(fluid lbm.Fluid[T], b *rigid.Body) (m rigid.Momentum) {
	if b.Hollow {
		return m
	}
	for len(r.of) <= b.Index() {
		r.of = append(r.of, innerNodes{})
	}
	in := &r.of[b.Index()]
	in.collect(b, fluid.Config())
	n, dim := len(in.nodes), fluid.Config().Lattice.Dim
	if n == 0 {
		return m
	}
	if cap(r.rho) < n {
		r.rho = make([]T, n, n+n/4)
		r.u = patch.Fields[T](dim, n+n/4)
	}
	r.rho = r.rho[:n]
	fluid.Moments(in.nodes, in.at, r.rho, r.u)
	for i, share := range in.share {
		mass := share * float64(r.rho[i])
		var j geometry.Vec
		for a := range r.u {
			j[a] = mass * float64(r.u[a][i])
			m.Linear[a] += j[a]
		}
		l := in.arm[i].Cross(j)
		for a := range l {
			m.Angular[a] += l[a]
		}
	}
	return m
}

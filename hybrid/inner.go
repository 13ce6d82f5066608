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
	reach := 0.
	for a := range dim {
		reach += in.Reach(a) * in.Reach(a)
	}
	reach = math.Sqrt(reach)
	var lo, hi [3]int
	for a := range dim {
		extent := reach
		if !b.Moving() { // the grid is along the axes
			extent = in.Reach(a)
		}
		lo[a], hi[a] = int(math.Floor(s.Position[a]-extent)), int(math.Ceil(s.Position[a]+extent))
	}
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				arm := geometry.Vec{float64(x), float64(y), float64(z)}.Sub(s.Position)
				if dim == 2 {
					arm[2] = 0
				}
				share := in.ShareAt(back.Apply(arm), dim)
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

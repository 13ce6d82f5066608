package hybrid

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// innerReader reads the momentum of the fluid inside bodies from a fluid, of all bodies at once.
type innerReader[T lbm.Float] struct {
	of    []innerNodes // of each body
	first []int        // of its nodes among those of all
	nodes []int32      // of all bodies, as the fluid numbers them
	at    []int32      // 0, 1, …
	rho   []T
	u     [][]T

	fluid         lbm.Fluid[T]
	loops         parallel.Loops
	bodies        []*rigid.Body
	within        func(*rigid.Body) bool // whether a body's is wanted
	into          []lbm.RegionSums
	collect, sums func(worker int) // loops over bodies, made once
}

// innerNodes are the nodes inside a body, wrapped around periodic axes.
type innerNodes struct {
	nodes []int32 // as the fluid numbers them
	share []float64
	arm   []geometry.Vec // from the centre
}

// collect lists the nodes inside a body where it is now; nodes beyond faces that are not
// periodic do not exist.
func (n *innerNodes) collect(b *rigid.Body, flow *lbm.Config) {
	if !b.Moving() && len(n.nodes) > 0 {
		return
	}
	n.nodes, n.share, n.arm = n.nodes[:0], n.share[:0], n.arm[:0]
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
				n.nodes = append(n.nodes, int32(flow.Node(p)))
				n.share = append(n.share, share)
				arm[0] = float64(x) - s.Position[0]
				n.arm = append(n.arm, arm)
			}
		}
	}
}

// newInnerReader reads from a fluid what is inside the bodies that are within.
func newInnerReader[T lbm.Float](fluid lbm.Fluid[T], loops parallel.Loops, bodies []*rigid.Body, within func(*rigid.Body) bool) *innerReader[T] {
	r := &innerReader[T]{fluid: fluid, loops: loops, bodies: bodies, within: within, of: make([]innerNodes, len(bodies)), first: make([]int, len(bodies)+1)}
	n := loops.Workers()
	each := func(do func(i int)) func(int) {
		return func(worker int) {
			for i := worker; i < len(bodies); i += n {
				do(i)
			}
		}
	}
	r.collect = each(func(i int) {
		if b := bodies[i]; within(b) && !b.Hollow {
			r.of[i].collect(b, fluid.Config())
		}
	})
	r.sums = each(r.sum)
	return r
}

// read stores the momentum of the fluid inside each body where it is now; 0 where none is inside.
func (r *innerReader[T]) read(into []lbm.RegionSums) {
	r.loops.Run(len(r.nodes)+1, r.collect)
	r.nodes = r.nodes[:0]
	for i := range r.of {
		r.first[i] = len(r.nodes)
		r.nodes = append(r.nodes, r.of[i].nodes...)
	}
	n := len(r.nodes)
	r.first[len(r.of)] = n
	for len(r.at) < n {
		r.at = append(r.at, int32(len(r.at)))
	}
	if len(r.rho) < n {
		r.rho = make([]T, n+n/4)
		r.u = patch.Fields[T](r.fluid.Config().Lattice.Dim, n+n/4)
	}
	if n > 0 {
		r.fluid.Moments(r.nodes, r.at[:n], r.rho, r.u)
	}
	r.into = into
	r.loops.Run(n, r.sums)
}

// sum is the momentum inside body i.
func (r *innerReader[T]) sum(i int) {
	if !r.within(r.bodies[i]) {
		return
	}
	var m rigid.Momentum
	in, first := &r.of[i], r.first[i]
	for k, share := range in.share {
		mass := share * float64(r.rho[first+k])
		var j geometry.Vec
		for a := range r.u {
			j[a] = mass * float64(r.u[a][first+k])
			m.Linear[a] += j[a]
		}
		l := in.arm[k].Cross(j)
		for a := range l {
			m.Angular[a] += l[a]
		}
	}
	r.into[i] = lbm.RegionSums{Linear: m.Linear, Angular: m.Angular}
}

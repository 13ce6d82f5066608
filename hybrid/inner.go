package hybrid

import (
	"math"
	"slices"

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

// innerNodes are the nodes inside a body, row by row, wrapped around periodic axes.
type innerNodes struct {
	rows  []innerRow
	share []float64
}

// innerRow is nodes that follow each other along x.
type innerRow struct {
	node int32 // the first one, as the fluid numbers them
	n    int32
	arm  geometry.Vec // of the first one, from the centre
}

// collect lists the nodes inside a body where it is now; nodes beyond faces that are not
// periodic do not exist.
func (n *innerNodes) collect(b *rigid.Body, flow *lbm.Config) {
	if !b.Moving() && len(n.share) > 0 {
		return
	}
	n.rows, n.share = n.rows[:0], n.share[:0]
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
			off := arm[1]*arm[1] + arm[2]*arm[2]
			first, last := lo[0], hi[0]
			if b.Moving() { // what of the row lies within reach, however the body has turned
				half := math.Sqrt(in.Radius*in.Radius - off)
				if !(half >= 0) {
					continue
				}
				first, last = max(first, int(math.Floor(s.Position[0]-half))), min(last, int(math.Ceil(s.Position[0]+half)))
			}
			core, end := last+1, last // nodes from core to end are the body's as a whole
			if half := math.Sqrt(in.Core*in.Core - off); in.Core > 0 && half >= 0 {
				core, end = int(math.Ceil(s.Position[0]-half)), int(math.Floor(s.Position[0]+half))
			}
			start := back.Apply(geometry.Vec{-s.Position[0], arm[1], arm[2]})
			begun, count := len(n.share), max(0, last-first+1)
			n.share = slices.Grow(n.share, count)[:begun+count]
			shares, from := n.share[begun:], start.Add(along.Scale(float64(first)))
			if core <= end {
				for k := core - first; k <= end-first; k++ {
					shares[k] = 1
				}
				in.Share(shares[:core-first], from, along, dim)
				shares, from = shares[end+1-first:], start.Add(along.Scale(float64(end+1)))
			}
			in.Share(shares, from, along, dim)
			n.add([3]int{first, y, z}, begun, arm, s.Position[0], flow)
		}
	}
}

// add makes rows of the nodes from p on, whose shares are those from begun on, and keeps of the
// shares those that are not 0 and of nodes that exist.
func (n *innerNodes) add(p [3]int, begun int, arm geometry.Vec, center float64, flow *lbm.Config) {
	shares := n.share[begun:]
	n.share = n.share[:begun]
	for len(shares) > 0 {
		x, count := p, 1
		if shares[0] != 0 && patch.Wrap(flow, &x) {
			for most := min(len(shares), flow.Size[0]-x[0]); count < most && shares[count] != 0; {
				count++
			}
			arm[0] = float64(p[0]) - center
			n.rows = append(n.rows, innerRow{int32(flow.Node(x)), int32(count), arm})
			n.share = append(n.share, shares[:count]...)
		}
		shares, p[0] = shares[count:], p[0]+count
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
		for _, row := range r.of[i].rows {
			for k := range row.n {
				r.nodes = append(r.nodes, row.node+k)
			}
		}
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
	in, at := &r.of[i], r.first[i]
	if len(in.share) == 0 { // of a hollow body, or one beyond the domain: there may be no fields at all
		r.into[i] = lbm.RegionSums{}
		return
	}
	share, u := in.share, [3][]T{r.u[0], r.u[1], r.u[len(r.u)-1]}
	for _, row := range in.rows {
		n := int(row.n)
		rho, ux, uy, uz := r.rho[at:][:n], u[0][at:][:n], u[1][at:][:n], u[2][at:][:n]
		var jx, jy, jz, xjy, xjz float64 // of the row, and moments about its first node
		for k, part := range share[:n] {
			mass := part * float64(rho[k])
			x, y, z := mass*float64(ux[k]), mass*float64(uy[k]), mass*float64(uz[k])
			jx, jy, jz = jx+x, jy+y, jz+z
			xjy, xjz = xjy+float64(k)*y, xjz+float64(k)*z
		}
		if len(r.u) == 2 {
			jz, xjz = 0, 0
		}
		m.Linear = m.Linear.Add(geometry.Vec{jx, jy, jz})
		m.Angular = m.Angular.Add(row.arm.Cross(geometry.Vec{jx, jy, jz})).Add(geometry.Vec{0, -xjz, xjy})
		share, at = share[n:], at+n
	}
	r.into[i] = lbm.RegionSums{Linear: m.Linear, Angular: m.Angular}
}

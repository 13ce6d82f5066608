package lbm

import (
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// arrivals is where the populations that arrive at a list of nodes come from, wherever
// boundaries send them. They are fetched by the direction that they leave along, in
// columns: the k-th of direction i holds what arrives at target k along i. Behind the
// targets' are columns of what boundaries turn, which arrives along another direction, and
// of what leaves covered nodes and arrives at no target.
type arrivals[T Float] struct {
	targets []int32      // nodes, ascending
	columns int          // of a direction
	stride  int          // of a direction's populations, at least as many
	from    []int32      // node of each: [direction·columns + column]
	left    []int32      // column of what leaves the covered nodes: [direction·covered + place]
	turned  []turnedLink // by target
	walls   []bounce[T]  // by target
}

// bounce is what a moving wall adds to the population that arrives at a target.
type bounce[T Float] struct {
	target int32
	dir    uint8
	face   uint8
	gain   T
}

// turnedLink is a population that arrives at a target along dir and stands in a column of
// direction left.
type turnedLink struct {
	target, column int32
	dir, left      uint8
}

// OpenFaceError is a node whose next step cannot be made aside, because what arrives
// there comes through an open face, whose memory is the fluid's.
type OpenFaceError struct {
	Node [3]int
	Face string
	Kind FaceKind
}

func (e *OpenFaceError) Error() string {
	return fmt.Sprintf("node %v lies at face %s (%s), whose memory only the fluid has: keep supports at least 2 nodes away from pressure and outflow faces, and from velocity faces through which fluid leaves, with recursive collision from any", e.Node, e.Face, e.Kind)
}

// localCompiler finds links of single nodes.
type localCompiler[T Float] struct {
	compiler[T]
	stride [MaxQ]int // to the node that a population of each direction comes from

	links  []localLink   // of the targets next to boundaries, all directions
	behind [MaxQ][]int32 // nodes of the columns behind the targets'
}

// localLink is a population of a node that leaves along left and arrives at a target along
// dir.
type localLink struct {
	target, node int32
	dir, left    uint8
}

func newLocalCompiler[T Float](cfg *Config) *localCompiler[T] {
	c := &localCompiler[T]{}
	q := cfg.Lattice.Q
	code := func(i int, p [3]int) int { return cfg.Node(p)*q + i }
	c.cfg, c.at = cfg, addresses{post: code, pull: code}
	c.setOpen(cfg.OpenFaces())
	for i, v := range cfg.Lattice.C {
		c.stride[i] = -(v[0] + cfg.Size[0]*(v[1]+cfg.Size[1]*v[2]))
	}
	return c
}

// inner tells whether all neighbours of node p are fluid nodes inside the domain.
func (c *localCompiler[T]) inner(p [3]int) bool {
	if c.cfg.Solid != nil {
		return false
	}
	for a := range c.cfg.Lattice.Dim {
		if !inside(p[a], c.cfg.Size[a]) {
			return false
		}
	}
	return true
}

// run is how many nodes from the k-th on follow each other along x away from all
// boundaries: 0 if that one does not lie so.
func (c *localCompiler[T]) run(nodes []int32, k int) (n int) {
	first := nodes[k]
	p := c.cfg.Position(int(first))
	if !c.inner(p) {
		return 0
	}
	for most := min(c.cfg.Size[0]-1-p[0], len(nodes)-k); n < most && nodes[k+n] == first+int32(n); n++ {
	}
	return n
}

// openAt is the open face that node p lies at, or −1.
func (c *localCompiler[T]) openAt(p [3]int) int {
	for side := range 2 * c.cfg.Lattice.Dim {
		edge := 0
		if side%2 == 1 {
			edge = c.cfg.Size[side/2] - 1
		}
		if c.opening[side] >= 0 && p[side/2] == edge {
			return side
		}
	}
	return -1
}

// neighbours adds the fluid nodes that pull from some nodes to a set, and these.
func (c *localCompiler[T]) neighbours(nodes []int32, to *nodeSet) {
	l, size := c.cfg.Lattice, c.cfg.Size
	for k, run := 0, 0; k < len(nodes); k += max(1, run) {
		n := nodes[k]
		if run = c.run(nodes, k); run > 0 {
			for _, d := range c.stride[:l.Q] {
				to.addRun(n+int32(d), run)
			}
			continue
		}
		p := c.cfg.Position(int(n))
	links:
		for _, v := range l.C {
			x := p
			for a := range l.Dim {
				x[a] += v[a]
				if x[a] >= 0 && x[a] < size[a] {
					continue
				}
				if !c.cfg.Periodic(a) {
					continue links
				}
				x[a] = (x[a] + size[a]) % size[a]
			}
			if !c.cfg.solid(x) {
				to.add(int32(c.cfg.Node(x)))
			}
		}
	}
}

// find finds the links of the targets next to boundaries.
func (c *localCompiler[T]) find(a *arrivals[T]) error {
	c.links, a.walls = c.links[:0], a.walls[:0]
	for k, run := 0, 0; k < len(a.targets); k += max(1, run) {
		if run = c.run(a.targets, k); run > 0 {
			continue
		}
		n := a.targets[k]
		p := c.cfg.Position(int(n))
		if side := c.openAt(p); side >= 0 {
			return &OpenFaceError{p, FaceNames[side], c.cfg.Faces[side].Kind}
		}
		c.links = append(c.links, localLink{target: int32(k), node: n})
		for i := 1; i < c.cfg.Lattice.Q; i++ {
			c.links = append(c.links, c.origin(a, p, i, int32(k)))
		}
	}
	return nil
}

// origin is the link of population i that arrives at target k, which is p.
func (c *localCompiler[T]) origin(a *arrivals[T], p [3]int, i int, k int32) localLink {
	l, o := c.cfg.Lattice, &c.out
	o.copies.to, o.copies.from = o.copies.to[:0], o.copies.from[:0]
	o.walls.to, o.walls.from, o.walls.gain, o.walls.face = o.walls.to[:0], o.walls.from[:0], o.walls.gain[:0], o.walls.face[:0]
	c.link(p, i)
	link := localLink{target: k, dir: uint8(i)}
	var code int
	switch {
	case len(o.copies.from) > 0:
		code = o.copies.from[0]
	case len(o.walls.from) > 0:
		code = o.walls.from[0]
		a.walls = append(a.walls, bounce[T]{k, uint8(i), o.walls.face[0], o.walls.gain[0]})
	default: // an ordinary neighbour
		link.node, link.left = int32(c.cfg.Node(p)+c.stride[i]), uint8(i)
		return link
	}
	link.node, link.left = int32(code/l.Q), uint8(code%l.Q)
	return link
}

// nowhere is the column of what leaves a covered node and has none yet.
const nowhere = -1

// leave finds the columns of what leaves the covered nodes lo ≤ c < hi of a list for targets
// away from boundaries.
func (c *localCompiler[T]) leave(a *arrivals[T], covered []int32, near *nodeSet, lo, hi int) {
	q, size := c.cfg.Lattice.Q, c.cfg.Size
	for k, run := lo, 0; k < hi; k += max(1, run) {
		n := covered[k]
		if run = c.run(covered[:hi], k); run > 0 { // targets along x follow each other, too
			for i, d := range c.stride[:q] {
				column := near.place(n - int32(d))
				for j := range a.left[i*len(covered)+k:][:run] {
					a.left[i*len(covered)+k+j] = column + int32(j)
				}
			}
			continue
		}
		p := c.cfg.Position(int(n))
		for i, v := range c.cfg.Lattice.C {
			x, within := p, true
			for d := range x {
				x[d] += v[d]
				within = within && x[d] >= 0 && x[d] < size[d]
			}
			a.left[i*len(covered)+k] = nowhere
			if within && c.inner(x) {
				a.left[i*len(covered)+k] = near.place(int32(c.cfg.Node(x)))
			}
		}
	}
}

// settle gives what has none yet a column: links of boundaries, and what arrives nowhere.
func (c *localCompiler[T]) settle(a *arrivals[T], covered []int32, in *nodeSet) {
	for i := range c.behind {
		c.behind[i] = c.behind[i][:0]
	}
	a.turned = a.turned[:0]
	nobody := int32(nowhere)
	for _, straight := range [2]bool{true, false} { // what is turned may be what arrives elsewhere unturned
		for _, l := range c.links {
			if straight != (l.dir == l.left) {
				continue
			}
			column := &nobody
			if in.has(l.node) {
				column = &a.left[int(l.left)*len(covered)+int(in.place(l.node))]
			}
			switch {
			case *column != nowhere:
				if *column != l.target || !straight {
					a.turned = append(a.turned, turnedLink{l.target, *column, l.dir, l.left})
				}
			case straight && column != &nobody:
				*column = l.target
			case !straight:
				at := c.append(a, l.left, l.node)
				a.turned = append(a.turned, turnedLink{l.target, at, l.dir, l.left})
				if column != &nobody {
					*column = at
				}
			}
		}
	}
	slices.SortStableFunc(a.turned, func(l, m turnedLink) int { return int(l.target - m.target) })
	for i := range c.cfg.Lattice.Q {
		columns := a.left[i*len(covered) : (i+1)*len(covered)]
		for k, column := range columns {
			if column == nowhere {
				columns[k] = c.append(a, uint8(i), covered[k])
			}
		}
	}
}

// append is a new column of a direction.
func (c *localCompiler[T]) append(a *arrivals[T], dir uint8, node int32) int32 {
	c.behind[dir] = append(c.behind[dir], node)
	return int32(len(a.targets) + len(c.behind[dir]) - 1)
}

// hold makes room for the columns.
func (c *localCompiler[T]) hold(a *arrivals[T], vector int) error {
	q := c.cfg.Lattice.Q
	a.columns = len(a.targets)
	for _, nodes := range c.behind {
		a.columns = max(a.columns, len(a.targets)+len(nodes))
	}
	a.stride = apart(a.columns+vector, int(unsafe.Sizeof(T(0)))) // kernels read whole vectors
	if int64(a.stride)*int64(q) > math.MaxInt32 {
		return fmt.Errorf("the bodies' supports and what is around them are %d nodes: %d can be stepped aside", a.columns, math.MaxInt32/q)
	}
	a.from = resized(a.from, q*a.columns)
	return nil
}

// pull lists the nodes of the columns of the targets lo ≤ k < hi as if all were away from
// boundaries; bend puts right those that are not, and lists those behind.
func (c *localCompiler[T]) pull(a *arrivals[T], lo, hi int) {
	for i, stride := range c.stride[:c.cfg.Lattice.Q] {
		from := a.from[i*a.columns+lo : i*a.columns+hi]
		for k, n := range a.targets[lo:hi] {
			from[k] = n + int32(stride)
		}
	}
}

func (c *localCompiler[T]) bend(a *arrivals[T]) {
	for _, l := range c.links {
		n := l.node
		if l.dir != l.left {
			n = a.targets[l.target] // anyone: turned tells what arrives
		}
		a.from[int(l.dir)*a.columns+int(l.target)] = n
	}
	for i := range c.cfg.Lattice.Q {
		behind := a.from[i*a.columns+len(a.targets) : (i+1)*a.columns]
		for k := copy(behind, c.behind[i]); k < len(behind); k++ {
			behind[k] = a.targets[0] // anyone
		}
	}
}

// room is a length for n values with some to spare, in whole batches.
func room(n int) int { return (n + n/8 + localBatch) / localBatch * localBatch }

// resized is a list of n values, in the same memory where it suffices.
func resized[V any](list []V, n int) []V {
	if cap(list) < n {
		list = make([]V, room(n))
	}
	return list[:n]
}

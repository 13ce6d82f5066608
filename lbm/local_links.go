package lbm

import (
	"fmt"
	"math"
	"unsafe"
)

// arrivals is where the populations that arrive at a list of nodes come from, wherever
// boundaries send them: a direction of one of another list of nodes.
type arrivals[T Float] struct {
	targets, sources []int32   // nodes, both ascending
	from             [][]int32 // [direction][target]: place of source and direction, see at
	stride           int
	walls            []bounce[T]  // by target
	turned           []turnedLink // links that do not keep their direction
}

// bounce is what a moving wall adds to the population that arrives at a target.
type bounce[T Float] struct {
	target int32
	dir    uint8
	face   uint8
	gain   T
}

// turnedLink is a link that arrives along dir and leaves along another direction.
type turnedLink struct {
	target    int32
	dir, left uint8
}

// OpenFaceError is a node whose next step cannot be made aside, because what arrives
// there comes through an open face, whose memory is the fluid's.
type OpenFaceError struct {
	Node [3]int
	Face string
	Kind FaceKind
}

func (e *OpenFaceError) Error() string {
	return fmt.Sprintf("node %v lies at face %s (%s), whose memory only the fluid has: keep supports at least 2 nodes away from pressure and outflow faces", e.Node, e.Face, e.Kind)
}

// localCompiler finds links of single nodes.
type localCompiler[T Float] struct {
	compiler[T]
	stride [MaxQ]int // to the node that a population of each direction comes from
}

func newLocalCompiler[T Float](cfg *Config) *localCompiler[T] {
	c := &localCompiler[T]{}
	q := cfg.Lattice.Q
	code := func(i int, p [3]int) int { return cfg.Node(p)*q + i }
	c.cfg, c.at = cfg, addresses{post: code, pull: code}
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
		if c.cfg.open(side) && p[side/2] == edge {
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
				if c.cfg.Faces[2*a].Kind != Periodic {
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

// find finds where the arrivals at the targets of a come from: nodes, yet, but for those
// away from boundaries, where the first is negative. set is room for the sources, and
// tells their places afterwards. See arrivals.place.
func (c *localCompiler[T]) find(a *arrivals[T], set *nodeSet) error {
	l := c.cfg.Lattice
	set.clear()
	a.walls, a.turned = a.walls[:0], a.turned[:0]
	a.from = grown(a.from, l.Q, len(a.targets))
	for k, run := 0, 0; k < len(a.targets); k += max(1, run) {
		n := a.targets[k]
		if run = c.run(a.targets, k); run > 0 {
			for _, d := range c.stride[:l.Q] {
				set.addRun(n+int32(d), run)
			}
			for i := range a.from[0][k : k+run] {
				a.from[0][k+i] = -1
			}
			continue
		}
		p := c.cfg.Position(int(n))
		if side := c.openAt(p); side >= 0 {
			return &OpenFaceError{p, FaceNames[side], c.cfg.Faces[side].Kind}
		}
		for i := range l.Q {
			from := n
			if i > 0 {
				from = c.origin(a, p, i, int32(k))
			}
			a.from[i][k] = from
			set.add(from)
		}
	}
	a.sources = set.list(a.sources[:0])
	a.stride = apart(len(a.sources), int(unsafe.Sizeof(T(0))))
	if int64(a.stride)*int64(l.Q) > math.MaxInt32 {
		return fmt.Errorf("the bodies' supports and what is around them are %d nodes: %d can be stepped aside", len(a.sources), math.MaxInt32/l.Q)
	}
	return nil
}

// place makes of the nodes that the targets lo ≤ k < hi pull from the places of these.
func (a *arrivals[T]) place(c *localCompiler[T], set *nodeSet, lo, hi int) {
	for i := len(a.from) - 1; i >= 0; i-- { // the first tells which lie away from boundaries
		from, stride, first := a.from[i], int32(c.stride[i]), int32(i*a.stride)
		before, place := int32(-2), int32(0)
		for k := lo; k < hi; k++ {
			n := from[k]
			if a.from[0][k] < 0 {
				n = a.targets[k] + stride
			}
			if place++; n != before+1 { // neighbours along x are neighbours in the list
				place = set.place(n)
			}
			before, from[k] = n, place+first
		}
	}
}

// turn makes links that do not keep their direction arrive from the one that they leave by.
func (a *arrivals[T]) turn() {
	for _, t := range a.turned {
		a.from[t.dir][t.target] += int32((int(t.left) - int(t.dir)) * a.stride)
	}
}

// origin is the node that population i of target k, which is p, comes from.
func (c *localCompiler[T]) origin(a *arrivals[T], p [3]int, i int, k int32) int32 {
	l, o := c.cfg.Lattice, &c.out
	o.copies.to, o.copies.from = o.copies.to[:0], o.copies.from[:0]
	o.walls.to, o.walls.from, o.walls.gain, o.walls.face = o.walls.to[:0], o.walls.from[:0], o.walls.gain[:0], o.walls.face[:0]
	c.link(p, i)
	var code int
	switch {
	case len(o.copies.from) > 0:
		code = o.copies.from[0]
	case len(o.walls.from) > 0:
		code = o.walls.from[0]
		a.walls = append(a.walls, bounce[T]{k, uint8(i), o.walls.face[0], o.walls.gain[0]})
	default: // an ordinary neighbour
		return int32(c.cfg.Node(p) + c.stride[i])
	}
	if left := code % l.Q; left != i {
		a.turned = append(a.turned, turnedLink{k, uint8(i), uint8(left)})
	}
	return int32(code / l.Q)
}

// room is a length for n values with some to spare, in whole batches.
func room(n int) int { return (n + n/8 + localBatch) / localBatch * localBatch }

// grown are lists of n values, in the same memory where it suffices.
func grown[V any](f [][]V, lists, n int) [][]V {
	if len(f) != lists || cap(f[0]) < n {
		f = make([][]V, lists)
		for i := range f {
			f[i] = make([]V, room(n))
		}
	}
	for i := range f {
		f[i] = f[i][:n]
	}
	return f
}

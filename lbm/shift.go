package lbm

// Shift makes node p of a fluid what node p + by along an axis is, bit for bit: as if the domain moved by so many nodes, forward or back. What leaves it behind is lost, and
// nodes that come in ahead get the velocity given by a function of position, as Initialize sets it, and the density of the nodes that were outermost there: another one would
// be a wave of sound. It is for axes that are not periodic, flows without
// solids, and faces across the axis that are walls or keep nothing of their nodes. An outflow behind, whose memory is of the density and velocity
// that its nodes have had, is left as it is: it has that of the layer that leaves, for as long as a wave takes through the layers that moved.
func Shift[T Float](fluid interface {
	Fluid[T]
	Exchanger[T]
}, axis, by int, velocity func(p [3]float64) [3]float64) {
	c := fluid.Config()
	n, block := c.Size[axis], by
	if by < 0 {
		block = -by
	}
	if block == 0 {
		return
	}
	s := shifter[T]{fluid: fluid, axis: axis, ahead: by, force: c.ForceAt(float64(fluid.Steps())), velocity: velocity}
	layer := c.Nodes() / n
	most := layer * min(block, n)
	for range c.Lattice.Q {
		s.f = append(s.f, make([]T, most))
	}
	s.nodes, s.each, s.density = make([]int32, 0, most), make([]int32, 0, c.Lattice.Q*most), make([]float64, 0, layer)
	s.keepDensity()
	for done := 0; done < n; done += block { // none is read after it was written
		first, count := done, min(block, n-done)
		if by < 0 {
			first = n - done - count
		}
		s.layers(first, count)
	}
}

// ShiftBytes is the memory that Shift takes by so many nodes along an axis, whose values take valueSize bytes each: it is free again afterwards.
func (c *Config) ShiftBytes(axis, by, valueSize int) int64 {
	layer := int64(c.Nodes() / c.Size[axis])
	block := layer * int64(min(max(by, -by), c.Size[axis]))
	return block*int64(c.Lattice.Q*(valueSize+4)+4) + 8*layer // populations and lists of their nodes, densities
}

// shifter moves layers of nodes.
type shifter[T Float] struct {
	fluid interface {
		Fluid[T]
		Exchanger[T]
	}
	axis, ahead int // layers are what those so far ahead are
	force       [3]float64
	velocity    func(p [3]float64) [3]float64
	density     []float64 // of the outermost layer ahead, before
	nodes, each []int32   // listed once, and once for each direction
	f           [][]T
}

// layers makes so many layers from one on what those ahead are: of the domain's, or what lies before it.
func (s *shifter[T]) layers(first, count int) {
	n := s.fluid.Config().Size[s.axis]
	from, to := max(0, first+s.ahead), min(n, first+count+s.ahead)
	if from < to {
		f := s.fetch(from, to-from)
		s.list(from-s.ahead, to-from)
		s.fluid.Put(s.nodes, f)
	}
	if from >= to {
		from, to = first+count+s.ahead, first+count+s.ahead // all lie before the domain
	}
	s.enter(first, from-s.ahead-first)
	s.enter(to-s.ahead, first+count+s.ahead-to)
}

// fetch reads so many layers from one on.
func (s *shifter[T]) fetch(first, count int) [][]T {
	s.list(first, count)
	f := s.room()
	s.each = s.each[:0]
	for range f {
		s.each = append(s.each, s.nodes...)
	}
	s.fluid.Fetch(s.each, f)
	return f
}

// keepDensity keeps that of the outermost layer ahead.
func (s *shifter[T]) keepDensity() {
	outermost := 0
	if s.ahead > 0 {
		outermost = s.fluid.Config().Size[s.axis] - 1
	}
	f := s.fetch(outermost, 1)
	for k := range s.nodes {
		rho := 1.
		for i := range f {
			rho += float64(f[i][k])
		}
		s.density = append(s.density, rho)
	}
}

// enter sets so many layers from one on to the state before the domain.
func (s *shifter[T]) enter(first, count int) {
	if count <= 0 {
		return
	}
	s.list(first, count)
	f := s.room()
	c := s.fluid.Config()
	for k, node := range s.nodes {
		var p [3]float64
		for a, x := range c.Position(int(node)) {
			p[a] = float64(x)
		}
		at := s.across(c.Position(int(node)))
		g := c.Initial(p, s.force, func(p [3]float64) (float64, [3]float64) { return s.density[at], s.velocity(p) })
		for i := range f {
			f[i][k] = T(g[i])
		}
	}
	s.fluid.Put(s.nodes, f)
}

// across is the number of a node in its layer.
func (s *shifter[T]) across(p [3]int) (n int) {
	for a := 2; a >= 0; a-- {
		if a != s.axis {
			n = n*s.fluid.Config().Size[a] + p[a]
		}
	}
	return n
}

// list lists the nodes of so many layers from one on.
func (s *shifter[T]) list(first, count int) {
	c := s.fluid.Config()
	lo, hi := [3]int{}, c.Size
	lo[s.axis], hi[s.axis] = first, first+count
	s.nodes = s.nodes[:0]
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			for x := lo[0]; x < hi[0]; x++ {
				s.nodes = append(s.nodes, int32(c.Node([3]int{x, y, z})))
			}
		}
	}
}

// room is as much of each direction as there are nodes listed.
func (s *shifter[T]) room() [][]T {
	f := make([][]T, len(s.f))
	for i := range f {
		f[i] = s.f[i][:len(s.nodes)]
	}
	return f
}

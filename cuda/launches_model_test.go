package cuda

import (
	"lbmib/cuda/device"
	"lbmib/lbm"
)

// stepSize is what the bytes that kernels move depend on.
type stepSize struct {
	q, dim           int
	element, value   int // bytes of a stored population, and of other numbers
	nodes            int
	links, openNodes int // of one phase; nodes of open faces
	support, markers int
	reach            int // nodes of the delta along an axis
	fetched, put     int // nodes that the host's part exchanges
}

func (f *Fluid[T]) stepSize() stepSize {
	return stepSize{q: f.cfg.Lattice.Q, dim: f.cfg.Lattice.Dim, element: f.grid.element, value: device.SizeOf[T](), nodes: f.cfg.Nodes(),
		links: linksOf(&f.cfg, f.grid.element), openNodes: f.open.nodes}
}

// linksOf is about how many links of other faces than open ones a domain without walls
// inside has: of every node of a face, those that cross it.
func linksOf(c *lbm.Config, element int) (n int) {
	across := 3
	if c.Lattice.Dim == 3 {
		across = 5
	}
	var open [6]bool
	for _, face := range c.OpenFaces() {
		open[face.Side] = true
	}
	for side := range 2 * c.Lattice.Dim {
		if !open[side] && (side > 1 || !closesRows(c, element)) {
			n += across * c.Nodes() / c.Size[side/2]
		}
	}
	return n
}

// Parts of formulas: what a marker and a support node bring along.
func (s *stepSize) stencil() int { return s.dim * (4 + s.reach*s.value) } // of a marker: first node and weights
func (s *stepSize) vector() int  { return s.dim * s.value }
func (s *stepSize) moments() int { return (1 + s.dim) * s.value }
func (s *stepSize) populations() int {
	return s.q * s.element
}

// felt is what interpolation reads of the fluid at the support nodes, once, and of the index.
func (s *stepSize) felt(numbers int) int { return s.support * (numbers*s.value + 4) }

// linkBytes, openBytes and gatherBytes are those of kernels that are also parts of others.
func (s *stepSize) linkBytes() int { return s.links * (2*s.element + 11) }
func (s *stepSize) openBytes() int {
	return s.openNodes * (s.populations()/3 + 4*32 + 12 + s.q*(s.element+17)/3)
}
func (s *stepSize) gatherBytes() int {
	return s.support*(8+s.vector()) + s.markers*(4+s.stencil()+s.vector())
}

// kernelCost is the bytes that a launch of a kernel moves between the device's memory and
// its multiprocessors, if everything that a launch uses several times is read once.
type kernelCost struct {
	name, formula string
	bytes         func(s *stepSize) int
}

// kernelCosts are those of all kernels that steps launch, in the order in which a step has
// them. In formulas n, s, m, l, o are numbers of nodes, support nodes, markers, links and
// nodes of open faces, Q of populations of e bytes, d of axes, N of nodes that the delta
// reaches over, v the bytes of other numbers.
var kernelCosts = []kernelCost{
	{"advance_cells", "m(48 + 2dv) + 8s", func(s *stepSize) int { return s.markers*(48+2*s.vector()) + 8*s.support }},
	{"membrane_forces", "m(796 + dv)", func(s *stepSize) int { return s.markers * (796 + s.vector()) }},
	{"membrane_slip", "m(164 + 3dv)", func(s *stepSize) int { return s.markers * (164 + 3*s.vector()) }},
	{"force_nodes", "s(12 + 2dv)", func(s *stepSize) int { return s.support * (12 + 2*s.vector()) }},
	{"noise_start", "8", func(*stepSize) int { return 8 }},
	{"links", "l(2e + 11)", (*stepSize).linkBytes},
	{"links_wide", "l(2e + 19)", func(s *stepSize) int { return s.links * (2*s.element + 19) }},
	{"open", "o(Qe/3 + 4·32 + 12 + Q(e + 17)/3)", (*stepSize).openBytes},
	{"boundary", "links + open", func(s *stepSize) int { return s.linkBytes() + s.openBytes() }},
	{"sweep", "2nQe", func(s *stepSize) int { return 2 * s.nodes * s.populations() }},
	{"sweep_moments", "2nQe + n/8 + s(4 + (1 + d)v)", func(s *stepSize) int {
		return 2*s.nodes*s.populations() + s.nodes/8 + s.support*(4+s.moments())
	}},
	{"sweep_forced", "2nQe + n/8 + s(1 + 2d)v", func(s *stepSize) int {
		return 2*s.nodes*s.populations() + s.nodes/8 + s.support*(s.moments()+s.vector())
	}},
	{"forced_moments", "s(8 + 2(1 + d)v)", func(s *stepSize) int { return s.support * (8 + 2*s.moments()) }},
	{"index_forget", "16s", func(s *stepSize) int { return 16 * s.support }},
	{"place_forget", "8m", func(s *stepSize) int { return 8 * s.markers }},
	{"place_block", "44m + 16s", func(s *stepSize) int { return 44*s.markers + 16*s.support }},
	{"place_keys", "40m + 16s", func(s *stepSize) int { return 40*s.markers + 16*s.support }},
	{"sort_count", "5m", func(s *stepSize) int { return 5 * s.markers }},
	{"sort_scan", "2m", func(s *stepSize) int { return 2 * s.markers }},
	{"sort_scatter", "17m", func(s *stepSize) int { return 17 * s.markers }},
	{"place_weights", "m(36 + d(4 + Nv)) + 28s", func(s *stepSize) int { return s.markers*(36+s.stencil()) + 28*s.support }},
	{"list_marked", "n/8 + 4s", func(s *stepSize) int { return s.nodes/8 + 4*s.support }},
	{"contact_forces", "m(8 + 4d + 3dv)", func(s *stepSize) int { return s.markers * (8 + 4*s.dim + 3*s.vector()) }},
	{"spread_owned", "s(4 + dv) + m(4 + d(4 + Nv) + dv)", func(s *stepSize) int {
		return s.support*(4+s.vector()) + s.markers*(4+s.stencil()+s.vector())
	}},
	{"interpolate", "s·dv + m(4 + d(4 + Nv) + dv)", func(s *stepSize) int {
		return s.support*s.vector() + s.markers*(4+s.stencil()+s.vector())
	}},
	{"moments", "s(Qe + 4 + (1 + d)v)", func(s *stepSize) int { return s.support * (s.populations() + 4 + s.moments()) }},
	{"force_first", "s((1 + d)v + 4) + m(4 + d(4 + Nv) + (2 + 4d)v)", func(s *stepSize) int {
		return s.felt(1+s.dim) + s.markers*(4+s.stencil()+(2+4*s.dim)*s.value)
	}},
	{"marker_equations", "m(24 + (2 + 3d)v)", func(s *stepSize) int { return s.markers * (24 + (2+3*s.dim)*s.value) }},
	{"marker_sums", "m(24 + (2 + 4d)v)", func(s *stepSize) int { return s.markers * (24 + (2+4*s.dim)*s.value) }},
	{"reduction_merge", "0", func(*stepSize) int { return 0 }},
	{"reduction_merge_equations", "0", func(*stepSize) int { return 0 }},
	{"gather_correct", "gather_force + s(2Qe + 4)", func(s *stepSize) int {
		return s.gatherBytes() + s.support*(2*s.populations()+4)
	}},
	{"gather_force", "s(8 + dv) + m(4 + d(4 + Nv) + dv)", (*stepSize).gatherBytes},
	{"spread_atomic", "m(d(4 + Nv) + dv) + N^d m(4 + 2dv)", func(s *stepSize) int {
		return s.markers*(s.stencil()+s.vector()) + power(s.reach, s.dim)*s.markers*(4+2*s.vector())
	}},
	{"spread_sweep", "m(4 + d(4 + Nv) + v) + 2Nmv", func(s *stepSize) int {
		return s.markers*(4+s.stencil()+s.value) + 2*s.reach*s.markers*s.value
	}},
	{"fold_force", "s(4 + v + 2Nv)", func(s *stepSize) int { return s.support * (4 + s.value + 2*s.reach*s.value) }},
	{"forced_fluid", "s(1 + 3d)v", func(s *stepSize) int { return s.support * (1 + 3*s.dim) * s.value }},
	{"feel_again", "s(dv + 4) + m(4 + d(4 + Nv) + (1 + 3d)v)", func(s *stepSize) int {
		return s.felt(s.dim) + s.markers*(4+s.stencil()+(1+3*s.dim)*s.value)
	}},
	{"force_more", "m(4 + (2 + 5d)v)", func(s *stepSize) int { return s.markers * (4 + (2+5*s.dim)*s.value) }},
	{"correct", "s(2Qe + 4 + dv)", func(s *stepSize) int { return s.support * (2*s.populations() + 4 + s.vector()) }},
	{"fetch", "nodes put × (Qe + Qv + 4Q)", func(s *stepSize) int { return s.fetched * (s.populations() + s.q*s.value + 4*s.q) }},
	{"put", "nodes put × (Qe + Qv + 4)", func(s *stepSize) int { return s.put * (s.populations() + s.q*s.value + 4) }},
	{"reduce", "nodes of boxes and regions asked for × Qe", func(*stepSize) int { return 0 }},
}

func power(x, n int) int {
	p := 1
	for range n {
		p *= x
	}
	return p
}

// costOf is the place of a kernel among kernelCosts, −1 for one that has none.
func costOf(name string) int {
	for i, c := range kernelCosts {
		if c.name == name {
			return i
		}
	}
	return -1
}

// isSweep tells whether a kernel of a step works on all nodes.
func isSweep(name string) bool {
	return name == "sweep" || name == "sweep_moments" || name == "sweep_forced"
}

// kernelBytes is what all kernels of a step but the sweep move.
func (n *stepCount) kernelBytes() float64 {
	sum := 0.
	for name, count := range n.kernels {
		if !isSweep(name) {
			sum += float64(count) / countedSteps * float64(kernelCosts[costOf(name)].bytes(&n.size))
		}
	}
	return sum
}

package transfer

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"lbmib/geometry"
)

// distributions are the places of points by name.
var distributions = []string{"random", "sphere", "rbc", "perturbed"}

// Red cells: the undeformed shape that Evans & Fung measured, as written by Omori et
// al., Phys. Rev. E 86 (2012) 056321, and used by Kassen et al., with so many points
// each, in a box of 16 µm.
const (
	cellRadius = 3.91 // µm
	cellBox    = 16.0 // µm
	cellPoints = 8832
)

// keptMove is the most that a coordinate moves in the orders kept and sorted, in nodes.
const keptMove = 1e-3

// places are the positions of the points, in nodes; each seed gives others.
func (p *Problem) places(seed uint64) []geometry.Vec {
	r := rand.New(rand.NewPCG(seed, 0x6c626d6962)) // any stream
	x := make([]geometry.Vec, p.Points)
	switch p.Distribution {
	case "random":
		for k := range x {
			for a := range p.Size.Dim() {
				x[k][a] = r.Float64()
			}
		}
	case "sphere":
		p.sphere(r, x)
	case "rbc":
		for cells, i := max(1, (p.Points+cellPoints-1)/cellPoints), 0; i < cells; i++ {
			redCell(r, x[p.Points*i/cells:p.Points*(i+1)/cells])
		}
	case "perturbed":
		p.perturbed(r, x)
		return x
	}
	for k := range x { // from fractions of the box
		for a := range p.Size.Dim() {
			n := float64(p.Size[a])
			x[k][a] = n/2 + (x[k][a]-0.5)*p.edge(a)
		}
	}
	return x
}

// edge is the length along an axis of the box that holds the points.
func (p *Problem) edge(axis int) float64 {
	if p.Box > 0 {
		return float64(p.Box)
	}
	return float64(p.Size[axis])
}

// fibonacci is the k-th of n points evenly on the unit sphere, along a spiral.
func fibonacci(k, n int) geometry.Vec {
	z := 1 - (2*float64(k)+1)/float64(n)
	sin, cos := math.Sincos(float64(k) * math.Pi * (3 - math.Sqrt(5)))
	s := math.Sqrt(1 - z*z)
	return geometry.Vec{s * cos, s * sin, z}
}

// sphere puts points evenly on a sphere (a circle in 2D) of half the box's
// diameter in its middle, turned and moved by up to half a node.
func (p *Problem) sphere(r *rand.Rand, x []geometry.Vec) {
	turn, start := rotation(r), r.Float64()
	var middle geometry.Vec
	for a := range p.Size.Dim() {
		middle[a] = 0.5 + (r.Float64()-0.5)/p.edge(a)
	}
	for k := range x {
		if p.Size.Dim() == 2 {
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + start) / float64(len(x)))
			x[k] = middle.Add(geometry.Vec{cos / 4, sin / 4})
			continue
		}
		x[k] = middle.Add(turn.times(fibonacci(k, len(x))).Scale(0.25))
	}
}

// redCell puts points on the surface of one cell at any place, turned any way.
func redCell(r *rand.Rand, x []geometry.Vec) {
	turn := rotation(r)
	middle := geometry.Vec{r.Float64(), r.Float64(), r.Float64()}
	for k := range x {
		q := fibonacci(k, len(x)) // (cos θ cos φ, sin θ cos φ, sin φ)
		c := math.Hypot(q[0], q[1])
		q[2] *= 0.105 + c*c - 0.56*c*c*c*c
		x[k] = middle.Add(turn.times(q).Scale(cellRadius / cellBox))
	}
}

// perturbed is the arrangement of Büyükkeçeci, Awile & Sbalzarini, Parallel Comput.
// 39 (2013) 94: a point per node, in the order of nodes, moved by up to two spacings
// along every axis. More or fewer points than nodes share the nodes evenly.
func (p *Problem) perturbed(r *rand.Rand, x []geometry.Vec) {
	for k := range x {
		node := k * p.Size.Nodes() / len(x)
		for a := range p.Size.Dim() {
			x[k][a] = float64(node%p.Size[a]) + 4*r.Float64() - 2
			node /= p.Size[a]
		}
	}
}

// nudged are the points, each moved by less than keptMove, towards the middle of the
// half cell that it is in: whatever the staggering and the support, none begins at
// another node.
func (p *Problem) nudged(x []geometry.Vec, seed uint64) []geometry.Vec {
	r := rand.New(rand.NewPCG(seed, 0x6b657074))
	moved := make([]geometry.Vec, len(x))
	for k := range x {
		for a := range p.Size.Dim() {
			half := 2 * x[k][a]
			move := keptMove * r.Float64()
			if half-math.Floor(half) >= 0.5 {
				move = -move
			}
			moved[k][a] = x[k][a] + move
		}
	}
	return moved
}

// inOrder are the points in the order of the cells between nodes that they are in,
// along x first.
func inOrder(x []geometry.Vec) []geometry.Vec {
	line := slices.Clone(x)
	slices.SortStableFunc(line, func(a, b geometry.Vec) int {
		for axis := 2; axis >= 0; axis-- {
			if c := cmp.Compare(math.Floor(a[axis]), math.Floor(b[axis])); c != 0 {
				return c
			}
		}
		return 0
	})
	return line
}

// matrix is a rotation, by rows.
type matrix [3]geometry.Vec

func (m matrix) times(v geometry.Vec) geometry.Vec {
	return geometry.Vec{m[0].Dot(v), m[1].Dot(v), m[2].Dot(v)}
}

// rotation is one of all rotations, each as likely: that of a random unit quaternion.
func rotation(r *rand.Rand) matrix {
	var q [4]float64
	norm := 0.
	for i := range q {
		q[i] = r.NormFloat64()
		norm += q[i] * q[i]
	}
	s := 2 / norm
	w, x, y, z := q[0], q[1], q[2], q[3]
	return matrix{
		{1 - s*(y*y+z*z), s * (x*y - w*z), s * (x*z + w*y)},
		{s * (x*y + w*z), 1 - s*(x*x+z*z), s * (y*z - w*x)},
		{s * (x*z - w*y), s * (y*z + w*x), 1 - s*(x*x+y*y)},
	}
}

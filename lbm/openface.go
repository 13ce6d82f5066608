package lbm

import "math"

// OpenFace is where a pressure or an outflow face lies, or a velocity face through which
// fluid leaves at some time. Its nodes are those of the outermost layer of fluid, numbered
// with the lower tangential axis fastest.
type OpenFace struct {
	Kind     FaceKind
	Side     int // of the domain
	Axis     int
	Outward  float64 // +1 or −1
	Density  float64
	Layer    int            // of the face's nodes along the axis
	Tangents [2]int         // tangential axes
	Size     [2]int         // nodes along them
	Edge     [2][2]EdgeKind // what lies beyond their lower and upper ends
	Relax    float64        // rate at which an outflow draws the density to 1, per step
	Velocity [][3]float64   // of a velocity face in front of each of its nodes, times the amplitude
	Bounces  bool           // what enters is sent back with the face's gain, but where Entering
	Entering bool           // fluid enters a velocity face by way of ghosts, too, and moves along it: recursive collision, where fluid leaves somewhere
	Absent   []bool         // face nodes that take no part: walls, and where nothing ever leaves a velocity face
	Ghosts   [2][2]int      // of its nodes, layers at the lower and upper ends of the tangents: what is kept of them others tell
}

// EdgeKind is what lies beyond the end of an open face.
type EdgeKind int

const (
	edgeWraps   EdgeKind = iota // the other end
	edgeMirrors                 // the same state with the tangential velocity reversed
	edgeSticks                  // the same with all velocities reversed: zero at the wall
	edgeOpen                    // the same state
)

func edgeOf(cfg *Config, side int) EdgeKind {
	switch {
	case side/2 >= cfg.Lattice.Dim || cfg.Faces[side].Kind == Periodic:
		return edgeWraps
	case cfg.Faces[side].Kind.IsMirror():
		return edgeMirrors
	case cfg.Faces[side].Kind == NoSlip:
		return edgeSticks
	}
	return edgeOpen
}

// outflowRelaxation is σ in the rate σ·c_s/L at which an outflow restores the
// mean density; Poinsot & Lele, J. Comput. Phys. 101 (1992) 104, find 0.25 best:
// smaller drifts, larger reflects.
const outflowRelaxation = 0.25

// OpenFaceAt describes the open face on a side of the domain.
func (c *Config) OpenFaceAt(side int) *OpenFace {
	o := &OpenFace{Kind: c.Faces[side].Kind, Side: side, Axis: side / 2, Outward: float64(side%2*2 - 1), Density: c.Faces[side].Density}
	o.Relax = outflowRelaxation / math.Sqrt(3) / float64(c.whole().Size[o.Axis])
	o.place(c)
	o.Absent = make([]bool, o.Size[0]*o.Size[1])
	for k := range o.Absent {
		o.Absent[k] = c.solid(o.Position(k))
	}
	if o.Kind.HasVelocity() {
		o.Bounces = faceKinds[o.Kind].bounces
		o.Entering = o.Bounces && c.Collision.Recursive && c.LetsOut()
		o.setVelocity(&c.Faces[side])
	}
	return o
}

// place finds where the face's nodes lie, and what lies beyond their ends.
func (o *OpenFace) place(c *Config) {
	k := 0
	for a := range 3 {
		if a != o.Axis {
			o.Tangents[k], o.Size[k] = a, c.Size[a]
			for end := range 2 {
				o.Edge[k][end] = edgeOf(c, 2*a+end)
				if c.Ghosts[2*a+end] {
					o.Ghosts[k][end] = 1
				}
			}
			k++
		}
	}
	if o.Outward > 0 {
		o.Layer = c.Size[o.Axis] - 1
	}
}

// LetsOut tells whether fluid leaves the domain at some face, which settles the mean density:
// ghosts do not conserve mass to rounding, and in a box that nothing leaves it would drift.
// It asks for Lattice, Size and Faces alone.
func (c *Config) LetsOut() bool {
	c = c.whole()
	for side, f := range c.Faces[:2*c.Lattice.Dim] {
		switch {
		case f.Kind.HoldsPressure():
			return true
		case f.Kind.IsOpen() && f.Kind.HasVelocity():
			o := OpenFace{Kind: f.Kind, Axis: side / 2, Outward: float64(side%2*2 - 1)}
			o.place(c)
			for n := range o.Size[0] * o.Size[1] {
				if o.Outward*f.Velocity(o.front(n))[o.Axis] > 0 {
					return true
				}
			}
		}
	}
	return false
}

// setVelocity asks for a face's velocity where the normals of its nodes meet it. Where what it
// sends is always bounced its nodes take no part.
func (o *OpenFace) setVelocity(f *Face) {
	for k := range o.Absent {
		u := f.Velocity(o.front(k))
		o.Velocity = append(o.Velocity, u)
		normal := o.Outward * u[o.Axis]
		leaves := !o.Bounces || normal > 0 || normal < 0 && f.Amplitude != nil && !f.OneWay || o.Entering && u != [3]float64{}
		o.Absent[k] = o.Absent[k] || !leaves
	}
}

// front is where the normal of face node n meets the face.
func (o *OpenFace) front(n int) (at [3]float64) {
	for a, x := range o.Position(n) {
		at[a] = float64(x)
	}
	at[o.Axis] += o.Outward / 2
	return at
}

// Leaves tells whether fluid leaves through a velocity face at node n, at an amplitude, or
// enters as if it did.
func (o *OpenFace) Leaves(n int, amplitude float64) bool {
	return o.Entering || o.Outward*amplitude*o.Velocity[n][o.Axis] > 0
}

// Position is where face node n lies.
func (o *OpenFace) Position(n int) (p [3]int) {
	p[o.Tangents[0]], p[o.Tangents[1]] = n%o.Size[0], n/o.Size[0]
	p[o.Axis] = o.Layer
	return p
}

// isGhost tells whether face node n is one.
func (o *OpenFace) isGhost(n int) bool {
	for b, at := range [2]int{n % o.Size[0], n / o.Size[0]} {
		if at < o.Ghosts[b][0] || at >= o.Size[b]-o.Ghosts[b][1] {
			return true
		}
	}
	return false
}

// first is the node in which the face meets a row, or the first of those; rows count y
// first, ny of them.
func (o *OpenFace) first(row, ny int) int {
	switch o.Axis {
	case 1:
		return row / ny * o.Size[0]
	case 2:
		return row % ny * o.Size[0]
	}
	return row
}

// node is the face node nearest to p.
func (o *OpenFace) node(p [3]int) int {
	k := [2]int{}
	for s, a := range o.Tangents {
		k[s] = min(max(p[a], 0), o.Size[s]-1)
	}
	return k[0] + o.Size[0]*k[1]
}

// varying are the tangential axes along which states may differ: along one node that is its own
// neighbour there is no gradient, as in the plane.
func (o *OpenFace) varying() []int {
	if o.Size[1] == 1 && o.Edge[1][0] == edgeWraps {
		return o.Tangents[:1]
	}
	return o.Tangents[:]
}

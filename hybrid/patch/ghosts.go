package patch

import (
	"slices"

	"lbmib/ib"
	"lbmib/lbm"
)

// GhostNodes are the nodes of the window that lie behind faces of the domain, where markers'
// supports reach over these. A plane of symmetry (free-slip faces are the same) lies midway
// between two nodes: behind it are mirror images, with the velocity across it reversed, and
// what is spread there is the image's, which acts on the node alike. Behind a wall the fluid
// has the density of the mirror image and the velocity of the wall, which takes what is
// spread there.
type GhostNodes[T lbm.Float] struct {
	flow   *lbm.Config
	dim    int
	list   []ghost[T] // in the order of the window
	factor [6]T       // on the velocities of moving walls, by face
	varies bool       // some factor
}

type ghost[T lbm.Float] struct {
	at, of   int32 // places in the window: its own, and that of its mirror image
	flip     uint8 // bit a: of the component along axis a
	wall     int8  // the face that it is behind; −1: planes of symmetry alone
	velocity [3]T  // of the wall there, at factor 1
}

// GhostOfWall marks ghosts behind walls; see Ghosts.
const GhostOfWall = 8

// find makes the ghosts those nodes behind faces that some support node sees; others, in no
// support, where a delta is zero, have their fields at rest.
func (gs *GhostNodes[T]) find(of *SupportNodes, moments, velocity [][]T) {
	gs.list, gs.varies = gs.list[:0], false
	for i := range gs.factor {
		gs.factor[i] = 1
	}
	nodes := of.nodes
	for _, at := range of.behind {
		gs.add(at, nodes.to(int(at)), nodes.window)
	}
	gs.list = slices.DeleteFunc(gs.list, func(g ghost[T]) bool {
		found := of.hold(g.of)
		if !found {
			moments[0][g.at] = 1
			for a, u := range velocity {
				moments[1+a][g.at], u[g.at] = 0, 0
			}
		}
		return !found
	})
}

// add makes the node at a place of the window, which is p and not in the domain, a ghost.
func (gs *GhostNodes[T]) add(at int32, p [3]int, grid *ib.Grid) {
	g := ghost[T]{at: at, of: at, wall: -1}
	var on [3]float64 // where the wall is
	stride := int32(1)
	for a := range gs.dim {
		n, i := gs.flow.Size[a], p[a]
		if gs.flow.Periodic(a) {
			i -= floorDiv(i, n) * n
			on[a] = float64(i)
		} else {
			for i < 0 || i >= n { // once, but in domains thinner than a support
				face := 2 * a
				if i >= n {
					face++
				}
				i = [2]int{-1 - i, 2*n - 1 - i}[face-2*a]
				switch kind := gs.flow.Faces[face].Kind; {
				case kind.IsMirror():
					g.flip ^= 1 << a
				case g.wall < 0 || kind == lbm.NoSlip: // which comes first where two meet
					g.wall = int8(face)
				}
			}
			on[a] = float64(i)
			g.of += int32(i-p[a]) * stride
		}
		stride *= int32(grid.Size[a])
	}
	if g.wall >= 0 {
		gs.setWall(&g, on)
	}
	gs.list = append(gs.list, g)
}

// setWall finds the velocity of the wall that a ghost is behind, nearest to a node.
func (gs *GhostNodes[T]) setWall(g *ghost[T], node [3]float64) {
	face := &gs.flow.Faces[g.wall]
	if face.Velocity == nil {
		return
	}
	a := g.wall / 2
	node[a] = -0.5
	if g.wall%2 == 1 {
		node[a] = float64(gs.flow.Size[a]) - 0.5
	}
	u := face.Velocity(node)
	for a := range gs.dim {
		g.velocity[a] = T(u[a])
	}
	gs.varies = gs.varies || face.Amplitude != nil
}

// Varies tells whether the velocity of some ghost's wall changes with time.
func (gs *GhostNodes[T]) Varies() bool { return gs.varies }

// SetTime sets the velocities of walls that move to those at time t.
func (gs *GhostNodes[T]) SetTime(t float64) {
	if !gs.varies {
		return
	}
	for i := range 2 * gs.dim {
		if f := gs.flow.Faces[i].Amplitude; f != nil {
			gs.factor[i] = T(f(t))
		}
	}
}

// wallAt is the velocity of the wall that a ghost is behind.
func (gs *GhostNodes[T]) wallAt(g *ghost[T], axis int) T {
	v := g.velocity[axis] * gs.factor[g.wall]
	if g.flip>>axis&1 == 1 {
		return -v
	}
	return v
}

// reflect gives ghosts the velocity that is theirs in fields of it, and the density where there is one.
func (gs *GhostNodes[T]) reflect(rho []T, u [][]T) {
	for i := range gs.list {
		g := &gs.list[i]
		if rho != nil {
			rho[g.at] = rho[g.of]
		}
		for a, field := range u {
			switch {
			case g.wall >= 0:
				field[g.at] = gs.wallAt(g, a)
			case g.flip>>a&1 == 1:
				field[g.at] = -field[g.of]
			default:
				field[g.at] = field[g.of]
			}
		}
	}
}

// clear makes fields zero at the ghosts.
func (gs *GhostNodes[T]) clear(force [][]T) {
	for i := range gs.list {
		for _, field := range force {
			field[gs.list[i].at] = 0
		}
	}
}

// fold gives what was spread to the ghosts to their mirror images.
func (gs *GhostNodes[T]) fold(force [][]T) {
	for i := range gs.list {
		g := &gs.list[i]
		for a, field := range force {
			f := field[g.at]
			switch {
			case g.wall >= 0:
			case g.flip>>a&1 == 1:
				field[g.of] -= f
			default:
				field[g.of] += f
			}
		}
	}
}

// foldUnit gives what was spread to the ghosts of a field that is the same along and across faces to their mirror images behind planes of symmetry; walls do not change it.
func (gs *GhostNodes[T]) foldUnit(field []T) {
	for _, g := range gs.list {
		if g.wall < 0 {
			field[g.of] += field[g.at]
		}
	}
}

// reflectUnit makes such a field its own mirror image there.
func (gs *GhostNodes[T]) reflectUnit(field []T) {
	for _, g := range gs.list {
		if g.wall < 0 {
			field[g.at] = field[g.of]
		}
	}
}

// Mirrors are the planes of symmetry of a flow, as package ib has them.
func Mirrors(flow *lbm.Config) (planes []ib.Mirror) {
	for i := range 2 * flow.Lattice.Dim {
		if !flow.Faces[i].Kind.IsMirror() {
			continue
		}
		m := ib.Mirror{Axis: i / 2, At: -0.5}
		if m.Above = i%2 == 1; m.Above {
			m.At = float64(flow.Size[i/2]) - 0.5
		}
		planes = append(planes, m)
	}
	return planes
}

// Ghosts are GhostNodes as a device takes them.
type Ghosts[T lbm.Float] struct {
	At   []int32 // places in the grid, ascending
	Of   []int32 // the place among Placement.Nodes of the node whose mirror image each is
	Flip []uint8 // bit a: the component along axis a is reversed; GhostOfWall: it has the velocity Wall, and what is spread there is lost
	Wall [][]T   // per axis; 0 where there is no wall
}

// Tell stores the ghosts of a window, whose support nodes are at these places, in g.
func (gs *GhostNodes[T]) Tell(g *Ghosts[T], support []int32) {
	n := len(gs.list)
	g.At, g.Of, g.Flip = grownTo(g.At, n), grownTo(g.Of, n), grownTo(g.Flip, n)
	g.Wall = Resized(g.Wall, gs.dim, n)
	for i := range gs.list {
		from := &gs.list[i]
		place, _ := slices.BinarySearch(support, from.of)
		g.At[i], g.Of[i], g.Flip[i] = from.at, int32(place), from.flip
		if from.wall >= 0 {
			g.Flip[i] |= GhostOfWall
			for a := range g.Wall {
				g.Wall[a][i] = gs.wallAt(from, a)
			}
		}
	}
}

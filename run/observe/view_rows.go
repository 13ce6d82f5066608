package observe

import (
	"math"

	"lbmib/hybrid"
	"lbmib/internal/finite"
	"lbmib/lbm"
)

// VorticityRows reads the vorticity of a plane of the domain a few rows at a
// time, so that memory does not grow with the domain.
type VorticityRows[T lbm.Float] struct {
	sim   *hybrid.Simulation[T]
	Flow  *lbm.Config
	Plane int
	Scale float64    // from lattice units to U/L
	block lbm.Config // the rows held, as a plane of their own, and at most one beyond at either side
	u     [][]T
	spin  []T
	first int // rows held: first ≤ j < last
	last  int
	below int // rows of the block before first
}

// blockRows is how many rows are read at a time; two more are read for the
// derivatives, so many make little extra work and few stay in cache.
const blockRows = 32

func NewVorticityRows[T lbm.Float](r *State[T], plane int) *VorticityRows[T] {
	v := &VorticityRows[T]{sim: r.Sim, Flow: &r.Flow, Plane: plane, Scale: r.Units.FromLatticeVelocity(1) / r.Units.Dx}
	v.block = lbm.Config{Lattice: lbm.Lattices["D2Q9"], Size: [3]int{r.Flow.Size[0], 0, 1}}
	v.block.Faces = [6]lbm.Face{r.Flow.Faces[0], r.Flow.Faces[1], {Kind: lbm.NoSlip}, {Kind: lbm.NoSlip}} // not periodic in y
	for range 2 {
		v.u = append(v.u, make([]T, r.Flow.Size[0]*(min(blockRows, r.Flow.Size[1])+2)))
	}
	return v
}

// Begin forgets what was read of an earlier state and returns how to read rows
// of the present one, in U/L: NaN in walls, an infinite value where it is lost.
func (v *VorticityRows[T]) Begin() func(j int, values []float64) {
	v.first, v.last = 0, 0
	return v.row
}

func (v *VorticityRows[T]) row(j int, values []float64) {
	if j < v.first || j >= v.last {
		v.read(j)
	}
	nx := v.Flow.Size[0]
	spin := v.spin[(j-v.first+v.below)*nx:]
	for i := range values {
		switch s := float64(spin[i]) * v.Scale; {
		case v.Flow.HasWalls() && v.Flow.Wall([3]int{i, j, v.Plane}):
			values[i] = math.NaN()
		case !finite.Is(s):
			values[i] = math.Inf(1)
		default:
			values[i] = s
		}
	}
}

// read takes in the block of rows that begins with row j.
func (v *VorticityRows[T]) read(j int) {
	ny := v.Flow.Size[1]
	v.first, v.last = j, min(j+blockRows, ny)
	lo, hi := v.first-1, v.last+1 // for central differences
	if v.Flow.Faces[2].Kind != lbm.Periodic {
		lo, hi = max(lo, 0), min(hi, ny) // one-sided at a face
	}
	v.below = v.first - lo
	v.block.Size[1] = hi - lo
	inside := [2]int{max(lo, 0), min(hi, ny)}
	v.fetch(inside[0], inside[1], inside[0]-lo)
	if lo < 0 {
		v.fetch(ny-1, ny, 0)
	}
	if hi > ny {
		v.fetch(0, 1, ny-lo)
	}
	held := [][]T{v.u[0][:v.block.Nodes()], v.u[1][:v.block.Nodes()]}
	v.spin = Vorticity(&v.block, held)[0]
}

// fetch reads the velocity of the rows from ≤ j < to into the block, its row at
// and on. Nodes of walls are at rest.
func (v *VorticityRows[T]) fetch(from, to, at int) {
	nx := v.Flow.Size[0]
	n := (to - from) * nx
	part := [][]T{v.u[0][at*nx:][:n], v.u[1][at*nx:][:n]}
	v.sim.Box([3]int{0, from, v.Plane}, [3]int{nx, to, v.Plane + 1}, nil, part)
	if !v.Flow.HasWalls() {
		return
	}
	for k := range n {
		if v.Flow.Wall([3]int{k % nx, from + k/nx, v.Plane}) {
			part[0][k], part[1][k] = 0, 0
		}
	}
}

package observe

import (
	"lbmib/lbm"
)

// Of a domain in space so many planes are looked at for noise.
const noisePlanes = 12

// noiseFloor is a difference between nodes, in U, that is no flow beside which noise would
// matter: without it the rounding of a stream at rest would be called noise.
const noiseFloor = 1e-3

// Variation sums the squares of differences of a velocity in a row of nodes: the fourth, of
// which a wave with k in radians per node has the part sin⁴(k/2), and the first, sin k. The
// former are those of the scale of the grid alone.
type Variation struct {
	fourth, first float64
	nodes         int
}

// Share is the part of the variation that is of the scale of the grid; unit is U in the
// units of the sums.
func (v *Variation) Share(unit float64) float64 {
	if v.nodes == 0 {
		return 0
	}
	floor := float64(v.nodes) * noiseFloor * unit * noiseFloor * unit
	return v.fourth / (v.fourth + v.first + floor)
}

// add takes in the nodes of a plane, n[0] · n[1] of them, along both of its axes; a component
// u and where fluid is not, nil where it is everywhere.
func AddVariation[T lbm.Float](v *Variation, n [2]int, u []T, solid []bool) {
	for axis := range 2 {
		addAlong(v, n, u, solid, axis)
	}
}

// addAlong is AddVariation along one of the axes.
func addAlong[T lbm.Float](v *Variation, n [2]int, u []T, solid []bool, axis int) {
	stride := [2]int{1, n[0]}[axis]
	lo, hi := [2]int{}, n
	lo[axis], hi[axis] = 2, n[axis]-2
	for j := lo[1]; j < hi[1]; j++ {
		for i := lo[0]; i < hi[0]; i++ {
			k := j*n[0] + i
			if solid != nil && (solid[k-2*stride] || solid[k-stride] || solid[k] || solid[k+stride] || solid[k+2*stride]) {
				continue
			}
			a, b := float64(u[k-stride]), float64(u[k+stride])
			fourth := (float64(u[k-2*stride]) - 4*a + 6*float64(u[k]) - 4*b + float64(u[k+2*stride])) / 16
			first := (b - a) / 2
			v.fourth += fourth * fourth
			v.first += first * first
			v.nodes++
		}
	}
}

// band is what rows of a plane have that follow each other with fluid in each, as far along x as there is some.
type band[T lbm.Float] struct {
	n     [2]int
	u     [][]T
	solid []bool
}

// bands are those of a plane across y or z of a fluid that is given by its runs.
func (r *State[T]) bands(axis, at int) (all []band[T]) {
	set, last := r.Flow.Inside, r.Flow.Size[3-axis]
	var lo, hi [3]int
	end := func(row int) {
		if hi[3-axis] = row; lo[3-axis] == row {
			return
		}
		lo[axis], hi[axis] = at, at+1
		b := band[T]{n: [2]int{hi[0] - lo[0], hi[3-axis] - lo[3-axis]}, solid: r.SolidIn(lo, hi)}
		for range r.Flow.Lattice.Dim {
			b.u = append(b.u, make([]T, b.n[0]*b.n[1]))
		}
		r.Sim.Box(lo, hi, nil, b.u)
		all = append(all, b)
	}
	for row := range last {
		y, z := row, at
		if axis == 1 {
			y, z = at, row
		}
		first, behind := set.Row(y, z)
		if first == behind {
			end(row)
			lo[3-axis], lo[0], hi[0] = row+1, r.Flow.Size[0], 0
			continue
		}
		if row == 0 {
			lo[0], hi[0] = r.Flow.Size[0], 0
		}
		runs := set.Runs()
		lo[0], hi[0] = min(lo[0], int(runs[first].X0)), max(hi[0], int(runs[behind-1].X1))
	}
	end(last)
	return all
}

// GridNoise is the share of the velocity's variation in the state at hand that is of the
// scale of the grid, 0 to 1: in the plane of all nodes, in space of some planes across y and z.
func (r *State[T]) GridNoise() float64 {
	var v Variation
	size := r.Flow.Size
	look := func(axis, at int) {
		if r.Flow.Inside != nil { // the same sums, in the same order
			bands := r.bands(axis, at)
			for a := range r.Flow.Lattice.Dim {
				for along := range 2 {
					for _, b := range bands {
						addAlong(&v, b.n, b.u[a], b.solid, along)
					}
				}
			}
			return
		}
		lo, hi := [3]int{}, size
		lo[axis], hi[axis] = at, at+1
		n := [2]int{size[0], size[1]}
		if axis == 1 {
			n[1] = size[2]
		}
		u := make([][]T, r.Flow.Lattice.Dim)
		for a := range u {
			u[a] = make([]T, n[0]*n[1])
		}
		r.Sim.Box(lo, hi, nil, u)
		var solid []bool
		if r.Flow.HasWalls() {
			solid = r.SolidIn(lo, hi)
		}
		for a := range u {
			AddVariation(&v, n, u[a], solid)
		}
	}
	if r.Flow.Lattice.Dim == 2 {
		look(2, 0)
		return v.Share(r.Case.Reference.Velocity)
	}
	for axis := 1; axis < 3; axis++ {
		planes := min(noisePlanes, size[axis])
		for k := range planes {
			look(axis, (2*k+1)*size[axis]/(2*planes))
		}
	}
	return v.Share(r.Case.Reference.Velocity)
}

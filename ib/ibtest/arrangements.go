package ibtest

import (
	"math"
	"slices"
	"testing"

	"lbmib/geometry"
)

// arrangements are point lists that strategies go wrong on.
func (s setting[T]) arrangements() map[string][]geometry.Vec {
	r := random()
	some := s.points(r, 9)
	list := map[string][]geometry.Vec{
		"no point":                  {},
		"one point":                 some[:1],
		"a few points":              some[:7],
		"many points":               s.points(r, 550),
		"the same point many times": slices.Repeat(some[:1], 65),
		"pairs":                     slices.Repeat(some, 2),
	}
	// All supports begin in one cell, at different places in it.
	var cell, onNodes, between []geometry.Vec
	for k := range 64 {
		var p, q, h geometry.Vec
		for a := range s.grid.Dim {
			// The middle of the grid: any support fits on the axes here.
			middle := float64(s.grid.Size[a]/2) + s.grid.Offset[a]
			base := middle
			if s.delta.Support()%2 == 1 {
				base -= 0.5
			}
			p[a] = base + 0.999*r.Float64()
			q[a] = middle - float64((k>>a)&1)
			h[a] = q[a] + 0.5
		}
		cell, onNodes, between = append(cell, p), append(onNodes, q), append(between, h)
	}
	list["all in one cell"], list["exactly on nodes"] = cell, onNodes
	if s.grid.Size[0] >= 7 { // else walls are too near
		list["halfway between nodes"] = between
	}
	var faces []geometry.Vec
	for a := range s.grid.Dim {
		if !s.grid.Periodic[a] {
			continue
		}
		for _, at := range []float64{-1, -0.5, -1e-13, 0, 1e-13, float64(s.grid.Size[a]) - 0.5, float64(s.grid.Size[a]), float64(-s.grid.Size[a]), float64(5 * s.grid.Size[a])} {
			p := cell[0]
			p[a] = s.grid.Offset[a] + at
			faces = append(faces, p)
		}
	}
	list["at periodic faces and far beyond"] = faces
	return list
}

// plainSum: both directions agree with the definition, summed over all nodes of
// every support in double precision.
func (s suite[T]) plainSum(t *testing.T) {
	for _, set := range settings[T](t) {
		for name, x := range set.arrangements() {
			r := random()
			transfer := s.with(t, set, nil, x)
			nodes := set.grid.Nodes()
			u, force := fields[T](r, 2, nodes), fields[T](r, 2, len(x))
			before := fields[T](r, 2, nodes)
			f, values := [][]T{slices.Clone(before[0]), slices.Clone(before[1])}, zeros[T](2, len(x))
			transfer.Interpolate(values, u)
			transfer.Spread(f, force)
			for c := range f {
				want, scale := make([]float64, nodes), make([]float64, nodes)
				for i, v := range before[c] {
					want[i], scale[i] = float64(v), math.Abs(float64(v))
				}
				for k := range x {
					sum, size := 0., 0.
					set.support(x[k], func(i int, weight float64) {
						sum += weight * float64(u[c][i])
						size += weight * math.Abs(float64(u[c][i]))
						want[i] += weight * float64(force[c][k])
						scale[i] += weight * math.Abs(float64(force[c][k]))
					})
					s.close(t, set.name+", "+name+": interpolation", float64(values[c][k]), sum, size+1e-3)
				}
				for i := range want {
					s.close(t, set.name+", "+name+": spreading", float64(f[c][i]), want[i], scale[i]+1e-3)
				}
			}
		}
	}
}

// support calls visit with every node of a point's support and its weight.
func (s setting[T]) support(x geometry.Vec, visit func(i int, weight float64)) {
	var w [3][6]T
	var first [3]int
	n := [3]int{1, 1, 1}
	w[2][0] = 1
	for a := range s.grid.Dim {
		n[a] = s.delta.Support()
		first[a] = s.delta.Weights(&w[a], x[a]-s.grid.Offset[a])
	}
	place := func(a, i int) int {
		size := s.grid.Size[a]
		return ((first[a]+i)%size + size) % size
	}
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				at := place(0, i) + s.grid.Size[0]*(place(1, j)+s.grid.Size[1]*place(2, k))
				visit(at, float64(w[0][i])*float64(w[1][j])*float64(w[2][k]))
			}
		}
	}
}

// permutation: values follow their points exactly or to rounding, fields change
// by rounding only.
func (s suite[T]) permutation(t *testing.T) {
	for _, set := range settings[T](t) {
		r := random()
		const n = 100
		x := set.points(r, n)
		u, force := fields[T](r, 1, set.grid.Nodes()), fields[T](r, 1, n)
		order := r.Perm(n)
		y, shuffled := make([]geometry.Vec, n), zeros[T](1, n)
		for k, from := range order {
			y[k], shuffled[0][k] = x[from], force[0][from]
		}
		a, b := s.with(t, set, nil, x), s.with(t, set, nil, y)
		fa, fb := zeros[T](1, set.grid.Nodes()), zeros[T](1, set.grid.Nodes())
		va, vb := zeros[T](1, n), zeros[T](1, n)
		a.Spread(fa, force)
		b.Spread(fb, shuffled)
		a.Interpolate(va, u)
		b.Interpolate(vb, u)
		for i := range fa[0] {
			// n forces of at most one reach a node at most.
			s.close(t, set.name+": spreading", float64(fb[0][i]), float64(fa[0][i]), n)
		}
		for k, from := range order {
			s.close(t, set.name+": interpolation", float64(vb[0][k]), float64(va[0][from]), 1)
		}
	}
}

// images: with coordinates that are multiples of 2⁻¹⁰ a shift by whole periods is
// exact, and so must be the results.
func (s suite[T]) images(t *testing.T) {
	for _, set := range settings[T](t) {
		r := random()
		const n = 200
		x := set.points(r, n)
		y := make([]geometry.Vec, n)
		for k := range x {
			for a := range set.grid.Dim {
				x[k][a] = math.Round(x[k][a]*1024) / 1024
				y[k][a] = x[k][a]
				if set.grid.Periodic[a] {
					y[k][a] += float64(set.grid.Size[a] * (r.IntN(9) - 4))
				} else {
					half := float64(set.delta.Support()) / 2
					lo, hi := set.grid.Offset[a]+half-1, set.grid.Offset[a]+float64(set.grid.Size[a])-half
					x[k][a] = min(max(x[k][a], lo+1./1024), hi-1./1024)
					y[k][a] = x[k][a]
				}
			}
		}
		u, force := fields[T](r, 1, set.grid.Nodes()), fields[T](r, 1, n)
		var f, v [2][][]T
		for i, points := range [2][]geometry.Vec{x, y} {
			f[i], v[i] = zeros[T](1, set.grid.Nodes()), zeros[T](1, n)
			transfer := s.with(t, set, nil, points)
			transfer.Spread(f[i], force)
			transfer.Interpolate(v[i], u)
		}
		same(t, set.name+": spreading", f[0], f[1])
		same(t, set.name+": interpolation", v[0], v[1])
	}
}

package conformance

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/checking"
	"lbmib/internal/parallel"
)

// Interpolate is the definition, U_k = Σ_x u(x) δ_h(x−X_k) h^d, node by node in
// double precision with weights of precision T: values[c][k] of component c, which
// lies on grids[c] or on the only grid, at point k. size is the sum of the absolute
// values of all terms.
func Interpolate[T ib.Float](grids []ib.Grid, d ib.Delta[T], x []geometry.Vec, field [][]T) (values, size [][]float64) {
	for c := range field {
		sum, abs := make([]float64, len(x)), make([]float64, len(x))
		for k := range x {
			visit(grids[c%len(grids)], d, x[k], func(i int, weight float64) {
				sum[k] += weight * float64(field[c][i])
				abs[k] += math.Abs(weight * float64(field[c][i]))
			})
		}
		values, size = append(values, sum), append(size, abs)
	}
	return values, size
}

// Spread is the definition, f(x) + Σ_k F_k δ_h(x−X_k), likewise. field is left as it
// is.
func Spread[T ib.Float](grids []ib.Grid, d ib.Delta[T], x []geometry.Vec, field, values [][]T) (sums, size [][]float64) {
	for c := range field {
		g := grids[c%len(grids)]
		sum, abs := make([]float64, len(field[c])), make([]float64, len(field[c]))
		for i, v := range field[c] {
			sum[i], abs[i] = float64(v), math.Abs(float64(v))
		}
		density := math.Pow(spacing(g), -float64(g.Dim))
		for k := range x {
			force := density * float64(values[c][k])
			visit(g, d, x[k], func(i int, weight float64) {
				sum[i] += weight * force
				abs[i] += math.Abs(weight * force)
			})
		}
		sums, size = append(sums, sum), append(size, abs)
	}
	return sums, size
}

// visit calls f with the place in a field and the weight of every node in the
// support of a point.
func visit[T ib.Float](g ib.Grid, d ib.Delta[T], x geometry.Vec, f func(i int, weight float64)) {
	type node struct {
		i      int
		weight float64
	}
	var axes [3][ib.MaxSupport]node
	var w [ib.MaxSupport]T
	axes[2][0].weight = 1
	count := [3]int{2: 1}
	stride := 1
	for a := range g.Dim {
		v := (x[a] - g.Offset[a]) / spacing(g)
		if g.Periodic[a] {
			v -= float64(g.Size[a]) * math.Floor(v/float64(g.Size[a]))
		}
		first := d.Weights(&w, v-g.Staggering[a])
		count[a] = 0
		for i, weight := range w[:d.Support()] {
			n := first + i
			if g.Periodic[a] {
				n = (n + g.Size[a]) % g.Size[a]
			}
			if n >= 0 && n < g.Size[a] { // others do not exist
				axes[a][count[a]] = node{stride * n, float64(weight)}
				count[a]++
			}
		}
		stride *= g.Size[a]
	}
	for _, z := range axes[2][:count[2]] {
		for _, y := range axes[1][:count[1]] {
			for _, x := range axes[0][:count[0]] {
				f(x.i+y.i+z.i, x.weight*y.weight*z.weight)
			}
		}
	}
}

// everySetting: few points are enough to find a mistake in a grid.
func (s suite[T]) everySetting(t checking.T) {
	r := random()
	for _, set := range settings[T](t) {
		x := set.points(r, 30, set.anywhere)
		s.defined(t, set.name, set, s.with(t, set, nil, x), x)
	}
}

// everyArrangement: as many points as are needed to meet what happens among points.
func (s suite[T]) everyArrangement(t checking.T) {
	pool := parallel.NewPool(3)
	defer pool.Close()
	for i, set := range diagonal[T](t) {
		r := random()
		list := append(set.distributions(r, 50), set.special(r)...)
		transfer := s.with(t, set, pool, nil)
		for _, a := range list {
			given := slices.Clone(a.x)
			mustSet(t, set.name+", "+a.name, transfer, given)
			clear(given) // it is not kept
			s.defined(t, set.name+", "+a.name, set, transfer, a.x)
		}
		if i > 1 {
			continue // how points are counted does not depend on the delta
		}
		most := set.points(r, slices.Max(numbers), set.anywhere)
		for _, n := range numbers {
			mustSet(t, set.name, transfer, most[:n])
			s.defined(t, set.label(n), set, transfer, most[:n])
		}
	}
}

// defined fails the test unless a transfer that holds points x does in both
// directions what the definition says.
func (s suite[T]) defined(t checking.T, what string, set setting[T], transfer ib.Transfer[T], x []geometry.Vec) {
	t.Helper()
	r := random()
	u, force, f := set.fields(r), set.values(r, len(x)), set.fields(r)
	values := set.values(r, len(x)) // they are overwritten
	want, size := Interpolate(set.grids, set.delta, x, u)
	wantField, fieldSize := Spread(set.grids, set.delta, x, f, force)
	transfer.Interpolate(values, u)
	transfer.Spread(f, force)
	// Weights are rounded relative to the greatest of them, which is about one.
	floor := 0.1
	interpolation, spreading := what+": interpolation", what+": spreading"
	for c := range want {
		for k := range want[c] {
			s.close(t, interpolation, float64(values[c][k]), want[c][k], size[c][k]+floor)
		}
		for i := range wantField[c] {
			s.close(t, spreading, float64(f[c][i]), wantField[c][i], fieldSize[c][i]+floor/set.volume())
		}
	}
}

// beyondWalls: points wholly beyond interpolate to zero and spread nothing, and do
// not disturb the others.
func (s suite[T]) beyondWalls(t checking.T) {
	for _, set := range settings[T](t) {
		r := random()
		support := float64(set.delta.Support())
		var x []geometry.Vec
		for a := range set.dim() {
			for _, place := range []float64{-1e9, -support - 1, -support/2 - 0.25, float64(set.grids[0].Size[a]) + 2 + support, 1e9} {
				if !set.grids[0].Periodic[a] {
					p := set.within(r, set.anywhere)
					p[a] = place
					x = append(x, set.at(p))
				}
			}
		}
		before, force, values := set.fields(r), set.values(r, len(x)), set.values(r, len(x))
		after := set.zeros()
		for c := range before {
			copy(after[c], before[c])
		}
		transfer := s.with(t, set, nil, x)
		transfer.Interpolate(values, before)
		transfer.Spread(after, force)
		same(t, set.name+": interpolation", values, set.none(len(x)))
		same(t, set.name+": spreading", after, before)
	}
}

package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/checking"
	"lbmib/internal/parallel"
)

// notFinite: a node that is not finite makes every point not finite that it has a weight
// at, so that a flow that diverges is seen; at points two supports away, and in other
// components, no bit changes. Values that are spread must be finite: nothing is asked
// for others.
func (s suite[T]) notFinite(t checking.T) {
	for _, set := range diagonal[T](t) {
		r := random()
		x := set.points(r, 60, set.anywhere)
		transfer := s.with(t, set, nil, x)
		for c := range set.components() {
			what := fmt.Sprintf("%s, component %d", set.name, c)
			for _, v := range []float64{math.Inf(1), math.NaN()} {
				s.notFiniteNode(t, what, set, transfer, r, x, c, r.IntN(set.grid(c).Nodes()), v)
			}
		}
	}
}

// notFiniteNode is node i, which has value wrong.
func (s suite[T]) notFiniteNode(t checking.T, what string, set setting[T], transfer ib.Transfer[T], r *rand.Rand, x []geometry.Vec, c, i int, wrong float64) {
	t.Helper()
	u, clean, dirty := set.fields(r), set.none(len(x)), set.none(len(x))
	transfer.Interpolate(clean, u)
	u[c][i] = T(wrong)
	transfer.Interpolate(dirty, u)
	for k := range x {
		reached := 0.
		visit(set.grid(c), set.delta, x[k], func(node int, weight float64) {
			if node == i {
				reached += math.Abs(weight)
			}
		})
		switch v := float64(dirty[c][k]); {
		case reached > 1e-6:
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				t.Fatalf("%s: a node that is %v is lost at point %d", what, wrong, k)
			}
			dirty[c][k] = clean[c][k]
		case !set.far(c, x[k], i):
			dirty[c][k] = clean[c][k]
		}
	}
	same(t, fmt.Sprintf("%s: interpolation of %v", what, wrong), clean, dirty)
}

// far tells whether a point is more than two supports from node i of component c.
func (s domain) far(c int, x geometry.Vec, i int) bool {
	g := s.grid(c)
	node := position(g, i)
	for a := range g.Dim {
		d := math.Abs(x[a]-node[a]) / spacing(g)
		if g.Periodic[a] {
			d = math.Abs(math.Remainder(d, float64(g.Size[a])))
		}
		if d > float64(2*s.support+1) {
			return true
		}
	}
	return false
}

// noPositions: points that have no position are errors that name the first of them
// and its coordinate, the transfer then holds no points, and takes others again.
func (s suite[T]) noPositions(t checking.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for i, set := range diagonal[T](t) {
		r := random()
		n := 40
		if i < 2 {
			n = 600
		}
		good := set.points(r, n, set.anywhere)
		transfer, empty := s.with(t, set, pool, good), s.with(t, set, nil, nil)
		far := 1.001 * spacing(set.grids[0]) * (1 << 31)
		for a := range set.dim() {
			for _, wrong := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, far, -far} {
				bad := append([]geometry.Vec(nil), good...)
				first := r.IntN(n)
				for k := first; k < n; k += 1 + n/3 {
					bad[k][a] = wrong
				}
				err := transfer.SetPoints(bad)
				axis := [3]string{"x", "y", "z"}[a]
				if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("marker %d: %s = ", first, axis)) {
					t.Fatalf("%s: marker %d has %s = %v: error %v does not say so", set.name, first, axis, wrong, err)
				}
				s.agree(t, set.name+" after an error", set, transfer, empty, nil)
				mustSet(t, set.name+" after an error", transfer, good)
			}
		}
		s.agree(t, set.name+" after errors", set, transfer, s.with(t, set, nil, good), good)
	}
}

package conformance

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/checking"
	"lbmib/internal/parallel"
)

// outcome is what a transfer makes of random fields and values. Fields are not zero
// before: sums that are made elsewhere and then added are to be told from terms that
// are added one by one.
type outcome[T ib.Float] struct{ field, values [][]T }

func (s setting[T]) use(transfer ib.Transfer[T], n int) outcome[T] {
	r := random()
	u, force := s.fields(r), s.values(r, n)
	o := outcome[T]{s.fields(r), s.none(n)}
	transfer.Spread(o.field, force)
	transfer.Interpolate(o.values, u)
	return o
}

// agree fails the test unless two transfers that hold points x give the same bits,
// or what the strategy promises in their place.
func (s suite[T]) agree(t checking.T, what string, set setting[T], one, other ib.Transfer[T], x []geometry.Vec) {
	t.Helper()
	a, b := set.use(one, len(x)), set.use(other, len(x))
	same(t, what+": interpolation", a.values, b.values)
	r := random() // as in use
	set.fields(r)
	s.sameSums(t, what+": spreading", set, x, set.values(r, len(x)), a.field, b.field)
}

// sameSums fails the test unless a and b, to which the same forces at points x were spread, are
// the same bits, or what the strategy promises in their place.
func (s suite[T]) sameSums(t checking.T, what string, set setting[T], x []geometry.Vec, force, a, b [][]T) {
	t.Helper()
	if !s.toRounding {
		same(t, what, a, b)
		return
	}
	_, size := Spread(set.grids, set.delta, x, set.fields(random()), force)
	for c := range a {
		for i, v := range a[c] {
			s.close(t, what, float64(v), float64(b[c][i]), size[c%len(size)][i]+0.1/set.volume())
		}
	}
}

// workers: 2, 3, 5 and 8 against the caller alone. How work is cut must not matter,
// and neither must that some have none; where there is work enough they run at the
// same time, and two that write to the same node without care lose what one of them
// added, or give the race detector its case.
func (s suite[T]) workers(t checking.T) {
	long := collocated[T](t)
	for i, set := range append(long, diagonal[T](t)...) {
		r := random()
		list := set.distributions(r, 520)
		if i < len(long) {
			list = list[:1] // there is nothing about the others that depends on the grid's length
		}
		list = append(list, set.beyondWalls(r, 520)...)
		few := set.points(r, 100, set.anywhere)
		list = append(list, arrangement{"few points", few}, arrangement{"two points", few[:2]})
		if s.toRounding { // what is left to chance need not be asked for in every way
			list = list[:2]
		}
		s.cut(t, set, list, []int{2, 3, 5, 8}[i/2%4]) // each in 2D and in 3D
	}
}

// cut compares some workers with the caller alone.
func (s suite[T]) cut(t checking.T, set setting[T], list []arrangement, workers int) {
	t.Helper()
	pool := parallel.NewPool(workers)
	defer pool.Close()
	one, many := s.with(t, set, nil, nil), s.with(t, set, pool, nil)
	for _, a := range list {
		what := fmt.Sprintf("%s, %s, %d workers", set.name, a.name, workers)
		mustSet(t, what, one, a.x)
		mustSet(t, what, many, a.x)
		s.agree(t, what, set, many, one, a.x)
	}
}

// moving: a transfer that has held other points, more or fewer, or the same before
// a small step, does what a fresh one does.
func (s suite[T]) moving(t checking.T) {
	pool := parallel.NewPool(3)
	defer pool.Close()
	list := collocated[T](t) // of these two are enough: there is less to keep in order than on several grids
	for _, set := range diagonal[T](t) {
		if len(set.grids) > 1 {
			list = append(list, set)
		}
	}
	for i, set := range list {
		r := random()
		used := s.with(t, set, pool, set.points(r, 50, set.anywhere))
		many := 100
		if i < 3 {
			many = 600 // workers run at the same time
		}
		for _, n := range []int{50, many, 0, 3, many} {
			x := set.points(r, n, set.anywhere)
			check := func(how string) {
				t.Helper()
				what := set.label(n) + ", " + how
				mustSet(t, what, used, x)
				s.agree(t, what, set, used, s.with(t, set, nil, x), x)
			}
			check("new")
			if n < many {
				continue
			}
			check("at rest")
			for k := range x { // within their cells
				x[k] = set.nudge(x[k], 1e-9)
			}
			check("moved by nearly nothing")
			x[n/2] = set.at(set.within(r, set.anywhere))
			check("one moved far")
			for _, k := range r.Perm(n)[:n/20] {
				x[k] = set.at(set.within(r, set.anywhere))
			}
			check("a few moved far")
			for k := range x {
				x[k] = set.nudge(x[k], 0.05)
			}
			check("all moved a little")
			x[0], x[n-1] = x[n-1], x[0]
			check("two exchanged")
		}
	}
}

// nudge moves a point by a part of a node.
func (s domain) nudge(x geometry.Vec, by float64) geometry.Vec {
	for a := range s.dim() {
		x[a] += by * spacing(s.grids[0])
	}
	return x
}

// permutation: values follow their points, fields change by rounding only.
func (s suite[T]) permutation(t checking.T) {
	for _, set := range diagonal[T](t) {
		r := random()
		const n = 100
		x := set.points(r, n, set.anywhere)
		u, force := set.fields(r), set.values(r, n)
		order := r.Perm(n)
		y, shuffled := make([]geometry.Vec, n), set.none(n)
		for k, from := range order {
			y[k] = x[from]
			for c := range shuffled {
				shuffled[c][k] = force[c][from]
			}
		}
		a, b := s.with(t, set, nil, x), s.with(t, set, nil, y)
		fa, fb, va, vb := set.zeros(), set.zeros(), set.none(n), set.none(n)
		a.Spread(fa, force)
		b.Spread(fb, shuffled)
		a.Interpolate(va, u)
		b.Interpolate(vb, u)
		interpolation, spreading := set.name+": interpolation", set.name+": spreading"
		for c := range fa {
			for i := range fa[c] {
				// n forces of at most one reach a node at most.
				s.close(t, spreading, float64(fb[c][i]), float64(fa[c][i]), n/set.volume())
			}
			for k, from := range order {
				s.close(t, interpolation, float64(vb[c][k]), float64(va[c][from]), 1)
			}
		}
	}
}

// images: with places that are multiples of 2⁻¹⁰ nodes, and spacings and offsets of
// few bits, a shift by whole periods is exact, and so must be the results.
func (s suite[T]) images(t checking.T) {
	const n = 100
	for _, set := range diagonal[T](t) {
		g := set.grids[0]
		if spacing(g) == 0.1 {
			continue // it has many bits
		}
		r := random()
		x, y := make([]geometry.Vec, n), make([]geometry.Vec, n)
		for k := range x {
			place := set.within(r, set.anywhere)
			var shifted [3]float64
			for a := range g.Dim {
				place[a] = math.Round(place[a]*1024) / 1024
				shifted[a] = place[a]
				if g.Periodic[a] {
					shifted[a] += float64(g.Size[a] * (r.IntN(9) - 4))
				}
			}
			x[k], y[k] = set.at(place), set.at(shifted)
		}
		a, b := s.with(t, set, nil, x), s.with(t, set, nil, y)
		s.agree(t, set.name, set, a, b, x)
	}
}

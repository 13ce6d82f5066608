package conformance

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/internal/checking"
	"lbmib/internal/parallel"
)

// label is the setting with a number of points.
func (s setting[T]) label(n int) string { return fmt.Sprintf("%s, %d points", s.name, n) }

// components: any number on one grid gives the bits of each alone. On grids of their
// own the first few can do without the rest, and give the same bits.
func (s suite[T]) components(t checking.T) {
	const n = 60
	for _, set := range diagonal[T](t) {
		r := random()
		x := set.points(r, n, set.anywhere)
		transfer := s.with(t, set, nil, x)
		u, force := set.fields(r), set.values(r, n)
		f, v := set.zeros(), set.none(n)
		transfer.Spread(f, force)
		transfer.Interpolate(v, u)
		g, w := set.zeros(), set.none(n)
		if len(set.grids) > 1 {
			for m := range len(u) {
				g, w = set.zeros(), set.none(n)
				transfer.Spread(g[:m], force[:m])
				transfer.Interpolate(w[:m], u[:m])
				s.sameSums(t, fmt.Sprintf("%s: spreading of %d components", set.name, m), set, x, force, f[:m], g)
				same(t, fmt.Sprintf("%s: interpolation of %d components", set.name, m), v[:m], w)
			}
			continue
		}
		for c := range u {
			transfer.Spread(g[c:c+1], force[c:c+1])
			transfer.Interpolate(w[c:c+1], u[c:c+1])
		}
		s.sameSums(t, set.name+": spreading", set, x, force, f, g)
		same(t, set.name+": interpolation", v, w)
		// More components than there are axes.
		g, w = append(set.zeros(), set.zeros()...), append(set.none(n), set.none(n)...)
		transfer.Spread(g, append(force, force...))
		transfer.Interpolate(w, append(u, u...))
		s.sameSums(t, set.name+": spreading of twice as many", set, x, force, append(f, f...), g)
		same(t, set.name+": interpolation of twice as many", append(v, v...), w)
	}
}

// allocations: after the first call setting as many points and using them allocates
// nothing, wherever they are.
func (s suite[T]) allocations(t checking.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for i, set := range diagonal[T](t)[:4] { // buffers do not depend on the delta
		n := 60
		if i > 1 {
			n = 600
		}
		// The count is that of the process, which may have something to do for itself:
		// one try of three must be free.
		var found string
		for range 3 {
			if found = s.allocates(t, set, pool, n); found == "" {
				break
			}
		}
		if found != "" {
			t.Errorf("%s: %s, want 0", set.label(n), found)
		}
	}
}

// allocates tells how often, if at all, a new transfer allocates with n points which
// are in one place at first and then everywhere.
func (s suite[T]) allocates(t checking.T, set setting[T], pool *parallel.Pool, n int) (found string) {
	t.Helper()
	r := random()
	list := append([]arrangement{{"one place", make([]geometry.Vec, n)}}, set.distributions(r, n)...)
	transfer := s.with(t, set, pool, nil)
	u, force := set.fields(r), set.values(r, n)
	next := 0
	use := func() {
		mustSet(t, set.name, transfer, list[next%len(list)].x[:n])
		next++
		transfer.Interpolate(force, u)
		transfer.Spread(u, force)
	}
	use()
	for next < len(list) {
		name := list[(next+1)%len(list)].name
		if a := checking.Allocations(use); a != 0 { // it calls use twice, and counts the second
			found = fmt.Sprintf("%v allocations (%s)", a, name)
		}
	}
	return found
}

// lengths: a call that does not fit panics before it writes anything.
func (s suite[T]) lengths(t checking.T) {
	for _, set := range diagonal[T](t) {
		const n = 5
		r := random()
		transfer := s.with(t, set, nil, set.points(r, n, set.whole))
		type call struct {
			name          string
			field, values [][]T
		}
		calls := []call{
			{"no values", set.fields(r), nil},
			{"a component too few", set.fields(r)[1:], set.values(r, n)},
			{"values for no points", set.fields(r), set.values(r, 0)},
			{"a value too many", set.fields(r), set.values(r, n+1)},
		}
		c := set.components() - 1 // in the last one
		short, long, value := set.fields(r), set.fields(r), set.values(r, n)
		short[c], long[c], value[c] = short[c][1:], append(long[c], 0), value[c][1:]
		calls = append(calls, call{"a node too few", short, set.values(r, n)}, call{"a node too many", long, set.values(r, n)}, call{"a value too few", set.fields(r), value})
		if len(set.grids) > 1 {
			calls = append(calls, call{"more components than grids", append(set.fields(r), short[0]), append(set.values(r, n), value[0])})
		}
		for _, bad := range calls {
			for direction, use := range map[string]func(){
				"spreading":     func() { transfer.Spread(bad.field, bad.values) },
				"interpolation": func() { transfer.Interpolate(bad.values, bad.field) },
			} {
				what := fmt.Sprintf("%s: %s with %s", set.name, direction, bad.name)
				field, values := clone(bad.field), clone(bad.values)
				if !panics(use) {
					t.Errorf("%s does not panic", what)
				}
				same(t, what+": fields", field, bad.field)
				same(t, what+": values", values, bad.values)
			}
		}
		transfer.Spread(nil, nil) // of nothing
		transfer.Interpolate(nil, nil)
	}
}

func panics(f func()) (does bool) {
	defer func() { does = recover() != nil }()
	f()
	return false
}

func clone[T any](list [][]T) (c [][]T) {
	for _, l := range list {
		c = append(c, append([]T(nil), l...))
	}
	return c
}

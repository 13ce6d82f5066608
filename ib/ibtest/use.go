package ibtest

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// moving: a transfer that has held other points, more or fewer, does what a
// fresh one does.
func (s suite[T]) moving(t *testing.T) {
	pool := parallel.NewPool(3)
	defer pool.Close()
	for _, set := range diagonal[T](t) {
		r := random()
		used := s.with(t, set, pool, set.points(r, 50))
		for _, n := range []int{50, 600, 0, 3, 600} {
			x := set.points(r, n)
			if err := used.SetPoints(x); err != nil {
				t.Fatal(err)
			}
			s.agree(t, set.label(n), set, used, s.with(t, set, nil, x), n)
			for k := range x { // a small step leaves most cells as they were
				for a := range set.grid.Dim {
					middle := set.grid.Offset[a] + float64(set.grid.Size[a]-1)/2
					x[k][a] += 0.02 * (middle - x[k][a])
				}
			}
			if err := used.SetPoints(x); err != nil {
				t.Fatal(err)
			}
			s.agree(t, set.label(n)+", moved a little", set, used, s.with(t, set, nil, x), n)
		}
	}
}

// agree fails the test unless two transfers give the same bits.
func (s suite[T]) agree(t *testing.T, what string, set setting[T], a, b interface {
	Interpolate(values, field [][]T)
	Spread(field, values [][]T)
}, n int) {
	t.Helper()
	r := random()
	u, force := fields[T](r, 2, set.grid.Nodes()), fields[T](r, 2, n)
	fa, fb := zeros[T](2, set.grid.Nodes()), zeros[T](2, set.grid.Nodes())
	va, vb := zeros[T](2, n), zeros[T](2, n)
	a.Spread(fa, force)
	b.Spread(fb, force)
	a.Interpolate(va, u)
	b.Interpolate(vb, u)
	same(t, what+": spreading", fa, fb)
	same(t, what+": interpolation", va, vb)
}

// components: any number in one pass gives the bits of each alone.
func (s suite[T]) components(t *testing.T) {
	for _, set := range settings[T](t) {
		r := random()
		const n, components = 60, 4
		transfer := s.with(t, set, nil, set.points(r, n))
		u, force := fields[T](r, components, set.grid.Nodes()), fields[T](r, components, n)
		f, g := zeros[T](components, set.grid.Nodes()), zeros[T](components, set.grid.Nodes())
		v, w := zeros[T](components, n), zeros[T](components, n)
		transfer.Spread(f, force)
		transfer.Interpolate(v, u)
		for c := range components {
			transfer.Spread(g[c:c+1], force[c:c+1])
			transfer.Interpolate(w[c:c+1], u[c:c+1])
		}
		same(t, set.name+": spreading", f, g)
		same(t, set.name+": interpolation", v, w)
		transfer.Spread(nil, nil)
		transfer.Interpolate(nil, nil)
	}
}

// workers: 2, 3 and 5 workers against the caller alone, with points enough that all have some.
func (s suite[T]) workers(t *testing.T) {
	for _, set := range diagonal[T](t) {
		r := random()
		const n = 2100
		x := set.points(r, n)
		one := s.with(t, set, nil, x)
		for _, workers := range []int{2, 3, 5} {
			pool := parallel.NewPool(workers)
			s.agree(t, set.label(n), set, one, s.with(t, set, pool, x), n)
			pool.Close()
		}
	}
}

// allocations: setting points and using them allocates nothing the second time,
// whether the points have changed their cells or not.
func (s suite[T]) allocations(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	sets := settings[T](t)
	for _, set := range []setting[T]{sets[0], sets[len(sets)-1]} {
		for _, n := range []int{20, 3000} {
			r := random()
			x := [2][]geometry.Vec{set.points(r, n), set.points(r, n)}
			transfer := s.with(t, set, pool, x[0])
			u, force := fields[T](r, 2, set.grid.Nodes()), fields[T](r, 2, n)
			i := 0
			use := func() {
				i++
				if err := transfer.SetPoints(x[i/2%2]); err != nil {
					t.Fatal(err)
				}
				transfer.Interpolate(force, u)
				transfer.Spread(u, force)
			}
			if a := testing.AllocsPerRun(8, use); a != 0 {
				t.Errorf("%s: %v allocations, want 0", set.label(n), a)
			}
		}
	}
}

// outside: points off the grid are errors that say so, the transfer then holds
// none, and takes others again.
func (s suite[T]) outside(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for _, set := range diagonal[T](t) {
		r := random()
		const n = 600
		good := set.points(r, n)
		transfer := s.with(t, set, pool, good)
		for a := range set.grid.Dim {
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e12, -1, 1} {
				bad := append([]geometry.Vec(nil), good...)
				wrong := v
				if math.Abs(v) == 1 { // just over the edge
					if set.grid.Periodic[a] {
						continue
					}
					half := float64(set.delta.Support()) / 2
					wrong = set.grid.Offset[a] + half - 1 - 1e-9
					if v > 0 {
						// At the upper bound itself a support begins one further.
						wrong = set.grid.Offset[a] + float64(set.grid.Size[a]) - half
					}
				}
				bad[n/2][a] = wrong
				err := transfer.SetPoints(bad)
				if err == nil {
					t.Fatalf("%s: a point with coordinate %v = %v is accepted", set.name, a, wrong)
				}
				s.agree(t, set.name+" after an error", set, transfer, s.with(t, set, nil, nil), 0)
				if err := transfer.SetPoints(good); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.agree(t, set.name+" after errors", set, transfer, s.with(t, set, nil, good), n)
	}
}

// lengths: a broken call panics before it reads or writes.
func (s suite[T]) lengths(t *testing.T) {
	set := settings[T](t)[0]
	r := random()
	transfer := s.with(t, set, nil, set.points(r, 5))
	nodes := set.grid.Nodes()
	for name, sizes := range map[string][4]int{ // components and lengths of fields, of values
		"a component too few":  {2, nodes, 1, 5},
		"a field too short":    {1, nodes - 1, 1, 5},
		"values for no points": {1, nodes, 1, 0},
		"a value too many":     {1, nodes, 1, 6},
	} {
		field, values := zeros[T](sizes[0], sizes[1]), zeros[T](sizes[2], sizes[3])
		for direction, call := range map[string]func(){
			"spreading":     func() { transfer.Spread(field, values) },
			"interpolation": func() { transfer.Interpolate(values, field) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s with %s does not panic", direction, name)
					}
				}()
				call()
			}()
		}
	}
}

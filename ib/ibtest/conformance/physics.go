package conformance

import (
	"math"
	"sync"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/checking"
)

// adjoint: Σ_x (S F)·u h^d = Σ_k F_k·(J u)_k for any F and u.
func (s laws[T]) adjoint(t checking.T) {
	for _, set := range settings[T](t) {
		const n = 40
		r := random()
		transfer := s.with(t, set, nil, set.points(r, n, set.anywhere))
		u, force := set.fields(r), set.values(r, n)
		spread, interpolated := set.zeros(), set.none(n)
		transfer.Spread(spread, force)
		transfer.Interpolate(interpolated, u)
		left, scale := inner(spread, u)
		right, _ := inner(force, interpolated)
		h := set.volume()
		s.close(t, set.name, left*h, right, scale*h)
	}
}

// inner is Σ a·b over all components, and the sum of the absolute values.
func inner[T ib.Float](a, b [][]T) (sum, scale float64) {
	for c := range a {
		for i := range a[c] {
			p := float64(a[c][i]) * float64(b[c][i])
			sum += p
			scale += math.Abs(p)
		}
	}
	return sum, scale
}

// force: Σ_x f h^d = Σ_k F_k where no support is cut at a wall.
func (s laws[T]) force(t checking.T) {
	for _, set := range settings[T](t) {
		const n = 30
		r := random()
		transfer := s.with(t, set, nil, set.points(r, n, set.whole))
		force, f := set.values(r, n), set.zeros()
		transfer.Spread(f, force)
		for c := range f {
			var total, want float64
			for _, v := range f[c] {
				total += float64(v) * set.volume()
			}
			for _, v := range force[c] {
				want += float64(v)
			}
			s.close(t, set.name, total, want, n)
		}
	}
}

// torque: Σ_x x × f h^d = Σ_k X_k × F_k, where no point is wrapped. A delta with a
// first moment μ is off by no more than μ h times the force.
func (s laws[T]) torque(t checking.T) {
	for _, set := range settings[T](t) {
		const n = 30
		r := random()
		x := set.points(r, n, set.inside)
		transfer := s.with(t, set, nil, x)
		force, f := set.values(r, n), set.zeros()
		transfer.Spread(f, force)
		var total, want geometry.Vec
		var far float64
		for c := range set.dim() {
			for i, v := range f[c] {
				if v != 0 {
					total = total.Add(set.moment(position(set.grid(c), i), c, float64(v)*set.volume()))
				}
			}
			for k, v := range force[c] {
				want = want.Add(set.moment(x[k], c, float64(v)))
				far = max(far, set.moment(x[k], c, 1).Norm())
			}
		}
		for a := range total {
			// Two components of every force, of at most one, turn about an axis.
			allowed := 2 * n * set.moments(t).First * spacing(set.grids[0])
			if off := math.Abs(total[a] - want[a]); !(off <= allowed+s.tolerance*2*n*far) {
				t.Fatalf("%s: torque %v, want %v: off by %.2e, more than %.2e", set.name, total[a], want[a], off, allowed)
			}
		}
	}
}

// moment is that of a force along axis c at x about the offset.
func (s domain) moment(x geometry.Vec, c int, force float64) geometry.Vec {
	var f geometry.Vec
	f[c] = force
	return s.arm(x).Cross(f)
}

// arm is from the offset to x.
func (s domain) arm(x geometry.Vec) (arm geometry.Vec) {
	for a := range s.dim() {
		arm[a] = x[a] - s.grids[0].Offset[a]
	}
	return arm
}

// uniformSlip: a unit force per marker times ε, spread and interpolated back, is
// one everywhere, so that one application of direct forcing removes a uniform
// slip.
func (s laws[T]) uniformSlip(t checking.T) {
	for _, b := range weighedBodies() {
		if b.err != nil {
			t.Fatalf("%s: %v", b.delta, b.err)
		}
		d, err := ib.NewDelta[T](b.delta)
		if err != nil {
			t.Fatal(err)
		}
		set := setting[T]{b.delta, domain{[]ib.Grid{b.grid}, d.Support()}, d}
		force, slip := [][]T{make([]T, len(b.x))}, [][]T{make([]T, len(b.x))}
		for k, e := range b.epsilon {
			force[0][k] = T(e)
		}
		field := [][]T{make([]T, b.grid.Nodes())}
		transfer := s.with(t, set, nil, b.x)
		transfer.Spread(field, force)
		transfer.Interpolate(slip, field)
		for _, v := range slip[0] {
			// The solver leaves 1e-12 and conditions up to 1e3 of rounding.
			if residual := math.Abs(float64(v) - 1); residual > max(1e-10, 10*s.tolerance) {
				t.Fatalf("%s in %dD: a slip of 1 leaves %.1e", b.delta, b.grid.Dim, residual)
			}
		}
	}
}

// weighed is a body of markers with the weights of direct forcing.
type weighed struct {
	delta   string
	grid    ib.Grid
	x       []geometry.Vec
	epsilon []float64
	err     error
}

// weighedBodies are a circle and a sphere for every delta, weighed once for all
// strategies.
var weighedBodies = sync.OnceValue(func() (list []weighed) {
	circle, err := geometry.NewCircle(geometry.Vec{10.3, 9.8}, 12)
	if err != nil {
		return []weighed{{err: err}}
	}
	sphere, err := geometry.NewSphere(geometry.Vec{6.3, 5.8, 6.1}, 6)
	if err != nil {
		return []weighed{{err: err}}
	}
	for _, name := range ib.DeltaNames() {
		for _, body := range []struct {
			shape geometry.Shape
			grid  ib.Grid
		}{
			{circle, ib.Grid{Dim: 2, Size: [3]int{20, 20, 1}}},
			{sphere, ib.Grid{Dim: 3, Size: [3]int{12, 12, 12}, Periodic: [3]bool{true, true, true}}},
		} {
			w := weighed{delta: name, grid: body.grid}
			d, err := ib.NewDelta[float64](name)
			if err == nil {
				var m geometry.Markers
				if m, err = body.shape.Sample(ib.SafeSpacing(d, body.grid.Dim)); err == nil {
					w.x = m.X
					w.epsilon, _, err = ib.PinelliWeights(body.grid, d, m.X)
				}
			}
			w.err = err
			list = append(list, w)
		}
	}
	return list
})

package ibtest

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/ib"
)

// adjoint: Σ_x (S F)·u = Σ_k F_k·(J u)_k for any F and u.
func (s suite[T]) adjoint(t *testing.T) {
	r := random()
	for _, set := range settings[T](t) {
		const n, components = 40, 3
		transfer := s.with(t, set, nil, set.points(r, n))
		u, force := fields[T](r, components, set.grid.Nodes()), fields[T](r, components, n)
		spread, interpolated := zeros[T](components, set.grid.Nodes()), zeros[T](components, n)
		transfer.Spread(spread, force)
		transfer.Interpolate(interpolated, u)
		left, scale := inner(spread, u)
		right, _ := inner(force, interpolated)
		s.close(t, set.name, left, right, scale)
	}
}

// conservation: the total force always, the total torque for deltas with
// Σ(x−j)φ = 0 where no point is wrapped.
func (s suite[T]) conservation(t *testing.T) {
	r := random()
	for _, set := range settings[T](t) {
		const n = 30
		x := set.points(r, n)
		transfer := s.with(t, set, nil, x)
		force := fields[T](r, 3, n)
		f := zeros[T](3, set.grid.Nodes())
		transfer.Spread(f, force)
		var total, want, torque, wantTorque geometry.Vec
		var scale, torqueScale float64
		for k := range x {
			v := geometry.Vec{float64(force[0][k]), float64(force[1][k]), float64(force[2][k])}
			want, wantTorque = want.Add(v), wantTorque.Add(x[k].Cross(v))
			scale += v.Norm()
			torqueScale += v.Norm() * (x[k].Norm() + float64(set.delta.Support()))
		}
		for i := range f[0] {
			v := geometry.Vec{float64(f[0][i]), float64(f[1][i]), float64(f[2][i])}
			total, torque = total.Add(v), torque.Add(node(set.grid, i).Cross(v))
		}
		for a := range total {
			s.close(t, set.name+": total force", total[a], want[a], scale)
		}
		if set.grid.Periodic != [3]bool{} || set.delta.Name() == "cosine4" {
			continue
		}
		for a := range torque {
			s.close(t, set.name+": total torque", torque[a], wantTorque[a], torqueScale)
		}
	}
}

// reproduction: J reproduces constants, and linear fields unless the axis is
// periodic or the delta has a first moment.
func (s suite[T]) reproduction(t *testing.T) {
	r := random()
	for _, set := range settings[T](t) {
		const n = 30
		x := set.points(r, n)
		transfer := s.with(t, set, nil, x)
		slope := geometry.Vec{0.5, -0.25, 0.75}
		for a := range slope {
			if set.grid.Periodic[a] || set.delta.Name() == "cosine4" {
				slope[a] = 0
			}
		}
		field, scale := zeros[T](2, set.grid.Nodes()), 0.
		for i := range field[0] {
			field[0][i] = 3
			field[1][i] = T(1 + slope.Dot(node(set.grid, i)))
			scale = max(scale, math.Abs(float64(field[1][i])))
		}
		values := zeros[T](2, n)
		transfer.Interpolate(values, field)
		for k := range x {
			s.close(t, set.name+": constant", float64(values[0][k]), 3, 3)
			s.close(t, set.name+": linear", float64(values[1][k]), 1+slope.Dot(x[k]), scale)
		}
	}
}

// uniformSlip: a unit force per marker times ε, spread and interpolated back, is
// one everywhere, so that one application of direct forcing removes a uniform
// slip.
func (s suite[T]) uniformSlip(t *testing.T) {
	circle, err := geometry.NewCircle(geometry.Vec{20.3, 19.8}, 20)
	if err != nil {
		t.Fatal(err)
	}
	sphere, err := geometry.NewSphere(geometry.Vec{9.3, 9.8, 10.1}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []struct {
		shape geometry.Shape
		grid  ib.Grid
	}{
		{circle, ib.Grid{Dim: 2, Size: [3]int{40, 40, 1}}},
		{sphere, ib.Grid{Dim: 3, Size: [3]int{20, 20, 20}, Periodic: [3]bool{true, true, true}}},
	} {
		for _, name := range ib.DeltaNames() {
			d, err := ib.NewDelta[T](name)
			if err != nil {
				t.Fatal(err)
			}
			markers, err := body.shape.Sample(ib.SafeSpacing(d, body.grid.Dim))
			if err != nil {
				t.Fatal(err)
			}
			epsilon, _, err := ib.PinelliWeights(body.grid, d, markers.X)
			if err != nil {
				t.Fatal(err)
			}
			force, slip := zeros[T](1, len(epsilon)), zeros[T](1, len(epsilon))
			for k, e := range epsilon {
				force[0][k] = T(e)
			}
			field := zeros[T](1, body.grid.Nodes())
			transfer := s.with(t, setting[T]{name, body.grid, d}, nil, markers.X)
			transfer.Spread(field, force)
			transfer.Interpolate(slip, field)
			for _, v := range slip[0] {
				// The solver leaves 1e-12; a hundred roundings cover the rest.
				if residual := math.Abs(float64(v) - 1); residual > max(1e-10, s.tolerance) {
					t.Fatalf("%s in %dD: a slip of 1 leaves %.1e", name, body.grid.Dim, residual)
				}
			}
		}
	}
}

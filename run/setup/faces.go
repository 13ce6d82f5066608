package setup

import (
	"fmt"
	"math"
	"slices"

	"lbmib/io/casefile"
	"lbmib/lbm"
)

// Face is a face of the domain in lattice units.
func (d *Domain) Face(i int) lbm.Face {
	f := d.Case.Domain.Boundary[i]
	kind, ok := lbm.FaceKinds[f.Type]
	if !ok {
		panic(fmt.Sprintf("run: boundary condition %q is not wired to package lbm", f.Type))
	}
	out := lbm.Face{Kind: kind, Density: f.Density}
	switch {
	case kind.HasVelocity():
		out.Velocity = d.profile(i, f)
		out.Amplitude, out.OneWay = d.amplitude(f), oneWay(f)
	case kind == lbm.Pressure:
		out.Amplitude = d.amplitude(f)
	}
	return out
}

// profile is the velocity over face i: uniform, by an expression of the place, by a table, or parabolic between the
// domain's edges along every tangential axis that is not periodic.
func (d *Domain) profile(i int, f casefile.Face) func(x [3]float64) [3]float64 {
	var u [3]float64
	if f.Shape != nil {
		return func(x [3]float64) (u [3]float64) {
			at := d.Place(x)
			v, err := f.Shape.Eval(at[0], at[1], at[2])
			if err != nil { // between the nodes that the case was tried on
				v = math.NaN()
			}
			u[i/2] = d.Units.ToLatticeVelocity(v) * float64(1-i%2*2) // inwards
			return u
		}
	}
	if f.Rows != nil {
		return func(x [3]float64) (u [3]float64) {
			u = f.Rows.At(d.Place(x))
			for a := range u {
				u[a] = d.Units.ToLatticeVelocity(u[a])
			}
			return u
		}
	}
	if f.Profile != "parabolic" {
		for a := range u {
			u[a] = d.Units.ToLatticeVelocity(f.Value[a])
		}
		return func([3]float64) [3]float64 { return u }
	}
	u[i/2] = d.Units.ToLatticeVelocity(f.Peak) * float64(1-i%2*2) // inwards
	return func(x [3]float64) [3]float64 {
		shape := 1.
		for a := range d.Flow.Lattice.Dim {
			if a != i/2 && d.Case.Domain.Boundary[2*a].Type != "periodic" {
				s := (x[a] + 0.5) / float64(d.Flow.Size[a])
				shape *= 4 * s * (1 - s)
			}
		}
		return [3]float64{u[0] * shape, u[1] * shape, u[2] * shape}
	}
}

// oneWay tells that what a face's velocity is multiplied by is known never to be negative.
// Of an expression it is not.
func oneWay(f casefile.Face) bool {
	if f.Period > 0 || !f.Factor.Constant() || f.Factor.Value < 0 {
		return false
	}
	return f.Table == nil || slices.Min(f.Table.Factor) >= 0
}

// amplitude is how a face's velocity, or its density − 1, varies with time in
// steps; nil: not at all.
func (d *Domain) amplitude(f casefile.Face) func(step float64) float64 {
	if f.Ramp <= 0 && f.Period <= 0 && f.Table == nil && f.Factor.Constant() && f.Factor.Value == 1 {
		return nil
	}
	return func(step float64) float64 { return f.At(step * d.Units.Dt) }
}

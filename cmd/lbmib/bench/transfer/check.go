package transfer

import (
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/ib"
)

// reference is what the serial strategy makes of the stage's fields and points x.
type reference[T ib.Float] struct {
	x             []geometry.Vec
	values, field [][]T
}

func (s *stage[T]) reference(x []geometry.Vec) (*reference[T], error) {
	t, err := s.newTransfer("serial", nil)
	if err != nil {
		return nil, err
	}
	if err := t.SetPoints(x); err != nil {
		return nil, err
	}
	r := &reference[T]{x, s.arrays(s.Points), s.arrays(s.Size.Nodes())}
	t.Interpolate(r.values, s.field)
	t.Spread(r.field, s.force)
	return r, nil
}

// checks hold a transfer that has the reference's points against it and against the
// identities. All values that go in lie between ½ and 1.
func (s *stage[T]) checks(t ib.Transfer[T], r *reference[T]) []harness.Check {
	for c := range s.sum {
		clear(s.sum[c])
	}
	t.Interpolate(s.values, s.field)
	t.Spread(s.sum, s.force)

	var differ, total, adjoint, apart, size float64
	for c := range s.field {
		var fieldSum, forceSum, fu, FU float64
		for i, f := range s.sum[c] {
			fieldSum += float64(f)
			fu += float64(f) * float64(s.field[c][i])
			d := float64(f) - float64(r.field[c][i])
			apart += d * d
			size += float64(r.field[c][i]) * float64(r.field[c][i])
		}
		for k, u := range s.values[c] {
			forceSum += float64(s.force[c][k])
			FU += float64(s.force[c][k]) * float64(u)
			differ = harness.Worse(differ, math.Abs(float64(u)-float64(r.values[c][k])))
		}
		total = harness.Worse(total, math.Abs(fieldSum/forceSum-1))
		adjoint = harness.Worse(adjoint, math.Abs(fu/FU-1))
	}
	point, node := s.tolerance()
	return []harness.Check{
		{Name: "difference of an interpolated value from the definition", Value: s.fromDefinition(r.x), Bound: point},
		{Name: "difference of an interpolated value from serial", Value: differ, Bound: point},
		{Name: "relative difference of the spread field from serial", Value: math.Sqrt(apart / size), Bound: node},
		{Name: "relative error of the total force", Value: total, Bound: node},
		{Name: "relative error of the adjoint, Σ f·u against Σ F·U", Value: adjoint, Bound: point + node},
	}
}

// tolerance bounds the errors of rounding of an interpolated value and of a spread
// field. A sum of n terms of one sign is rounded by at most n half units; terms of a
// delta with negative weights are up to 4 times their sum. Positions of points, kept
// in double precision, are known to half a unit of the widest axis, and weights
// change by less than 2 per node.
func (s *stage[T]) tolerance() (point, node float64) {
	unit := 0x1p-53
	position := 2 * float64(max(s.Size[0], s.Size[1], s.Size[2])) * unit
	if s.bytes() == 4 {
		unit = 0x1p-24
	}
	support := math.Pow(float64(s.delta.Support()), float64(s.Size.Dim()))
	point = 4*(support+8)*unit + 8*position
	return point, 4*(8*s.cost.perNode+16)*unit + 8*position
}

// sampled is about how many points are held against the definition.
const sampled = 64

// fromDefinition is the largest difference of values from Σ_x u(x) Π φ(x−X), summed
// as it is written, in double precision.
func (s *stage[T]) fromDefinition(x []geometry.Vec) (worst float64) {
	d, err := ib.NewDelta[float64](s.Delta)
	if err != nil {
		return math.NaN()
	}
	for c := range s.values {
		g := of(s.grids, c)
		for k := 0; k < len(x); k += max(1, len(x)/sampled) {
			u := defined(&g, d, x[k], s.field[c])
			worst = harness.Worse(worst, math.Abs(u-float64(s.values[c][k])))
		}
	}
	return worst
}

// defined interpolates to one point on a periodic grid of spacing 1.
func defined[T ib.Float](g *ib.Grid, d ib.Delta[float64], x geometry.Vec, field []T) (sum float64) {
	var w [3][ib.MaxSupport]float64
	var first [3]int
	w[2][0] = 1
	for a := range g.Dim {
		first[a] = d.Weights(&w[a], x[a]-g.Staggering[a])
	}
	n := d.Support()
	nz := n
	if g.Dim == 2 {
		nz = 1
	}
	for k := range nz {
		for j := range n {
			row := wrap(first[2]+k, g.Size[2])*g.Size[1] + wrap(first[1]+j, g.Size[1])
			for i := range n {
				sum += float64(field[row*g.Size[0]+wrap(first[0]+i, g.Size[0])]) * w[0][i] * w[1][j] * w[2][k]
			}
		}
	}
	return sum
}

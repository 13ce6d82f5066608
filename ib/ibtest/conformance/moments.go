package conformance

import (
	"math"

	"lbmib/geometry"
	"lbmib/internal/checking"
)

// property is what fields show of a delta.
type property struct {
	// first bounds |Σ(x−j)φ|; 0: it vanishes.
	first float64
	// second is Σ(x−j)²φ; NaN: it depends on x.
	second float64
	// evenOdd: half of the weight is on even nodes.
	evenOdd bool
}

// Roma, Peskin & Berger 1999; Peskin 2002; Bao, Kaye & Peskin 2016, whose second
// moment is K = 59/60 − √29/20; Monaghan 1985; a B-spline over n nodes has n/12.
var properties = map[string]property{
	"hat2":     {second: math.NaN()},
	"roma3":    {second: math.NaN()},
	"bspline3": {second: 1. / 4},
	"peskin4":  {second: math.NaN(), evenOdd: true},
	"cosine4":  {second: math.NaN(), evenOdd: true, first: 0.021095},
	"bspline4": {second: 1. / 3},
	"m4prime":  {second: 0},
	"ib6":      {second: 0.714075092976608, evenOdd: true},
}

// polynomials: J p(X) = p(X) + h² tr Q Σ(x−j)²φ for p(x) = 3 + b·x + xᵀQx where no
// point is wrapped: constants always, linear functions without a first moment and
// quadratic ones with a constant second.
func (s suite[T]) polynomials(t checking.T) {
	const n = 20
	for _, set := range settings[T](t) {
		p, known := properties[set.delta.Name()]
		if !known {
			p = property{first: 1, second: math.NaN()} // constants alone
		}
		h := spacing(set.grids[0])
		x := set.points(random(), n, set.inside)
		transfer := s.with(t, set, nil, x)
		values := set.none(n)
		for degree := range 3 {
			if degree == 2 && math.IsNaN(p.second) {
				continue
			}
			f, trace, slope := set.polynomial(degree)
			shift := 0.
			if degree == 2 {
				shift = trace * p.second * h * h
			}
			field, scale := set.sample(f)
			transfer.Interpolate(values, field)
			for c := range values {
				for k, v := range values[c] {
					want := f(set.arm(x[k])) + shift
					// Weights of either sign sum to less than 1.3 along an axis.
					if off := math.Abs(float64(v) - want); !(off <= slope*p.first*h+s.tolerance*2.2*scale) {
						t.Fatalf("%s: a polynomial of degree %d is %v at point %d, want %v: off by %.2e", set.name, degree, v, k, want, off)
					}
				}
			}
		}
	}
}

// polynomial is one of the arm from the offset, with tr Q and Σ|b|.
func (s setting[T]) polynomial(degree int) (p func(arm geometry.Vec) float64, traceQ, sumB float64) {
	var b geometry.Vec
	var q [3]geometry.Vec
	for a := range s.dim() {
		if degree > 0 {
			b[a] = [3]float64{0.5, -0.25, 0.75}[a]
		}
		if degree > 1 {
			q[a] = [3]geometry.Vec{{0.25, 0.5, -1}, {0.5, -0.125, 0.25}, {-1, 0.25, 0.5}}[a]
		}
		traceQ += q[a][a]
		sumB += math.Abs(b[a])
	}
	return func(arm geometry.Vec) float64 {
		v := 3 + b.Dot(arm)
		for a := range q {
			v += arm[a] * q[a].Dot(arm)
		}
		return v
	}, traceQ, sumB
}

// sample is the fields with the values of a function of the arm from the offset, and
// the greatest of them.
func (s setting[T]) sample(f func(arm geometry.Vec) float64) (fields [][]T, scale float64) {
	fields = s.zeros()
	for c := range fields {
		for i := range fields[c] {
			v := f(s.arm(position(s.grid(c), i)))
			fields[c][i] = T(v)
			scale = max(scale, math.Abs(v))
		}
	}
	return fields, scale
}

// checkerboards: what changes its sign from node to node along an axis, and varies
// in any way along the others, interpolates to zero by deltas that give even and odd
// nodes half of the weight each.
func (s suite[T]) checkerboards(t checking.T) {
	const n = 30
	for _, set := range settings[T](t) {
		if !properties[set.delta.Name()].evenOdd {
			continue
		}
		r := random()
		transfer := s.with(t, set, nil, set.points(r, n, set.inside))
		for axis := range set.dim() {
			field, values := set.fields(r), set.none(n)
			for c := range field {
				g := set.grid(c)
				stride := 1
				for a := range axis {
					stride *= g.Size[a]
				}
				for i := range field[c] {
					if along := i / stride % g.Size[axis]; along > 0 {
						field[c][i] = -field[c][i-stride]
					}
				}
			}
			transfer.Interpolate(values, field)
			for c := range values {
				for _, v := range values[c] {
					s.close(t, set.name, float64(v), 0, 1)
				}
			}
		}
	}
}

// negativeWeights: Monaghan's delta is least, −2/27, at 4/3 of a node; it is 1 at a
// node. Of any other delta a positive force gives no negative field.
func (s suite[T]) negativeWeights(t checking.T) {
	for _, set := range diagonal[T](t) {
		least := 0.
		if set.delta.Name() == "m4prime" {
			least = -2. / 27
		}
		for c := range set.components() {
			place := set.grid(c).Staggering
			for a := range set.dim() {
				place[a] += float64(set.grid(c).Size[a] / 2)
			}
			place[0] += 1. / 3
			transfer := s.with(t, set, nil, []geometry.Vec{set.at(place)})
			force, field := set.none(1), set.zeros()
			force[c][0] = 1
			transfer.Spread(field, force)
			got := 0.
			for _, v := range field[c] {
				got = min(got, float64(v)*set.volume())
			}
			s.close(t, set.name+": least weight", got, least, 1)
		}
	}
}

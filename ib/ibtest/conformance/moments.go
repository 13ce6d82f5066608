package conformance

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/checking"
)

// Moments are what fields show of a delta, over all places between two nodes.
type Moments struct {
	First   float64 // the greatest |Σ(x−j)φ|; 0: it vanishes
	Second  float64 // Σ(x−j)²φ; NaN: it depends on x
	Squares float64 // Σφ²; NaN likewise
	EvenOdd bool    // half of the weight is on even nodes
	Least   float64 // the least weight
}

// MomentsOf evaluates the moments of a delta, which transfers are then held against. What a
// delta promises by its source is a line in ib/delta_test.go.
func MomentsOf(d ib.Delta[float64]) (m Moments) {
	const places, rounding = 4096, 1e-13
	var first, second, squares, even [2]float64 // least and greatest
	for k := range places + 1 {
		x := float64(k) / places
		var w [ib.MaxSupport]float64
		j, sums := d.Weights(&w, x), [4]float64{}
		for i, v := range w[:d.Support()] {
			r := x - float64(j+i)
			for n, add := range [4]float64{r * v, r * r * v, v * v, v * float64(1-(j+i)&1)} {
				sums[n] += add
			}
			m.Least = min(m.Least, v)
		}
		for n, s := range [4]*[2]float64{&first, &second, &squares, &even} {
			if k == 0 {
				*s = [2]float64{sums[n], sums[n]}
			}
			s[0], s[1] = min(s[0], sums[n]), max(s[1], sums[n])
		}
	}
	constant := func(s [2]float64) float64 {
		if s[1]-s[0] > rounding {
			return math.NaN()
		}
		return (s[0] + s[1]) / 2
	}
	m.Second, m.Squares, m.EvenOdd = constant(second), constant(squares), math.Abs(constant(even)-0.5) <= rounding
	if m.First = max(-first[0], first[1]); m.First <= rounding {
		m.First = 0
	} else {
		m.First += 1e-6 // above what lies between the places
	}
	return m
}

// moments are those of the delta of a setting, in double precision.
func (s setting[T]) moments(t checking.T) Moments {
	t.Helper()
	d, err := ib.NewDelta[float64](s.delta.Name())
	if err != nil {
		t.Fatal(err)
	}
	return MomentsOf(d)
}

// polynomials: J p(X) = p(X) + h² tr Q Σ(x−j)²φ for p(x) = 3 + b·x + xᵀQx where no
// point is wrapped: constants always, linear functions without a first moment and
// quadratic ones with a constant second.
func (s laws[T]) polynomials(t checking.T) {
	const n = 20
	for _, set := range settings[T](t) {
		p := set.moments(t)
		h := spacing(set.grids[0])
		x := set.points(random(), n, set.inside)
		transfer := s.with(t, set, nil, x)
		values := set.none(n)
		for degree := range 3 {
			if degree == 2 && math.IsNaN(p.Second) {
				continue
			}
			f, trace, slope := set.polynomial(degree)
			shift := 0.
			if degree == 2 {
				shift = trace * p.Second * h * h
			}
			field, scale := set.sample(f)
			transfer.Interpolate(values, field)
			for c := range values {
				for k, v := range values[c] {
					want := f(set.arm(x[k])) + shift
					// Weights of either sign sum to less than 1.3 along an axis.
					if off := math.Abs(float64(v) - want); !(off <= slope*p.First*h+s.tolerance*2.2*scale) {
						t.Fatalf("%s: a polynomial of degree %d is %v at point %d, want %v: off by %.2e", set.name, degree, v, k, want, off)
					}
				}
			}
		}
	}
}

// polynomial is one of the arm from the offset, with tr Q and Σ|b|.
func (s domain) polynomial(degree int) (p func(arm geometry.Vec) float64, traceQ, sumB float64) {
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
func (s laws[T]) checkerboards(t checking.T) {
	const n = 30
	for _, set := range settings[T](t) {
		if !set.moments(t).EvenOdd {
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

// negativeWeights: where the least weight of a delta is negative, as Monaghan's is 4/3 of a node
// away, −2/27, a positive force gives a negative field; with all others it gives none.
func (s laws[T]) negativeWeights(t checking.T) {
	for _, set := range diagonal[T](t) {
		least := set.leastBeside(t)
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

// leastBeside is the least product of the weights, an axis each, of a point a third of a node
// beside a node along x and at it along the other axes, or 0.
func (s setting[T]) leastBeside(t checking.T) float64 {
	t.Helper()
	d, err := ib.NewDelta[float64](s.delta.Name())
	if err != nil {
		t.Fatal(err)
	}
	lo, hi := 1., 1.
	for a := range s.dim() {
		var w [ib.MaxSupport]float64
		d.Weights(&w, [3]float64{1. / 3}[a])
		least, most := slices.Min(w[:]), slices.Max(w[:])
		lo, hi = min(lo*least, lo*most, hi*least), max(hi*most, lo*least)
	}
	return min(0, lo)
}

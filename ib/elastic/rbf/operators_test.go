package rbf

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/ib/elastic/rbf/internal/simd"
)

// evaluate is the jets of a function at all sample sites, by their numbers, and those
// of the exact function.
func evaluate(s *Surface, f func(geometry.Vec) float64, exact func(frame) jet) (got, want []jet) {
	values := make([]float64, s.Data())
	for i, p := range s.data.at {
		values[i] = f(p)
	}
	x := make([]float64, s.data.mirrors.order()*len(s.data.base)*columns)
	s.data.transform(x, 0, values)
	got, want = make([]jet, s.Samples()), make([]jet, s.Samples())
	var out [8]simd.Block
	for p := range s.toSamples.panels {
		s.toSamples.apply(p, x, columns, &out)
		for g, numbers := range s.samples.number {
			for row := range min(rows, len(s.samples.base)-p*rows) {
				f := newFrame(s.samples.base[p*rows+row])
				f.p, f.e1, f.e2 = mirrored(f.p, g), mirrored(f.e1, g), mirrored(f.e2, g)
				number := numbers[p*rows+row]
				want[number] = exact(f)
				for o := range out[g] {
					got[number][o] = out[g][o][0][row]
				}
			}
		}
	}
	return got, want
}

// most is the largest error of values, first and second derivatives.
func most(got, want []jet) (e [3]float64) {
	for i := range got {
		for o := range got[i] {
			order := [operators]int{0, 1, 1, 2, 2, 2}[o]
			e[order] = max(e[order], math.Abs(got[i][o]-want[i][o]))
		}
	}
	return e
}

// Interpolants reproduce their polynomial part; a second derivative multiplies rounding
// errors by n, and those of values are some 1e-14.
func TestHarmonicsOfDegreeThreeHaveExactDerivatives(t *testing.T) {
	for _, n := range [][2]int{{200, 400}, {625, 880}, {640, 401}, {641, 402}, {642, 800}, {644, 800}, {646, 800}, {643, 404}} {
		s := surface(t, "sphere", n[0], n[1])
		for k, h := range harmonics {
			got, want := evaluate(s, h.value, h.jet)
			if e := most(got, want); e[0] > 1e-12 || e[1] > 1e-11 || e[2] > 1e-10 {
				t.Errorf("%d and %d sites: harmonic %d: values, first and second derivatives are off by %.1e", n[0], n[1], k, e)
			}
		}
	}
}

// The frames' derivatives of a solid harmonic are those of the function: the surface's
// Laplacian of a harmonic of degree l is −l(l+1) times it.
func TestHarmonicsAreEigenfunctionsOfTheLaplacian(t *testing.T) {
	degree := []int{0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3}
	for k, h := range harmonics {
		for _, p := range even(64, 0).at {
			j := h.jet(newFrame(p))
			if want := -float64(degree[k]*(degree[k]+1)) * j[0]; math.Abs(j[3]+j[5]-want) > 1e-13 {
				t.Fatalf("harmonic %d: Laplacian %g, want %g", k, j[3]+j[5], want)
			}
		}
	}
}

// wave is exp(a·p), a smooth function without symmetry.
func wave(a geometry.Vec) (func(geometry.Vec) float64, func(frame) jet) {
	f := func(p geometry.Vec) float64 { return math.Exp(a.Dot(p)) }
	return f, func(at frame) jet {
		v, a1, a2, r := f(at.p), a.Dot(at.e1), a.Dot(at.e2), a.Dot(at.p)
		return jet{v, a1 * v, a2 * v, (a1*a1 - r) * v, a1 * a2 * v, (a2*a2 - r) * v}
	}
}

// The native space of r⁷ on the sphere is H^4.5: for smooth functions errors of values
// fall as h⁹ and each derivative costs an order. Largest errors scatter with the sites,
// so that an order less is let pass.
func TestDerivativesConvergeWithTheOrderOfTheKernel(t *testing.T) {
	f, exact := wave(geometry.Vec{1.5, 1, -1.2})
	var last [3]float64
	const coarse, fine = 200, 800
	for _, n := range []int{coarse, fine} {
		got, want := evaluate(surface(t, "sphere", n, 904), f, exact)
		e := most(got, want)
		t.Logf("%d data sites: values, first, second derivatives off by %.2e", n, e)
		for k := range e {
			if s := slope(last[k], e[k], coarse, fine); n == fine && s < float64(8-k) {
				t.Errorf("derivatives of order %d converge with order %.2f, want %d", k, s, 9-k)
			}
		}
		last = e
	}
}

// Splitting by characters is a way to solve the same equations.
func TestMirrorsChangeNothing(t *testing.T) {
	f, exact := wave(geometry.Vec{1, 0.7, -0.4})
	s := surface(t, "sphere", 200, 400)
	if s.data.mirrors != 3 {
		t.Fatalf("%d mirrors", s.data.mirrors)
	}
	split, _ := evaluate(s, f, exact)
	whole := &Surface{data: s.data.under(0), samples: s.samples.under(0)}
	y, err := newSystem(whole.data, 0)
	if err != nil {
		t.Fatal(err)
	}
	whole.toSamples = newJets(whole.data, whole.samples, []*system{y})
	got, _ := evaluate(whole, f, exact)
	// Both number sites orbit by orbit, in the same order; frames at mirrored sites
	// differ, so that what does not depend on them is compared: the value, the length of
	// the gradient, the Laplacian and the determinant of second derivatives.
	invariants := func(j jet) [4]float64 {
		return [4]float64{j[0], math.Hypot(j[1], j[2]), j[3] + j[5], j[3]*j[5] - j[4]*j[4]}
	}
	for i := range got {
		a, b := invariants(got[i]), invariants(split[i])
		for k, most := range [4]float64{1e-12, 1e-11, 1e-9, 1e-9} { // roundings times n per derivative
			if math.Abs(a[k]-b[k]) > most {
				t.Fatalf("site %d: invariants %.15g with mirrors, %.15g without", i, b, a)
			}
		}
	}
}

func TestSitesAreEvenAndMirrored(t *testing.T) {
	for _, c := range []struct {
		n int
		k mirrors
	}{{625, 0}, {626, 1}, {625, 1}, {625, 2}, {626, 2}, {627, 2}, {628, 2}, {864, 3}, {866, 3}, {868, 3}, {870, 3}, {3520, 3}} {
		s := even(c.n, c.k)
		if len(s.at) != c.n {
			t.Fatalf("%d sites asked for, %d made", c.n, len(s.at))
		}
		// Of hexagonal lattices 1 and 0.577; defects of the sphere's topology and pairs
		// along mirrors cost a sixth.
		least, hole := s.spread()
		t.Logf("%d sites, %d mirrors: nearest %.3f, hole %.3f", c.n, c.k, least, hole)
		if least < 0.8 || hole > 0.76 {
			t.Errorf("%d sites, %d mirrors: nearest %.3f, hole %.3f of a hexagonal spacing", c.n, c.k, least, hole)
		}
		for g := range s.number {
			for d, i := range s.number[g] {
				if s.at[i] != mirrored(s.base[d], g) || math.Abs(s.at[i].Norm()-1) > 1e-15 {
					t.Fatalf("site %d is at %v, want the image of %v", i, s.at[i], s.base[d])
				}
			}
		}
	}
}

// Interpolants by r have errors of order 3 for smooth functions, and means over the
// sphere gain from cancellation.
func TestQuadratureIntegratesSmoothFunctions(t *testing.T) {
	a := geometry.Vec{1.5, 1, -1.2}
	f, _ := wave(a)
	want := 4 * math.Pi * math.Sinh(a.Norm()) / a.Norm()
	var errors []float64
	numbers := []int{220, 880, 3520}
	for _, n := range numbers {
		s := even(n, sampleMirrors(n))
		w, err := s.weights()
		if err != nil {
			t.Fatal(err)
		}
		var one, sum float64
		for _, number := range s.number {
			for d, i := range number {
				one += w[d]
				sum += w[d] * f(s.at[i])
			}
		}
		if math.Abs(one-4*math.Pi) > 1e-12 {
			t.Errorf("%d sites: ∫ 1 dω = %.15g, want 4π", n, one)
		}
		errors = append(errors, math.Abs(sum/want-1))
		t.Logf("%d sites: ∫ exp(a·p) dω is off by %.2e", n, errors[len(errors)-1])
	}
	if s := slope(errors[0], errors[2], numbers[0], numbers[2]); s < 3 {
		t.Errorf("the quadrature converges with order %.2f, want 3 at least", s)
	}
}

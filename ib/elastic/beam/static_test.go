package beam

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// settle steps a line in a medium at rest until no node moves more than tolerance a step for
// 50 steps.
func settle(t *testing.T, l *Line, m surroundings, tolerance float64) {
	t.Helper()
	for step, quiet := 0, 0; quiet < 50; step++ {
		m.step(t, l)
		quiet++
		for _, u := range l.U() {
			if !(u.Norm()*l.dt < tolerance) {
				quiet = 0
			}
		}
		if step > 60000 {
			t.Fatal("the line does not come to rest")
		}
	}
}

// A filament hangs with the tension ρ_l g (L − s), and keeps its length.
func TestAHangingFilamentBearsItsWeight(t *testing.T) {
	const length, mass, g, n = 64., 1.5, 1e-4, 65 // of a lattice: nodes a spacing apart, small g
	for _, scheme := range []Scheme{BDF2, Euler} {
		for _, angle := range []float64{0, 0.1 * math.Pi} {
			l := mustNew(t, Config{Dim: 2, X: straight(n, geometry.Vec{200, 300}, geometry.Vec{math.Sin(angle), -math.Cos(angle)}, length),
				Mass: mass, Inextensible: true, Gravity: geometry.Vec{0, -g}, First: End{Kind: Hinged}, Step: 1, Scheme: scheme})
			settle(t, l, medium(n, 0.0045), 1e-11) // as good as critically damped
			for j, got := range l.Tension() {
				want := mass * g * (length - float64(j) - 0.5)
				if !(math.Abs(got-want) < 1e-8*want) {
					t.Errorf("%v, from %g: tension of segment %d is %g, want %g", scheme, angle, j, got, want)
				}
			}
			if s := l.Strain(); s > 1e-9 { // the weight's, 64·10⁻⁴·10⁻⁷
				t.Errorf("%v: strained by %g", scheme, s)
			}
			force, moment := l.Support(0)
			near(t, "what the support bears", -force[1], mass*g*length, 1e-8)
			if moment != (geometry.Vec{}) {
				t.Errorf("a hinge bears a moment %g", moment)
			}
		}
	}
}

// ellipticE and ellipticF are Legendre's integrals of the modulus k up to phi, by Simpson's rule.
func ellipticF(phi, k float64) float64 { return elliptic(phi, k, -0.5) }
func ellipticE(phi, k float64) float64 { return elliptic(phi, k, 0.5) }

func elliptic(phi, k, power float64) (sum float64) {
	const n = 2000
	for i := range n + 1 {
		w := float64(2 + 2*(i%2))
		if i == 0 || i == n {
			w = 1
		}
		s := k * math.Sin(phi*float64(i)/n)
		sum += w * math.Pow(1-s*s, power)
	}
	return sum * phi / n / 3
}

// elastica is where the tip of an inextensible cantilever of length 1 along x is under a force
// P L²/(E I) = load across it that keeps its direction: Bisshopp & Drucker, Q. Appl. Math. 3 (1945) 272.
func elastica(load float64) (shortening, deflection float64) {
	lo, hi := math.Sqrt(0.5), 1. // modulus: k² = (1 + sin of the tip's slope)/2
	var k, phi float64
	for range 60 {
		k = (lo + hi) / 2
		phi = math.Asin(1 / (k * math.Sqrt2))
		if ellipticF(math.Pi/2, k)-ellipticF(phi, k) < math.Sqrt(load) {
			lo = k
		} else {
			hi = k
		}
	}
	slope := 2*k*k - 1
	deflection = 1 - 2*(ellipticE(math.Pi/2, k)-ellipticE(phi, k))/math.Sqrt(load)
	return 1 - math.Sqrt(2*slope/load), deflection
}

// The tip of a cantilever under a load is where Mattiasson, Int. J. Numer. Methods Eng. 17 (1981)
// 145, tabulates it.
func TestTheElasticaUnderATipLoad(t *testing.T) {
	const bending, n = 2.5, 65
	for _, row := range []struct{ load, shortening, deflection float64 }{
		{1, 0.05643, 0.30172}, {2, 0.16064, 0.49346}, {5, 0.38763, 0.71379}, {10, 0.55500, 0.81061},
	} {
		u, w := elastica(row.load)
		if math.Abs(u-row.shortening) > 1e-5 || math.Abs(w-row.deflection) > 1e-5 { // as printed
			t.Errorf("elliptic integrals for a load of %g give %.5f, %.5f, the table has %g, %g", row.load, u, w, row.shortening, row.deflection)
		}
		for _, scheme := range []Scheme{BDF2, Euler} {
			l := mustNew(t, Config{Dim: 3, X: straight(n, geometry.Vec{3, 4, 5}, geometry.Vec{1}, 1),
				Inextensible: true, Bending: bending, First: End{Clamped, geometry.Vec{1}}, Step: 0.05, Scheme: scheme})
			m := medium(n, map[Scheme]float64{BDF2: 0.1, Euler: 1e-8}[scheme]) // the latter: as good as none
			m.load[n-1] = geometry.Vec{0, 0.6 * row.load * bending, -0.8 * row.load * bending}
			settle(t, l, m, 1e-9)
			tip := l.Tip().Sub(geometry.Vec{3, 4, 5})
			// The chain of 64 straight segments is off by h² of the curvature squared.
			near(t, "shortening of the elastica", 1-tip[0], u, 0.005)
			near(t, "deflection of the elastica", 0.6*tip[1]-0.8*tip[2], w, 0.002)
			t.Logf("load %g, %v: %+.5f %+.5f", row.load, scheme, (1-tip[0])/u-1, (0.6*tip[1]-0.8*tip[2])/w-1)
			if s := l.Strain(); s > 1e-5 {
				t.Errorf("load %g: strained by %g", row.load, s)
			}
			// The support bears the load and its moment about the clamp.
			force, moment := l.Support(0)
			arm := tip.Cross(m.load[n-1])
			if force.Sub(m.load[n-1]).Norm() > 1e-5*row.load*bending || moment.Sub(arm).Norm() > 1e-4*arm.Norm() {
				t.Errorf("load %g: the support bears %g and %g, want %g and %g", row.load, force, moment, m.load[n-1], arm)
			}
			k := make([]float64, n)
			l.Curvature(k)
			near(t, "curvature at the clamp", k[0], arm.Norm()/bending, 5e-4) // of half a cell: (κh)²/24 and more
		}
	}
}

// A straight line of natural curvature κ₀ that is let go bends to an arc of that curvature, and a
// hinged one under a natural curvature leaves its ends without moment.
func TestALineBendsToItsNaturalCurvature(t *testing.T) {
	const n, length = 41, 2.
	for _, kappa := range []float64{0.5, -2, math.Pi} { // the last closes to a circle
		curvature := make([]float64, n)
		for i := range curvature {
			curvature[i] = kappa
		}
		l := mustNew(t, Config{Dim: 2, X: straight(n, geometry.Vec{}, geometry.Vec{1}, length), Curvature: curvature,
			Inextensible: true, Bending: 0.3, First: End{Clamped, geometry.Vec{1}}, Step: 0.02})
		settle(t, l, medium(n, 5e-4), 1e-9)
		const spacing = length / (n - 1)
		bend := kappa * spacing                       // angle between segments
		chord := 2 / kappa * math.Sin(kappa*length/2) // at half the angle
		want := geometry.Vec{chord * math.Cos(kappa*length/2), chord * math.Sin(kappa*length/2)}
		if off := l.Tip().Sub(want).Norm(); off > bend*bend/4*length { // segments are chords

			t.Errorf("κ = %g: the tip is at %.5f, want %.5f", kappa, l.Tip(), want)
		}
		// The clamp's share ends half a segment on, where the line has turned by κl/2 already.
		if e, want := l.Energy().Bending, 0.3*kappa*kappa*bend*bend*spacing/64; !(e < 1.05*want) {
			t.Errorf("κ = %g: a bending energy of %g is left", kappa, e)
		}
	}
}

// A spring of k_s under a pull F is longer by F/k_s.
func TestAPullStretchesALine(t *testing.T) {
	const n, k, pull = 9, 4., 0.6
	l := mustNew(t, Config{Dim: 2, X: straight(n, geometry.Vec{1, 1}, geometry.Vec{0, 1}, 2), Stretching: k, First: End{Kind: Hinged}, Step: 0.1})
	m := medium(n, 0.01)
	m.load[n-1] = geometry.Vec{0, pull}
	settle(t, l, m, 1e-13)
	near(t, "length of a line that is pulled", l.Tip()[1]-1, 2*(1+pull/k), 1e-9)
	near(t, "its energy", l.Energy().Stretching, pull*pull/k/2*2, 1e-9)
	for _, tension := range l.Tension() {
		near(t, "its tension", tension, pull, 1e-9)
	}
}

package beam

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// mode is the shape of a cantilever's vibration with λ = βL at s = ξL, its largest value about 1.
func cantileverMode(lambda, xi float64) float64 {
	ratio := (math.Cosh(lambda) + math.Cos(lambda)) / (math.Sinh(lambda) + math.Sin(lambda))
	z := lambda * xi
	return (math.Cosh(z) - math.Cos(z) - ratio*(math.Sinh(z)-math.Sin(z))) / 2
}

// frequency lets a line vibrate from a shape, in a vacuum, for so many periods of about 2π/omega
// with 400 steps each, and measures the shape's part in its motion.
func frequency(t *testing.T, c Config, shape func(xi float64) geometry.Vec, omega float64, periods int) float64 {
	t.Helper()
	const steps = 400 // a frequency error of (2π/400)²/3 = 10⁻⁴
	n := len(c.X)
	c.Step = 2 * math.Pi / omega / steps
	c.Lengths = make([]float64, n-1)
	rest := append([]geometry.Vec(nil), c.X...)
	total := 0.
	for j := range c.Lengths {
		c.Lengths[j] = rest[j+1].Sub(rest[j]).Norm()
		total += c.Lengths[j]
	}
	s := 0.
	shapes := make([]geometry.Vec, n)
	for i := range c.X {
		shapes[i] = shape(s / total)
		c.X[i] = c.X[i].Add(shapes[i].Scale(1e-5 * total))
		if i < n-1 {
			s += c.Lengths[i]
		}
	}
	l, m := mustNew(t, c), medium(n, 0)
	signal := []float64{}
	for range periods * steps {
		m.step(t, l)
		part := 0.
		for i, x := range l.X() {
			part += x.Sub(rest[i]).Dot(shapes[i]) * l.Share(i)
		}
		signal = append(signal, part)
	}
	return 2 * math.Pi / period(signal, c.Step)
}

// A cantilever's frequencies are λ² √(k_b/ρ_l)/L² with cos λ cosh λ = −1 (Euler–Bernoulli), and
// the error falls with the spacing squared.
func TestCantileverFrequencies(t *testing.T) {
	const length, mass, bending = 3., 0.7, 0.02
	for mode, lambda := range []float64{1.8751041, 4.6940911, 7.8547574} {
		want := lambda * lambda * math.Sqrt(bending/mass) / (length * length)
		var errors []float64
		for _, n := range []int{11, 21, 41} {
			c := Config{Dim: 2, X: straight(n, geometry.Vec{5, 7}, geometry.Vec{0.6, 0.8}, length),
				Mass: mass, Bending: bending, Stretching: 100, First: End{Clamped, geometry.Vec{0.6, 0.8}}}
			got := frequency(t, c, func(xi float64) geometry.Vec {
				return geometry.Vec{-0.8, 0.6}.Scale(cantileverMode(lambda, xi))
			}, want, 3)
			errors = append(errors, got/want-1)
		}
		t.Logf("mode %d, 11, 21, 41 nodes: %+.5f", mode+1, errors)
		// What the finite time step leaves, 10⁻⁴, does not converge.
		const time = -math.Pi * math.Pi * 4 / 400 / 400 / 3
		if order := math.Log2((errors[0] - time) / (errors[1] - time)); !(order > 1.8 && order < 2.2) {
			t.Errorf("mode %d: errors %g fall with order %.2f of the spacing, want 2", mode+1, errors, order)
		}
		near(t, "frequency of a cantilever of 41 nodes over the exact one", 1+errors[2], 1, 0.02)
		if mode == 0 {
			near(t, "first frequency of 21 nodes over the exact one", 1+errors[1], 1, 0.01)
		}
	}
}

// A hinged beam's are (mπ/L)² √(k_b/ρ_l), of nodes h apart [2 sin(mπh/2L)/h]² √(k_b/ρ_l).
func TestHingedBeamFrequencies(t *testing.T) {
	const length, mass, bending, n = 2., 0.3, 0.5, 25
	for dim := 2; dim <= 3; dim++ {
		for m := 1; m <= 3; m++ {
			q, h := float64(m)*math.Pi/length, length/(n-1)
			want := math.Pow(2*math.Sin(q*h/2)/h, 2) * math.Sqrt(bending/mass)
			across := geometry.Vec{0, 1, 0}
			if dim == 3 {
				across = geometry.Vec{0, 0.6, -0.8}
			}
			c := Config{Dim: dim, X: straight(n, geometry.Vec{}, geometry.Vec{1}, length),
				Mass: mass, Bending: bending, Stretching: 50, First: End{Kind: Hinged}, Last: End{Kind: Hinged}}
			got := frequency(t, c, func(xi float64) geometry.Vec {
				return across.Scale(math.Sin(float64(m) * math.Pi * xi))
			}, want, 3)
			near(t, "frequency of a hinged beam", got, want, 2e-4) // of the time step
			near(t, "the same of the continuous beam", got, q*q*math.Sqrt(bending/mass), 0.015)
		}
	}
}

// A chain that hangs swings with j √(g/L)/2, j = 2.4048, 5.5201, the zeros of J₀ (D. Bernoulli).
func TestAHangingFilamentSwingsAsBernoullis(t *testing.T) {
	const length, mass, g = 1.5, 0.8, 3.
	for mode, j := range []float64{2.404826, 5.520078} {
		want := j / 2 * math.Sqrt(g/length)
		for _, n := range []int{33, 65} {
			c := Config{Dim: 2, X: straight(n, geometry.Vec{0, length}, geometry.Vec{0, -1}, length),
				Mass: mass, Inextensible: true, Gravity: geometry.Vec{0, -g}, First: End{Kind: Hinged}}
			got := frequency(t, c, func(xi float64) geometry.Vec { return geometry.Vec{math.J0(j * math.Sqrt(1-xi))} }, want, 4)
			t.Logf("mode %d, %d nodes: %+.5f", mode+1, n, got/want-1)
			near(t, "frequency of a hanging filament", got, want, 0.02)
		}
	}
}

// Spacings that vary as much as is allowed do not spoil the frequency.
func TestUnevenSpacingKeepsTheFrequency(t *testing.T) {
	const length, mass, bending, n, lambda = 3., 0.7, 0.02, 41, 1.8751041
	want := lambda * lambda * math.Sqrt(bending/mass) / (length * length)
	for name, size := range map[string]func(j int) float64{
		"alternating": func(j int) float64 { return []float64{1, MaxSpacingRatio}[j%2] },
		"growing":     func(j int) float64 { return math.Pow(MaxSpacingRatio, float64(j)/(n-2)) },
		"shrinking":   func(j int) float64 { return math.Pow(MaxSpacingRatio, -float64(j)/(n-2)) },
		"a jump":      func(j int) float64 { return []float64{1, MaxSpacingRatio}[j/(n/2)%2] },
	} {
		sum, at := 0., 0.
		for j := range n - 1 {
			sum += size(j)
		}
		x := make([]geometry.Vec, n)
		for j := range n - 1 {
			at += size(j) / sum * length
			x[j+1] = geometry.Vec{at}
		}
		c := Config{Dim: 2, X: x, Mass: mass, Bending: bending, Stretching: 100, First: End{Clamped, geometry.Vec{1}}}
		got := frequency(t, c, func(xi float64) geometry.Vec { return geometry.Vec{0, cantileverMode(lambda, xi)} }, want, 3)
		t.Logf("%s: %+.5f", name, got/want-1)
		near(t, name+": frequency of a cantilever", got, want, 0.002)
	}
}

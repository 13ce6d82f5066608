package beam

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// halfWave puts a hinged line of stiffness k_b into the shape of its first mode, and tells the
// mode's stiffness per length, k_b [2 sin(πh/2L)/h]⁴.
func halfWave(c Config, n int, length, amplitude float64) (Config, float64) {
	c.Dim, c.First.Kind, c.Last.Kind = 2, Hinged, Hinged
	c.X = straight(n, geometry.Vec{}, geometry.Vec{1}, length)
	h := length / float64(n-1)
	for j := range n - 1 {
		c.Lengths = append(c.Lengths, c.X[j+1].Sub(c.X[j]).Norm())
	}
	for i := range c.X {
		c.X[i][1] = amplitude * math.Sin(math.Pi*float64(i)/float64(n-1))
	}
	return c, c.Bending * math.Pow(2*math.Sin(math.Pi*h/2/length)/h, 4)
}

// root is the factor of a vibration x + iu/ω in a step: 1/(1 − iz) of Euler's scheme, the root
// near 1 of (3/2 − iz)r² − 2r + 1/2 = 0 of BDF2, z = ωΔt.
func root(s Scheme, z float64) complex128 {
	if s == Euler {
		return 1 / complex(1, -z)
	}
	return (2 + cmplx.Sqrt(complex(1, 2*z))) / complex(3, -2*z)
}

// What the schemes take from a vibration in a period is what they do to a single oscillator:
// πz of Euler's, πz³/2 of BDF2 to leading order. Both slow it by z²/3.
func TestNumericalDampingAndFrequency(t *testing.T) {
	const n, length, mass = 17, 4., 0.6
	for _, scheme := range []Scheme{BDF2, Euler} {
		for _, z := range []float64{0.02, 0.05, 0.1, 0.2, 0.4} {
			c, stiffness := halfWave(Config{Mass: mass, Bending: 0.3, Stretching: 10, Scheme: scheme, Step: 1}, n, length, 1e-6)
			omega := math.Sqrt(stiffness / mass)
			c.Step = z / omega
			l, m := mustNew(t, c), medium(n, 0)
			state := func() complex128 {
				return complex(l.X()[n/2][1], l.U()[n/2][1]/omega)
			}
			for range 40 { // Euler's first step leaves BDF2 what decays as 3⁻ⁿ
				m.step(t, l)
			}
			const steps = 20
			before := state()
			for range steps {
				m.step(t, l)
			}
			got := cmplx.Pow(state()/before, complex(1./steps, 0))
			if steps*z > 3 { // the power takes the angle nearest to 0
				turn := cmplx.Exp(complex(0, -2*math.Pi*math.Round(steps*z/2/math.Pi)/steps))
				got *= turn
			}
			want := cmplx.Conj(root(scheme, z))
			if cmplx.Abs(got-want) > 1e-8 {
				t.Errorf("%v, ωΔt = %g: a step multiplies a vibration by %.9f, want %.9f", scheme, z, got, want)
			}
			loss, slow := 1-math.Pow(cmplx.Abs(got), 2*math.Pi/z), 1+cmplx.Phase(got)/z
			t.Logf("%v, ωΔt = %.2f: loses %.4g of its amplitude per period, is slow by %.4g", scheme, z, loss, slow)
			leading := map[Scheme]float64{Euler: math.Pi * z, BDF2: math.Pi * z * z * z / 2}[scheme]
			if z <= 0.1 {
				near(t, "loss per period over its leading term", -math.Log(1-loss)/leading, 1, 0.03)
				near(t, "frequency error over its leading term", slow/(z*z/3), 1, 0.03)
			}
		}
	}
}

// The time step that Scales proposes loses 1 % per period.
func TestTheProposedStepLosesOnePercent(t *testing.T) {
	for _, scheme := range []Scheme{BDF2, Euler} {
		z := phasePerStep(scheme)
		loss := 1 - math.Pow(cmplx.Abs(root(scheme, z)), 2*math.Pi/z)
		if !(loss > 0.009 && loss < 0.01) {
			t.Errorf("%v: loses %.4g per period at the proposed step, want a little less than 0.01", scheme, loss)
		}
	}
	c := Config{Dim: 2, X: straight(21, geometry.Vec{}, geometry.Vec{1}, 2), Mass: 0.5, Bending: 3, Stretching: 7, First: End{Kind: Clamped}, Step: 1}
	s := mustNew(t, c).Scales(0.5)
	near(t, "period of a cantilever with added mass", s.Period, 2*math.Pi/(1.8751041*1.8751041*math.Sqrt(3./1)/4), 1e-12)
	near(t, "explicit limit of bending", s.Bending, 0.1*0.1/2*math.Sqrt(1./3), 1e-12)
	near(t, "explicit limit of stretching", s.Stretching, 0.1*math.Sqrt(1./7), 1e-12)
	near(t, "proposed step", s.Step, s.Period/2/math.Pi*phasePerStep(BDF2), 1e-12)
	for _, test := range []struct {
		first, last EndKind
		zero        func(lambda float64) float64
	}{
		{Clamped, Free, func(k float64) float64 { return math.Cos(k)*math.Cosh(k) + 1 }},
		{Free, Free, func(k float64) float64 { return math.Cos(k)*math.Cosh(k) - 1 }},
		{Clamped, Clamped, func(k float64) float64 { return math.Cos(k)*math.Cosh(k) - 1 }},
		{Hinged, Hinged, func(k float64) float64 { return math.Sin(k) }},
		{Free, Hinged, func(k float64) float64 { return math.Tan(k) - math.Tanh(k) }},
		{Clamped, Hinged, func(k float64) float64 { return math.Tan(k) - math.Tanh(k) }},
	} {
		for _, ends := range [][2]EndKind{{test.first, test.last}, {test.last, test.first}} {
			c.First.Kind, c.Last.Kind = ends[0], ends[1]
			if k := mustNew(t, c).firstWave(); math.Abs(test.zero(k)) > 3e-6 || k > 5 { // cosh 4.73 = 57, of eight digits
				t.Errorf("%v–%v: λ = %g does not vibrate", ends[0], ends[1], k)
			}
		}
	}
	c.Mass, c.Bending = 0, 0
	if s := mustNew(t, c).Scales(0); !math.IsInf(s.Period, 1) || !math.IsInf(s.Bending, 1) || s.Stretching != 0 {
		t.Errorf("a string without mass or weight has the scales %+v", s)
	}
}

// A filament without mass in a medium of resistance ζ per length goes back to its straight shape
// as exp(−k_b q⁴ t/ζ), with an error of the first or second order in the step.
func TestAFilamentInAHeavyMediumRelaxes(t *testing.T) {
	const n, length, zeta = 33, 5., 7.
	for _, scheme := range []Scheme{BDF2, Euler} {
		var errors [2]float64
		for k, steps := range []int{100, 200} {
			c, stiffness := halfWave(Config{Bending: 0.3, Stretching: 10, Scheme: scheme, Step: 1}, n, length, 1e-5)
			c.Step = zeta / stiffness / float64(steps)
			l, m := mustNew(t, c), medium(n, 0)
			for i := range m.a {
				m.a[i] = zeta * l.Share(i) * c.Step
			}
			for range steps {
				m.step(t, l)
			}
			rate := -math.Log(l.X()[n/2][1] / 1e-5)
			errors[k] = rate - 1
			near(t, scheme.String()+": decay in the time 1/rate", rate, 1, 0.01)
			if k == 1 {
				near(t, scheme.String()+": rate over that of the continuous filament", rate/(0.3*math.Pow(math.Pi/length, 4)/stiffness), 1, 0.01)
			}
		}
		order := math.Log2(errors[0] / errors[1])
		t.Logf("%v: errors %.3g, order %.3f", scheme, errors, order)
		if want := map[Scheme]float64{Euler: 1, BDF2: 2}[scheme]; math.Abs(order-want) > 0.1 {
			t.Errorf("%v: errors %g fall with order %.2f, want %g", scheme, errors, order, want)
		}
	}
}

// Bending damping takes exp(−η_b ω² t/2k_b) from a vibration.
func TestBendingDampingTakesItsShare(t *testing.T) {
	const n, mass, ratio, steps = 17, 0.6, 0.05, 2000 // damping ratio η_b ω/2k_b
	c, stiffness := halfWave(Config{Mass: mass, Bending: 0.3, Stretching: 10, Step: 1}, n, 4, 1e-6)
	omega := math.Sqrt(stiffness / mass)
	c.BendingDamping = 2 * ratio * c.Bending / omega
	c.Step = 10 / omega / steps
	l, m := mustNew(t, c), medium(n, 0)
	for range steps {
		m.step(t, l)
	}
	free := math.Sqrt(1 - ratio*ratio) // over ω, of what is damped
	want := math.Exp(-ratio*10) * (math.Cos(free*10) + ratio/free*math.Sin(free*10))
	near(t, "a damped vibration after ωt = 10", l.X()[n/2][1]/1e-6, want, 2e-3) // of the time step: (1/200)²·10 and Euler's first
}

// A bent line that turns without changing its shape feels no bending damping, about whatever axis and however long the step; whatever its
// motion, the damping neither moves nor turns it as a whole, and takes energy from it.
func TestBendingDampingIsInternal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, mass = 15, 0.8
	for dim := 2; dim <= 3; dim++ {
		x := wiggly(r, dim, n, 0.8)
		step := func(u []geometry.Vec) *Line { // without stiffness nothing else acts
			l := mustNew(t, Config{Dim: dim, X: x, U: u, Mass: mass, BendingDamping: 0.7, Step: 50, Scheme: Euler})
			medium(n, 0).step(t, l)
			return l
		}
		for axis := 3 - dim; axis < 3; axis++ {
			spin := unit(axis)
			if dim == 2 {
				spin = unit(2)
			}
			u := make([]geometry.Vec, n)
			for i := range u {
				u[i] = spin.Scale(3e-6).Cross(x[i]).Add(geometry.Vec{2e-5, -1e-5}) // by so little that the step is not linearised again
			}
			for i, v := range step(u).U() {
				// Spins resist by freeSpin on their own: to 10⁻⁹ over the square of the angle between segments, which are of order ½ here, times Δt η/m = 44.
				if d := v.Sub(u[i]).Norm(); d > 1e-12 {
					t.Errorf("%dD: node %d of a line that turns as a whole about %v is damped by %g", dim, i, spin, d)
				}
			}
		}
		u := make([]geometry.Vec, n)
		for i := range u {
			for a := range dim {
				u[i][a] = 1e-6 * r.NormFloat64()
			}
		}
		l := step(u)
		var momentum, moment geometry.Vec
		before, after := 0., 0.
		for i, v := range l.U() {
			given := v.Sub(u[i]).Scale(mass * l.Share(i))
			momentum, moment = momentum.Add(given), moment.Add(x[i].Cross(given))
			before, after = before+u[i].Dot(u[i])*l.Share(i), after+v.Dot(v)*l.Share(i)
		}
		if momentum.Norm() > 1e-17 || moment.Norm() > 1e-12 || !(after < 0.9*before) {
			t.Errorf("%dD: bending damping gives the momentum %g, its moment %g, and %g of the energy are left", dim, momentum, moment, after/before)
		}
	}
}

// A line that lies and moves in a plane of space does what it would in that plane.
func TestBendingDampingInAPlaneOfSpace(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const n = 12
	flat := Config{Dim: 2, X: wiggly(r, 2, n, 1), Mass: 0.5, Bending: 0.3, Stretching: 4, BendingDamping: 0.6, First: End{Kind: Clamped}, Step: 0.7}
	e1, e2 := geometry.Vec{0.6, 0, 0.8}, geometry.Vec{0.64, 0.6, -0.48}
	into := func(v geometry.Vec) geometry.Vec { return e1.Scale(v[0]).Add(e2.Scale(v[1])) }
	space := flat
	space.Dim, space.X, space.U = 3, nil, nil
	for i, x := range flat.X {
		flat.U = append(flat.U, geometry.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64()})
		space.X, space.U = append(space.X, into(x)), append(space.U, into(flat.U[i]))
	}
	a, b := mustNew(t, flat), mustNew(t, space)
	m := medium(n, 0.1)
	for range 40 {
		m.step(t, a)
		m.step(t, b)
	}
	for i, x := range a.X() {
		if d := b.X()[i].Sub(into(x)).Norm(); d > 1e-10 {
			t.Errorf("node %d is %g from where it is in 2D", i, d)
		}
	}
}

// lostNow is the power that bending damping took in the step that a line has made: η_b Σ |turning/share|² share.
func lostNow(l *Line) (power float64) {
	q := &l.equations
	u := make([]geometry.Vec, l.Len())
	for i := range u {
		u[i] = q.u[i]
		for a, v := range q.of(i) {
			u[i][a] += v
		}
	}
	for i, share := range q.shares {
		r := q.turning(i)
		for c := range r.rows {
			rate := r.rate(c, u)
			for k := range min(r.nodes, 2) {
				if q.unknowns > spinning {
					rate += r.spins[c][k] * q.rhs[q.unknowns*(r.first+k)+spinning]
				}
			}
			power += q.bendingDamping * rate * rate / share
		}
	}
	return power
}

// What a clamped line loses that swings out of the plane in which it is bent is what bending damping takes, to the error of
// small steps; across the plane it loses as much as along it, to the order of its angles.
func TestASwingAcrossTheBendIsDamped(t *testing.T) {
	const n, length, mass, ratio = 25, 4., 0.6, 0.1
	omega := 1.8751041 * 1.8751041 * math.Sqrt(0.3/mass) / (length * length)
	for _, swing := range []struct {
		bent, y, z float64 // the angle at the tip; velocities there
	}{{0.5, 0, 0.05}, {0.01, 0, 1e-4}, {0.01, 1e-4, 0}, {0, 1e-4, 1e-4}} {
		c := Config{Dim: 3, Mass: mass, Bending: 0.3, Stretching: 200, BendingDamping: 2 * ratio * 0.3 / omega, First: End{Kind: Clamped, Tangent: geometry.Vec{1}}, Step: 0.01 / omega}
		radius := length / math.Max(swing.bent, 1e-9)
		for i := range n {
			s := length * float64(i) / (n - 1)
			c.X = append(c.X, geometry.Vec{radius * math.Sin(s/radius), radius * (1 - math.Cos(s/radius))})
			c.U = append(c.U, geometry.Vec{0, swing.y * s * s / length / length, swing.z * s * s / length / length})
		}
		l, m := mustNew(t, c), medium(n, 0)
		before, lost := l.Energy().Total(), 0.
		for range 300 {
			m.step(t, l)
			lost += c.Step * lostNow(l)
		}
		t.Logf("bent by %g: %.3f of the energy lost, %.3f taken by damping", swing.bent, 1-l.Energy().Total()/before, lost/before)
		// The scheme takes πz³/2 = 2e-6 of an amplitude in a period of the first mode, and more of the higher ones, which hold a part of the energy.
		near(t, "energy lost, over what damping took", before-l.Energy().Total(), lost, 0.03)
	}
}

// A bent line that turns with what clamps it is not damped, about whatever axis: of what holds it is told to turn, of what carries it turns. Its
// moment is nearly that of the mass; without the spin about the tangent it is 5 % of η ω/h.
func TestALineTurnsWithItsClamp(t *testing.T) {
	const n, radius, omega, step, eta, steps = 21, 2., 0.01, 0.01, 0.3, 200
	tangent := geometry.Vec{1}
	for _, axis := range []geometry.Vec{{0, 0, 1}, {0.6, 0, 0.8}, {1, 0, 0}} {
		c := Config{Dim: 3, Mass: 0.6, Stretching: 200, BendingDamping: eta, First: End{Kind: Clamped, Tangent: tangent}, Step: step}
		for i := range n {
			sin, cos := math.Sincos(float64(i) / (n - 1) * math.Pi / 2)
			x := geometry.Vec{radius * sin, radius * (1 - cos)}
			c.X, c.U = append(c.X, x), append(c.U, axis.Scale(omega).Cross(x))
		}
		l, m := mustNew(t, c), medium(n, 0)
		for k := 1; k <= steps; k++ {
			if err := l.Hold(0, geometry.Vec{}, geometry.Rotation(axis, omega*step*float64(k)).Apply(tangent)); err != nil {
				t.Fatal(err)
			}
			l.Spin(0, axis.Scale(omega))
			m.step(t, l)
		}
		_, moment := l.Support(0)
		if got := moment.Norm() / (eta * omega / l.Share(0)); got > 5e-3 {
			t.Errorf("about %v: the moment on the clamp is %.3g of η ω/h", axis, got)
		}
	}
}

// A cantilever in space that swings, or goes round in a circle, loses exp(−ζωt) of its amplitude.
func TestACantileverInSpaceIsDamped(t *testing.T) {
	const n, length, mass, ratio = 25, 4., 0.6, 0.05
	c := Config{Dim: 3, X: straight(n, geometry.Vec{}, geometry.Vec{1}, length), Mass: mass, Bending: 0.3, Stretching: 200, First: End{Kind: Clamped, Tangent: geometry.Vec{1}}}
	const beta = 1.8751041 // cos β cosh β = −1
	omega := beta * beta * math.Sqrt(0.3/mass) / (length * length)
	c.BendingDamping = 2 * ratio * 0.3 / omega
	const steps = 1000
	c.Step = 10 / omega / steps
	shape := func(s float64) float64 { // of the first mode
		b := beta * s / length
		return math.Cosh(b) - math.Cos(b) - (math.Cosh(beta)+math.Cos(beta))/(math.Sinh(beta)+math.Sin(beta))*(math.Sinh(b)-math.Sin(b))
	}
	const small = 1e-6
	c.U = make([]geometry.Vec, n)
	for i := range n {
		y := small * shape(c.X[i][0])
		c.X[i][1] = y
		c.U[i][2] = omega * y
	}
	l, m := mustNew(t, c), medium(n, 0)
	for range steps {
		m.step(t, l)
	}
	tip, u := l.X()[n-1], l.U()[n-1]
	free := math.Sqrt(1 - ratio*ratio)
	// Of y(0) = 1, ẏ(0) = 0 and z(0) = 0, ż(0) = ω: both lose exp(−ζωt), what follows is (y, z) at ωt = 10.
	wantY := math.Exp(-ratio*10) * (math.Cos(free*10) + ratio/free*math.Sin(free*10))
	wantZ := math.Exp(-ratio*10) * math.Sin(free*10) / free
	// 25 nodes have the first frequency to 0.15 %: 0.015 of a radian of 10 in phase.
	if tipY, tipZ := tip[1]/2/small, tip[2]/2/small; math.Hypot(tipY-wantY, tipZ-wantZ) > 0.02 {
		t.Errorf("the tip is at %.4f, %.4f (moving with %.3g), want %.4f, %.4f", tipY, tipZ, u, wantY, wantZ)
	}
}

// A line falls through a medium at ρ_l g/drag.
func TestDragLimitsAFall(t *testing.T) {
	const n, mass, g, drag = 9, 2., 0.3, 5.
	l := mustNew(t, Config{Dim: 3, X: straight(n, geometry.Vec{}, geometry.Vec{1}, 4), Mass: mass, Drag: drag, Stretching: 1, Bending: 1, Gravity: geometry.Vec{0, 0, -g}, Step: 0.1})
	m := medium(n, 0)
	for range 1000 { // 250 relaxation times
		m.step(t, l)
	}
	for _, u := range l.U() {
		near(t, "speed of a fall", u[2], -mass*g/drag, 1e-12)
	}
}

// A damped spring without mass creeps to its length as 1 − exp(−k_s t/η_s).
func TestADampedSpringCreeps(t *testing.T) {
	const n, k, eta, pull, steps = 5, 4., 3., 0.2, 400
	c := Config{Dim: 2, X: straight(n, geometry.Vec{}, geometry.Vec{1}, 2), Stretching: k, StretchingDamping: eta, First: End{Kind: Hinged}, Step: eta / k / steps}
	l, m := mustNew(t, c), medium(n, 1e-9)
	m.load[n-1] = geometry.Vec{pull}
	for range steps {
		m.step(t, l)
	}
	near(t, "creep in a relaxation time", l.Tip()[0]/2-1, pull/k*(1-math.Exp(-1)), 1e-4)
	near(t, "tension, elastic and viscous", l.Tension()[0], pull, 1e-6)
}

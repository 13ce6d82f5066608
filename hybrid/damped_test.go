package hybrid

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
)

// A disc that starts at once rings at 0.59 c_s/D, the first mode of sound in a closed circle
// (1.841 c_s/(πD)). Damped it does not: what is left of the amplitude at that frequency is sound outside.
func TestADampedInsideDoesNotRing(t *testing.T) {
	checkingtest.NumbersAlone(t)
	const diameter, from, to = 16., 320, 960
	amplitude := func(damped bool) (inside, whole, mean, gap float64) {
		out := lbm.Face{Kind: lbm.Outflow}
		f, pool := tank(t, lbm.D2Q9, [3]int{160, 120, 1}, 0.016, out, out, out, out)
		b := disc(t, 110.2, 60.1, diameter)
		b.Damped = damped
		b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Axis: geometry.Vec{0, 0, 1}, Shift: [3]kinematics.Track{kinematics.Steady{Rate: -0.05}}}
		s := put(t, f, pool, b)
		steps(t, s, from)
		var force, differs []float64
		for range to - from {
			l := s.StepMeasured()[0]
			if math.Abs(l.Force[0]-l.Balance[0]) > 1e-11 {
				t.Fatalf("damped %t: the force is %g by the markers and %g by the box", damped, l.Force[0], l.Balance[0])
			}
			force, differs = append(force, l.Force[0]), append(differs, l.Force[0]-l.Outer[0])
			mean += l.Force[0] * (1 - math.Cos(2*math.Pi*(float64(len(force))-0.5)/(to-from))) / (to - from)
			gap += (l.Force[0] - l.Outer[0]) * (l.Force[0] - l.Outer[0]) / (to - from)
		}
		f0 := 0.586 / math.Sqrt(3) / diameter
		return amplitudeAt(differs, f0), amplitudeAt(force, f0), mean, math.Sqrt(gap)
	}
	inside, whole, mean, gap := amplitude(false)
	damped, rest, dampedMean, dampedGap := amplitude(true)
	t.Logf("amplitudes over the mean: inside %.3g, damped %.2g; of the force %.3g, damped %.2g; means %.4g, %.4g; gaps %.3g, %.2g",
		inside/mean, damped/mean, whole/mean, rest/mean, mean, dampedMean, gap/mean, dampedGap/mean)
	if damped > inside/100 || rest > whole/8 {
		t.Errorf("the amplitude at the body's frequency falls from %.3g to %.3g inside, and of the force from %.3g to %.3g", inside, damped, whole, rest)
	}
	if math.Abs(dampedMean/mean-1) > 0.02 { // undamped the fluid inside comes after the body by viscosity, and drags through the smeared wall
		t.Errorf("the mean force was %.5g, damped it is %.5g", mean, dampedMean)
	}
}

// amplitudeAt is the amplitude of values about f cycles per step, where they have no trend.
func amplitudeAt(v []float64, f float64) (most float64) {
	n := float64(len(v))
	var mean, slope, square float64
	for i, x := range v {
		mean += x / n
		slope += x * (float64(i) - (n-1)/2)
		square += (float64(i) - (n-1)/2) * (float64(i) - (n-1)/2)
	}
	slope /= square
	for detuned := 0.95; detuned < 1.06; detuned += 0.01 {
		var re, im, all float64
		for i, x := range v {
			w := 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/n)
			x -= mean + slope*(float64(i)-(n-1)/2)
			sin, cos := math.Sincos(2 * math.Pi * f * detuned * float64(i))
			re, im, all = re+w*x*cos, im+w*x*sin, all+w
		}
		most = max(most, 2*math.Hypot(re, im)/all)
	}
	return most
}

// What keeps the fluid inside moving with a freely moving body is taken from it, force and
// moment, in the step in which it acts: of what was reckoned with only rounding is carried over.
func TestADampedInsideTakesFromTheBody(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, l := range lattices {
		for _, density := range []float64{0.05, 1, 3} {
			f, pool := stream[float64](t, l, "trt", 2)
			b := round(t, l)
			b.Free = &rigid.Free{Density: density, Spin: geometry.Vec{0, 0, 0.003}}
			b.Damped = true
			s := put(t, f, pool, b)
			if len(s.coupling.direct.inside[0].Places) == 0 {
				t.Fatalf("%s: nothing is damped", l.Name)
			}
			account := func() (p geometry.Vec) {
				_, j := f.Momentum([3]int{}, f.Config().Size)
				for a := range p {
					p[a] = j[a] + density*b.Shape.Enclosed()*b.Here().Velocity[a] - s.Rigid()[22+a] // of the fluid inside
				}
				return p
			}
			steps(t, s, 1)
			before, worst := account(), 0.
			for range 300 {
				steps(t, s, 1)
				for _, v := range s.Rigid()[28:34] { // the residual of its markers
					worst = max(worst, math.Abs(v))
				}
			}
			if d := account().Sub(before).Norm(); d > 1e-9 || worst > 1e-12 { // rounding of 10⁴ nodes over 300 steps, and of 10³ markers
				t.Errorf("%s, density %g: momentum has changed by %.2g, %.2g was carried over", l.Name, density, d, worst)
			}
		}
	}
}

// A body that spins takes the fluid inside along by the moment of the forces there; by viscosity
// alone it would take R²/ν = 14,400 steps. What they take from it comes back as the change of the
// inside's angular momentum, so that the body spins as it would without.
func TestADampedDiscAndItsFluidSpinTogether(t *testing.T) {
	ratio := func(damped bool) (fluid, kept float64) {
		f, pool := tank(t, lbm.D2Q9, [3]int{96, 96, 1}, 0.01)
		b := disc(t, 48.2, 47.9, 24)
		b.Free, b.Damped = &rigid.Free{Density: 1, Spin: geometry.Vec{0, 0, 0.002}}, damped
		s := put(t, f, pool, b)
		steps(t, s, 150)
		u := [][]float64{make([]float64, 1), make([]float64, 1)}
		s.Box([3]int{53, 48, 0}, [3]int{54, 49, 1}, nil, u)
		return u[1][0] / (b.Here().Spin[2] * (53 - 48.2)), b.Here().Spin[2] / 0.002
	}
	fluid, kept := ratio(true)
	free, freeKept := ratio(false)
	t.Logf("the fluid inside spins at %.3g of the body, which keeps %.3g of its spin; undamped %.2g and %.3g", fluid, kept, free, freeKept)
	if fluid < 0.6 || fluid > 1.2 || free > 0.1 {
		t.Errorf("the fluid inside spins at %.3g of the body's rate, undamped at %.3g", fluid, free)
	}
	if math.Abs(kept-freeKept) > 0.02 {
		t.Errorf("the body keeps %.3g of its spin, undamped %.3g", kept, freeKept)
	}
}

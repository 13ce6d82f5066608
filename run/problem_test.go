package run

import (
	"math"
	"strings"
	"testing"

	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// problemOf parses a case after replacing pairs of texts in a channel with all
// that varies in space and time.
func problemOf(t *testing.T, replace ...string) *setup.Problem {
	t.Helper()
	text := `
[reference]
resolution = 20
velocity = 0.05
reynolds = 50
[domain]
lattice = "D2Q9"
size = [4.0, 1.0]
origin = [-1.0, 0.5]
[domain.boundary]
left = { type = "velocity", profile = "parabolic", peak = 1.5, ramp = 4.0 }
right = { type = "outflow" }
bottom = { type = "no-slip" }
top = { type = "no-slip" }
[run]
time = 1.0
`
	return setuptest.Problem(t, strings.NewReplacer(replace...).Replace(text))
}

func TestNodesAndPlacesAreInverse(t *testing.T) {
	p := problemOf(t)
	if n := p.Node([3]float64{-1, 0.5}); n != [3]float64{-0.5, -0.5} {
		t.Errorf("the corner of the domain is at node %v, want half a node before the first", n)
	}
	x := [3]float64{1.234, 0.777}
	if y := p.Place(p.Node(x)); math.Abs(y[0]-x[0])+math.Abs(y[1]-x[1]) > 1e-14 { // a few ulp
		t.Errorf("%v comes back as %v", x, y)
	}
}

func TestParabolicInlet(t *testing.T) {
	p := problemOf(t)
	u := p.Flow.Faces[0].Velocity
	const peak = 1.5 * 0.05
	if got := u([3]float64{-0.5, 9.5}); math.Abs(got[0]-peak) > 1e-15 || got[1] != 0 {
		t.Errorf("in the middle the inflow is %v, want %g along x", got, peak)
	}
	if got := u([3]float64{-0.5, -0.5}); got[0] != 0 {
		t.Errorf("at the wall the inflow is %v, want none", got)
	}
	mean := 0.
	for y := range 20 {
		mean += u([3]float64{-0.5, float64(y)})[0] / 20
	}
	if math.Abs(mean/peak-2./3) > 1./(3*400)*1.01 { // the midpoint rule is off by h²/3
		t.Errorf("the mean of the parabola is %g of its peak, want 2/3", mean/peak)
	}
	out := problemOf(t, `left = { type = "velocity", profile = "parabolic", peak = 1.5, ramp = 4.0 }`, `left = { type = "outflow" }`,
		`right = { type = "outflow" }`, `right = { type = "velocity", profile = "parabolic", peak = 1.5 }`)
	if got := out.Flow.Faces[1].Velocity([3]float64{79.5, 9.5}); got[0] >= 0 {
		t.Errorf("a positive peak at the right face flows with %v, want into the domain", got)
	}
	// between periodic faces nothing varies along them
	deep := problemOf(t, `"D2Q9"`, `"D3Q19"`, `[4.0, 1.0]`, `[4.0, 1.0, 1.0]`, `[-1.0, 0.5]`, `[-1.0, 0.5, 0.0]`)
	if a, b := deep.Flow.Faces[0].Velocity([3]float64{-0.5, 9.5, 0}), deep.Flow.Faces[0].Velocity([3]float64{-0.5, 9.5, 9.5}); a != b || math.Abs(a[0]-peak) > 1e-15 {
		t.Errorf("along a periodic axis the inflow varies from %v to %v", a, b)
	}
}

func TestFacesVaryInTime(t *testing.T) {
	steps := 4.0 * 20 / 0.05 // the ramp of 4 L/U
	ramp := problemOf(t).Flow.Faces[0].Amplitude
	for _, c := range []struct{ t, want float64 }{{0, 0}, {steps / 2, 0.5}, {steps, 1}, {3 * steps, 1}} {
		if got := ramp(c.t); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("at step %g of a ramp of %g the amplitude is %g, want %g", c.t, steps, got, c.want)
		}
	}
	sine := problemOf(t, "ramp = 4.0", "period = 4.0, phase = 0.5").Flow.Faces[0].Amplitude
	for _, f := range []float64{0, 0.1, 0.77, 1, 2.3} {
		if got, want := sine(f*steps), math.Sin(2*math.Pi*f+0.5); math.Abs(got-want) > 1e-12 {
			t.Errorf("after %g periods the amplitude is %g, want %g", f, got, want)
		}
	}
	for factor, want := range map[string]bool{"ramp = 4.0": true, "period = 4.0": false, "factor = 0.5": true, "factor = -0.5": false, `factor = "sin(t)"`: false} {
		if face := problemOf(t, "ramp = 4.0", factor).Flow.Faces[0]; face.OneWay != want {
			t.Errorf("%s: said to flow one way is %v, want %v", factor, face.OneWay, want)
		}
	}
	if problemOf(t, ", ramp = 4.0", "").Flow.Faces[0].Amplitude != nil {
		t.Error("a steady inflow has an amplitude that varies")
	}
}

// Initial flows are free of divergence, and Taylor–Green's satisfies the steady
// Euler equations: u·∇u = −∇p, also in cells that are not square.
func TestInitialFlows(t *testing.T) {
	for name, set := range map[string]string{
		"uniform":      `initial = { type = "uniform", velocity = [1.0, 0.5] }`,
		"couette":      `initial = { type = "couette", velocity = [1.0, 0.0] }`,
		"counter-flow": `initial = { type = "couette", velocity = [1.0, 0.0], bottom = [-0.5, 0.0] }`,
		"poiseuille":   `initial = { type = "poiseuille", velocity = [1.0, 0.0] }`,
		"shear":        `initial = { type = "shear", velocity = [1.0, 0.0], amplitude = 0.3, wavenumber = 2 }`,
		"taylor-green": `initial = { type = "taylor-green", amplitude = 1.0, wavenumber = 1 }`,
	} {
		p := problemOf(t, "[domain.boundary]", set+"\n[domain.boundary]")
		state := p.Initial()
		const h = 1e-4
		slope := func(n [3]float64, a int, f func(rho float64, u [3]float64) float64) float64 {
			fore, aft := n, n
			fore[a] += h
			aft[a] -= h
			return (f(state(fore)) - f(state(aft))) / (2 * h)
		}
		for _, n := range [][3]float64{{3.3, 2.2}, {40.1, 11.7}, {70, 18.5}} {
			_, u := state(n)
			if u == [3]float64{} {
				t.Errorf("%s: at rest at %v", name, n)
			}
			component := func(a int) func(float64, [3]float64) float64 {
				return func(_ float64, u [3]float64) float64 { return u[a] }
			}
			if div := slope(n, 0, component(0)) + slope(n, 1, component(1)); math.Abs(div) > 1e-9 { // of slopes near 1e-2
				t.Errorf("%s: divergence %g at %v", name, div, n)
			}
			if name != "taylor-green" {
				continue
			}
			for a := range 2 {
				inertia := u[0]*slope(n, 0, component(a)) + u[1]*slope(n, 1, component(a))
				pressure := slope(n, a, func(rho float64, _ [3]float64) float64 { return rho / 3 })
				if math.Abs(inertia+pressure) > 1e-9 { // of terms near 1e-4
					t.Errorf("taylor–green: u·∇u = %g, −∇p = %g along axis %d at %v", inertia, -pressure, a, n)
				}
			}
		}
	}
}

func TestSolidsMarkNodes(t *testing.T) {
	p := problemOf(t, "[run]", `[[solid]]
name = "step"
shape = { type = "box", min = [-1.0, 0.5], max = [0.0, 1.0] }
[[solid]]
name = "post"
shape = { type = "circle", center = [2.0, 1.0], diameter = 0.3 }
[run]`)
	if err := p.MarkSolids(); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, s := range p.Flow.Solid {
		if s {
			count++
		}
	}
	// 20 × 10 nodes of the box, and of a circle 6 nodes wide those whose centre is in it
	want := 200
	for j := -3.5; j < 4; j++ {
		for i := -3.5; i < 4; i++ {
			if i*i+j*j <= 9 {
				want++
			}
		}
	}
	if count != want {
		t.Errorf("%d nodes are solid, want %d", count, want)
	}
}

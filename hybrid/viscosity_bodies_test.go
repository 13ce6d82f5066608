package hybrid

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/lbm"
)

// twoFluids is a shaft that turns in a ring of another fluid, in a housing at rest: the moment on the shaft, and how fast the ring turns, both
// over those of Stokes' equations. In layers u_θ = A r + B/r, the moment is the same through all circles, 4πμB, and so the shaft, of radius R₁, turns by
//
//	Ω = M/4π [(1/R₁² − 1/R₂²)/λμ + (1/R₂² − 1/R₃²)/μ]
//
// with the ring at R₂ and the housing at R₃; the ring, by the second part of that, as a whole, so that it has no forces. The slope of the velocity has a
// jump there, 2B/R₂² from side to side, and the mean over a delta is higher than the velocity at the ring by ib.Offset of that: it turns by so much faster, or a sixth
// less where λ is 0.2, as the jump is not sharp either.
func twoFluids(t *testing.T, lambda float64) (moment, turn float64) {
	t.Helper()
	const nu, omega, n = 0.1, 2e-4, 84
	radius := [3]float64{10.2, 20.1, 36.3}
	center := geometry.Vec{41.3, 41.7}
	var bodies []*rigid.Body
	for i, r := range []float64{radius[0], radius[2]} {
		shape, err := geometry.NewCircle(center, 2*r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := rigid.NewBody([]string{"shaft", "housing"}[i], shape, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, b)
	}
	bodies[0].Moves, bodies[0].Velocity = math.Inf(1), func(x geometry.Vec, _ float64) [3]float64 {
		return geometry.Vec{0, 0, omega}.Cross(x.Sub(center))
	}
	ring := ringAt(t, center, radius[1], radius[1], softRing)
	ring.Lambda = lambda
	offset := ib.Offset(ib.Roma3[float64]{}, lbm.MagicPoiseuille)
	cfg := CouplingConfig{Cells: []*flexible.Cell{ring}, Offset: offset}
	s := plane[float64](t, lbm.Config{Size: [3]int{n, n}}, nu, cfg, bodies, 2)
	s.Fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	steps(t, s, 6000)
	angle := func() float64 {
		d := ring.Points()[0].Sub(center)
		return math.Atan2(d[1], d[0])
	}
	before := angle()
	steps(t, s, 1000)
	_, m := s.coupling.direct.sum(bodies[0])
	inner, outer := (1/(radius[0]*radius[0])-1/(radius[1]*radius[1]))/lambda, 1/(radius[1]*radius[1])-1/(radius[2]*radius[2])
	total := 4 * math.Pi * nu * omega / (inner + outer)
	smeared := offset * total / (4 * math.Pi * nu) * 2 / (radius[1] * radius[1]) * (1/lambda - 1) / radius[1]
	return m[2] / total, (angle() - before) / 1000 / (omega*outer/(inner+outer) + smeared)
}

// TestAShaftTurnsInAnotherFluid within a ring, by walls that know the viscosity around them: by that outside λ = 5 would let the shaft slip five times as
// much, where no correction at all makes a moment that is 5 % too large.
func TestAShaftTurnsInAnotherFluid(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	for _, lambda := range []float64{1, 5, 0.2} {
		moment, turn := twoFluids(t, lambda)
		t.Logf("λ = %g: moment %.4f of that of Stokes' equations, the ring turns at %.4f", lambda, moment, turn)
		if math.Abs(moment-1) > 0.003 || math.Abs(turn-1) > 0.03 {
			t.Errorf("λ = %g: moment %.4f of that of Stokes' equations, the ring turns at %.4f: want 1 within 0.003 and 0.03", lambda, moment, turn)
		}
	}
}

// TestAFluidThatIsHardlyAnother has cells beside bodies, which move, bend and stand, go as with one fluid everywhere: relaxation times of nodes are of their step
// and of its correction.
func TestAFluidThatIsHardlyAnother(t *testing.T) {
	var ways [2][]geometry.Vec
	for i, lambda := range []float64{1, 1 + 1e-7} {
		cells := severalRings(t)
		for _, c := range cells {
			c.Lambda = lambda
		}
		shape, err := geometry.NewCircle(geometry.Vec{24, 36}, 8)
		if err != nil {
			t.Fatal(err)
		}
		disc, err := rigid.NewBody("disc", shape, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		disc.Free = &rigid.Free{Density: 2}
		s := plane[float64](t, lbm.Config{Size: [3]int{64, 48}}, 0.2, CouplingConfig{Cells: cells, Contact: usual}, []*rigid.Body{disc}, 2)
		s.Fluid.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{0.02 * math.Sin(p[1]*math.Pi/24)} })
		steps(t, s, 200)
		ways[i] = append(places(cells), disc.State().Position)
	}
	if d := apart(ways[0], ways[1]); d > 1e-6 || d == 0 {
		t.Errorf("with λ = 1 + 1e-7 vertices and a disc are %g nodes from where they are with λ = 1", d)
	}
	if d := apart(ways[0][:1], places(severalRings(t))[:1]); d < 0.2 {
		t.Errorf("a vertex has moved by %g nodes", d)
	}
}

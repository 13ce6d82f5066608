package lbm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
)

// everyHalf runs a test for the kernels that this CPU has, in half precision.
func everyHalf(t *testing.T, do func(t *testing.T, l *lbm.Lattice, how lbm.Config)) {
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, kernel := range lbm.KernelNames {
			if len(lbm.MissingFor(kernel)) == 0 {
				t.Run(l.Name+" "+kernel, func(t *testing.T) { do(t, l, lbm.Config{Store: "f16", Kernel: kernel}) })
			}
		}
	}
}

// box is periodic, of some 4000 nodes.
func box(t testing.TB, l *lbm.Lattice, op string, nu float64) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision(op, nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: l, Size: [3]int{70, 60, 1}, Collision: c}
	if l.Dim == 3 {
		cfg.Size = [3]int{35, 10, 12}
	}
	return cfg
}

// means are ρ − 1 and velocity, over all nodes.
func means(f lbm.Fluid[float32]) (m [4]float64) {
	c := f.Config()
	rho, u := make([]float32, c.Nodes()), make([][]float32, c.Lattice.Dim)
	for a := range u {
		u[a] = make([]float32, c.Nodes())
	}
	f.Box([3]int{}, c.Size, rho, u)
	for n, r := range rho {
		m[0] += (float64(r) - 1) / float64(c.Nodes())
		for a := range u {
			m[a+1] += float64(u[a][n]) / float64(c.Nodes())
		}
	}
	return m
}

// A uniform stream stays as it is, though its populations lie between halves:
// roundings of some 4e-6 per node and step give a random walk of 1e-6 over 4000
// nodes and 250 steps. To the nearest, all nodes would round the same way, 1e-5.
func TestHalfPrecisionKeepsTheMeansOfAUniformStream(t *testing.T) {
	checkingtest.NumbersAlone(t)
	everyHalf(t, func(t *testing.T, l *lbm.Lattice, how lbm.Config) {
		f := factory[float32](how, 1)(t, box(t, l, "bgk", 0.1))
		f.Initialize(func([3]float64) (float64, [3]float64) {
			u := [3]float64{0.031, -0.017, 0.0071}
			if l.Dim == 2 {
				u[2] = 0
			}
			return 1.0023, u
		})
		before := means(f)
		for range 250 {
			f.Step()
		}
		for i, after := range means(f) {
			if d := after - before[i]; !(math.Abs(d) < 4e-6) {
				t.Errorf("mean of %s changes by %.2g, bound 4e-6", [4]string{"density", "ux", "uy", "uz"}[i], d)
			}
		}
	})
}

// Forces that change no population by more than a fortieth of its unit in a step
// accelerate the fluid all the same.
func TestHalfPrecisionFeelsForcesFarBelowAUnit(t *testing.T) {
	checkingtest.NumbersAlone(t)
	everyHalf(t, func(t *testing.T, l *lbm.Lattice, how lbm.Config) {
		cfg := box(t, l, "trt", 0.03)
		cfg.Force[0] = smallForce
		accelerates(t, factory[float32](how, 1)(t, cfg), func() {})
	})
}

// The same through Correct.
func TestHalfPrecisionFeelsCorrectionsFarBelowAUnit(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		f := factory[float32](lbm.Config{Store: "f16"}, 1)(t, box(t, l, "trt", 0.03))
		nodes, force := make([]int32, f.Config().Nodes()), make([][]float32, l.Dim)
		for a := range force {
			force[a] = make([]float32, len(nodes))
		}
		for n := range nodes {
			nodes[n], force[0][n] = int32(n), smallForce
		}
		accelerates(t, f, func() { f.Correct(nodes, nodes, force) })
	}
}

const smallForce = 1e-6

// accelerates checks that a stream gains smallForce in every step, each followed
// by then.
func accelerates(t *testing.T, f lbm.Fluid[float32], then func()) {
	t.Helper()
	const steps = 200
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.05, 0.02} })
	before := means(f)
	for range steps {
		f.Step()
		then()
	}
	// a random walk as in the uniform stream: 3 % of the 2e-4 that are gained
	if got := means(f)[1] - before[1]; math.Abs(got/(smallForce*steps)-1) > 0.15 {
		t.Errorf("%s: velocity grows by %g, want %g ± 15 %%", f.Config().Lattice.Name, got, smallForce*steps)
	}
}

// The mass of a decaying vortex array wanders at random, by 2e-6. Rounding to the
// nearest would take 5e-5 away.
func TestHalfPrecisionKeepsTheMassOfAVortexArray(t *testing.T) {
	checkingtest.NumbersAlone(t)
	const n, k, speed = 128, 2 * math.Pi / 128, 0.1
	cfg := box(t, lbm.D2Q9, "bgk", 0.1)
	cfg.Size = [3]int{n, n, 1}
	f := factory[float32](lbm.Config{Store: "f16"}, 1)(t, cfg)
	f.Initialize(func(p [3]float64) (float64, [3]float64) {
		x, y := k*p[0], k*p[1]
		return 1 - 0.75*speed*speed*(math.Cos(2*x)+math.Cos(2*y)), [3]float64{speed * math.Cos(x) * math.Sin(y), -speed * math.Sin(x) * math.Cos(y)}
	})
	before := means(f)[0]
	for range 4000 {
		f.Step()
	}
	if d := means(f)[0] - before; !(math.Abs(d) < 1e-5) {
		t.Errorf("mean density changes by %.2g, bound 1e-5", d)
	}
}

// One step of the assembly and of its Go twin: the same dither, so that the
// roundings of arithmetic decide only where a value is next to a threshold.
func TestHalfPrecisionKernelsEqualTheirTwin(t *testing.T) {
	checkingtest.NumbersAlone(t)
	everyHalf(t, func(t *testing.T, l *lbm.Lattice, how lbm.Config) {
		for k := range 2 * len(lbm.CollisionNames) {
			op := lbm.CollisionNames[k/2]
			cfg := box(t, l, op, 0.03)
			cfg.Collision.Smagorinsky = 0.2 * float64(k%2)
			twin := how
			twin.Kernel = "go"
			a, b := factory[float32](how, 2)(t, cfg), factory[float32](twin, 1)(t, cfg)
			r, s := rand.New(rand.NewPCG(1, 2)), lbm.StateOf(a)
			for i, p := range s.Populations {
				for n := range p {
					p[n] = float32(0.1 * l.W[i] * (2*r.Float64() - 1))
				}
			}
			s.Steps = 12345
			for _, f := range []lbm.Fluid[float32]{a, b} {
				if err := f.SetState(s); err != nil {
					t.Fatal(err)
				}
				f.Step()
			}
			x, y := lbm.StateOf(a), lbm.StateOf(b)
			different := 0
			for i, p := range x.Populations {
				for n, v := range p {
					w := y.Populations[i][n]
					if v != w {
						different++
					}
					bound := math.Max(math.Abs(float64(w))/(1<<10), 0x1p-39) + 0x1p-22*0.1*l.W[i] // a unit, and a few eps of the terms
					if d := math.Abs(float64(v) - float64(w)); d > bound {
						t.Fatalf("population %d of node %d is %g, by the twin %g: off by %.2g, bound %.2g", i, n, v, w, d, bound)
					}
				}
			}
			// 2¹³ eps of results that are mostly as large as their terms
			all := l.Q * cfg.Nodes()
			if different*100 > all {
				t.Errorf("%s: %d of %d populations differ from the twin's, bound 1 %%", op, different, all)
			}
			t.Logf("%s: %d of %d populations differ from the twin's", op, different, all)
		}
	})
}

// Truncation stops at the largest half where rounding gave infinity: a flow that
// diverges is found all the same.
func TestHealthFindsDivergenceInHalfPrecision(t *testing.T) {
	everyHalf(t, func(t *testing.T, l *lbm.Lattice, how lbm.Config) {
		f := factory[float32](how, 1)(t, box(t, l, "bgk", 1e-4))
		f.Initialize(func(p [3]float64) (float64, [3]float64) {
			return 1, [3]float64{0.5 * math.Sin(p[1]), 0.5 * math.Sin(2*p[0])}
		})
		for step := range 2000 {
			f.Step()
			if step%50 == 49 && !f.Health().OK {
				return
			}
		}
		t.Errorf("a flow at twice the stable speed is judged %+v after %d steps", f.Health(), f.Steps())
	})
}

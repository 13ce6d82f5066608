package bench

import (
	"math"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// plan is the rows of a selection that must be good.
func plan(t *testing.T, s Selection) []Spec {
	t.Helper()
	specs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return specs
}

// follow steps a flow on a fluid for its span, or most steps, and gives what the
// checks find. A spec of another configuration than the flow's, and a wrapper,
// make it wrong.
func follow[T lbm.Float](t *testing.T, s Spec, most int, spoil func(*lbm.Config), wrap func(lbm.Fluid[T]) lbm.Fluid[T]) []harness.Check {
	t.Helper()
	cfg, fl, err := s.config()
	if err != nil {
		t.Fatal(err)
	}
	if spoil != nil {
		spoil(&cfg)
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	f, err := lbm.New[T](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(fl.state)
	n := min(fl.span(), most)
	stepped := f
	if wrap != nil {
		stepped = wrap(f)
	}
	for range n {
		stepped.Step()
	}
	return fl.check(viewOf(f), n)
}

func TestEveryFlowIsWhatTheorySays(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, c := range []struct {
		s    Selection
		most int // steps
	}{
		{Selection{Size: each("64x48"), Precision: each("f64"), Flow: flowNames, Collision: lbm.CollisionNames}, 240},
		{Selection{Size: each("64x48"), Precision: each("f32", "f32/f16"), Flow: flowNames}, 60},
		{Selection{Size: each("33x35"), Precision: each("f64"), Flow: flowNames}, 8}, // where there is time for few steps only
		{Selection{Size: each("33x32x32"), Precision: each("f64"), Flow: flowNames}, 12},
		{Selection{Size: each("64x33x3"), Precision: each("f64", "f32/f16")}, 60},
	} {
		c.s.Streaming = each("inplace")
		for _, s := range plan(t, c.s) {
			var found []harness.Check
			if s.Precision == "f64" {
				found = follow[float64](t, s, c.most, nil, nil)
			} else {
				found = follow[float32](t, s, c.most, nil, nil)
			}
			if what := harness.Failed(found); what != "" {
				t.Errorf("%v, at most %d steps: %s", &s, c.most, what)
			}
		}
	}
}

// lazy skips every eighth step.
type lazy struct {
	lbm.Fluid[float64]
	n int
}

func (f *lazy) Step() {
	if f.n++; f.n%8 != 0 {
		f.Fluid.Step()
	}
}

// braked takes the stream's momentum out at the start.
type braked struct {
	lbm.Fluid[float64]
	done bool
}

func (f *braked) Step() {
	if !f.done {
		f.done = true
		f.Initialize(func(p [3]float64) (float64, [3]float64) {
			k := 2 * math.Pi / 32 // of the 64×48 nodes' wave along x; one along y
			wave := waveHeight * math.Sin(k*p[0]+2*math.Pi/48*p[1])
			e := math.Hypot(k, 2*math.Pi/48)
			return 1, [3]float64{-wave * 2 * math.Pi / 48 / e, wave * k / e}
		})
	}
	f.Fluid.Step()
}

// pushed gives one node a push in every step, as a kernel does that reads a wrong
// population at the end of a row.
type pushed struct{ lbm.Fluid[float64] }

func (f pushed) Step() {
	f.Fluid.Step()
	force := make([][]float64, f.Config().Lattice.Dim)
	for a := range force {
		force[a] = []float64{2e-4}
	}
	f.Correct([]int32{int32(f.Config().Nodes() / 3)}, []int32{0}, force)
}

// leaky loses one part in 10⁷ of its mass in every step.
type leaky struct{ lbm.Fluid[float64] }

func (f leaky) Step() {
	f.Fluid.Step()
	s := lbm.StateOf(f.Fluid)
	for n := range s.Populations[0] {
		s.Populations[0][n] -= 1e-7
	}
	if err := f.SetState(s); err != nil {
		panic(err)
	}
}

func TestAFlowThatIsWrongIsFound(t *testing.T) {
	viscous := func(c *lbm.Config) { c.Collision.OmegaEven *= 0.95; c.Collision.OmegaOdd *= 0.95 }
	open := func(c *lbm.Config) {
		for i := range c.Faces {
			c.Faces[i] = lbm.Face{}
		}
	}
	for name, c := range map[string]struct {
		flow, says string
		spoil      func(*lbm.Config)
		wrap       func(lbm.Fluid[float64]) lbm.Fluid[float64]
	}{
		"steps left out":                {"box", "amplitude", nil, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return &lazy{Fluid: f} }},
		"another viscosity":             {"box", "amplitude", viscous, nil},
		"a wave that is not carried":    {"box", "phase", nil, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return &braked{Fluid: f} }},
		"one node":                      {"box", "node", nil, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return pushed{f} }},
		"mass lost":                     {"box", "mass", nil, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return leaky{f} }},
		"a duct without walls":          {"duct", "profile", open, nil},
		"a duct without force":          {"duct", "profile", func(c *lbm.Config) { c.Force[0] = 0 }, nil},
		"a duct that leaks":             {"duct", "mass", nil, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return leaky{f} }},
		"a cavity without a lid":        {"cavity", "layer", func(c *lbm.Config) { c.Faces[3] = lbm.Face{Kind: lbm.NoSlip} }, nil},
		"a cavity that leaks":           {"cavity", "mass", nil, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return leaky{f} }},
		"a stream against walls":        {"stream", "velocity", func(c *lbm.Config) { walls(c, 1) }, nil},
		"a stream disturbed at a node":  {"stream", "velocity", nil, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return pushed{f} }},
		"a stream that loses its fluid": {"stream", "density", nil, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return leaky{f} }},
	} {
		s := plan(t, Selection{Size: each("64x48"), Flow: each(c.flow), Precision: each("f64"), Streaming: each("ab")})[0]
		if what := harness.Failed(follow(t, s, 120, c.spoil, c.wrap)); !strings.Contains(what, c.says) {
			t.Errorf("%s: the checks of the %s say %q, want something on the %s", name, c.flow, what, c.says)
		}
	}
}

// A flow is what it says after its period, which is short where targets are measured.
func TestAFlowRepeatsItselfAfterItsPeriod(t *testing.T) {
	for size, want := range map[string][3]int{"8192x4096": {32, 32, 1}, "512x512x512": {32, 32, 32}, "96x50x5": {32, 50, 1}} {
		for _, s := range plan(t, Selection{Size: each(size), Precision: each("f64"), Streaming: each("ab")}) {
			_, fl, err := s.config()
			if err != nil {
				t.Fatal(err)
			}
			period := fl.period()
			if period != want {
				t.Errorf("%s has a period of %v, want %v", size, period, want)
			}
			for _, p := range [][3]float64{{0, 0, 0}, {5, 7, 3}, {31, 2, 1}} {
				_, here := fl.state(p)
				for a := range 3 {
					q := p
					q[a] += float64(period[a])
					_, there := fl.state(q)
					for b := range here {
						if math.Abs(here[b]-there[b]) > 1e-13 { // rounding of the phase
							t.Errorf("%s: the state at %v is %v, at %v %v", size, p, here, q, there)
						}
					}
				}
			}
		}
	}
}

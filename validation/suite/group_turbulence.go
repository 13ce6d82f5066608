package suite

import (
	"math"
	"runtime"
	"sync"

	"lbmib/internal/parallel"
	"lbmib/io/plot"
	"lbmib/lbm"
	"lbmib/validation/reference"
)

// taylorGreenSpace is the vortex of Taylor & Green in space at Re = 1600, on grids
// far too coarse for it. No output of a run has the energy of all nodes, so the
// fluid is stepped here.
func taylorGreenSpace() Group {
	const n = 64
	plain := decayOnce(decay{n: n, collision: "regularized"})
	les := decayOnce(decay{n: n, collision: "regularized", smagorinsky: 0.1})
	peak := func(h func() (history, error), of func(t, v float64) float64) func(*Results) float64 {
		return func(r *Results) float64 {
			d, err := h()
			if err != nil {
				r.fail("%w", err)
				return math.NaN()
			}
			return of(d.peak())
		}
	}
	energy := func(h func() (history, error), t float64) func(*Results) float64 {
		return func(r *Results) float64 {
			d, err := h()
			if err != nil {
				r.fail("%w", err)
				return math.NaN()
			}
			return at(d.t, d.energy, t)
		}
	}
	when := func(t, _ float64) float64 { return t }
	much := func(_, v float64) float64 { return v }
	return Group{
		Name: "tgv3d", Title: "Taylor–Green vortex in space, Re = 1600",
		About: "64³ nodes, where 512³ resolve the flow: the trend of the dissipation alone is asked for, with and without a subgrid model. Until t = 4 the flow is smooth enough for the energy to be right.",
		Checks: []Check{
			{"energy at t = 4, 64³", nil, energy(plain, 4)},
			{"energy at t = 4, 64³, Smagorinsky", nil, energy(les, 4)},
			{"time of the largest dissipation, 64³", nil, peak(plain, when)},
			{"time of the largest dissipation, 64³, Smagorinsky", nil, peak(les, when)},
			{"largest dissipation, 64³", nil, peak(plain, much)},
			{"largest dissipation, 64³, Smagorinsky", nil, peak(les, much)},
		},
		Figures: []Figure{{Name: "dissipation", Title: "Taylor–Green vortex, Re = 1600: −dE/dt", X: "t V / L", Y: "dissipation L / V³", Lines: func(r *Results) []plot.Line {
			p := reference.Read("taylor_green_1600.csv")
			t, e := within(p.Float("t"), p.Float("dissipation"), 0, decayTime)
			all := []plot.Line{{Name: "spectral, 512³", X: t, Y: e}}
			for name, h := range map[string]func() (history, error){"lbmib 64³": plain, "lbmib 64³, Smagorinsky": les} {
				d, err := h()
				if err != nil {
					r.fail("%w", err)
					return nil
				}
				t, e := d.dissipation()
				all = append(all, plot.Line{Name: name, X: t, Y: e})
			}
			return all
		}}},
	}
}

// decay is a Taylor–Green vortex in space at Re = 1600 on n³ nodes.
type decay struct {
	n           int
	collision   string
	smagorinsky float64
}

const (
	decayTime  = 12.  // L/V
	decayEvery = 0.25 // between looks at the energy
	decaySpeed = 0.08 // V on the lattice: Mach 0.14
)

// history is the kinetic energy per mass over V² at times in L/V.
type history struct{ t, energy []float64 }

// decayOnce computes a decay when it is first asked for, and keeps it.
func decayOnce(d decay) func() (history, error) { return sync.OnceValues(d.compute) }

func (d decay) compute() (h history, err error) {
	length := float64(d.n) / (2 * math.Pi)
	c, err := lbm.NewCollision(d.collision, decaySpeed*length/1600, lbm.MagicPoiseuille)
	if err != nil {
		return h, err
	}
	c.Smagorinsky = d.smagorinsky
	pool := parallel.NewPool(runtime.GOMAXPROCS(0))
	defer pool.Close()
	f, err := lbm.New[float32](lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{d.n, d.n, d.n}, Collision: c}, pool)
	if err != nil {
		return h, err
	}
	f.Initialize(func(p [3]float64) (float64, [3]float64) {
		x, y, z := (p[0]+0.5)/length, (p[1]+0.5)/length, (p[2]+0.5)/length
		pressure := decaySpeed * decaySpeed / 16 * (math.Cos(2*x) + math.Cos(2*y)) * (math.Cos(2*z) + 2)
		return 1 + 3*pressure, [3]float64{decaySpeed * math.Sin(x) * math.Cos(y) * math.Cos(z), -decaySpeed * math.Cos(x) * math.Sin(y) * math.Cos(z), 0}
	})
	each := decayEvery * length / decaySpeed // steps
	u := make([][]float32, 3)
	for a := range u {
		u[a] = make([]float32, d.n*d.n*d.n)
	}
	for i := 0; float64(i)*decayEvery <= decayTime; i++ {
		for float64(f.Steps()) < math.Round(float64(i)*each) {
			f.Step()
		}
		f.Box([3]int{}, f.Config().Size, nil, u)
		sum := 0.
		for _, v := range u {
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
		}
		h.t = append(h.t, float64(f.Steps())*decaySpeed/length)
		h.energy = append(h.energy, sum/2/float64(len(u[0]))/(decaySpeed*decaySpeed))
	}
	return h, nil
}

// dissipation is −dE/dt midway between the looks.
func (h *history) dissipation() (t, e []float64) {
	for i := 1; i < len(h.t); i++ {
		t = append(t, (h.t[i]+h.t[i-1])/2)
		e = append(e, -(h.energy[i]-h.energy[i-1])/(h.t[i]-h.t[i-1]))
	}
	return t, e
}

// peak is the time and the value of the largest dissipation.
func (h *history) peak() (time, value float64) {
	t, e := h.dissipation()
	value = largest(e)
	for i := range e {
		if i > 0 && i < len(e)-1 && e[i] >= e[i-1] && e[i] >= e[i+1] && e[i] > 0.98*value {
			bend := e[i+1] - 2*e[i] + e[i-1]
			return t[i] - (e[i+1]-e[i-1])/2/bend*(t[i+1]-t[i]), value
		}
	}
	return math.NaN(), value
}

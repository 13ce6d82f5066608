package joined_test

import (
	"fmt"
	"math"
	"testing"

	"lbmib/lbm"
	"lbmib/lbm/joined"
)

func TestTaylorGreenX(t *testing.T) {
	for _, uniform := range []bool{false, true} {
		var last float64
		for _, n := range []int{32, 64, 128} {
			nu := 0.05
			speed := 0.04 * 32 / float64(n)
			k := 2 * math.Pi / float64(n)
			cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{n, n, 1}, Collision: collision(t, "trt", nu)}
			f := grids[float64](t, cfg, joined.Box{Level: 1, Lo: [3]int{n / 4, n / 8, 0}, Hi: [3]int{3 * n / 4, 5 * n / 8, 1}})
			if uniform {
				f.JoinUniformly()
			}
			flow := func(p [3]float64, t float64) (float64, [3]float64) {
				d := speed * math.Exp(-2*nu*k*k*t)
				x, y := k*(p[0]+.5), k*(p[1]+.5)
				return 1 - 0.75*d*d*(math.Cos(2*x)+math.Cos(2*y)), [3]float64{-d * math.Cos(x) * math.Sin(y), d * math.Sin(x) * math.Cos(y)}
			}
			f.Initialize(func(p [3]float64) (float64, [3]float64) { return flow(p, 0) })
			steps := int(math.Ln2/(2*nu*k*k)) / 4 * 4
			advance[float64](f, steps)
			e := worst(f, func(p [3]float64) [3]float64 { _, u := flow(p, float64(steps)); return u }) / speed
			g := grids[float64](t, cfg)
			g.Initialize(func(p [3]float64) (float64, [3]float64) { return flow(p, 0) })
			advance[float64](g, steps)
			e1 := worst(g, func(p [3]float64) [3]float64 { _, u := flow(p, float64(steps)); return u }) / speed
			fmt.Printf("uniform %v n %d: %.3g slope %.2f (one grid %.3g)\n", uniform, n, e, math.Log2(last/e), e1)
			last = e
		}
	}
}

func TestPulseX(t *testing.T) {
	// a Gaussian pressure pulse in a plane wave at 0°.
	for _, dir := range []float64{0, 30, 45} {
		const n = 512
		w := 32. // of nodes of the finest: 16 coarse
		cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{n, n, 1}, Collision: collision(t, "trt", 0.001)}
		c, s := math.Cos(dir*math.Pi/180), math.Sin(dir*math.Pi/180)
		start := func(p [3]float64) (float64, [3]float64) {
			d := (p[0]-128)*c + (p[1]-256)*s
			q := (p[1]-256)*c - (p[0]-128)*s
			a := 1e-3 * math.Exp(-d*d/(2*w*w)) * math.Exp(-q*q/(2*64*64))
			return 1 + a, [3]float64{a / math.Sqrt(3) * c, a / math.Sqrt(3) * s}
		}
		f := grids[float64](t, cfg, joined.Box{Level: 1, Lo: [3]int{192, 64, 0}, Hi: [3]int{384, 448, 1}})
		g := grids[float64](t, cfg)
		f.Initialize(start)
		g.Initialize(start)
		for _, steps := range []int{200, 400, 800} {
			for int(f.Steps()) < steps {
				f.Step()
				g.Step()
			}
			most, back := 0., 0.
			r, _ := velocities[float64](g)
			f.EachCell(func(p [3]float64, rho float64, u [3]float64) {
				x, y := int(p[0]), int(p[1])
				k := x + n*y
				want := r[k]
				if p[0] != math.Floor(p[0]) {
					want = (r[k] + r[k+1] + r[k+n] + r[k+n+1]) / 4
				}
				e := math.Abs(rho - want)
				most = max(most, e)
				if p[0] < 120 {
					back = max(back, e)
				}
			})
			fmt.Printf("%v° step %d: %.3g of the pulse, behind %.3g\n", dir, steps, most/1e-3, back/1e-3)
		}
	}
}

package plot

import (
	"fmt"
	"math"
	"testing"
	"time"
)

func TestGallery(t *testing.T) {
	d := "/tmp/gallery/"
	do := func(n string, f *Field) {
		t0 := time.Now()
		if e := FieldMap(d+n+".png", f); e != nil {
			t.Error(n, e)
		}
		fmt.Println(n, time.Since(t0))
	}
	do("street800", street(800, 300))
	do("street1600", street(1600, 600))
	do("street-small", street(160, 60))
	do("speed", speedPast(1600, 600))
	do("cavity", cavity(128))
	tiny := sample(16, 12, 4, 3, func(x, y float64) float64 { return x * y })
	tiny.Title = "Tiny"
	tiny.Label = "speed"
	do("tiny", tiny)
	tall := sample(100, 600, 5, 30, func(x, y float64) float64 { return math.Sin(x) * math.Cos(y/3) })
	tall.Title = "A tall domain with a long title that has to be wrapped into lines, Re = 100"
	tall.Diverging = true
	tall.Label = "vorticity  ω L / U"
	tall.Outlines = [][][2]float64{circle(2.5, 24, .5), circle(0, 5, .7), circle(1, 10, .3)}
	do("tall", tall)
	ch := sample(2000, 100, 20, 1, func(x, y float64) float64 { return 4 * y * (1 - y) * 1.5 })
	ch.Title = "Channel"
	ch.Label = "speed |u| / U"
	do("channel", ch)
	chd := sample(2000, 100, 20, 1, func(x, y float64) float64 { return 12*(.5-y) + 300*math.Exp(-1000*(x*x+(y-1)*(y-1))) })
	chd.Title = "Channel"
	chd.Label = "vorticity ω L / U"
	chd.Diverging = true
	do("channelw", chd)
	k := sample(64, 64, 1, 1, func(x, y float64) float64 { return 1 })
	k.Title = "Constant"
	k.Label = "density"
	do("constant", k)
	n := sample(64, 64, 1, 1, func(x, y float64) float64 { return math.NaN() })
	do("nan", n)
	o := sample(1, 1, 1, 1, func(x, y float64) float64 { return 3e-9 })
	do("one", o)
	z := sample(300, 2, 300, 1, func(x, y float64) float64 { return 1 + 1e-9*x })
	z.Label = "ρ"
	do("thin", z)
	z = sample(2, 300, 1, 300, func(x, y float64) float64 { return 1e7 * y })
	z.Label = "ρ"
	z.Title = "Slender"
	do("thinv", z)
	hist := func(n string, b []Forces, w [2]float64) {
		t0 := time.Now()
		if e := ForceHistory(d+n+".png", "Flow past a circular cylinder, Re = 100", b, w); e != nil {
			t.Error(e)
		}
		fmt.Println(n, time.Since(t0))
	}
	nan := math.NaN()
	none := [2]float64{nan, nan}
	hist("h1", []Forces{shedding("cylinder", 6000, 1.41, 0)}, [2]float64{90, 150})
	hist("h3", []Forces{shedding("upstream cylinder", 6000, 1.41, 0), shedding("downstream", 300000, 1.2, 1), shedding("third", 600, 1.0, 2)}, [2]float64{90, 150})
	hist("h-none", []Forces{}, none)
	hist("h-pt", []Forces{{"a", []float64{1}, []float64{2}, []float64{0}}}, none)
	c := Forces{Name: "c"}
	for i := range 50 {
		c.T = append(c.T, float64(i))
		c.Cd = append(c.Cd, 2.22)
		c.Cl = append(c.Cl, 1e-14*math.Sin(float64(i)))
	}
	hist("h-const", []Forces{c}, none)
	g := shedding("g", 600, 1.41, 0)
	for i := range g.T {
		if i%100 < 20 {
			g.Cd[i] = nan
		}
		if i > 500 {
			g.Cl[i] = math.Inf(1)
		}
	}
	hist("h-gaps", []Forces{g}, none)
	var many []Forces
	for i := range 20 {
		many = append(many, shedding(fmt.Sprintf("body %d", i), 2000, 1+.05*float64(i), float64(i)))
	}
	hist("h-many", many, none)
	x := []float64{}
	y := []float64{}
	rx := []float64{}
	ry := []float64{}
	for i := range 101 {
		s := float64(i) / 100
		x = append(x, s)
		v := math.Sin(3*s)*s - .2
		y = append(y, v)
		if i%7 == 0 {
			rx = append(rx, s)
			ry = append(ry, v+.01)
		}
	}
	t0 := time.Now()
	Profile(d+"profile.png", "Lid-driven cavity, Re = 100: velocity on the vertical centre line", "y / L", "u / U", []Line{{"lbmib, 128²", x, y, false}, {"Ghia et al. (1982)", rx, ry, true}, {"Somebody", rx, y[:len(rx)], true}})
	fmt.Println(time.Since(t0))
	Convergence(d+"conv.png", "Taylor–Green vortex", "nodes per L", "relative error of u, L₂", []Line{{"BGK", []float64{16, 32, 64, 128}, []float64{1e-2, 2.4e-3, 6.1e-4, 1.5e-4}, false}, {"TRT", []float64{16, 32, 64, 128}, []float64{.8e-2, 2e-3, 5.1e-4, 1.25e-4}, false}, {"second order", []float64{16, 128}, []float64{5e-3, 5e-3 / 64}, false}})
	Convergence(d+"conv2.png", "Taylor–Green vortex", "nodes per L", "error", []Line{{"BGK", []float64{10, 20, 40}, []float64{5e-2, 4e-2, 3e-2}, false}})
	Convergence(d+"conv3.png", "Poiseuille", "nodes", "error", []Line{{"BGK", []float64{10, 20, 40, 1e6}, []float64{1, 1e-5, 1e-13, 1e-16}, true}})
}

package plot
import "math"
// speedPast is the speed of potential flow past the circle with a made-up wake.
func speedPast(nx, ny int) *Field {
	f := sample(nx, ny, 40, 15, func(x, y float64) float64 {
		rx, ry := x-10, y-7.5
		r2 := (rx*rx + ry*ry) * 4
		if r2 < 1 {
			return math.NaN()
		}
		u := 1 - 4*(rx*rx-ry*ry)/(r2*r2)
		v := -8 * rx * ry / (r2 * r2)
		if rx > 0 {
			wave := 0.4 * math.Sin(1.4*rx) * (1 - math.Exp(-rx/3))
			d := (ry - wave) / (0.5 + 0.02*rx)
			u -= 0.8 * math.Exp(-d*d) * math.Exp(-rx/25)
		}
		return math.Hypot(u, v)
	})
	f.Title, f.Label = "Flow past a circular cylinder, Re = 100", "speed |u| / U"
	f.Outlines = [][][2]float64{circle(10, 7.5, 0.5)}
	return f
}


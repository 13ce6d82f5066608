package plot

import "math"

// circle is a closed polyline about (x, y).
func circle(x, y, r float64) [][2]float64 {
	pts := make([][2]float64, 90)
	for i := range pts {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(len(pts)))
		pts[i] = [2]float64{x + r*c, y + r*s}
	}
	return pts
}

// sample evaluates f on nx × ny cells that fill width × height.
func sample(nx, ny int, width, height float64, f func(x, y float64) float64) *Field {
	dx, dy := width/float64(nx), height/float64(ny)
	field := &Field{Nx: nx, Ny: ny, Origin: [2]float64{dx / 2, dy / 2}, Spacing: [2]float64{dx, dy}}
	for j := range ny {
		for i := range nx {
			field.Values = append(field.Values, f((float64(i)+0.5)*dx, (float64(j)+0.5)*dy))
		}
	}
	return field
}

// street is the vorticity of a Kármán street behind a circle of diameter 1 at
// (10, 7.5) in a domain of 40 × 15: Gaussian vortices in two rows that spread
// downstream, thin strong layers on the circle, nothing inside.
func street(nx, ny int) *Field {
	const x0, y0 = 10, 7.5
	f := sample(nx, ny, 40, 15, func(x, y float64) float64 {
		rx, ry := x-x0, y-y0
		r := math.Hypot(rx, ry)
		if r < 0.5 {
			return math.NaN()
		}
		w := -14 * ry / r * math.Exp(-(r-0.5)/0.07)
		for k := range 8 {
			for _, side := range [...]float64{1, -1} {
				xc := x0 + 1.8 + 4.4*float64(k) + 1.1*side
				yc := y0 + side*(0.3+0.03*(xc-x0))
				width := 0.35 + 0.02*(xc-x0)
				d := math.Hypot(x-xc, y-yc) / width
				w -= side * 3.2 * 0.12 / (width * width) * math.Exp(-d*d)
			}
		}
		return w
	})
	f.Title, f.Label, f.Diverging = "Flow past a circular cylinder, Re = 100, t = 150", "vorticity  ω L / U", true
	f.Outlines = [][][2]float64{circle(x0, y0, 0.5)}
	return f
}

// shedding is a force history with a start-up spike, transient and shedding.
func shedding(name string, n int, mean, phase float64) Forces {
	h := Forces{Name: name}
	for i := range n {
		t := 150 * float64(i) / float64(n-1)
		grown := 1 / (1 + math.Exp(-(t-60)/6))
		h.T = append(h.T, t)
		h.Cd = append(h.Cd, mean-0.25*(1-grown)*(1-math.Exp(-t/8))+3/math.Sqrt(25*t+1e-2)*math.Exp(-t)+0.012*grown*math.Sin(2*2*math.Pi*0.17*t+phase))
		h.Cl = append(h.Cl, 0.34*grown*math.Sin(2*math.Pi*0.17*t+phase))
	}
	return h
}

package rbf

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// meridian integrates area and volume of a surface of revolution (r, z)(φ), φ = −π/2 to
// π/2, by the midpoint rule: spectrally accurate as the integrands are periodic and smooth.
func meridian(curve func(phi float64) (r, z, dr, dz float64)) (area, volume float64) {
	const n = 4000
	for i := range n {
		phi := math.Pi * ((float64(i)+0.5)/n - 0.5)
		r, z, dr, dz := curve(phi)
		area += 2 * math.Pi * r * math.Hypot(dr, dz) * math.Pi / n
		// ∮ X·n dA/3
		volume += 2 * math.Pi * r * (r*dz - z*dr) / 3 * math.Pi / n
	}
	return area, volume
}

func redCellCurve(phi float64) (r, z, dr, dz float64) {
	sin, cos := math.Sincos(phi)
	q := cos * cos
	p := 0.105 + q - 0.56*q*q
	dp := (1 - 1.12*q) * -2 * cos * sin
	return 3.91 * cos, 3.91 * p * sin, -3.91 * sin, 3.91 * (dp*sin + p*cos)
}

// Kassen et al. have R0 = 3.91 µm; area 134.187 µm² and volume 94.397 µm³ follow.
func TestRedCellHasItsAreaVolumeAndTopology(t *testing.T) {
	area, volume := meridian(redCellCurve)
	if math.Abs(area-134.187) > 0.001 || math.Abs(volume-94.397) > 0.001 {
		t.Fatalf("the meridian has area %.6g and volume %.6g", area, volume)
	}
	var errors [2][3]float64
	for i, n := range [][2]int{{216, 1104}, {864, 8832}} {
		s := surface(t, "red cell", n[0], n[1])
		c := newCell(t, s, Material{Shear: 1})
		m := c.m.Measure(c.s, c.x)
		errors[i] = [3]float64{math.Abs(m.Area/area - 1), math.Abs(m.Volume/volume - 1), math.Abs(m.Gauss/(4*math.Pi) - 1)}
		t.Logf("%d and %d sites: area %.1e, volume %.1e, ∮K %.1e off", n[0], n[1], errors[i][0], errors[i][1], errors[i][2])
		if d := m.Center.Norm(); d > 1e-5*3.91 {
			t.Errorf("%d and %d sites: the centre is off by %g", n[0], n[1], d)
		}
	}
	for k, most := range []float64{5e-6, 5e-6, 5e-5} { // half of what the quadrature's h³ leaves at 1104, over 8²
		if errors[1][k] > most || errors[1][k] > errors[0][k]/4 {
			t.Errorf("measure %d is off by %.2e and %.2e", k, errors[0][k], errors[1][k])
		}
	}
}

// spheroidArea is the area of a prolate spheroid with half axes a = a < c.
func spheroidArea(a, c float64) float64 {
	e := math.Sqrt(1 - a*a/(c*c))
	return 2 * math.Pi * (a*a + a*c*math.Asin(e)/e)
}

func TestSpheroidHasItsAreaVolumeAndInertia(t *testing.T) {
	c := newCell(t, surface(t, "sphere", 624, 3520), Material{Shear: 1})
	const a, b = 0.9, 1.3
	c.move(func(p geometry.Vec) geometry.Vec { return geometry.Vec{2 + a*p[0], a * p[1], b*p[2] - 1} })
	m := c.m.Measure(c.s, c.x)
	volume := 4 * math.Pi / 3 * a * a * b
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"area", m.Area, spheroidArea(a, b)}, {"volume", m.Volume, volume}, {"∮K", m.Gauss, 4 * math.Pi},
		{"inertia x", m.Inertia[0][0], volume * a * a / 5}, {"inertia z", m.Inertia[2][2], volume * b * b / 5},
		{"centre x", m.Center[0], 2}, {"centre z", m.Center[2], -1},
	} {
		if math.Abs(v.got/v.want-1) > 1e-5 { // the quadrature's error
			t.Errorf("%s is %.8g, want %.8g", v.name, v.got, v.want)
		}
	}
}

// An ellipsoid x²/a² + … = 1 has, with h = (x²/a⁴ + …)^(−1/2), K = h⁴/(abc)² and
// H = h³ (a² + b² + c² − |x|²)/(2 (abc)²).
func TestCurvaturesOfAnEllipsoidAreThoseOfItsEquation(t *testing.T) {
	s := surface(t, "ellipsoid", 624, 880)
	c := newCell(t, s, Material{Shear: 1})
	product := axes[0] * axes[1] * axes[2]
	checked := 0
	c.m.sweep(c.s, c.x, nil, func(_, panel int) {
		c.m.sites(c.s, panel, func(r *reference, p *point, w *metric) {
			mean, gauss := p.curvatures(w)
			var over, squares float64
			normal := geometry.Vec{}
			y := p.x.geometry()
			for a, x := range y {
				normal[a] = x / (axes[a] * axes[a])
				squares += axes[a] * axes[a]
			}
			over = normal.Norm()
			h := 1 / over
			wantK := h * h * h * h / (product * product)
			wantH := h * h * h * (squares - y.Dot(y)) / (2 * product * product)
			// The ellipsoid is a polynomial of degree one on the sphere: exact up to rounding.
			if math.Abs(mean-wantH) > 1e-10 || math.Abs(gauss-wantK) > 1e-10 {
				t.Fatalf("site %d: H = %.12g, want %.12g; K = %.12g, want %.12g", r.number, mean, wantH, gauss, wantK)
			}
			if d := w.n.geometry().Scale(1 / w.n.geometry().Norm()).Sub(normal.Scale(h)).Norm(); d > 1e-11 {
				t.Fatalf("site %d: normal is off by %g", r.number, d)
			}
			checked++
		})
	})
	if checked != s.Samples() {
		t.Errorf("%d sites were looked at, there are %d", checked, s.Samples())
	}
}

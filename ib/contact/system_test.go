package contact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// cloud is so many points at random about a place, with areas about one.
func cloud(r *rand.Rand, n int, at geometry.Vec, width, pressure float64) Surface {
	f := Surface{Pressure: pressure, Force: make([]geometry.Vec, n)}
	for range n {
		f.Points = append(f.Points, at.Add(geometry.Vec{width * (r.Float64() - 0.5), width * (r.Float64() - 0.5), width * (r.Float64() - 0.5)}))
		f.Area = append(f.Area, 0.5+r.Float64())
	}
	return f
}

// copied are surfaces of their own that are alike.
func copied(surfaces []Surface) (all []Surface) {
	for _, f := range surfaces {
		f.Points = slices.Clone(f.Points)
		if f.Force != nil {
			f.Force = make([]geometry.Vec, len(f.Points))
		}
		all = append(all, f)
	}
	return all
}

func system(t testing.TB, cfg Config, surfaces []Surface, workers int) *System {
	t.Helper()
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	s, err := New(cfg, surfaces, parallel.Loops{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compared adds the forces of contact by comparing all points with all others and with all their images.
func compared(cfg Config, surfaces []Surface) (gaps []float64) {
	l := newLaw(cfg.Range, cfg.Plane)
	images := func(a int, x, y float64) []float64 { // y and its images, the nearest to x first
		if !cfg.Periodic[a] {
			return []float64{x - y}
		}
		n := float64(cfg.Size[a])
		return []float64{(x - y) - n*math.RoundToEven((x-y)*(1/n))}
	}
	alike, first := !cfg.Plane, 0.
	for _, f := range surfaces {
		if first == 0 {
			first = f.Pressure
		}
		alike = alike && (f.Pressure == 0 || f.Pressure == first)
	}
	for i, f := range surfaces {
		gap := cfg.Range
		for k, x := range f.Points {
			if f.Force == nil || f.Area[k] == 0 {
				continue
			}
			var sums [2]geometry.Vec // of pairs of soft surfaces that are alike, and of others
			for j, g := range surfaces {
				sum := &sums[1]
				if alike && f.Pressure > 0 && g.Pressure > 0 {
					sum = &sums[0]
				}
				for m, y := range g.Points {
					if i == j && k == m || g.Area[m] == 0 || f.Pressure == 0 && g.Pressure == 0 {
						continue
					}
					var d geometry.Vec
					for a := range d {
						d[a] = images(a, x[a], y[a])[0]
					}
					squared := d[0]*d[0] + d[1]*d[1] + d[2]*d[2]
					direct := x.Sub(y)
					offset := f.Offset + g.Offset
					if i == j && direct.Sub(d).Norm() < 1e-6 || squared >= (cfg.Range+offset)*(cfg.Range+offset) || squared == 0 {
						continue
					}
					r := math.Sqrt(squared)
					gap = min(gap, r-offset)
					c := l.points(r, offset) * max(f.Pressure, g.Pressure) * (f.Area[k] * g.Area[m]) / r
					for a := range d {
						sum[a] += c * d[a]
					}
				}
			}
			f.Force[k] = f.Force[k].Add(sums[0]).Add(sums[1])
			var walls geometry.Vec
			for _, w := range wallsOf(&cfg) {
				if d := w.sign * (x[w.axis] - w.at); d < cfg.Range && f.Pressure > 0 {
					gap = min(gap, d)
					walls[w.axis] += w.sign * l.surface(d) * f.Pressure * f.Area[k]
				}
			}
			f.Force[k] = f.Force[k].Add(walls)
		}
		gaps = append(gaps, gap)
	}
	return gaps
}

// Forces and gaps are those of comparing all points with all, to the last bit, in any box, on any number of workers, and
// while points move, whenever lists were made.
func TestForcesAreThoseOfComparingAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	touched, wrapped := 0, 0
	for trial := range 80 {
		cfg := Config{Range: 0.5 + 2*r.Float64()}
		least := int(LeastPeriod(cfg.Range, 1.5)) + 1
		for a := range 3 {
			cfg.Size[a], cfg.Periodic[a] = least+r.IntN(12), r.IntN(2) == 0
			cfg.Walls[2*a], cfg.Walls[2*a+1] = r.IntN(2) == 0, r.IntN(2) == 0
		}
		var one []Surface
		for range 1 + r.IntN(5) {
			at := geometry.Vec{60*r.Float64() - 20, 60*r.Float64() - 20, 60*r.Float64() - 20}
			for a := range at {
				if !cfg.Periodic[a] {
					at[a] = float64(cfg.Size[a]) * r.Float64()
				}
			}
			f := cloud(r, r.IntN(100), at, 7, []float64{0, 1, 2}[r.IntN(3)])
			for k := range f.Area {
				if r.IntN(10) == 0 {
					f.Area[k] = 0
				}
			}
			if f.Pressure == 0 && r.IntN(2) == 0 {
				f.Force, f.Offset = nil, 1.5*float64(r.IntN(2))
			}
			one = append(one, f)
		}
		two, brute := copied(one), copied(one)
		a, b := system(t, cfg, one, 1), system(t, cfg, two, 3)
		for step := range 8 {
			if step == 4 {
				b = system(t, cfg, two, 2) // lists made in another step
			}
			gaps := compared(cfg, brute)
			a.AddForces()
			b.AddForces()
			for i := range one {
				if !slices.Equal(one[i].Force, brute[i].Force) || !slices.Equal(two[i].Force, brute[i].Force) {
					t.Fatalf("trial %d, step %d, surface %d: forces are not those of comparing all (%+v)", trial, step, i, cfg)
				}
				if one[i].Force != nil && (a.Gap(i) != gaps[i] || b.Gap(i) != gaps[i]) {
					t.Fatalf("trial %d: gaps %v and %v, want %v", trial, a.Gap(i), b.Gap(i), gaps[i])
				}
				for k := range one[i].Force {
					if one[i].Force[k] != (geometry.Vec{}) {
						touched++
					}
				}
				for k := range one[i].Points {
					move := geometry.Vec{0.1 * (r.Float64() - 0.5), 0.1 * (r.Float64() - 0.5), 0.1 * (r.Float64() - 0.5)}
					for _, s := range [][]Surface{one, two, brute} {
						s[i].Points[k] = s[i].Points[k].Add(move)
					}
				}
			}
		}
		if cfg.Periodic[0] {
			wrapped++
		}
	}
	if touched < 10000 || wrapped < 10 {
		t.Errorf("%d forces, %d periodic boxes: this test looks at the wrong thing", touched, wrapped)
	}
}

// Forces of a pair are opposite to the last bit, also across periodic faces, and along the line between the points.
func TestForcesOfAPairAreOpposite(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	cfg := Config{Range: 2, Size: [3]int{7, 9, 11}, Periodic: [3]bool{true, true, true}}
	acted := 0
	for range 2000 {
		at := geometry.Vec{100 * r.Float64(), 100 * r.Float64(), 100 * r.Float64()}
		two := []Surface{cloud(r, 1, at, 2, 1), cloud(r, 1, at.Add(geometry.Vec{7, -18, 0}), 2, 0.5)}
		system(t, cfg, two, 1).AddForces()
		f, g := two[0].Force[0], two[1].Force[0]
		if f != g.Scale(-1) {
			t.Fatalf("forces %v and %v", f, g)
		}
		if f != (geometry.Vec{}) {
			acted++
			line := two[0].Points[0].Sub(two[1].Points[0]).Add(geometry.Vec{7, -18, 0})
			if f.Cross(line).Norm() > 1e-12*f.Norm() || f.Dot(line) <= 0 {
				t.Fatalf("the force %v is not along %v", f, line)
			}
		}
	}
	if acted < 500 {
		t.Errorf("%d of 2000 pairs act", acted)
	}
}

// plane is a triangular mesh of points at a height, in a periodic box of nx × ny rows.
func plane(z, shift, spacing float64, rows int) Surface {
	f := Surface{Pressure: 1}
	height := spacing * math.Sqrt(3) / 2
	for j := range rows {
		for i := range rows {
			f.Points = append(f.Points, geometry.Vec{spacing * (float64(i) + 0.5*float64(j%2) + shift), height*float64(j) + 0.37*shift, z})
			f.Area = append(f.Area, spacing*height)
		}
	}
	f.Force = make([]geometry.Vec, len(f.Points))
	return f
}

// The force per area between two planes is P (1 − g/d)³, whatever the spacing and wherever points stand, as far as the
// spacing allows: the error falls as exp(−2π g/(0.87 h)) does, Fourier's components of a mesh at a distance, down to that of the kink
// of the law at the range.
func TestPlanesRepelByTheirGap(t *testing.T) {
	for _, c := range []struct{ spacing, gap, most float64 }{
		{0.4, 1, 0.002}, {0.5, 1, 0.002}, {1, 1, 0.05}, {1, 0.7, 0.15}, {1, 0.5, 0.45}, {0.5, 0.25, 0.45}, {0.5, 1.5, 0.005}, {1, 1.5, 0.05},
	} {
		const d, rows = 2., 24
		unit := float64(rows) * c.spacing
		l := newLaw(d, false)
		want := math.Pow(1-c.gap/d, 3)
		least, most := math.Inf(1), 0.
		for step := range 12 {
			shift := float64(step) / 12
			lower, upper := plane(0, 0, c.spacing, rows), plane(c.gap, shift, c.spacing, rows)
			// Size is whole nodes: the force on points well inside the sheet is that of the whole plane.
			cfg := Config{Range: d, Size: [3]int{int(unit) + 1, int(unit) + 1, 8}}
			system(t, cfg, []Surface{lower, upper}, 1).AddForces()
			middle := rows/2*rows + rows/2
			p := upper.Force[middle][2] / upper.Area[middle]
			least, most = min(least, p), max(most, p)
		}
		if worst := max(most/want-1, 1-least/want); !(worst < c.most) {
			t.Errorf("spacing %g, gap %g: the pressure is %.4f to %.4f, want %.4f within %g", c.spacing, c.gap, least, most, want, c.most)
		} else {
			t.Logf("spacing %g, gap %g: off by %.4f", c.spacing, c.gap, worst)
		}
		if p := l.surface(c.gap); math.Abs(p-want) > 1e-15 {
			t.Errorf("a wall has the pressure %g, want %g", p, want)
		}
	}
}

// The integral of the law of points over a plane is the law of surfaces.
func TestTheLawOfPointsMakesThatOfSurfaces(t *testing.T) {
	l := newLaw(3, false)
	for _, g := range []float64{0.4, 1, 2, 2.9} {
		const n = 4000
		sum := 0.
		for i := range n { // ∫ f(r) g 2π dr from g to d, midpoints
			r := g + (3-g)*(float64(i)+0.5)/n
			sum += l.points(r, 0) * g * 2 * math.Pi * (3 - g) / n
		}
		if want := l.surface(g); math.Abs(sum-want) > 1e-5*want {
			t.Errorf("at %g the sum is %g, want %g", g, sum, want)
		}
		const c = 1.5
		sum = 0
		for i := range n { // from g to c + d, of a surface c in front of its points
			r := g + (c+3-g)*(float64(i)+0.5)/n
			sum += l.points(r, c) * g * 2 * math.Pi * (c + 3 - g) / n
		}
		if want := l.surface(g - c); math.Abs(sum-want) > 1e-5*want {
			t.Errorf("at %g the sum is %g, want %g with an offset", g, sum, want)
		}
	}
	for _, r := range []float64{1e-9, 0.1, core * 3} {
		if l.points(r, 0) != l.points(core*3, 0) {
			t.Errorf("the force at %g is not that at the core", r)
		}
	}
}

// The force between points goes to zero at the range as a square does.
func TestTheLawIsSmoothAtTheRange(t *testing.T) {
	l := newLaw(2, false)
	at := func(e float64) float64 { return l.points(2-e, 0) / (e * e) }
	if a, b := at(1e-2), at(1e-4); !(math.Abs(a/b-1) < 0.02) || l.surface(2) != 0 || l.points(2, 0) != 0 {
		t.Errorf("the force over the square of what is left of the range is %g and %g", a, b)
	}
}

// A body that is almost as long as a periodic domain touches its own image.
func TestABodyTouchesItsOwnImage(t *testing.T) {
	f := Surface{Points: []geometry.Vec{{1, 4, 4}, {2, 4, 4}, {10, 4, 4}}, Area: []float64{1, 1, 1}, Pressure: 1, Force: make([]geometry.Vec, 3)}
	s := system(t, Config{Range: 2, Size: [3]int{10, 8, 8}, Periodic: [3]bool{true}}, []Surface{f}, 1)
	s.AddForces()
	if !(f.Force[0][0] > 0) || f.Force[1][0] != 0 || f.Force[2] != f.Force[0].Scale(-1) || s.Gap(0) != 1 {
		t.Errorf("forces %v, gap %g", f.Force, s.Gap(0))
	}
}

// Walls push soft surfaces alone, into the domain, more so where they have been passed.
func TestWalls(t *testing.T) {
	soft := Surface{Points: []geometry.Vec{{0, 4, -0.7}, {4, 4, 3}, {8.9, 4, 7}}, Area: []float64{1, 1, 2}, Pressure: 2, Force: make([]geometry.Vec, 3)}
	hard := Surface{Points: []geometry.Vec{{0, 0, 6}}, Area: []float64{1}, Force: make([]geometry.Vec, 1)}
	cfg := Config{Range: 1, Size: [3]int{10, 8, 8}, Periodic: [3]bool{false, true, false}, Walls: [6]bool{true, true, true, true, true, false}}
	s := system(t, cfg, []Surface{soft, hard}, 1)
	s.AddForces()
	want := []geometry.Vec{{2 * 0.5 * 0.5 * 0.5, 0, 2 * 1.2 * 1.2 * 1.2}, {}, {-4 * 0.4 * 0.4 * 0.4, 0, 0}}
	for k, f := range soft.Force {
		if f.Sub(want[k]).Norm() > 1e-12 {
			t.Errorf("force %d is %v, want %v", k, f, want[k])
		}
	}
	if hard.Force[0] != (geometry.Vec{}) || math.Abs(s.Gap(0)+0.2) > 1e-12 || s.Gap(1) != 1 {
		t.Errorf("on the rigid one acts %v; gaps %g and %g", hard.Force[0], s.Gap(0), s.Gap(1))
	}
}

func TestWhatIsRefused(t *testing.T) {
	good := Surface{Points: make([]geometry.Vec, 2), Area: []float64{1, 1}, Pressure: 1}
	box := Config{Range: 2, Size: [3]int{10, 10, 10}}
	for want, change := range map[string]func(c *Config, s *Surface){
		"range is 0 nodes":                      func(c *Config, _ *Surface) { c.Range = 0 },
		"4 nodes along y":                       func(c *Config, _ *Surface) { c.Size[1], c.Periodic[1] = 4, true },
		"2 points, 1 areas":                     func(_ *Config, s *Surface) { s.Area = s.Area[:1] },
		"0 where there is a pressure (1)":       func(_ *Config, s *Surface) { s.Offset = 1 },
		"pressure -1":                           func(_ *Config, s *Surface) { s.Pressure = -1 },
		"point 1 of surface 0 has the area NaN": func(_ *Config, s *Surface) { s.Area = []float64{1, math.NaN()} },
	} {
		c, s := box, good
		change(&c, &s)
		if _, err := New(c, []Surface{s}, parallel.Loops{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// suspension is spheres of 642 points, so many along each axis, that all but touch.
func suspension(n int) (Config, []Surface) {
	const points, radius = 642, 7.2
	pitch := 2*radius + 1
	side := int(math.Ceil(pitch * float64(n)))
	cfg := Config{Range: 2, Size: [3]int{side, side, side}, Periodic: [3]bool{true, true, true}}
	var all []Surface
	for b := range n * n * n {
		at := geometry.Vec{pitch * float64(b%n), pitch * float64(b/n%n), pitch * float64(b/n/n)}
		f := Surface{Pressure: 1, Force: make([]geometry.Vec, points)}
		for k := range points { // Fibonacci's sphere
			z := 1 - (2*float64(k)+1)/points
			phi := float64(k) * math.Pi * (3 - math.Sqrt(5))
			w := math.Sqrt(1 - z*z)
			f.Points = append(f.Points, at.Add(geometry.Vec{radius * w * math.Cos(phi), radius * w * math.Sin(phi), radius * z}))
			f.Area = append(f.Area, 4*math.Pi*radius*radius/points)
		}
		all = append(all, f)
	}
	return cfg, all
}

// A step allocates nothing once lists have been made, and keeps momentum to rounding.
func TestAStepAllocatesNothingAndKeepsMomentum(t *testing.T) {
	cfg, all := suspension(2)
	s := system(t, cfg, all, 2)
	s.AddForces()
	shift := 0.
	if n := testing.AllocsPerRun(20, func() {
		shift = 0.3 - shift // so that lists are made anew
		for k := range all[0].Points {
			all[0].Points[k][0] += shift - 0.15
		}
		s.AddForces()
	}); n > 0 {
		t.Errorf("a step allocates %g times", n)
	}
	var sum geometry.Vec
	size := 0.
	for _, f := range all {
		for _, v := range f.Force {
			sum, size = sum.Add(v), size+v.Norm()
		}
	}
	if !(size > 1) || sum.Norm() > 1e-13*size {
		t.Errorf("forces of magnitudes %g in all have the sum %v", size, sum)
	}
}

// BenchmarkContact: nanoseconds per point do not depend on their number.
func BenchmarkContact(b *testing.B) {
	for _, n := range []int{1, 2, 4, 5} {
		for _, moves := range []bool{false, true} {
			cfg, all := suspension(n)
			s := system(b, cfg, all, 1)
			b.Run(fmt.Sprintf("points=%d/lists=%v", s.Points(), moves), func(b *testing.B) {
				for b.Loop() {
					if moves {
						s.made = false
					}
					s.AddForces()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Points()), "ns/point")
			})
		}
	}
}

// In the plane lines of points repel each other with the pressure of planes: P (1 − g/d)³ per length, also where the surface lies in front of
// them, but for what spacing does.
func TestLinesRepelAsPlanesDo(t *testing.T) {
	for _, c := range []struct{ spacing, gap, offset, most float64 }{
		{0.1, 1, 0, 1e-3}, {0.1, 0.5, 0, 0.002}, {0.1, 1.7, 0, 2e-3}, {0.1, 1, 1.5, 1e-3}, {0.5, 1, 0, 0.003}, {1, 1, 0, 0.1}, {1, 0.7, 0, 0.25},
	} {
		const d = 2.
		l := newLaw(d, true)
		want := math.Pow(1-c.gap/d, 3)
		least, most := math.Inf(1), 0.
		for step := range 12 {
			sum := 0.
			for k := -200; k <= 200; k++ {
				along := (float64(k) + float64(step)/12) * c.spacing
				if r := math.Hypot(along, c.gap+c.offset); r < d+c.offset {
					sum += l.points(r, c.offset) * c.spacing * (c.gap + c.offset) / r
				}
			}
			least, most = min(least, sum), max(most, sum)
		}
		if !(least > want*(1-c.most) && most < want*(1+c.most)) {
			t.Errorf("spacing %g, gap %g, offset %g: the pressure is %.4g to %.4g, want %.4g within %g", c.spacing, c.gap, c.offset, least, most, want, c.most)
		}
	}
}

// Of two rings of points in the plane each feels the opposite of what the other does, as the comparison of all pairs has it.
func TestRingsOfPointsRepel(t *testing.T) {
	cfg := Config{Range: 2, Size: [3]int{30, 30, 1}, Periodic: [3]bool{true, true}, Plane: true}
	circle := func(x, y float64) Surface {
		f := Surface{Pressure: 1}
		for k := range 25 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 25)
			f.Points, f.Area = append(f.Points, geometry.Vec{x + 4*cos, y + 4*sin}), append(f.Area, 1)
		}
		f.Force = make([]geometry.Vec, 25)
		return f
	}
	surfaces := []Surface{circle(10.3, 10), circle(19.2, 11), circle(1.1, 29.6), circle(1.3, 8.2)}
	want := copied(surfaces)
	compared(cfg, want)
	system(t, cfg, surfaces, 2).AddForces()
	var sum geometry.Vec
	size := 0.
	for i := range surfaces {
		for k, f := range surfaces[i].Force {
			sum, size = sum.Add(f), size+f.Norm()
			if f.Sub(want[i].Force[k]).Norm() > 1e-12 {
				t.Fatalf("point %d of ring %d has the force %v, want %v", k, i, f, want[i].Force[k])
			}
			if f[2] != 0 {
				t.Fatalf("a force along z: %v", f)
			}
		}
	}
	if sum.Norm() > 1e-13*size || size == 0 {
		t.Errorf("forces add up to %v of %g", sum, size)
	}
}

package ring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/ib/elastic"
)

// ellipse is so many points on an ellipse of half axes a and b about (3, −2).
func ellipse(n int, a, b float64) (x []geometry.Vec) {
	for k := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		x = append(x, geometry.Vec{3 + a*cos, -2 + b*sin})
	}
	return x
}

func must(t testing.TB, x []geometry.Vec, m Material) *Ring {
	t.Helper()
	r, err := New(x, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// crumpled are points moved at random by so much.
func crumpled(x []geometry.Vec, by float64) []geometry.Vec {
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([]geometry.Vec, len(x))
	for k := range x {
		out[k] = x[k].Add(geometry.Vec{by * rng.NormFloat64(), by * rng.NormFloat64()})
	}
	return out
}

// materials have every part of the energy.
func materials() map[string]Material {
	all := map[string]Material{}
	for _, law := range LawNames() {
		all[law] = Material{Law: law, Shear: 1.3}
		all[law+", all"] = Material{Law: law, Shear: 1.3, Prestress: 1.1, Bending: 0.4, Curvature: 0.7, LengthPenalty: 3, AreaPenalty: 2}
		all[law+", bent"] = Material{Law: law, Shear: 0.2, Bending: 0.4, CurvedReference: true}
	}
	return all
}

// Forces are −∂E/∂X: differences over 1e-5 of lengths of 0.2 are right to 1e-9 of the largest force.
func TestForcesAreThoseOfTheEnergy(t *testing.T) {
	drawn := ellipse(40, 1.5, 1)
	x := crumpled(drawn, 0.03)
	for name, m := range materials() {
		r := must(t, drawn, m)
		f := make([]geometry.Vec, len(x))
		r.Forces(x, nil, f)
		largest, worst := 0., 0.
		for k := range x {
			largest = math.Max(largest, f[k].Norm())
			for a := range 2 {
				const h = 1e-5
				total := func(by float64) float64 {
					y := append([]geometry.Vec(nil), x...)
					y[k][a] += by
					e := r.Energy(y)
					return e.Membrane + e.Bending + e.Length + e.Area
				}
				// of the fourth order: errors of h⁴ E⁗ and of rounding, 1e-16 E/h
				slope := (8*(total(h)-total(-h)) - (total(2*h) - total(-2*h))) / (12 * h)
				worst = math.Max(worst, math.Abs(slope+f[k][a]))
			}
		}
		if !(worst < 1e-8*largest) {
			t.Errorf("%s: forces differ from −∂E/∂X by %.2g of %.3g", name, worst, largest)
		}
	}
}

func TestForcesHaveNoSumAndNoTorque(t *testing.T) {
	drawn := ellipse(60, 1.5, 1)
	x, u := crumpled(drawn, 0.03), crumpled(drawn, 1)
	for name, m := range materials() {
		m.Viscosity = 0.3
		f := make([]geometry.Vec, len(x))
		must(t, drawn, m).Forces(x, u, f)
		var sum geometry.Vec
		torque, size := 0., 0.
		for k := range f {
			sum = sum.Add(f[k])
			torque += x[k][0]*f[k][1] - x[k][1]*f[k][0]
			size += f[k].Norm() * (1 + x[k].Norm())
		}
		if !(sum.Norm() < 1e-12*size && math.Abs(torque) < 1e-12*size) || size == 0 {
			t.Errorf("%s: net force %.2g and torque %.2g of %.3g", name, sum.Norm(), torque, size)
		}
	}
}

// A ring that is moved and turned has the forces that it had, turned; one that is drawn free of stress has none.
func TestRigidMotionsChangeNothing(t *testing.T) {
	drawn := ellipse(50, 1.5, 1)
	x := crumpled(drawn, 0.03)
	turn := geometry.Rotation(geometry.Vec{0, 0, 1}, 0.8)
	for name, m := range materials() {
		r := must(t, drawn, m)
		f, g := make([]geometry.Vec, len(x)), make([]geometry.Vec, len(x))
		r.Forces(x, nil, f)
		y := make([]geometry.Vec, len(x))
		for k := range x {
			y[k] = turn.Apply(x[k]).Add(geometry.Vec{7, -9})
		}
		r.Forces(y, nil, g)
		for k := range f {
			if d := turn.Apply(f[k]).Sub(g[k]).Norm(); d > 1e-10*(1+f[k].Norm()) {
				t.Fatalf("%s: vertex %d has another force by %.2g", name, k, d)
			}
		}
		if m.Prestress == 0 && (m.Bending == 0 || m.CurvedReference) {
			r.Forces(drawn, nil, f)
			for k := range f {
				if f[k].Norm() > 1e-12 {
					t.Fatalf("%s: as drawn vertex %d has the force %v", name, k, f[k])
				}
			}
		}
	}
}

// Tensions are those of surfaces that keep their length along z; that of hooke in the limit of small strain.
func TestTensionsAreThoseOfSurfaces(t *testing.T) {
	for _, m := range []Material{{Law: "skalak", Shear: 2}, {Law: "skalak", Shear: 2, Area: 7}, {Law: "neo-hookean", Shear: 2}, {Law: "hooke", Shear: 2, Poisson: 0.3}} {
		law, err := elastic.NewLaw(elastic.Material{Law: m.Law, Shear: m.Shear, Area: m.Area, Poisson: m.Poisson})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []float64{0.6, 0.9, 1.0001, 1.2, 2} {
			got, err := m.Tension(l)
			want, _ := elastic.Tension(law, l, 1)
			if m.Law == "hooke" {
				want *= 2 * (l - 1) / (l * (l*l - 1)) // Green's strain for λ − 1
			}
			if err != nil || math.Abs(got-want) > 1e-12*math.Abs(want)+1e-14 {
				t.Errorf("%+v at λ = %g: T = %.15g, want %.15g (%v)", m, l, got, want, err)
			}
		}
		shear, area, _, _ := elastic.Moduli(law)
		if e := m.Modulus(); math.Abs(e/(shear+area)-1) > 1e-6 { // moduli by differences
			t.Errorf("%+v: modulus %g, want K_s + G_s = %g", m, e, shear+area)
		}
	}
}

// A circle of radius R resists bending with πκ/R (1 − R c⁰)², and presses outwards with κ/2R³ (1 − R²c⁰²) per length: errors of order N⁻².
func TestACircleBends(t *testing.T) {
	const kappa, radius, c0 = 0.7, 1.6, 0.3
	var energies, pressures [2]float64
	for k, n := range []int{60, 120} {
		r := must(t, ellipse(n, radius, radius), Material{Shear: 1, Bending: kappa, Curvature: c0})
		x := ellipse(n, radius, radius)
		f := make([]geometry.Vec, n)
		r.Forces(x, nil, f)
		energies[k] = math.Abs(r.Energy(x).Bending/(math.Pi*kappa/radius*(1-radius*c0)*(1-radius*c0)) - 1)
		outwards := f[0][0] * float64(n) / (2 * math.Pi * radius)
		pressures[k] = math.Abs(outwards/(kappa/(2*radius*radius*radius)*(1-radius*radius*c0*c0)) - 1)
	}
	for name, e := range map[string][2]float64{"energy": energies, "force": pressures} {
		if slope := math.Log2(e[0] / e[1]); !(e[1] < 2e-3 && slope > 1.9 && slope < 2.1) {
			t.Errorf("%s is off by %.3g and %.3g with 60 and 120 vertices: order %.2f, want 2", name, e[0], e[1], slope)
		}
	}
}

// An ellipse is its own ellipse of equal moments; the centroid's velocity is the rate at which it moves.
func TestEllipsesAreMeasured(t *testing.T) {
	turn := geometry.Rotation(geometry.Vec{0, 0, 1}, 0.4)
	x := ellipse(2000, 2, 1)
	for k := range x {
		x[k] = turn.Apply(x[k])
	}
	r := must(t, x, Material{Shear: 1})
	m := r.Measure(x)
	center := turn.Apply(geometry.Vec{3, -2})
	for name, v := range map[string][2]float64{"area": {m.Area, 2 * math.Pi}, "length": {m.Length, 9.688448220547675}, // 4·2·E(√3/2)
		"long axis": {m.Axes[0], 2}, "short axis": {m.Axes[1], 1}, "deformation": {m.Deformation, 1. / 3}, "inclination": {m.Inclination, 0.4},
		"x": {m.Center[0], center[0]}, "y": {m.Center[1], center[1]}, "reduced area": {m.ReducedArea(), 4 * math.Pi * 2 * math.Pi / (9.688448220547675 * 9.688448220547675)}} {
		if math.Abs(v[0]-v[1]) > 2e-5 { // 2π²/3N² relative
			t.Errorf("%s is %.8g, want %.8g", name, v[0], v[1])
		}
	}
	u, y, z := crumpled(x, 0.1), make([]geometry.Vec, len(x)), make([]geometry.Vec, len(x))
	const h = 1e-4
	for k := range x {
		u[k] = u[k].Sub(x[k]).Add(geometry.Vec{1, 0.5 * x[k][0]})
		y[k], z[k] = x[k].Add(u[k].Scale(h)), x[k].Sub(u[k].Scale(h))
	}
	want := r.Measure(y).Center.Sub(r.Measure(z).Center).Scale(1 / (2 * h))
	if d := r.Velocity(x, u).Sub(want).Norm(); d > 1e-6*want.Norm() {
		t.Errorf("velocity %v, differences %v", r.Velocity(x, u), want)
	}
}

// The largest eigenvalue is that of the whole matrix by many steps of the power method; of a chain of springs it is 4 E/l.
func TestStiffnessBoundsTheSpectrum(t *testing.T) {
	drawn := ellipse(64, 1.5, 1)
	for name, m := range materials() {
		r := must(t, drawn, m)
		n := 2 * len(drawn)
		a := make([][]float64, n)
		f, g := make([]geometry.Vec, len(drawn)), make([]geometry.Vec, len(drawn))
		for k := range n {
			const h = 1e-6
			x := append([]geometry.Vec(nil), drawn...)
			x[k/2][k%2] += h
			r.Forces(x, nil, f)
			x[k/2][k%2] -= 2 * h
			r.Forces(x, nil, g)
			a[k] = make([]float64, n)
			for j := range n {
				a[k][j] = (g[j/2][j%2] - f[j/2][j%2]) / (2 * h)
			}
		}
		v, w, largest := make([]float64, n), make([]float64, n), 0.
		for j := range v {
			v[j] = math.Sin(1 + float64(j*j))
		}
		for range 5000 {
			largest = 0
			for k := range w {
				w[k] = 0
				for j := range v {
					w[k] += a[k][j] * v[j]
				}
				largest += w[k] * w[k]
			}
			largest = math.Sqrt(largest)
			for k := range v {
				v[k] = w[k] / largest
			}
		}
		if got := r.Stiffness(); !(got > 0.98*largest && got < 1.1*largest) {
			t.Errorf("%s: stiffness %.5g, the matrix has %.5g", name, got, largest)
		}
	}
	r := must(t, ellipse(100, 2, 2), Material{Law: "neo-hookean", Shear: 1})
	if _, l, _ := r.Segments(); math.Abs(r.Stiffness()*l/16-1) > 0.03 { // E = 4 G
		t.Errorf("stiffness of a circle of springs is %g, want 4 E/l = %g", r.Stiffness(), 16/l)
	}
}

// The viscous force takes energy away: its power is −Σ μ_s l̇²/l.
func TestViscosityDissipates(t *testing.T) {
	x := ellipse(30, 1.5, 1)
	u := crumpled(make([]geometry.Vec, len(x)), 1)
	r := must(t, x, Material{Law: "hooke", Shear: 1, Viscosity: 0.3})
	f := make([]geometry.Vec, len(x))
	r.Forces(x, u, f) // as drawn: no other forces
	power, want := 0., 0.
	for k := range x {
		j := (k + 1) % len(x)
		d := x[j].Sub(x[k])
		rate := u[j].Sub(u[k]).Dot(d) / d.Norm()
		want -= 0.3 * rate * rate / d.Norm()
		power += f[k].Dot(u[k])
	}
	if math.Abs(power/want-1) > 1e-10 {
		t.Errorf("power %g, want %g", power, want)
	}
}

func TestBadRingsAreRefused(t *testing.T) {
	good := Material{Shear: 1}
	eight := ellipse(20, 1, 1)
	for k := range eight { // a figure of eight turns by 0
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / 20)
		eight[k] = geometry.Vec{cos, sin * cos}
	}
	twice, off, spike := ellipse(20, 1, 1), ellipse(20, 1, 1), ellipse(20, 1, 1)
	twice[7], off[3][2] = twice[8], 1
	spike[5] = geometry.Vec{30, -2}
	for says, try := range map[string]func() error{
		"it has 7 vertices, must have 8 to": func() error { _, err := New(ellipse(7, 1, 1), good); return err },
		"vertex 3 is at":                    func() error { _, err := New(off, good); return err },
		"vertices 7 and 8 at":               func() error { _, err := New(twice, good); return err },
		"it turns by":                       func() error { _, err := New(spike, good); return err },
		"0 times 360°":                      func() error { _, err := New(eight, good); return err },
		"shear modulus is 0":                func() error { _, err := New(ellipse(20, 1, 1), Material{}); return err },
		"law \"rubber\" is unknown":         func() error { return Material{Law: "rubber", Shear: 1}.Check() },
		"C = 1 is Skalak's":                 func() error { return Material{Law: "hooke", Shear: 1, Area: 1}.Check() },
		"is of law hooke":                   func() error { return Material{Shear: 1, Poisson: 0.1}.Check() },
		"prestress is 3":                    func() error { return Material{Shear: 1, Prestress: 3}.Check() },
		"beside that as drawn":              func() error { return Material{Shear: 1, Curvature: 1, CurvedReference: true}.Check() },
		"bending stiffness is NaN":          func() error { return Material{Shear: 1, Bending: math.NaN()}.Check() },
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
	clockwise := ellipse(20, 1, 1)
	for k := range clockwise {
		clockwise[k][1] *= -1
	}
	if r := must(t, clockwise, good); !(r.Area() > 0) {
		t.Error("a ring given clockwise encloses less than nothing")
	}
}

func TestFaultsAreFound(t *testing.T) {
	drawn := ellipse(40, 1.5, 1)
	r := must(t, drawn, Material{Shear: 1})
	if err := r.Inspect(crumpled(drawn, 0.03)); err != nil {
		t.Errorf("a crumpled ring: %v", err)
	}
	for says, spoil := range map[string]func(x []geometry.Vec){
		"is not finite":       func(x []geometry.Vec) { x[3][1] = math.NaN() },
		"has shrunk to":       func(x []geometry.Vec) { x[3] = x[4].Add(x[3].Sub(x[4]).Scale(0.01)) },
		"the ring folds back": func(x []geometry.Vec) { x[3] = x[4].Add(x[4].Sub(x[2])) },
		"it turns by -1 times 360°, must": func(x []geometry.Vec) {
			for k := range x {
				x[k][1] *= -1
			}
		},
	} {
		x := append([]geometry.Vec(nil), drawn...)
		spoil(x)
		if err := r.Inspect(x); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
}

func TestForcesAllocateNothing(t *testing.T) {
	x := ellipse(200, 2, 1)
	r := must(t, x, Material{Shear: 1, Bending: 1, AreaPenalty: 1})
	f := make([]geometry.Vec, len(x))
	if n := testing.AllocsPerRun(10, func() { r.Forces(x, nil, f) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkForces(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := ellipse(n, 20, 10)
			r := must(b, x, Material{Shear: 1, Bending: 1, AreaPenalty: 1})
			f := make([]geometry.Vec, len(x))
			for b.Loop() {
				r.Forces(x, nil, f)
			}
		})
	}
}

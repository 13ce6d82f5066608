package rbf

import (
	"math"
	"runtime"
	"testing"

	"lbmib/geometry"
)

// Tensions over G_s at equal stretches, to six decimals, evaluated from the energies as
// published. A sphere of radius λR under tension T bears 2T/(λR) per area as deformed.
func TestInflatedSpheresBearTheTensionOfTheirLaw(t *testing.T) {
	for _, c := range []struct {
		material Material
		tension  [3]float64
	}{
		{Material{}, [3]float64{0.1025, 0.21, 0.44}},
		{Material{Area: 1}, [3]float64{0.340096, 0.771561, 1.985984}},
		{Material{Area: 10}, [3]float64{2.478456, 5.82561, 15.89984}},
		{Material{Area: 100}, [3]float64{23.862064, 56.3661, 155.0384}},
		{Material{Law: "neo-hookean"}, [3]float64{0.253785, 0.435526, 0.665102}},
	} {
		c.material.Shear = 2
		s := surface(t, "sphere", 625, 880)
		weight := s.weight()
		for k, stretch := range []float64{1.05, 1.1, 1.2} {
			for _, prestress := range []float64{1, stretch} {
				c.material.Prestress = prestress
				sphere := newCell(t, s, c.material).move(func(p geometry.Vec) geometry.Vec { return p.Scale(stretch / prestress) })
				sphere.forces()
				radius := stretch / prestress
				for i, f := range sphere.f {
					area := weight[i] * radius * radius
					tension := -f.Dot(sphere.y[i]) / (2 * area) // f = −2T/R, y = R n
					if math.Abs(tension/2/c.tension[k]-1) > 3e-6 || math.Abs(f.Norm()/(2*area)*radius-tension) > 1e-9 {
						t.Fatalf("%+v: stretch %g: T/G_s = %.8g in site %d, want %.8g", c.material, stretch, tension/2, i, c.tension[k])
					}
				}
			}
		}
	}
}

// Canham and Helfrich's energy 2κ∮(H − H0)² dA of a sphere is 8πκ(1 − H0 R)², and its
// force per area 4κ (1/R − H0) H0/R outwards: none without H0.
func TestSpheresHaveTheEnergyAndForceOfBending(t *testing.T) {
	const kappa = 0.7
	s := surface(t, "sphere", 625, 880)
	weight := s.weight()
	for _, h0 := range []float64{0, 0.4, -1.5} {
		for _, radius := range []float64{1, 1.5} {
			c := newCell(t, s, Material{Shear: 1e-30, Bending: kappa, Curvature: h0}).move(func(p geometry.Vec) geometry.Vec { return p.Scale(radius) })
			want := 8 * math.Pi * kappa * (1 - h0*radius) * (1 - h0*radius)
			if e := c.energy().Bending; math.Abs(e-want) > 1e-9*(1+want) {
				t.Errorf("H0 = %g, R = %g: energy %.12g, want %.12g", h0, radius, e, want)
			}
			c.forces()
			normal := 4 * kappa * (1/radius - h0) * h0 / radius
			for i, f := range c.f {
				area := weight[i] * radius * radius
				// Fourth derivatives multiply the rounding errors of positions by n².
				if d := f.Sub(c.y[i].Scale(normal * area / radius)).Norm(); d > 1e-6*area {
					t.Fatalf("H0 = %g, R = %g: force density %v in site %d, want %g along the normal", h0, radius, f.Scale(1/area), i, normal)
				}
			}
		}
	}
}

// spheroid is the mean curvature of the spheroid with half axes 1, 1, c at polar angle θ,
// (sin θ, c cos θ) its meridian.
func spheroid(c, theta float64) float64 {
	sin, cos := math.Sincos(theta)
	m := cos*cos + c*c*sin*sin
	return c * (1/(m*math.Sqrt(m)) + 1/math.Sqrt(m)) / 2
}

// The exact force is 2κ[ΔH + 2H(H² − K)] with ΔH = 1/(r m) d/dθ((r/m) dH/dθ), m the
// meridian's speed; derivatives by central differences of sixth order and step 0.01,
// good to some 1e-9. H at the data sites comes from second derivatives that are exact here, so
// that what converges is the Laplacian of its interpolant: order 7 for smooth H.
func TestBendingForceOfASpheroidConvergesToTheExactOne(t *testing.T) {
	const c, kappa = 1.4, 1.3
	d := func(f func(float64) float64, x float64) float64 {
		const h = 0.01
		return (45*(f(x+h)-f(x-h)) - 9*(f(x+2*h)-f(x-2*h)) + f(x+3*h) - f(x-3*h)) / (60 * h)
	}
	speed := func(x float64) float64 { return math.Hypot(math.Cos(x), c*math.Sin(x)) }
	density := func(theta float64) float64 {
		flux := func(x float64) float64 {
			return math.Sin(x) / speed(x) * d(func(y float64) float64 { return spheroid(c, y) }, x)
		}
		m := speed(theta)
		h := spheroid(c, theta)
		gauss := c * c / (m * m * m * m)
		return 2 * kappa * (d(flux, theta)/(math.Sin(theta)*m) + 2*h*(h*h-gauss))
	}
	var last float64
	const coarse, fine = 216, 864
	for _, n := range []int{coarse, fine} {
		s := surface(t, "sphere", n, 880)
		weight := s.weight()
		cell := newCell(t, s, Material{Shear: 1e-30, Bending: kappa}).move(func(p geometry.Vec) geometry.Vec { return geometry.Vec{p[0], p[1], c * p[2]} })
		cell.forces()
		var off, largest float64
		for i, f := range cell.f {
			y := cell.y[i]
			theta := math.Acos(min(1, max(-1, y[2]/c)))
			if math.Sin(theta) < 0.05 {
				continue // the reference's formula divides by sin θ
			}
			m := speed(theta)
			normal := geometry.Vec{y[0], y[1], y[2] / (c * c)}
			normal = normal.Scale(1 / normal.Norm())
			want := normal.Scale(density(theta) * weight[i] * m) // area per area of the sphere: m
			off = max(off, f.Sub(want).Norm()/weight[i])
			largest = max(largest, want.Norm()/weight[i])
		}
		t.Logf("%d data sites: largest error %.2e of %.2e", n, off, largest)
		if n == fine {
			if s := slope(last, off, coarse, fine); s < 5 || off > 1e-3*largest {
				t.Errorf("the force converges with order %.2f to %.2e of the largest, want order 7 (one less at the worst site)", s, off/largest)
			}
		}
		last = off
	}
}

// The work of the forces is what the energy loses: −Σ f·u = dE/dt + what viscosity
// takes. Forces are variations of the energy of the exact surface, not of its sums, so
// that both agree to the errors of interpolant and quadrature: third order, of which
// four times the sites leave an eighth (a quarter is let pass, as sites differ).
func TestPowerIsWhatTheEnergyLoses(t *testing.T) {
	for _, c := range []struct {
		name     string
		kind     string
		material Material
	}{
		{"skalak", "sphere", Material{Shear: 1}},
		{"skalak, C = 10", "ellipsoid", Material{Shear: 1, Area: 10}},
		{"neo-hookean, prestressed", "ellipsoid", Material{Law: "neo-hookean", Shear: 1, Prestress: 1.1}},
		{"bending", "ellipsoid", Material{Shear: 1e-30, Bending: 1}},
		{"bending, spontaneous", "sphere", Material{Shear: 1e-30, Bending: 1, Curvature: 0.5}},
		{"bending, of the reference", "ellipsoid", Material{Shear: 1e-30, Bending: 1, CurvedReference: true}},
		{"shear viscosity", "ellipsoid", Material{Shear: 1e-30, ShearViscosity: 1}},
		{"area viscosity", "ellipsoid", Material{Shear: 1e-30, AreaViscosity: 1}},
		{"both viscosities", "sphere", Material{Shear: 1e-30, ShearViscosity: 1, AreaViscosity: 3}},
	} {
		var last float64
		const coarse, fine = 216, 864
		for _, n := range []int{coarse, fine} {
			cell := newCell(t, surface(t, c.kind, n, 4*n), c.material).move(bent)
			for i, p := range cell.x {
				cell.u[i] = flow(p)
			}
			cell.forces()
			var power, magnitude float64
			for i, f := range cell.f {
				u := flow(cell.y[i])
				power += f.Dot(u)
				magnitude += f.Norm() * u.Norm()
			}
			const dt = 1e-4 // dE/dt to 1e-8
			at := append([]geometry.Vec(nil), cell.x...)
			energy := func(by float64) float64 {
				for i := range at {
					cell.x[i] = at[i].Add(cell.u[i].Scale(by))
				}
				return cell.energy().Total()
			}
			rate := (energy(dt) - energy(-dt)) / (2 * dt)
			copy(cell.x, at)
			var loss [1]float64
			cell.m.Losses(cell.s, cell.x, cell.u, loss[:])
			off := math.Abs(power+rate+loss[0]) / magnitude
			t.Logf("%s, %d data sites: power %.8g, −dE/dt %.8g, loss %.8g: off by %.1e of Σ|f||u|", c.name, n, power, -rate, loss[0], off)
			if n == fine && (off > 1e-5 || off > last/4 && off > 1e-7) {
				t.Errorf("%s: power is off by %.1e of Σ|f||u|, %.1e with a quarter of the sites", c.name, off, last)
			}
			last = off
		}
	}
}

var full = Material{Shear: 2.5, Area: 100, Bending: 0.2, CurvedReference: true, ShearViscosity: 0.25, AreaViscosity: 0.25}

// Roundings of second derivatives are some 1e-11 of G C, those of the fourth ones more.
func TestReferencesAreFreeOfForceWhereverTheyAre(t *testing.T) {
	c := newCell(t, surface(t, "red cell", 864, 8832), full)
	size := func() (most float64) {
		c.forces()
		for _, f := range c.f {
			most = max(most, f.Norm())
		}
		return most
	}
	scale := full.Shear * full.Area * 4 * math.Pi * 3.91 / 8832 // of a tension of G C, per site
	if f := size(); f > 1e-10*scale {
		t.Errorf("a force of %.1e on the reference", f)
	}
	c.surface.Place(c.x, geometry.Vec{10, -20, 30}, turn())
	spin := geometry.Vec{0.3, -0.2, 0.5}
	for i, p := range c.x {
		c.u[i] = spin.Cross(p).Add(geometry.Vec{1, 2, 3})
	}
	if f := size(); f > 1e-8*scale {
		t.Errorf("a force of %.1e on a reference that is turned and moves", f)
	}
	if e := c.energy().Total(); math.Abs(e) > 1e-10 {
		t.Errorf("energy %g of a reference that is turned", e)
	}
}

func TestForcesTurnWithTheCell(t *testing.T) {
	s := surface(t, "ellipsoid", 216, 864)
	a, b := newCell(t, s, full).move(bent), newCell(t, s, full).move(bent)
	r, by := turn(), geometry.Vec{3, -2, 1}
	b.move(func(p geometry.Vec) geometry.Vec { return r.Apply(p).Add(by) })
	for i, p := range a.x {
		a.u[i] = flow(p)
		b.u[i] = r.Apply(a.u[i])
	}
	a.forces()
	b.forces()
	var most, off float64
	for i := range a.f {
		most = max(most, a.f[i].Norm())
		off = max(off, b.f[i].Sub(r.Apply(a.f[i])).Norm(), b.y[i].Sub(r.Apply(a.y[i]).Add(by)).Norm())
	}
	if off > 1e-9*most { // roundings, times those of fourth derivatives
		t.Errorf("forces of a turned cell are off by %.1e of %.1e", off, most)
	}
}

// The exact densities have no net force and torque; sums of them have the quadrature's.
func TestNetForceAndTorqueFallWithTheSites(t *testing.T) {
	for _, material := range []Material{{Shear: 1, Area: 10}, {Shear: 1e-30, Bending: 1}} {
		var last [2]float64
		numbers := []int{216, 864}
		for k, n := range numbers {
			c := newCell(t, surface(t, "ellipsoid", n, 4*n), material).move(bent)
			c.forces()
			var force, torque geometry.Vec
			var sums [2]float64
			for i, f := range c.f {
				force, torque = force.Add(f), torque.Add(c.y[i].Cross(f))
				sums[0] += f.Norm()
				sums[1] += c.y[i].Cross(f).Norm()
			}
			e := [2]float64{force.Norm() / sums[0], torque.Norm() / sums[1]}
			t.Logf("κ = %g, %d data, %d sample sites: net force %.1e, torque %.1e of the sums of magnitudes", material.Bending, n, 4*n, e[0], e[1])
			for i := range e {
				if s := slope(last[i], e[i], numbers[0], numbers[1]); k == 1 && (s < 3 || e[i] > 1e-4) {
					t.Errorf("κ = %g: net force or torque (%d) %.1e, falling with order %.2f, want 3", material.Bending, i, e[i], s)
				}
			}
			last = e
		}
	}
}

func TestCellsDoNotKnowOfEachOther(t *testing.T) {
	s := surface(t, "ellipsoid", 216, 864)
	m, err := NewMembrane(s, full)
	if err != nil {
		t.Fatal(err)
	}
	const cells = 5
	x, u := make([]geometry.Vec, cells*216), make([]geometry.Vec, cells*216)
	y, f := make([]geometry.Vec, cells*864), make([]geometry.Vec, cells*864)
	for c := range cells {
		s.Place(x[c*216:(c+1)*216], geometry.Vec{float64(c)}, turn())
	}
	for i, p := range x {
		x[i] = bent(p)
		u[i] = flow(p)
	}
	many := m.NewScratch(2)
	m.Forces(many, x, u, y, f)
	one, y1, f1 := m.NewScratch(1), make([]geometry.Vec, 864), make([]geometry.Vec, 864)
	for c := range cells {
		m.Forces(one, x[c*216:(c+1)*216], u[c*216:(c+1)*216], y1, f1)
		for i := range f1 {
			if f1[i] != f[c*864+i] || y1[i] != y[c*864+i] {
				t.Fatalf("cell %d, site %d: force %v alone, %v among others", c, i, f1[i], f[c*864+i])
			}
		}
	}
	if n := testing.AllocsPerRun(3, func() { m.Forces(many, x, u, y, f) }); n != 0 {
		t.Errorf("forces allocate %g times", n)
	}
}

func TestOperatorsAreTheSameBitsOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, err := NewSphere(625, 1760, 1)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(3)
	three, err := NewSphere(625, 1760, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range one.toSamples.numbers {
		if v != three.toSamples.numbers[i] {
			t.Fatalf("number %d of the operators is %g on one processor, %g on three", i, v, three.toSamples.numbers[i])
		}
	}
	for i, w := range one.weights {
		if w != three.weights[i] {
			t.Fatalf("weight %d is %g on one processor, %g on three", i, w, three.weights[i])
		}
	}
}

package ellipsoid

import (
	"fmt"
	"math"
	"testing"

	"lbmib/geometry"
)

var repulsions = []Repulsion{
	{Strength: 0.7},
	{Strength: 1.3, Ratio: 0.2, Mu: 1, Nu: 2}, // discotic (Bates & Luckhurst 1996)
	{Strength: 1, Ratio: 5, Mu: 2, Nu: 1},     // Gay & Berne's
}

// energyAt is a pair's, by its definition.
func energyAt(s Shape, r Repulsion, d, u, w geometry.Vec) float64 {
	if r.Ratio == 0 {
		r.Ratio, r.Mu, r.Nu = 1, 2, 1
	}
	k := s.Polar / s.Equatorial
	chi := (k*k - 1) / (k*k + 1)
	q := math.Pow(r.Ratio, 1/float64(r.Mu))
	weak := (q - 1) / (q + 1)
	R := d.Norm()
	a, b, c := d.Dot(u)/R, d.Dot(w)/R, u.Dot(w)
	form := func(x float64) float64 {
		return 1 - x/2*((a+b)*(a+b)/(1+x*c)+(a-b)*(a-b)/(1-x*c))
	}
	sigma0 := 2 * s.Equatorial
	sigma := sigma0 / math.Sqrt(form(chi))
	eps := r.Strength * math.Pow(1-chi*chi*c*c, -float64(r.Nu)/2) * math.Pow(form(weak), float64(r.Mu))
	i := math.Pow(sigma0/(R-sigma+sigma0), 6)
	if i < 0.5 {
		return 0
	}
	return eps * (4*(i*i-i) + 1)
}

// TestForcesAreThoseOfTheEnergy holds forces and torques against central differences of the energy, of step 1e-5, whose error is 1e-10 of the third
// derivative and 1e-11 of rounding: 1e-6 of them together.
func TestForcesAreThoseOfTheEnergy(t *testing.T) {
	for _, shape := range []Shape{oblate, {1, 1}, {1, 2.5}} {
		for _, r := range repulsions {
			t.Run(fmt.Sprint(shape, r), func(t *testing.T) { testForces(t, shape, r) })
		}
	}
}

// at is a pair's energy, force and torque on the first; acts is false where they are not in contact.
func (g *gayBerne) at(d, u, w geometry.Vec) (energy float64, force, torque geometry.Vec, acts bool) {
	b, hits := newBox([3]int{1, 1, 1}, [3]bool{}), []int32{0}
	if g.contacts(hits, &b, []place{{axis: w}}, &place{d, u}, hits) == 0 {
		return 0, force, torque, false
	}
	var n pairAt
	g.set(&n, d[0], d[1], d[2], u[0], u[1], u[2], w[0], w[1], w[2])
	e, fx, fy, fz, tx, ty, tz := g.pair(&n, u[0], u[1], u[2], w[0], w[1], w[2])
	return e, geometry.Vec{fx, fy, fz}, geometry.Vec{tx, ty, tz}, true
}

func testForces(t *testing.T, shape Shape, r Repulsion) {
	g, err := newGayBerne(shape, r)
	if err != nil {
		t.Fatal(err)
	}
	rnd := newRandom(7)
	const h = 1e-5
	near := 0
	for range 400 {
		u, w, d := NewAxes(rnd.direction())[2], NewAxes(rnd.direction())[2], NewAxes(rnd.direction())[2]
		sigma := g.contact(d.Dot(u), d.Dot(w), u.Dot(w))
		d = d.Scale(sigma + g.sigma0*(-0.1+0.25*rnd.Float64()))
		energy, f, turn, acts := g.at(d, u, w)
		want := energyAt(shape, r, d, u, w)
		if math.Abs(energy-want) > 1e-12*(math.Abs(want)+r.Strength) {
			t.Fatalf("energy %g, want %g", energy, want)
		}
		if acts != (want > 0) {
			t.Fatalf("near: %v, energy %g", acts, want)
		}
		if !acts || energy < 1e-4 {
			continue
		}
		near++
		size := f.Norm() + turn.Norm()
		for a := range d {
			var e geometry.Vec
			e[a] = h
			push := -(energyAt(shape, r, d.Add(e), u, w) - energyAt(shape, r, d.Sub(e), u, w)) / (2 * h)
			if math.Abs(push-f[a]) > 1e-6*size {
				t.Errorf("force %d is %g, want %g", a, f[a], push)
			}
			twisted := func(s float64) geometry.Vec { v := u.Add(e.Cross(u).Scale(s)); return v.Scale(1 / v.Norm()) }
			torque := -(energyAt(shape, r, d, twisted(1), w) - energyAt(shape, r, d, twisted(-1), w)) / (2 * h)
			if math.Abs(torque-turn[a]) > 1e-6*size {
				t.Errorf("torque %d is %g, want %g", a, turn[a], torque)
			}
		}
		// Newton's third law, and no torque on the pair: R × F + T₁ + T₂ = 0.
		back := d.Scale(-1)
		_, f2, turn2, _ := g.at(back, w, u)
		if d := f.Add(f2).Norm(); d > 1e-13*size {
			t.Errorf("forces do not cancel by %g", d)
		}
		if s := d.Cross(f).Add(turn).Add(turn2).Norm(); s > 1e-13*size*(1+d.Norm()) {
			t.Errorf("torques do not cancel by %g", s)
		}
	}
	if near < 100 {
		t.Errorf("%d pairs were near", near)
	}
}

// TestContactIsThatOfEllipsoids: σ is exact where two lie side by side or face to face, and the energy of contact is ε.
func TestContactIsThatOfEllipsoids(t *testing.T) {
	g, err := newGayBerne(oblate, Repulsion{Strength: 1, Nu: 0, Mu: 2, Ratio: 1})
	if err != nil {
		t.Fatal(err)
	}
	if s := g.contact(0, 0, 1); math.Abs(s-2*oblate.Equatorial) > 1e-14 {
		t.Errorf("side by side: %g", s)
	}
	if s := g.contact(1, 1, 1); math.Abs(s-2*oblate.Polar) > 1e-14 {
		t.Errorf("face to face: %g", s)
	}
	z := geometry.Vec{0, 0, 1}
	d := geometry.Vec{0, 0, 2 * oblate.Polar}
	if e, _, _, _ := g.at(d, z, z); math.Abs(e-1) > 1e-12 {
		t.Errorf("energy of contact is %g ε", e)
	}
}

// TestAWallRepelsAsItsEnergy: forces and torques of walls are those of their energy, which is zero where surfaces are far.
func TestAWallRepelsAsItsEnergy(t *testing.T) {
	g, err := newGayBerne(oblate, Repulsion{Strength: 1})
	if err != nil {
		t.Fatal(err)
	}
	law := newWallLaw(oblate, &g)
	rnd := newRandom(3)
	const h = 1e-5
	for range 100 {
		u, n := NewAxes(rnd.direction())[2], NewAxes(rnd.direction())[2]
		width := math.Sqrt(law.equatorial2 + law.difference*n.Dot(u)*n.Dot(u))
		d := width + 0.1*(rnd.Float64()-0.2)
		e, f, turn := law.act(d, n, u)
		if e < 1e-4 {
			continue
		}
		up, _, _ := law.act(d+h, n, u)
		down, _, _ := law.act(d-h, n, u)
		size := f.Norm() + turn.Norm()
		if want := -(up - down) / (2 * h); math.Abs(f.Dot(n)-want) > 1e-6*size || f.Cross(n).Norm() > 1e-13*size {
			t.Errorf("force %v along %v, want %g", f, n, want)
		}
		for a := range u {
			var axis geometry.Vec
			axis[a] = h
			of := func(s float64) float64 {
				v := u.Add(axis.Cross(u).Scale(s))
				e, _, _ := law.act(d, n, v.Scale(1/v.Norm()))
				return e
			}
			if want := -(of(1) - of(-1)) / (2 * h); math.Abs(turn[a]-want) > 1e-6*size {
				t.Errorf("torque %d is %g, want %g", a, turn[a], want)
			}
		}
	}
	if _, f, _ := law.act(law.reach, geometry.Vec{1}, geometry.Vec{0, 1}); f != (geometry.Vec{}) {
		t.Errorf("force %v out of reach", f)
	}
}

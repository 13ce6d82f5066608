package ellipsoid

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Repulsion is the potential of Gay & Berne (1981) between two equal ellipsoids of revolution, cut at its minimum and shifted to
// zero there. Exponents and ratio are theirs: ε = ε₀ ε₁^ν ε₂^μ.
type Repulsion struct {
	Strength float64 // ε₀, an energy in lattice units; 0: none
	Ratio    float64 // κ′: ε side by side over ε end to end; 0 stands for 1, where ε₂ = 1
	Mu, Nu   int     // 0 and 0 stand for their 2 and 1
}

// range of the repulsion in units of σ₀ beyond contact: s⁶ = 2.
var cutoff = math.Pow(2, 1./6)

// gayBerne is the law of a shape.
type gayBerne struct {
	sigma0        float64 // σ₀: the equator's diameter, nodes
	inverse       float64 // 1/σ₀
	chi, half     float64 // χ, χ/2
	strength      float64
	weak          float64 // χ′
	mu, nu        int
	beyond        float64 // (2^{1/6} − 1) σ₀
	reach, reach2 float64 // largest distance of centres at which there is a force, and its square
}

func newGayBerne(s Shape, r Repulsion) (g gayBerne, err error) {
	if err := s.check(); err != nil {
		return g, err
	}
	if !(r.Strength >= 0) || math.IsInf(r.Strength, 0) {
		return g, fmt.Errorf("ellipsoid: the strength of the repulsion is %g, must be finite and not negative", r.Strength)
	}
	if r.Ratio == 0 {
		r.Ratio = 1
	}
	if r.Mu == 0 && r.Nu == 0 {
		r.Mu, r.Nu = 2, 1
	}
	if !(r.Ratio > 0) || math.IsInf(r.Ratio, 0) || r.Mu < 1 || r.Nu < 0 || r.Mu > 8 || r.Nu > 8 {
		return g, fmt.Errorf("ellipsoid: the repulsion has the ratio %g and exponents μ = %d, ν = %d: the ratio must be positive, μ between 1 and 8, ν between 0 and 8", r.Ratio, r.Mu, r.Nu)
	}
	k := s.Polar / s.Equatorial
	g.sigma0 = 2 * s.Equatorial
	g.inverse = 1 / g.sigma0
	g.chi = (k*k - 1) / (k*k + 1)
	g.half = g.chi / 2
	q := math.Pow(r.Ratio, 1/float64(r.Mu))
	g.weak = (q - 1) / (q + 1)
	g.strength, g.mu, g.nu = r.Strength, r.Mu, r.Nu
	g.beyond = (cutoff - 1) * g.sigma0
	g.reach = g.beyond + 2*max(s.Equatorial, s.Polar)
	g.reach2 = g.reach * g.reach
	return g, nil
}

// contact is σ, the distance of centres at which two ellipsoids of axes u, w touch: r̂ is the direction between them, a = r̂·u,
// b = r̂·w, c = u·w.
func (g *gayBerne) contact(a, b, c float64) float64 {
	return g.sigma0 / math.Sqrt(1-g.half*((a+b)*(a+b)/(1+g.chi*c)+(a-b)*(a-b)/(1-g.chi*c)))
}

// pair is the energy of two, and the force and torque on the first, which is at d from the second and has the axis u; w is
// the other's. near is false where there are none; squared is |d|².
func (g *gayBerne) pair(d, u, w *geometry.Vec, squared float64) (energy float64, force, torque geometry.Vec, near bool) {
	r := math.Sqrt(squared)
	ru, rw := d[0]*u[0]+d[1]*u[1]+d[2]*u[2], d[0]*w[0]+d[1]*w[1]+d[2]*w[2]
	c := u[0]*w[0] + u[1]*w[1] + u[2]*w[2]
	k := g.chi * c
	plus, minus := ru+rw, ru-rw
	// φ = (σ₀/σ)² = 1 − χ/2 [(a+b)²/(1+χc) + (a−b)²/(1−χc)], of which this is r² (1 − χ²c²) φ.
	open := 1 - k*k
	scaled := squared*open - g.half*(plus*plus*(1-k)+minus*minus*(1+k))
	if room := r - g.beyond; room > 0 && g.sigma0*g.sigma0*open*squared <= scaled*room*room {
		return 0, force, torque, false
	}
	share := 1 / (r * open)
	inverse := share * open            // 1/r
	onPlus := plus * share * (1 - k)   // (a+b)/(1+χc)
	onMinus := minus * share * (1 + k) // (a−b)/(1−χc)
	phi := scaled * share * inverse
	sigma := g.sigma0 / math.Sqrt(phi)
	half := g.half * sigma / phi // ∂σ = −σ/(2φ) ∂φ
	sigmaA, sigmaB := half*(onPlus+onMinus), half*(onPlus-onMinus)
	sigmaC := -half * (g.half * (onPlus*onPlus - onMinus*onMinus))

	s := (r-sigma)*g.inverse + 1
	i := 1 / s
	i3 := i * i * i
	i6 := i3 * i3
	well := 4*(i6*i6-i6) + 1
	slope := (24*i6 - 48*i6*i6) * i * g.inverse // ∂/∂R of it
	eps, epsA, epsB, epsC := g.depth(plus*inverse, minus*inverse, c, open)

	uR := eps * slope
	uA, uB, uC := epsA*well-uR*sigmaA, epsB*well-uR*sigmaB, epsC*well-uR*sigmaC
	uA, uB = uA*inverse, uB*inverse // per distance
	along := (uR - (uA*ru+uB*rw)*inverse) * inverse
	force = geometry.Vec{-along*d[0] - uA*u[0] - uB*w[0], -along*d[1] - uA*u[1] - uB*w[1], -along*d[2] - uA*u[2] - uB*w[2]}
	gx, gy, gz := uA*d[0]+uC*w[0], uA*d[1]+uC*w[1], uA*d[2]+uC*w[2] // ∂U/∂u
	torque = geometry.Vec{gy*u[2] - gz*u[1], gz*u[0] - gx*u[2], gx*u[1] - gy*u[0]}
	return eps * well, force, torque, true
}

// depth is ε and its derivatives by a, b and c; plus and minus are a ± b, open is 1 − χ²c².
func (g *gayBerne) depth(plus, minus, c, open float64) (eps, byA, byB, byC float64) {
	eps = g.strength
	relative := 0. // ∂ log ε/∂c
	if g.nu > 0 {
		root := 1 / math.Sqrt(open)
		for range g.nu {
			eps *= root
		}
		relative = float64(g.nu) * g.chi * g.chi * c / open
	}
	if g.weak == 0 {
		return eps, 0, 0, eps * relative
	}
	p, m := plus/(1+g.weak*c), minus/(1-g.weak*c)
	second := 1 - g.weak/2*(plus*p+minus*m)
	power := 1.
	for range g.mu - 1 {
		power *= second
	}
	outer := float64(g.mu) * eps * power // ∂ε/∂ε₂
	eps *= power * second
	return eps, -outer * g.weak * (p + m), -outer * g.weak * (p - m), eps*relative + outer*g.weak*g.weak/2*(p*p-m*m)
}

package ellipsoid

import (
	"fmt"
	"math"
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
	sigma0    float64 // σ₀: the equator's diameter, nodes
	inverse   float64 // 1/σ₀
	chi, half float64 // χ, χ/2
	strength  float64
	weak      float64 // χ′
	mu, nu    int
	beyond    float64 // (2^{1/6} − 1) σ₀
	reach     float64 // largest distance of centres at which there is a force
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
	return g, nil
}

// contact is σ, the distance of centres at which two ellipsoids of axes u, w touch: r̂ is the direction between them, a = r̂·u,
// b = r̂·w, c = u·w.
func (g *gayBerne) contact(a, b, c float64) float64 {
	return g.sigma0 / math.Sqrt(1-g.half*((a+b)*(a+b)/(1+g.chi*c)+(a-b)*(a-b)/(1-g.chi*c)))
}

// contacts stores in hits which of the places near are in contact with one of them, me: for which s⁶ < 2. It returns how many; hits has room for all. All
// conditions are without branches but for those that nearly always go one way.
func (g *gayBerne) contacts(hits []int32, b *box, places []place, me *place, near []int32) (count int) {
	x, y, z, ux, uy, uz := me.x[0], me.x[1], me.x[2], me.axis[0], me.axis[1], me.axis[2]
	mx, my, mz := b.middle[0], b.middle[1], b.middle[2]
	chi, half, beyond, core := g.chi, g.half, g.beyond, g.sigma0*g.sigma0
	hits = hits[:len(near)]
	for _, j := range near {
		o := &places[j]
		dx, dy, dz := x-o.x[0], y-o.x[1], z-o.x[2]
		if !(math.Abs(dx) <= mx && math.Abs(dy) <= my && math.Abs(dz) <= mz) {
			d := b.nearest(dx, dy, dz)
			dx, dy, dz = d[0], d[1], d[2]
		}
		squared := dx*dx + dy*dy + dz*dz
		ru, rw := dx*ux+dy*uy+dz*uz, dx*o.axis[0]+dy*o.axis[1]+dz*o.axis[2]
		k := chi * (ux*o.axis[0] + uy*o.axis[1] + uz*o.axis[2])
		plus, minus := ru+rw, ru-rw
		open := 1 - k*k
		scaled := squared*open - half*(plus*plus*(1-k)+minus*minus*(1+k))
		room := math.Sqrt(squared) - beyond
		if room < 0 {
			room = 0
		}
		hits[count] = j
		if scaled*room*room < core*open*squared {
			count++
		}
	}
	return count
}

// pairAt is what the roots and quotients of a pair in contact have given. They are found for several pairs before the forces of the first, so that the processor
// need not wait for each.
type pairAt struct {
	dx, dy, dz, ru, rw, c float64 // the distance of the first from the second, and its products with both axes; theirs
	r, open, share        float64 // |d|, 1 − χ²c², 1/(r (1 − χ²c²))
	root, inverse         float64 // σ/σ₀, 1/s
}

// set finds them, of one at d from the other; u and w are their axes.
func (g *gayBerne) set(n *pairAt, dx, dy, dz, ux, uy, uz, wx, wy, wz float64) {
	r := math.Sqrt(dx*dx + dy*dy + dz*dz)
	ru, rw := dx*ux+dy*uy+dz*uz, dx*wx+dy*wy+dz*wz
	c := ux*wx + uy*wy + uz*wz
	k := g.chi * c
	plus, minus := ru+rw, ru-rw
	// φ = (σ₀/σ)² = 1 − χ/2 [(a+b)²/(1+χc) + (a−b)²/(1−χc)]
	open := 1 - k*k
	share := 1 / (r * open)
	root := 1 / math.Sqrt(1-g.half*share*share*open*(plus*plus*(1-k)+minus*minus*(1+k)))
	n.dx, n.dy, n.dz, n.ru, n.rw, n.c, n.r, n.open, n.share, n.root = dx, dy, dz, ru, rw, c, r, open, share, root
	n.inverse = 1 / (r*g.inverse - root + 1)
}

// pair is the energy of two in contact, and the force and torque on the first; u and w are their axes.
func (g *gayBerne) pair(n *pairAt, ux, uy, uz, wx, wy, wz float64) (energy, fx, fy, fz, tx, ty, tz float64) {
	dx, dy, dz, ru, rw := n.dx, n.dy, n.dz, n.ru, n.rw
	k := g.chi * n.c
	plus, minus := ru+rw, ru-rw
	inverse := n.share * n.open                          // 1/r
	onPlus := plus * n.share * (1 - k)                   // (a+b)/(1+χc)
	onMinus := minus * n.share * (1 + k)                 // (a−b)/(1−χc)
	half := g.half * g.sigma0 * n.root * n.root * n.root // ∂σ = −σ/(2φ) ∂φ
	sigmaA, sigmaB := half*(onPlus+onMinus), half*(onPlus-onMinus)
	sigmaC := -half * (g.half * (onPlus*onPlus - onMinus*onMinus))

	i := n.inverse
	i3 := i * i * i
	i6 := i3 * i3
	well := 4*(i6*i6-i6) + 1
	slope := (24*i6 - 48*i6*i6) * i * g.inverse // ∂/∂R of it
	eps, epsA, epsB, epsC := g.depth(plus*inverse, minus*inverse, n.c, n.open, n.share*n.r)

	uR := eps * slope
	uA, uB, uC := epsA*well-uR*sigmaA, epsB*well-uR*sigmaB, epsC*well-uR*sigmaC
	uA, uB = uA*inverse, uB*inverse // per distance
	along := (uR - (uA*ru+uB*rw)*inverse) * inverse
	gx, gy, gz := uA*dx+uC*wx, uA*dy+uC*wy, uA*dz+uC*wz // ∂U/∂u
	return eps * well,
		-along*dx - uA*ux - uB*wx, -along*dy - uA*uy - uB*wy, -along*dz - uA*uz - uB*wz,
		gy*uz - gz*uy, gz*ux - gx*uz, gx*uy - gy*ux
}

// depth is ε and its derivatives by a, b and c; plus and minus are a ± b, open is 1 − χ²c², inverse 1/open.
func (g *gayBerne) depth(plus, minus, c, open, inverse float64) (eps, byA, byB, byC float64) {
	eps = g.strength
	relative := 0. // ∂ log ε/∂c
	if g.nu > 0 {
		root := math.Sqrt(open) * inverse // ε₁
		for range g.nu {
			eps *= root
		}
		relative = float64(g.nu) * g.chi * g.chi * c * inverse
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

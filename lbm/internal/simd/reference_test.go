//go:build amd64

package simd

import (
	"math"
	"math/rand/v2"
	"strings"
	"unsafe"

	"lbmib/lbm/internal/simd/dither"
	"lbmib/lbm/internal/simd/piecewise"
)

// The lattices again, from their definition: velocities in ± pairs after rest.
var (
	velocities = map[int][][3]float64{9: pairs(
		[3]float64{1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{1, 1, 0}, [3]float64{1, -1, 0},
	), 19: pairs(
		[3]float64{1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{0, 0, 1},
		[3]float64{1, 1, 0}, [3]float64{1, -1, 0}, [3]float64{1, 0, 1},
		[3]float64{1, 0, -1}, [3]float64{0, 1, 1}, [3]float64{0, 1, -1},
	)}
	weights = map[int][]float64{ // by c²
		9: {4. / 9, 1. / 9, 1. / 36}, 19: {1. / 3, 1. / 18, 1. / 36},
	}
)

func pairs(plus ...[3]float64) (c [][3]float64) {
	c = append(c, [3]float64{})
	for _, v := range plus {
		c = append(c, v, [3]float64{-v[0], -v[1], -v[2]})
	}
	return c
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func weight(q, i int) float64 { c := velocities[q][i]; return weights[q][int(dot(c, c))] }

func opposite(i int) int {
	if i == 0 {
		return 0
	}
	return (i - 1) ^ 1 + 1
}

// collide is the collision of package doc in float64 by populations g = f − w.
func collide(g []float64, k Rates[float64]) []float64 {
	q := len(g)
	r, j := 0., [3]float64{}
	for i, c := range velocities[q] {
		r += g[i]
		for a := range j {
			j[a] += c[a] * g[i]
		}
	}
	rho := 1 + r
	u := [3]float64{}
	for a := range u {
		u[a] = j[a]/rho + k.Accel[a]/2
	}
	out := make([]float64, q)
	for i, c := range velocities[q] {
		w, o := weight(q, i), opposite(i)
		cu, ca, ua := dot(c, u), dot(c, k.Accel), dot(u, k.Accel)
		even := (g[i]+g[o])/2 - w*(r+rho*(4.5*cu*cu-1.5*dot(u, u)))
		odd := (g[i]-g[o])/2 - 3*w*rho*cu
		out[i] = g[i] - k.Even*even - k.Odd*odd + rho*w*(k.SourceEven*(9*cu*ca-3*ua)+k.SourceOdd*3*ca)
	}
	return out
}

// collideByStress is the collision of the kernels that go by the stress, by its
// definition: with û = j/ρ, the non-equilibrium of the populations less its part of
// the stress, w 9/2 (c c − 1/3):Π, relaxes at the rates of its parity, and the force
// adds what it adds to BGK by Guo's scheme at rate ω₀.
func collideByStress(g []float64, k Rates[float64], op string) []float64 {
	q := len(g)
	r, j := 0., [3]float64{}
	for i, c := range velocities[q] {
		r += g[i]
		for a := range j {
			j[a] += c[a] * g[i]
		}
	}
	rho := 1 + r
	u := [3]float64{j[0] / rho, j[1] / rho, j[2] / rho}
	equilibrium := func(i int) float64 {
		cu := dot(velocities[q][i], u)
		return weight(q, i) * (r + rho*(3*cu+4.5*cu*cu-1.5*dot(u, u)))
	}
	var stress [3][3]float64
	for i, c := range velocities[q] {
		for a := range j {
			for b := range j {
				stress[a][b] += c[a] * c[b] * (g[i] - equilibrium(i))
			}
		}
	}
	square := 0.
	for a := range j {
		for b := range j {
			square += stress[a][b] * stress[a][b]
		}
	}
	keep, odd := 1-k.Even, 1-k.Odd
	recursive := strings.HasPrefix(op, "recursive")
	if strings.HasSuffix(op, "-les") || strings.HasSuffix(op, "-rheology") {
		tau := (k.Tau + math.Sqrt(k.Tau*k.Tau+k.Eddy*math.Sqrt(square)/rho)) / 2
		if strings.HasSuffix(op, "-rheology") {
			tau = testTable.Find(square / (rho * rho))
		}
		o := k.OddInEddies
		keep, odd = 1-1/tau, (o[0]+o[1]*(tau-0.5))/(o[2]+o[3]*(tau-0.5))
	}
	ghost := 0.
	if op == "trt-les" || op == "trt-rheology" {
		ghost = keep
	}
	if recursive {
		odd = 0
	}
	out := make([]float64, q)
	for i, c := range velocities[q] {
		w, o := weight(q, i), opposite(i)
		even := (g[i]+g[o])/2 - (equilibrium(i)+equilibrium(o))/2
		part := 0.
		for a := range j {
			part += 4.5 * w * (c[a]*dot(c, stress[a]) - stress[a][a]/3)
		}
		ca, cu, ua, aa := dot(c, k.Accel), dot(c, u), dot(u, k.Accel), dot(k.Accel, k.Accel)
		out[i] = equilibrium(i) + keep*part + ghost*(even-part) + odd*((g[i]-g[o])/2-3*w*rho*cu) +
			w*rho*(3*ca+9*cu*ca-3*ua+(1-k.Even/4)*(4.5*ca*ca-1.5*aa))
	}
	if recursive {
		beyondStress(out, rho, j, k.Accel)
	}
	return out
}

// beyondStress gives populations after collision the third and fourth moments of two axes
// that they would have if central moments of these orders, about the momentum after the
// force, were what they are at rest, by the binomial formula. At rest the third are 0, the
// fourth ρ/9 + (Π_aa + Π_bb)/3 − Π_cc/6, of which the last is P_cc/6 in any frame.
func beyondStress(g []float64, rho float64, j, accel [3]float64) {
	q := len(g)
	var v [3]float64
	for a := range v {
		v[a] = j[a]/rho + accel[a]
	}
	moment := func(powers [3]int, about [3]float64) (m float64) {
		for i, c := range velocities[q] {
			term := g[i]
			for a, n := range powers {
				term *= math.Pow(c[a]-about[a], float64(n))
			}
			m += term
		}
		return m
	}
	second := func(a, b int) float64 { // Π: of f = g + w less ρ v v and ρ/3
		var powers [3]int
		powers[a]++
		powers[b]++
		m := moment(powers, [3]float64{}) - rho*v[a]*v[b]
		if a == b {
			m -= (rho - 1) / 3
		}
		return m
	}
	add := append([]float64(nil), g...)
	for a := range 3 {
		for b := a + 1; b < 3; b++ {
			if q == 9 && b == 2 {
				continue
			}
			paa, pbb, pab := second(a, a), second(b, b), second(a, b)
			// Σ c_a² c_b f = κ_aab + 2 v_a κ_ab + v_b κ_aa + ρ v_a² v_b, and so on, less what
			// populations of the stress alone have: v_b ρ/3 and ρ/9 + (P_aa + P_bb)/3.
			aab := 2*v[a]*pab + v[b]*paa + rho*v[a]*v[a]*v[b]
			abb := 2*v[b]*pab + v[a]*pbb + rho*v[a]*v[b]*v[b]
			four := v[b]*v[b]*paa + v[a]*v[a]*pbb + 4*v[a]*v[b]*pab + rho*v[a]*v[a]*v[b]*v[b]
			for i, c := range velocities[q] {
				ca, cb := c[a], c[b]
				switch other := dot(c, c) - ca*ca - cb*cb; {
				case other != 0:
				case ca != 0 && cb != 0:
					add[i] += (four + ca*abb + cb*aab) / 4
				case ca != 0:
					add[i] -= (four + ca*abb) / 2
				case cb != 0:
					add[i] -= (four + cb*aab) / 2
				default:
					add[i] += four
				}
			}
		}
	}
	copy(g, add)
}

// testLaw is a relaxation time that falls from 1.75 to 0.55 as the stress grows; tables of it.
func testLaw(z float64) float64 { return 0.55 + 1.2/(1+math.Pow(1e4*z, 0.3)) }

var testTable, testTable32 = piecewise.Of[float64](testLaw), piecewise.Of[float32](testLaw)

// reference is the collision of an operator.
func reference(g []float64, k Rates[float64], op string) []float64 {
	if op == "bgk" || op == "trt" {
		return collide(g, k)
	}
	return collideByStress(g, k, op)
}

// storage reads and writes populations of one kind of element.
type storage struct {
	name string
	size int     // bytes of an element
	eps  float64 // relative rounding error of the arithmetic
	get  func(p unsafe.Pointer) float64
	put  func(p unsafe.Pointer, x float64)
}

var storages = []storage{
	{"f64", 8, 0x1p-53,
		func(p unsafe.Pointer) float64 { return *(*float64)(p) },
		func(p unsafe.Pointer, x float64) { *(*float64)(p) = x }},
	{"f32", 4, 0x1p-24,
		func(p unsafe.Pointer) float64 { return float64(*(*float32)(p)) },
		func(p unsafe.Pointer, x float64) { *(*float32)(p) = float32(x) }},
	{"f16", 2, 0x1p-24,
		func(p unsafe.Pointer) float64 { return fromHalf(*(*uint16)(p)) / halfScale },
		func(p unsafe.Pointer, x float64) { *(*uint16)(p) = toHalf(x * halfScale) }},
}

// bounds are those of a result by an arithmetic that is off by up to slack, after
// it has been stored as population i of node x.
func (s storage) bounds(want, slack float64, k Rates[float64], x, i int) (lo, hi float64) {
	lo, hi = want-slack, want+slack
	if s.name == "f16" {
		d := dither.Of(dither.Place(k.Seed, x), (i+1)/2)
		return dithered16(lo*halfScale, d) / halfScale, dithered16(hi*halfScale, d) / halfScale
	}
	return lo, hi
}

// dithered16 adds d to the last of 24 significant bits of x, and truncates what a
// half does not hold.
func dithered16(x float64, d uint32) float64 {
	m := math.Abs(x)
	_, e := math.Frexp(m) // m < 2^e
	m += math.Ldexp(float64(d), e-24)
	unit := math.Ldexp(1, max(e, -13)-11)
	return math.Copysign(min(math.Floor(m/unit)*unit, 65504), x)
}

// fromHalf is the value of an IEEE half.
func fromHalf(h uint16) float64 {
	sign, exponent, fraction := 1-2*float64(h>>15), int(h>>10&31), float64(h&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// toHalf rounds to the nearest half, ties to even.
func toHalf(x float64) uint16 {
	sign := uint16(0)
	if math.Signbit(x) {
		sign, x = 1<<15, -x
	}
	_, e := math.Frexp(x) // x < 2^e
	exponent := max(e-1, -14)
	steps := math.RoundToEven(math.Ldexp(x, 10-exponent)) // 1024 … 2048, less if subnormal
	if steps >= 2048 {
		steps, exponent = steps/2, exponent+1
	}
	if steps < 1024 {
		return sign | uint16(steps)
	}
	return sign | uint16(exponent+15)<<10 | uint16(steps-1024)
}

// randomRates are rates of any stable fluid in the precision of storage, for "bgk"
// one rate and no force, for "-les" those of an operator at random and a constant
// of Smagorinsky's up to 0.3.
func randomRates(rng *rand.Rand, q int, op string) Rates[float64] {
	single := func(x float64) float64 { return float64(float32(x)) } // the same number in every precision
	r := Rates[float64]{Even: single(0.05 + 1.94*rng.Float64()), Seed: rng.Uint32()}
	r.Odd = r.Even
	if op != "bgk" {
		r.Odd = single(0.05 + 1.94*rng.Float64())
		for a := range map[int]int{9: 2, 19: 3}[q] {
			r.Accel[a] = single(0.02 * (rng.Float64() - 0.5))
		}
	}
	if op == "regularized" || strings.HasPrefix(op, "recursive") {
		r.Odd = 1
	}
	r.SourceEven, r.SourceOdd = single(1-r.Even/2), single(1-r.Odd/2)
	r.Table = testTable
	r.Tau, r.Eddy = single(1/r.Even), single(25*0.09*rng.Float64())
	magic := single(0.01 + 0.3*rng.Float64())
	r.OddInEddies = [3][4]float64{{magic, -0.5, magic, 0.5}, {-0.5, 1, 0.5, 1}, {0, 0, 1, 0}}[rng.IntN(3)]
	return r
}

// pointer to rates in the precision of a kernel.
func (s storage) rates(k Rates[float64]) unsafe.Pointer {
	if s.size == 8 {
		return unsafe.Pointer(&k)
	}
	f := func(x float64) float32 { return float32(x) }
	single := Rates[float32]{Even: f(k.Even), Odd: f(k.Odd), SourceEven: f(k.SourceEven), SourceOdd: f(k.SourceOdd),
		Tau: f(k.Tau), Eddy: f(k.Eddy), Seed: k.Seed, Table: testTable32}
	for a, x := range k.Accel {
		single.Accel[a] = f(x)
	}
	for i, x := range k.OddInEddies {
		single.OddInEddies[i] = f(x)
	}
	return unsafe.Pointer(&single)
}

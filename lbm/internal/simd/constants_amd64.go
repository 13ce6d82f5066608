package simd

import (
	"math"
	"unsafe"

	"lbmib/lbm/internal/simd/piecewise"
)

// halfScale is what f_i − w_i is multiplied with in half precision: the range
// ±65504 then stands for ±2.
const halfScale = 1 << 15

// edge is the weight of the longest velocities, the unit of the kernels' weights.
const edge = 1. / 36

// Sums of g_i are conserved exactly by the coefficients if these are multiples
// of a common quantum with few enough bits. So rates are rounded to a grid of
// about the precision itself: single precision then has no drift of mass or
// momentum, which coefficients rounded one by one would give (1.4e-8 of both in
// every step, see TestSinglePrecisionDoesNotDrift).
//
// With M and K the coefficients of r in the longest and of c_i·j in all
// populations, Σ w = 1 and Σ w c c = 1/3 become
//
//	keep + massRest + (36 − rest)·M = 1        keep + 12 K = 1

// quantum returns the grid for coefficients of T up to 1/4 so that 36 times one
// of them is exact.
func quantum[T float32 | float64]() float64 {
	var t T
	if unsafe.Sizeof(t) == 4 {
		return 1. / (1 << 26)
	}
	return 1. / (1 << 54)
}

// onGrid rounds x to a multiple of q.
func onGrid(x, q float64) float64 { return math.RoundToEven(x/q) * q }

// maker says which function makes the constants of a kernel.
type maker int

const (
	byBGK maker = iota + 1
	byTRT
	byMoments
)

// constantsOf are the constants of a kernel of rows. Those of the call before are kept: making them takes as long as some 20 nodes do.
func constantsOf[T float32 | float64](r *Rates[T], by maker, rest, scale T) *constants[T] {
	if r.Kept == nil {
		r.Kept = new([2]Kept[T])
	}
	kept := &r.Kept[1]
	if by == byBGK {
		kept = &r.Kept[0]
	}
	c := (*constants[T])(unsafe.Pointer(&kept.values))
	of := [16]T{r.Even, r.Odd, r.SourceEven, r.SourceOdd, r.Accel[0], r.Accel[1], r.Accel[2], r.Tau, r.Eddy,
		r.OddInEddies[0], r.OddInEddies[1], r.OddInEddies[2], r.OddInEddies[3], T(by), rest, scale}
	if of == kept.of {
		return c
	}
	kept.of = of
	switch by {
	case byBGK:
		*c = bgkConstants(r, float64(rest), float64(scale))
	case byTRT:
		*c = trtConstants(r, float64(rest), float64(scale))
	case byMoments:
		*c = momentConstants(r, float64(rest), float64(scale))
	}
	return c
}

// All constants have room.
var (
	_ [unsafe.Sizeof(Kept[float32]{}.values) - unsafe.Sizeof(constants[float32]{})]byte
	_ [unsafe.Sizeof(Kept[float64]{}.values) - unsafe.Sizeof(constants[float64]{})]byte
)

// bgkConstants are those of one rate and no force but those of nodes: a population becomes
// keep·g_i + ω f_i^eq with keep = 1 − ω. Populations are in units of 1/scale.
func bgkConstants[T float32 | float64](k *Rates[T], rest, scale float64) (c constants[T]) {
	q := quantum[T]()
	momentum := onGrid(float64(k.Even)/12, q)
	omega := 12 * momentum
	c.lattice(rest, scale)
	c.keep = T(1 - omega)
	c.conserve(omega, momentum, rest, q)
	c.square = T(1.5 * edge * omega / scale)
	c.halfField, c.sourceField, c.pushField = T(scale/2), T(scale*2*float64(k.SourceEven)/omega), T(scale*(0.5+float64(k.SourceOdd)/omega))
	return c
}

// trtConstants are those of two rates and a force: a population becomes
// same·g_i + cross·g_−i + equilibrium and source; that at rest keep·g_0 + ….
func trtConstants[T float32 | float64](k *Rates[T], rest, scale float64) (c constants[T]) {
	q := quantum[T]()
	even, momentum := onGrid(float64(k.Even), 8*q), onGrid(float64(k.Odd)/12, 2*q)
	odd := 12 * momentum
	c.lattice(rest, scale)
	c.keep, c.same, c.cross = T(1-even), T(1-(even+odd)/2), T((odd-even)/2)
	c.conserve(even, momentum, rest, q)
	c.square = T(1.5 * edge * even / scale)
	// half: momentum of half the force, ρa/2; source: of the even part, w s⁺ 3a;
	// push: of the odd part, 3w (ω⁻/2 + s⁻) a.
	source := 3 * edge * float64(k.SourceEven)
	push := (odd/2 + float64(k.SourceOdd)) / 12 * scale
	half := scale / 2
	ax, ay, az := float64(k.Accel[0]), float64(k.Accel[1]), float64(k.Accel[2])
	c.halfX, c.halfY, c.halfZ = T(half*ax), T(half*ay), T(half*az)
	c.sourceX, c.sourceY, c.sourceZ = T(source*ax), T(source*ay), T(source*az)
	c.pushX, c.pushY, c.pushZ = T(push*ax), T(push*ay), T(push*az)
	c.halfField, c.sourceField, c.pushField = T(half), T(source), T(push) // the same of ρa + F
	return c
}

// momentConstants are those of the kernels that go by the stress. Coefficients of
// the results conserve mass and momentum if
//
//	massRest + (36 − rest)·mass = 1        2 momentumFace + (4 or 8)·momentum = 1
func momentConstants[T float32 | float64](k *Rates[T], rest, scale float64) (c constants[T]) {
	const stress = 1.5 * edge
	q := quantum[T]()
	even, odd := float64(k.Even), 1-float64(k.Odd)
	c.lattice(rest, scale)
	mass, momentum, edges := onGrid(edge, q), onGrid(1./12, 2*q), 8.
	if rest == 16 { // in the plane
		edges = 4
	}
	c.mass, c.massRest = T(mass), T(1-(36-rest)*mass)
	c.momentum, c.momentumFace = T(momentum), T((1-edges*momentum)/2)
	c.two, c.six, c.twelve, c.third, c.middle = 2, 6, 12, 1./3, 0.5
	c.stress, c.keepStress, c.square = stress, T(stress*(1-even)), T(stress*even/scale)
	c.oddKeep, c.oddHalf = T(odd), T(odd/2)
	// v = j + half ρ; j'j'/ρ − ω/4 ρ a a = j j/ρ + v a + a v; j' = j + push ρ
	half := (0.5 - even/8) * scale
	ax, ay, az := float64(k.Accel[0]), float64(k.Accel[1]), float64(k.Accel[2])
	c.halfX, c.halfY, c.halfZ = T(half*ax), T(half*ay), T(half*az)
	c.sourceX, c.sourceY, c.sourceZ = T(stress*ax), T(stress*ay), T(stress*az)
	c.source2X, c.source2Y, c.source2Z = T(2*stress*ax), T(2*stress*ay), T(2*stress*az)
	c.pushX, c.pushY, c.pushZ = T(scale*ax), T(scale*ay), T(scale*az)
	c.halfField, c.sourceField, c.sourceField2, c.pushField = T(half), stress, 2*stress, T(scale) // the same of ρa + F
	c.middleField = T(scale / 2)                                                                  // and of the momentum with half of it
	c.accelX, c.accelY, c.accelZ = T(scale/2*ax), T(scale/2*ay), T(scale/2*az)
	tau, o := float64(k.Tau), &k.OddInEddies
	c.eddy, c.tauSquare, c.tauHalf = T(float64(k.Eddy)/scale), T(tau*tau), T(tau/2)
	c.oddA, c.oddB = T(float64(o[0])-float64(o[1])/2), o[1]
	c.oddM, c.oddN = T(float64(o[2])-float64(o[3])/2), o[3]
	c.eighth, c.threeEighths = 1./8, 3./8
	c.tableUnit, c.tableLow, c.tableHigh = T(1/(scale*scale)), piecewise.Low, piecewise.High64
	if q == quantum[float32]() {
		c.tableHigh = piecewise.High32
	}
	return c
}

// spanConstants are those of the kernels that read moments and correct: see SpanKernel.
func spanConstants[T float32 | float64](k *Rates[T], rest, scale float64) (c constants[T]) {
	c.lattice(rest, scale)
	c.scale, c.third, c.middle, c.quarter, c.two = T(scale), 1./3, 0.5, 0.25, 2
	ax, ay, az := float64(k.Accel[0]), float64(k.Accel[1]), float64(k.Accel[2])
	c.halfX, c.halfY, c.halfZ = T(ax/2), T(ay/2), T(az/2)
	c.accelX, c.accelY, c.accelZ = T(ax), T(ay), T(az)
	// With ofMean and ofForce the factors of V, V = (2 ofMean j + (ofMean + ofForce)/2 F)/ρ + (ofForce − ofMean) a.
	ofForce := 4.5 * float64(k.SourceEven)
	ofMean := 2.25*float64(k.Even) + ofForce
	c.pushMomentum, c.pushForce = T(2*ofMean/scale), T((ofMean+ofForce)/2)
	v := ofForce - ofMean
	c.sourceX, c.sourceY, c.sourceZ = T(v*ax), T(v*ay), T(v*az)
	odd := 3 * (float64(k.Odd)/2 + float64(k.SourceOdd))
	c.square, c.momentum = T(edge*scale), T(odd)
	c.momentumFace = c.face * c.momentum
	c.keepStress = T(float64(k.Even) / 4)
	return c
}

// lanes64 and lanes32 have bit k of lane k, of 64 or 32 bits, set.
var (
	lanes64 = [4]uint64{1 << 0, 1 << 1, 1 << 2, 1 << 3}
	lanes32 = [4]uint64{1<<0 | 1<<33, 1<<2 | 1<<35, 1<<4 | 1<<37, 1<<6 | 1<<39}
)

// lattice sets what does not depend on rates. Weights of the velocities to the
// faces: 4 with 16 at rest (D2Q9), 2 with 12 (D3Q19).
func (c *constants[T]) lattice(rest, scale float64) {
	face := rest/2 - 4
	c.one, c.three, c.unscale = 1, 3, T(1/scale)
	c.rest, c.face, c.face3 = T(rest), T(face), T(3*face)
}

// conserve sets the coefficients of r and of c_i·j.
func (c *constants[T]) conserve(even, momentum, rest, q float64) {
	mass := onGrid(even*edge, q)
	c.mass, c.massRest = T(mass), T(even-(36-rest)*mass)
	c.momentum, c.momentumFace = T(momentum), c.face*T(momentum)
}

package lbm

import (
	"math"

	"lbmib/lbm/internal/simd"
	"lbmib/lbm/internal/simd/piecewise"
)

// rates are the constants of a collision in the precision of the populations. Up
// to table they are simd.Rates, field by field.
type rates[T Float] struct {
	even, odd             T      // relaxation rates of stress and odd parts
	sourceEven, sourceOdd T      // 1 − ω/2 of each, Guo's factor
	accel                 [3]T   // uniform body force per mass
	tau, eddy             T      // with an eddy viscosity: τ without it, and 18√2 C²
	oddInEddies           [4]T   // a, b, m, n of what odd parts keep beside it
	seed                  uint32 // of the noise of the row at hand, from its first node at hand
	kept                  *[2]simd.Kept[T]
	table                 *piecewise.Table[T] // τ of a node in a fluid with a law of viscosity, by Π:Π/ρ²; nil: there is none
	ghosts                T                   // 1: even moments beyond the stress relax like it, 0: at rate 1
	recursive             bool                // moments beyond the stress belong to the frame of the fluid
}

func newRates[T Float](c Collision, accel [3]float64) rates[T] {
	k := rates[T]{
		even: T(c.OmegaEven), odd: T(c.OmegaOdd),
		sourceEven: T(1 - c.OmegaEven/2), sourceOdd: T(1 - c.OmegaOdd/2),
		accel: vector[T](accel),
		tau:   T(c.Tau()), eddy: T(18 * math.Sqrt2 * c.Smagorinsky * c.Smagorinsky),
	}
	k.recursive = c.Recursive
	k.table = tableOf[T](c)
	a, b, m, n := c.oddInEddies()
	k.oddInEddies = [4]T{T(a), T(b), T(m), T(n)}
	if !c.Projected {
		k.ghosts = 1
	}
	return k
}

// vector is v in the precision of the populations.
func vector[T Float](v [3]float64) [3]T { return [3]T{T(v[0]), T(v[1]), T(v[2])} }

// nodesDiffer tells whether each node finds its own τ.
func (k *rates[T]) nodesDiffer() bool { return k.eddy != 0 || k.table != nil }

// inEddies is what stress and odd parts keep, 1 − ω⁺ and 1 − ω⁻, in a node of density
// 1/inv with an eddy viscosity: square is Π:Π of its non-equilibrium stress Π.
// In a fluid with a law of viscosity τ is that of its table, otherwise
// from |S| = 3√(Π:Π/2)/(ρτ) and τ = τ₀ + 3C²|S|, 2τ = τ₀ + √(τ₀² + 18√2 C² √(Π:Π)/ρ).
func (k *rates[T]) inEddies(square, inv T) (keep, keepOdd T) {
	var tau T
	if k.table != nil {
		tau = k.table.Find(square * (inv * inv))
	} else {
		x := k.eddy * inv * T(math.Sqrt(float64(square)))
		tau = 0.5 * (k.tau + T(math.Sqrt(float64(k.tau*k.tau+x))))
	}
	t, o := tau-0.5, &k.oddInEddies
	return 1 - 1/tau, (o[0] + o[1]*t) / (o[2] + o[3]*t)
}

// tables are a lattice in the precision of the populations.
type tables[T Float] struct {
	q, dim int
	c      [MaxQ][3]T
	w      [MaxQ]T
	frame  bool // equilibrium has moments of third and fourth order, see Collision.Recursive
}

func newTables[T Float](l *Lattice, c Collision) tables[T] {
	t := tables[T]{q: l.Q, dim: l.Dim, frame: c.Recursive}
	for i := range l.Q {
		t.w[i] = T(l.W[i])
		for a, c := range l.C[i] {
			t.c[i][a] = T(c)
		}
	}
	return t
}

// moments reads ρ − 1 and the momentum Σ c f from a node's populations, with the sums of
// their loops written out.
func (t *tables[T]) moments(f *[MaxQ]T) (r, x, y, z T) {
	r = f[0] + (f[1] + f[2]) + (f[3] + f[4]) + (f[5] + f[6]) + (f[7] + f[8])
	if t.q == 9 {
		d, e := f[5]-f[6], f[7]-f[8]
		return r, 0 + (f[1] - f[2]) + d + e, 0 + (f[3] - f[4]) + d - e, 0
	}
	r = r + (f[9] + f[10]) + (f[11] + f[12]) + (f[13] + f[14]) + (f[15] + f[16]) + (f[17] + f[18])
	a, b, c, d, e, g := f[7]-f[8], f[9]-f[10], f[11]-f[12], f[13]-f[14], f[15]-f[16], f[17]-f[18]
	return r, 0 + (f[1] - f[2]) + a + b + c + d, 0 + (f[3] - f[4]) + a - b + e + g, 0 + (f[5] - f[6]) + c - d + e - g
}

// beyond is what the third and fourth moments u_a² u_b, u_a u_b² and u_a² u_b² of the planes
// give to population i.
func (t *tables[T]) beyond(i int, u *[3]T) (f T) {
	c := &t.c[i]
	for a := range t.dim {
		for b := a + 1; b < t.dim; b++ {
			uu := u[a] * u[b]
			switch {
			case t.dim == 3 && c[3-a-b] != 0:
			case c[a] != 0 && c[b] != 0:
				f += 0.25 * uu * (uu + c[a]*u[b] + c[b]*u[a])
			case c[a] != 0 || c[b] != 0:
				f -= 0.5 * uu * (uu + c[a]*u[b] + c[b]*u[a])
			default:
				f += uu * uu
			}
		}
	}
	return f
}

package lbm

// rates are the constants of a collision in the precision of the populations.
type rates[T Float] struct {
	even, odd             T      // relaxation rates of the two parities
	sourceEven, sourceOdd T      // 1 − ω/2 of each, Guo's factor
	accel                 [3]T   // uniform body force per mass
	seed                  uint32 // of the noise of the row at hand, from its first node at hand
}

func newRates[T Float](c Collision, accel [3]float64) rates[T] {
	return rates[T]{
		even: T(c.OmegaEven), odd: T(c.OmegaOdd),
		sourceEven: T(1 - c.OmegaEven/2), sourceOdd: T(1 - c.OmegaOdd/2),
		accel: [3]T{T(accel[0]), T(accel[1]), T(accel[2])},
	}
}

// tables are a lattice in the precision of the populations.
type tables[T Float] struct {
	q, dim int
	c      [MaxQ][3]T
	w      [MaxQ]T
}

func newTables[T Float](l *Lattice) tables[T] {
	t := tables[T]{q: l.Q, dim: l.Dim}
	for i := range l.Q {
		t.w[i] = T(l.W[i])
		for a, c := range l.C[i] {
			t.c[i][a] = T(c)
		}
	}
	return t
}

// dot is c_i·v.
func (t *tables[T]) dot(i int, v *[3]T) T {
	c := &t.c[i]
	return c[0]*v[0] + c[1]*v[1] + c[2]*v[2]
}

// moments reads ρ − 1 and the momentum Σ c f from a node's populations.
func (t *tables[T]) moments(f *[MaxQ]T) (r T, j [3]T) {
	r = f[0]
	for i := 1; i < t.q; i += 2 {
		r += f[i] + f[i+1]
		d, c := f[i]-f[i+1], &t.c[i]
		j[0] += c[0] * d
		j[1] += c[1] * d
		j[2] += c[2] * d
	}
	return r, j
}

// equilibrium is f_i^eq − w_i at density 1 + r and velocity u.
func (t *tables[T]) equilibrium(i int, r T, u *[3]T) T {
	cu := t.dot(i, u)
	return t.w[i] * (r + (1+r)*(3*cu+4.5*cu*cu-1.5*dot3(u, u)))
}

func dot3[T Float](a, b *[3]T) T { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

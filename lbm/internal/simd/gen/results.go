package main

// results is a program that stores populations.
type results struct {
	*program
	half bool // in half precision
}

// densityOf is ρ, r being ρ − 1 in the units of the storage.
func (c *results) densityOf(r *value) *value {
	if c.half {
		return c.fma(r, c.constant("unscale"), c.constant("one"))
	}
	return c.add(r, c.constant("one"))
}

// storeAll stores the results of pair k from a population on; in half precision,
// which truncates, after their noise has been added to their bits.
func (c *results) storeAll(from, k int, results ...*value) {
	if c.half {
		noise := c.noise(k + 1)
		for i, v := range results {
			results[i] = c.dither(v, noise)
		}
	}
	for i, v := range results {
		c.store(from+i, v)
	}
}

// Fields of a kernel with forces: moments that it stores, the force density, and of "-local" the relaxation time.
const fieldRho, fieldU, fieldForce, fieldTau = 0, 1, 4, 7

// forceField loads the force density.
func (c *results) forceField(dim int) []*value {
	f := make([]*value, dim)
	for a := range f {
		f[a] = c.program.field(fieldForce + a)
	}
	return f
}

// addForce adds a multiple of the force density, if there is one, to a vector.
func (c *results) addForce(v, f []*value, factor string) {
	for a := range f {
		v[a] = c.fma(f[a], c.constant(factor), v[a])
	}
}

// storeMoments stores ρ and the velocity that belongs to a momentum with half of the force.
func (c *results) storeMoments(rho *value, j []*value, inverse *value) {
	c.storeField(fieldRho, rho)
	if c.half {
		inverse = c.mul(inverse, c.constant("unscale"))
	}
	for a := range j {
		c.storeField(fieldU+a, c.mul(j[a], inverse))
	}
}

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

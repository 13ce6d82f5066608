package main

import "lbmib/lbm/internal/simd/dither"

// noise is that of a vector of nodes, and what has been made of it.
type noise struct {
	shifted map[int]*value // z/2^a
	dither  map[int]*value // d_k
}

// dithered adds the k-th dither to the bits of a result in half precision. What
// is then stored is truncated.
func (c *collision) dithered(n *node, k int, result *value) *value {
	if !c.half {
		return result
	}
	if n.noise.dither == nil {
		n.noise = c.makeNoise()
	}
	d, ok := n.noise.dither[k]
	if !ok {
		d = c.ditherOf(n, dither.Shifts[k])
		n.noise.dither[k] = d
	}
	return c.two(opAddInt, result, d)
}

func (c *collision) makeNoise() noise {
	y := c.append(&value{op: opNodes})
	z := c.two(opTimesInt, c.two(opXor, y, c.shift(y, dither.Fold)), c.constant("mix"))
	return noise{map[int]*value{0: z}, map[int]*value{}}
}

func (c *collision) ditherOf(n *node, shifts [2]uint8) *value {
	mask := c.constant("mask")
	a := c.noiseShifted(n, shifts[0])
	switch {
	case shifts[1] != dither.None && c.ternary:
		return c.append(&value{op: opXorAnd, args: []*value{a, c.noiseShifted(n, shifts[1]), mask}})
	case shifts[1] != dither.None:
		return c.two(opAnd, c.two(opXor, a, c.noiseShifted(n, shifts[1])), mask)
	case uint32(1<<32-1)>>shifts[0] > dither.Mask:
		return c.two(opAnd, a, mask)
	}
	return a
}

func (c *collision) noiseShifted(n *node, by uint8) *value {
	v, ok := n.noise.shifted[int(by)]
	if !ok {
		v = c.shift(n.noise.shifted[0], int(by))
		n.noise.shifted[int(by)] = v
	}
	return v
}

func (c *collision) shift(v *value, by int) *value {
	return c.append(&value{op: opShift, shift: by, args: []*value{v}})
}

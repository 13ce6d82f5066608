package page

import (
	"math"
	"slices"

	"lbmib/internal/finite"
)

// What a byte of a picture stands for: a wall, a flow that is lost, or a value from the least of
// the range to the largest.
const (
	byteWall  = 0
	byteLost  = 1
	byteLeast = 2
	byteMost  = 255
)

// quantised is a picture as bytes, over a range that is given or, where an end is not a number, its own: of
// signed values as far below 0 as above. It also tells that range, the least and the largest
// value, and how many are lost.
func quantised(v []float32, lo, hi float64, signed bool) (raster []byte, from, to, least, most float64, lost int) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		switch f := float64(x); {
		case math.IsInf(f, 0):
			lost++
		case f != f:
		default:
			if f < least {
				least = f
			}
			if f > most {
				most = f
			}
		}
	}
	from, to = usual(v, least, most, signed)
	if finite.Is(lo) {
		from = lo
	}
	if finite.Is(hi) {
		to = hi
	}
	if to <= from || !finite.Is(to-from) {
		to = from + math.Max(1e-12, math.Abs(from)*1e-6)
	}
	raster = make([]byte, len(v))
	scale := float64(byteMost-byteLeast) / (to - from)
	for i, x := range v {
		switch f := float64(x); {
		case f != f:
			raster[i] = byteWall
		case math.IsInf(f, 0):
			raster[i] = byteLost
		default:
			raster[i] = byteLeast + byte(min(max((f-from)*scale, 0), byteMost-byteLeast)+0.5)
		}
	}
	return raster, from, to, least, most, lost
}

// tailShare is the share of values at either end that does not widen a range: corners of bodies
// have a few that are larger by far.
const tailShare = 0.002

// usual is the range that shows most of the values well.
func usual(v []float32, least, most float64, signed bool) (from, to float64) {
	if most < least {
		return 0, 1 // there are none
	}
	const enough = 4096
	stride := max(1, len(v)/enough)
	var some []float32
	for i := 0; i < len(v); i += stride {
		if finite.Is(float64(v[i])) {
			some = append(some, v[i])
		}
	}
	from, to = least, most
	if n := len(some); n > 100 {
		slices.Sort(some)
		tail := int(tailShare * float64(n))
		from, to = float64(some[tail]), float64(some[n-1-tail])
	}
	if signed {
		to = math.Max(math.Abs(from), math.Abs(to))
		from = -to
	}
	return from, to
}

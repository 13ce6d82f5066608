package mutate

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
)

// Of a binary STL file: where the number of facets stands, where facets begin, and the
// bytes of one, the first twelve of which are its normal.
const (
	stlCount = 80
	stlFirst = 84
	stlFacet = 50
)

// floats are numbers of single precision where geometry breaks.
var floats = []float32{0, float32(math.Copysign(0, -1)), 1, -1, 1e-30, 1e-45, 1e30, math.MaxFloat32, -math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e6, 1e-6, 0.5}

// Surface changes a surface in an STL file, binary or text.
func Surface(data []byte, r *rand.Rand) []byte {
	for range 1 + r.IntN(4) {
		if len(data) > stlFirst+stlFacet && !strings.HasPrefix(string(data), "solid") {
			data = facets(data, r)
		} else {
			data = solid(data, r)
		}
	}
	return data
}

func facets(data []byte, r *rand.Rand) []byte {
	if r.IntN(5) == 0 {
		return Bytes(data, r)
	}
	data = append([]byte{}, data...)
	n := (len(data) - stlFirst) / stlFacet
	at := func(k int) []byte { return data[stlFirst+stlFacet*k : stlFirst+stlFacet*(k+1)] }
	k := r.IntN(n)
	switch r.IntN(6) {
	case 0:
		binary.LittleEndian.PutUint32(data[stlCount:], pick(r, []uint32{0, 1, uint32(n - 1), uint32(n + 1), math.MaxInt32, math.MaxUint32, r.Uint32()}))
	case 1, 2: // a corner elsewhere
		f := pick(r, floats)
		if r.IntN(2) == 0 {
			f = float32(r.NormFloat64())
		}
		binary.LittleEndian.PutUint32(at(k)[12+4*r.IntN(9):], math.Float32bits(f))
	case 3: // a facet twice, instead of another
		copy(at(k), at(r.IntN(n)))
	case 4: // the other way round
		corner := append([]byte{}, at(k)[12:24]...)
		copy(at(k)[12:24], at(k)[24:36])
		copy(at(k)[24:36], corner)
	case 5: // one less
		data = append(data[:stlFirst+stlFacet*k], data[stlFirst+stlFacet*(k+1):]...)
		binary.LittleEndian.PutUint32(data[stlCount:], uint32(n-1))
	}
	return data
}

// solid changes a text.
func solid(data []byte, r *rand.Rand) []byte {
	text := string(data)
	words := strings.Fields(text)
	if len(words) == 0 || r.IntN(4) == 0 {
		return Bytes(data, r)
	}
	if r.IntN(4) == 0 {
		lines := strings.SplitAfter(text, "\n")
		i := r.IntN(len(lines))
		if r.IntN(2) == 0 {
			lines[i] = ""
		} else {
			lines[i] = strings.Repeat(lines[i], 2+r.IntN(3))
		}
		return []byte(strings.Join(lines, ""))
	}
	i := r.IntN(len(text))
	from := strings.LastIndexAny(text[:i], " \n\t") + 1
	to := i + strings.IndexAny(text[i:]+"\n", " \n\t")
	return []byte(text[:from] + pick(r, append([]string{"", "facet", "vertex", "endsolid", "loop"}, numbers...)) + text[to:])
}

package mutate

import (
	"math/rand/v2"
	"slices"
)

// Bytes changes the bytes of anything.
func Bytes(data []byte, r *rand.Rand) []byte {
	data = slices.Clone(data)
	if len(data) == 0 {
		return []byte{byte(r.Uint32())}
	}
	i := r.IntN(len(data))
	n := 1 + r.IntN(min(64, len(data)-i))
	switch r.IntN(8) {
	case 0:
		data[i] ^= 1 << r.IntN(8)
	case 1:
		data[i] = byte(r.Uint32())
	case 2:
		return data[:i] // cut off
	case 3:
		return slices.Delete(data, i, i+n)
	case 4:
		return slices.Insert(data, i, slices.Repeat([]byte{pick(r, []byte{0, 0xff, '\n', '"', '[', '.', '#', 0x1b, 0x80, data[i]})}, n)...)
	case 5:
		return slices.Insert(data, r.IntN(len(data)), slices.Clone(data[i:i+n])...)
	case 6:
		fill := pick(r, []byte{0, 0xff, 0x7f, 0x80})
		for k := i; k < i+n; k++ {
			data[k] = fill
		}
	case 7:
		return append(data, slices.Repeat(data[i:i+n], 1+r.IntN(100))...)
	}
	return data
}

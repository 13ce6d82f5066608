package metis

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// numbers are whole numbers as a library has them.
func numbers[N ~int | ~int32 | ~int64](wide bool, values []N) unsafe.Pointer {
	if wide {
		out := make([]int64, len(values)+1)
		for i, v := range values {
			out[i] = int64(v)
		}
		return unsafe.Pointer(&out[0])
	}
	out := make([]int32, len(values)+1)
	for i, v := range values {
		out[i] = int32(v)
	}
	return unsafe.Pointer(&out[0])
}

// reals are numbers as a library has them.
func reals(long bool, values []float64) unsafe.Pointer {
	if long {
		return unsafe.Pointer(&append([]float64(nil), values...)[0])
	}
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return unsafe.Pointer(&out[0])
}

// probe finds the widths of idx_t and real_t, for which builds differ and no function tells.
//
// METIS_SetDefaultOptions fills 40 whole numbers with −1: their bytes are counted. Real numbers are found by a chain of blocks that is to be
// divided as 1/16 to 15/16 to a library that reads 32 bits, and as 1/256 to 255/256 to one that reads 64 of the same bytes.
func (l *library) probe() error {
	options := make([]byte, 8*64)
	if l.setDefaults(unsafe.Pointer(&options[0])) != ok {
		return errors.New("is not METIS 5: METIS_SetDefaultOptions fails")
	}
	switch bytes.Count(options, []byte{0xff}) {
	case 40 * 4:
	case 40 * 8:
		l.wide = true
	default:
		return fmt.Errorf("is not METIS 5: it has other than 40 options")
	}
	const blocks = 1024
	chain := &Graph{Start: []int32{0}, Weight: make([]int32, blocks)}
	for i := range int32(blocks) {
		chain.Weight[i] = 1
		for _, j := range [2]int32{i - 1, i + 1} {
			if j >= 0 && j < blocks {
				chain.Neighbours, chain.Edges = append(chain.Neighbours, j), append(chain.Edges, 1)
			}
		}
		chain.Start = append(chain.Start, int32(len(chain.Neighbours)))
	}
	var both [4]uint32 // little endian: the upper half of the first double is the second float
	both[0], both[1] = math.Float32bits(1./16), math.Float32bits(15./16)
	first := math.Float64frombits(uint64(both[1])<<32 | uint64(both[0]))
	rest := math.Float64bits(1 - first)
	both[2], both[3] = uint32(rest), uint32(rest>>32)
	part, err := l.call(l.split, chain, 2, unsafe.Pointer(&both[0]), nil)
	if err != nil {
		return fmt.Errorf("fails on a chain of %d blocks: %w", blocks, err)
	}
	n := 0
	for _, p := range part {
		if p == 0 {
			n++
		}
	}
	switch {
	case n > 40 && n < 90: // 64
	case n < 20: // 4
		l.long = true
	default:
		return fmt.Errorf("divides a chain of %d blocks as %d and %d, where 64 and 960 are asked for", blocks, n, blocks-n)
	}
	return nil
}

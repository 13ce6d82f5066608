package checkpoint

import "math"

// kind names an element type in the file.
type kind string

const (
	kindFloat64 kind = "f64"
	kindFloat32 kind = "f32"
	kindInt64   kind = "i64"
	kindByte    kind = "u8"
)

// size is the number of bytes of one element; 0 for an unknown kind.
func (k kind) size() int {
	switch k {
	case kindFloat64, kindInt64:
		return 8
	case kindFloat32:
		return 4
	case kindByte:
		return 1
	}
	return 0
}

// kindOf is the kind of a section's data; "" for a type that cannot be kept.
func kindOf(data any) kind {
	switch data.(type) {
	case []float64:
		return kindFloat64
	case []float32:
		return kindFloat32
	case []int64:
		return kindInt64
	case []byte:
		return kindByte
	}
	return ""
}

func (k kind) alloc(n int) any {
	switch k {
	case kindFloat64:
		return make([]float64, n)
	case kindFloat32:
		return make([]float32, n)
	case kindInt64:
		return make([]int64, n)
	}
	return make([]byte, n)
}

func length(data any) int {
	switch x := data.(type) {
	case []float64:
		return len(x)
	case []float32:
		return len(x)
	case []int64:
		return len(x)
	case []byte:
		return len(x)
	}
	return 0
}

// pack stores elements [lo, hi) of data in dst as planes: first the lowest
// byte of every element, then the second lowest, and so on. Neighbouring
// values share their sign and exponent, which then stand in runs that
// compress well, while the noise of the last digits is kept apart.
func pack(dst []byte, data any, lo, hi int) {
	switch x := data.(type) {
	case []float64:
		p := planes8(dst)
		for i, v := range x[lo:hi] {
			p.put(i, math.Float64bits(v))
		}
	case []int64:
		p := planes8(dst)
		for i, v := range x[lo:hi] {
			p.put(i, uint64(v))
		}
	case []float32:
		p := planes4(dst)
		for i, v := range x[lo:hi] {
			p.put(i, math.Float32bits(v))
		}
	case []byte:
		copy(dst, x[lo:hi])
	}
}

// unpack is the inverse of pack.
func unpack(data any, lo, hi int, src []byte) {
	switch x := data.(type) {
	case []float64:
		p := planes8(src)
		x = x[lo:hi]
		for i := range x {
			x[i] = math.Float64frombits(p.get(i))
		}
	case []int64:
		p := planes8(src)
		x = x[lo:hi]
		for i := range x {
			x[i] = int64(p.get(i))
		}
	case []float32:
		p := planes4(src)
		x = x[lo:hi]
		for i := range x {
			x[i] = math.Float32frombits(p.get(i))
		}
	case []byte:
		copy(x[lo:hi], src)
	}
}

type bytes8 struct{ b0, b1, b2, b3, b4, b5, b6, b7 []byte }

func planes8(b []byte) bytes8 {
	n := len(b) / 8
	return bytes8{b[:n], b[n : 2*n], b[2*n : 3*n], b[3*n : 4*n], b[4*n : 5*n], b[5*n : 6*n], b[6*n : 7*n], b[7*n : 8*n]}
}

func (p *bytes8) put(i int, u uint64) {
	p.b0[i], p.b1[i], p.b2[i], p.b3[i] = byte(u), byte(u>>8), byte(u>>16), byte(u>>24)
	p.b4[i], p.b5[i], p.b6[i], p.b7[i] = byte(u>>32), byte(u>>40), byte(u>>48), byte(u>>56)
}

func (p *bytes8) get(i int) uint64 {
	return uint64(p.b0[i]) | uint64(p.b1[i])<<8 | uint64(p.b2[i])<<16 | uint64(p.b3[i])<<24 |
		uint64(p.b4[i])<<32 | uint64(p.b5[i])<<40 | uint64(p.b6[i])<<48 | uint64(p.b7[i])<<56
}

type bytes4 struct{ b0, b1, b2, b3 []byte }

func planes4(b []byte) bytes4 {
	n := len(b) / 4
	return bytes4{b[:n], b[n : 2*n], b[2*n : 3*n], b[3*n : 4*n]}
}

func (p *bytes4) put(i int, u uint32) {
	p.b0[i], p.b1[i], p.b2[i], p.b3[i] = byte(u), byte(u>>8), byte(u>>16), byte(u>>24)
}

func (p *bytes4) get(i int) uint32 {
	return uint32(p.b0[i]) | uint32(p.b1[i])<<8 | uint32(p.b2[i])<<16 | uint32(p.b3[i])<<24
}

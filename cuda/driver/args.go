package driver

import (
	"math"
	"unsafe"
)

// Args are a kernel's arguments, in the order of its parameters, prepared once
// and changed between launches. A launch copies them.
type Args struct {
	values  []uint64
	sizes   []uint8   // bytes of each value; 0: not set
	table   []uintptr // the addresses of values, and a zero
	checked *Function // the kernel that the sizes are known to fit
}

// NewArgs returns n arguments, none of them set.
func NewArgs(n int) *Args {
	a := &Args{values: make([]uint64, n+1), sizes: make([]uint8, n), table: make([]uintptr, n+1)}
	for i := range n {
		// Values on the heap stay where they are, and a keeps them.
		a.table[i] = uintptr(unsafe.Pointer(&a.values[i]))
	}
	return a
}

func (a *Args) set(i int, v uint64, bytes uint8) {
	a.values[i] = v
	if a.sizes[i] != bytes {
		a.sizes[i], a.checked = bytes, nil
	}
}

// Pointer sets an argument to the address of the byte at offset of m; nil
// memory gives a null pointer.
func (a *Args) Pointer(i int, m *Memory, offset int) {
	p := uint64(0)
	if m != nil {
		p = uint64(m.address) + uint64(offset)
	}
	a.set(i, p, 8)
}

// Int32 sets an argument of type int.
func (a *Args) Int32(i int, v int32) { a.set(i, uint64(uint32(v)), 4) }

// Uint32 sets an argument of type unsigned int.
func (a *Args) Uint32(i int, v uint32) { a.set(i, uint64(v), 4) }

// Int64 sets an argument of type long long.
func (a *Args) Int64(i int, v int64) { a.set(i, uint64(v), 8) }

// Uint64 sets an argument of type unsigned long long.
func (a *Args) Uint64(i int, v uint64) { a.set(i, v, 8) }

// Float32 sets an argument of type float.
func (a *Args) Float32(i int, v float32) { a.set(i, uint64(math.Float32bits(v)), 4) }

// Float64 sets an argument of type double.
func (a *Args) Float64(i int, v float64) { a.set(i, math.Float64bits(v), 8) }

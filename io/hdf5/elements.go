package hdf5

import (
	"fmt"
	"math"
	"unsafe"
)

// elements are a slice of numbers as HDF5 sees it: a type and raw bytes.
type elements struct {
	id    hid
	size  int // bytes per element
	count int
	bytes []byte
}

// elements views data, a []float32, []float64, []int64 or []uint8, as bytes.
func (l *library) elements(data any) (elements, error) {
	switch d := data.(type) {
	case []float32:
		return view(l.types.float32, d), nil
	case []float64:
		return view(l.types.float64, d), nil
	case []int64:
		return view(l.types.int64, d), nil
	case []uint8:
		return view(l.types.uint8, d), nil
	}
	return elements{}, fmt.Errorf("data of type %T cannot be stored: use []float32, []float64, []int64 or []uint8", data)
}

func view[N Number | uint8](id hid, data []N) elements {
	size := int(unsafe.Sizeof(*new(N)))
	return elements{
		id: id, size: size, count: len(data),
		bytes: unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*size),
	}
}

// pointer is the address to hand to HDF5.
func (e elements) pointer() unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(e.bytes))
}

// product multiplies the extents of a shape; ok is false where one is negative
// or the product does not fit into an int.
func product(shape []int) (n int, ok bool) {
	n = 1
	for _, s := range shape {
		if s < 0 || (s > 0 && n > math.MaxInt/s) {
			return 0, false
		}
		n *= s
	}
	return n, true
}

package device

import (
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Setter sets a kernel's arguments one after the other, from Next on.
type Setter struct {
	Args *driver.Args
	Next int
}

// Pointer sets a pointer to the byte at of m.
func (s *Setter) Pointer(m *driver.Memory, at int) *Setter {
	s.Args.Pointer(s.Next, m, at)
	s.Next++
	return s
}

// Int32 sets an int of C++.
func (s *Setter) Int32(v int) *Setter {
	s.Args.Int32(s.Next, int32(v))
	s.Next++
	return s
}

// Int64 sets a long long.
func (s *Setter) Int64(v int) *Setter {
	s.Args.Int64(s.Next, int64(v))
	s.Next++
	return s
}

// Uint64 sets an unsigned long long.
func (s *Setter) Uint64(v uint64) *Setter {
	s.Args.Uint64(s.Next, v)
	s.Next++
	return s
}

// Flag sets an int that is 0 or 1.
func (s *Setter) Flag(v bool) *Setter {
	if v {
		return s.Int32(1)
	}
	return s.Int32(0)
}

// SetReals sets arguments in the precision of arithmetic.
func SetReals[T lbm.Float](s *Setter, values ...T) *Setter {
	for _, v := range values {
		if SizeOf[T]() == 8 {
			s.Args.Float64(s.Next, float64(v))
		} else {
			s.Args.Float32(s.Next, float32(v))
		}
		s.Next++
	}
	return s
}

// Package bandwidth measures what memory gives: the limits that a lattice
// Boltzmann step is held against. A step on two lattices moves no more bytes a
// second than the fastest copy, one in place no more than the fastest update.
//
// Rates are in GB/s with GB = 1e9 bytes, counted as a program counts them: bytes
// read plus bytes written. What the caches move besides, such as the reading of
// a line before a cached store, is not counted.
package bandwidth

import "lbmib/internal/parallel"

// Result is what was measured over one size of memory and one set of workers.
type Result struct {
	CopyGBs, UpdateGBs   float64 // of the fastest way
	CopyWith, UpdateWith string  // its name, such as "AVX-512 streaming stores, 16 streams"
	Ways                 []Way   // all ways, copies first
}

// Way is one way to pass over memory and its rate.
type Way struct {
	Name   string
	Update bool // a = s·a, otherwise b = a
	GBs    float64
}

// minRepeats makes a median out of what may be one disturbed pass.
const minRepeats = 5

//go:generate go run ./gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg bandwidth

// Measure times every way that this processor has to copy one half of bytes of
// memory to the other, and to update all of it in place, on the workers of pool,
// each over its own share. A way's rate is the median of repeats passes, at
// least five; the ways take turns, so that all of them see the same machine.
//
// The size should exceed the caches by far. It is an error if it is too small
// to share out or more than the machine has.
func Measure(pool *parallel.Pool, bytes int64, repeats int) (Result, error) {
	m, err := newMeter(pool, bytes)
	if err != nil {
		return Result{}, err
	}
	defer m.Release()
	return m.compare(max(repeats, minRepeats)), nil
}

//go:build !amd64

package simd

// assembly reports that there is none for this architecture.
func assembly() []Loops { return nil }

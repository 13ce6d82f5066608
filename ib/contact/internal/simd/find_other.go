//go:build !amd64

package simd

// assembly are none for this architecture.
func assembly() []Forces { return nil }

func assemblyNear() []Near { return nil }

package simd

var kernels = map[variant]Kernel{}

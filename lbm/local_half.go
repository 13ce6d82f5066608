package lbm

import (
	"runtime"

	"lbmib/lbm/internal/simd"
	"lbmib/lbm/internal/simd/dither"
)

// roundCorrected rounds populations as a fluid that stores them as Half does where it
// corrects them.
func (l *Local[T]) roundCorrected(b *someNodes[T], nodes []int32) {
	for k, n := range nodes {
		p := l.cfg.Position(int(n))
		place := dither.Place(dither.Seed(l.steps*int64(purposes)+int64(forCorrection), p[1]+l.cfg.Size[1]*p[2]), p[0])
		for i := range l.cfg.Lattice.Q {
			b.g[i][k] = decode[T](dithered[Half](b.g[i][k], place, (i+1)/2))
		}
	}
}

// beginKernels readies the thread for kernels as sweeps do: subnormal numbers count
// as zero. endKernels restores it.
func beginKernels() (mode uint32) {
	runtime.LockOSThread()
	return simd.FlushSubnormals()
}

func endKernels(mode uint32) {
	simd.RestoreMode(mode)
	runtime.UnlockOSThread()
}

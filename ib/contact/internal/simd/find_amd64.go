package simd

import "golang.org/x/sys/cpu"

// assembly are the forms in assembly that the processor has.
func assembly() []Forces {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return []Forces{{"avx2", func(l *Law, sites []Site, point, from, near []int32, out []Sum) {
		if len(point) == 0 || len(near) == 0 {
			return
		}
		forcesAVX2(&sites[0].X[0], &point[0], &from[0], &near[0], &out[0].Force[0], len(point), &l.Inverse[0][0])
	}}}
}

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

func assemblyNear() []Near {
	if x := &cpu.X86; !x.HasAVX512F || !x.HasAVX512VL || !x.HasAVX512DQ || !x.HasBMI2 || !x.HasPOPCNT {
		return nil
	}
	return []Near{func(m *Members, b *Block, runs int, q *Query, out []int32) int {
		if runs == 0 {
			return 0
		}
		most := 0
		for r := range runs {
			most += int(b.Hi[r] - b.Lo[r])
			if int(b.Hi[r]) > len(m.X)-Beyond {
				panic("simd: a run of members ends beyond them")
			}
		}
		if len(out) < most+Beyond {
			panic("simd: there is no room for the neighbours of a point")
		}
		return nearAVX512(&m.X[0], &m.Y[0], &m.Z[0], &m.Offset[0], &m.Point[0], &m.Of[0], &b.Lo[0], runs, &q.At[0], &out[0])
	}}
}

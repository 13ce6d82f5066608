package ib

import (
	"math"
	"sync/atomic"
	"unsafe"

	"lbmib/ib/internal/simd"
	"lbmib/internal/parallel"
)

// atomicAdd is the way of P. Valero-Lara, F. D. Igual, M. Prieto-Matías, A. Pinelli &
// J. Favier, "Accelerating fluid-solid simulations (Lattice-Boltzmann &
// Immersed-Boundary) on heterogeneous architectures", J. Comput. Sci. 10 (2015) 249,
// Algorithm 3: points in parallel in the order given, and atomic additions, since
// supports of different points may have nodes in common. Processors add no
// floating-point numbers in one go: words are compared and swapped until nobody has
// come in between.
//
// The order in which a node receives its terms is a matter of chance: results agree
// to rounding only. Where the caller works alone additions are plain, and the same
// bits as those of serial.
type atomicAdd[T Float] struct {
	*located[T]
	read    interpolation[T]
	in, out [][]T // while spreading; the closure is made once
	plain   bool
	phase   func(worker int)
}

func newAtomic[T Float](f *frame[T]) *atomicAdd[T] {
	t := &atomicAdd[T]{located: newLocated(f), read: newInterpolation(f)}
	t.phase = t.spreadShare
	return t
}

// Interpolate is Algorithm 3, lines 3–6.
func (t *atomicAdd[T]) Interpolate(values, field [][]T) {
	t.mustMatch(field, values, t.n)
	t.read.run(t.n, &t.x, nil, values, field)
}

func (t *atomicAdd[T]) Spread(field, values [][]T) {
	t.mustMatch(field, values, t.n)
	t.out, t.in = field, values
	t.plain = len(t.workers) == 1 || t.alone(t.n)
	t.run(t.n, t.phase)
	t.out, t.in = nil, nil
}

func (t *atomicAdd[T]) spreadShare(w int) {
	b := &t.workers[w].batch
	for lo, hi := parallel.Share(t.n, w, len(t.workers)); lo < hi; lo += batchSize {
		end := min(lo+batchSize, hi)
		b.place(&t.x, lo, end)
		for c := range t.out {
			s := t.site(c)
			b.take(nil, lo, end, t.in[c])
			if t.plain {
				b.add(s, t.out[c])
				continue
			}
			for i := 0; b.aimPiece(s, t.out[c], i); i++ {
				t.addAtomically(&b.at)
			}
		}
	}
}

// addAtomically is loops.Spread for fields to which others add at the same time:
// Algorithm 3, lines 9–12, with the same roundings.
func (t *atomicAdd[T]) addAtomically(b *simd.Batch[T]) {
	plane, one := [1]int{}, [1]T{1}
	planes, wz := plane[:], one[:]
	for k := range b.N {
		if t.dim == 3 {
			planes, wz = b.Row[1][b.First[2][k]:][:t.support], b.Weight[2][k*t.stride:][:t.support]
		}
		wx, wy := b.Weight[0][k*t.stride:][:t.support], b.Weight[1][k*t.stride:][:t.support]
		rows := b.Row[0][b.First[1][k]:][:t.support]
		field := b.Field[b.First[0][k]:]
		for _, z := range planes { // lines come together here, and one by one where each addition waits for its own
			for _, y := range rows {
				row := field[z+y:][:t.support]
				touch(&row[0])
				touch(&row[t.support-1])
			}
		}
		var v [MaxSupport]T
		for l, z := range planes {
			for i, w := range wx {
				v[i] = T(wz[l] * T(w*b.Values[k]))
			}
			for j, y := range rows {
				addRow(field[z+y:][:t.support], v[:t.support], wy[j])
			}
		}
	}
}

// touch brings a value into the cache.
func touch[T Float](p *T) { atomic.LoadUint32((*uint32)(unsafe.Pointer(p))) }

// addRow adds w·v to a row.
func addRow[T Float](row, v []T, w T) {
	first := unsafe.Pointer(unsafe.SliceData(row))
	if unsafe.Sizeof(w) == 4 {
		words := unsafe.Slice((*uint32)(first), len(row))
		for i := range words {
			for add := float32(w * v[i]); ; {
				old := atomic.LoadUint32(&words[i])
				if atomic.CompareAndSwapUint32(&words[i], old, math.Float32bits(math.Float32frombits(old)+add)) {
					break
				}
			}
		}
		return
	}
	words := unsafe.Slice((*uint64)(first), len(row))
	for i := range words {
		for add := float64(w * v[i]); ; {
			old := atomic.LoadUint64(&words[i])
			if atomic.CompareAndSwapUint64(&words[i], old, math.Float64bits(math.Float64frombits(old)+add)) {
				break
			}
		}
	}
}

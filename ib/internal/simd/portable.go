package simd

// Portable are the loops in plain Go. delta stores the weights of a point at x
// and returns the first node of its support.
func Portable[T Float](delta func(w *[MaxSupport]T, x float64) (first int), support, dim int) Kernels[T] {
	p := portable[T]{delta: delta, support: support, stride: Stride(support)}
	k := Kernels[T]{Name: "go", Weights: p.weights, Interpolate: p.interpolate2, Spread: p.spread2}
	if dim == 3 {
		k.Interpolate, k.Spread = p.interpolate3, p.spread3
	}
	return k
}

type portable[T Float] struct {
	delta           func(w *[MaxSupport]T, x float64) (first int)
	support, stride int
}

func (p *portable[T]) weights(a *Axis[T]) {
	w := &a.scratch
	a.Outside = 0
	for k, x := range a.X[:a.N] {
		first := p.delta(w, x-a.Shift)
		if a.Period > 0 {
			if first < 0 {
				first += a.Period
			} else if first >= a.Period {
				first -= a.Period
			}
		}
		if first < 0 || first > a.Last {
			a.Outside = 1
		}
		a.First[k] = int32(first)
		to := a.Weight[k*p.stride:][:p.stride]
		for i := range to {
			to[i] = 0
			if i < p.support {
				to[i] = w[i]
			}
		}
	}
}

func (p *portable[T]) interpolate2(b *Batch[T]) {
	for k := range b.N {
		x := b.Field[b.First[0][k]:]
		b.Values[k] = p.dot(b, k, x)
	}
}

func (p *portable[T]) interpolate3(b *Batch[T]) {
	for k := range b.N {
		x := b.Field[b.First[0][k]:]
		rows := b.Row[1][b.First[2][k]:][:p.support]
		var sum T
		for l, w := range b.Weight[2][k*p.stride:][:p.support] {
			sum += w * p.dot(b, k, x[rows[l]:])
		}
		b.Values[k] = sum
	}
}

// dot is the sum over a plane of the support of point k, whose nodes begin at x.
// Rows are written out: loops over them cost several times as much.
func (p *portable[T]) dot(b *Batch[T], k int, x []T) (sum T) {
	wy := b.Weight[1][k*p.stride:][:p.support]
	rows := b.Row[0][b.First[1][k]:][:len(wy)]
	switch wx := b.Weight[0][k*p.stride:]; p.support {
	case 2:
		w0, w1 := wx[0], wx[1]
		for j, w := range wy {
			u := (*[2]T)(x[rows[j]:])
			sum += w * (w0*u[0] + w1*u[1])
		}
	case 3:
		w0, w1, w2 := wx[0], wx[1], wx[2]
		for j, w := range wy {
			u := (*[3]T)(x[rows[j]:])
			sum += w * (w0*u[0] + w1*u[1] + w2*u[2])
		}
	case 4:
		w0, w1, w2, w3 := wx[0], wx[1], wx[2], wx[3]
		for j, w := range wy {
			u := (*[4]T)(x[rows[j]:])
			sum += w * ((w0*u[0] + w1*u[1]) + (w2*u[2] + w3*u[3]))
		}
	case 6:
		w0, w1, w2, w3, w4, w5 := wx[0], wx[1], wx[2], wx[3], wx[4], wx[5]
		for j, w := range wy {
			u := (*[6]T)(x[rows[j]:])
			sum += w * ((w0*u[0] + w1*u[1]) + (w2*u[2] + w3*u[3]) + (w4*u[4] + w5*u[5]))
		}
	default:
		for j, w := range wy {
			var dot T
			for i, u := range x[rows[j]:][:p.support] {
				dot += wx[i] * u
			}
			sum += w * dot
		}
	}
	return sum
}

func (p *portable[T]) spread2(b *Batch[T]) {
	for k := range b.N {
		p.add(b, k, b.Field[b.First[0][k]:], b.Values[k], 1)
	}
}

func (p *portable[T]) spread3(b *Batch[T]) {
	for k := range b.N {
		x := b.Field[b.First[0][k]:]
		rows := b.Row[1][b.First[2][k]:][:p.support]
		wz := b.Weight[2][k*p.stride:][:p.support]
		for l := b.From[k]; l < b.To[k]; l++ {
			p.add(b, k, x[rows[l]:], b.Values[k], wz[l])
		}
	}
}

// add adds value·wz to a plane of the support of point k, whose nodes begin at
// x. The conversions keep the compiler from fusing products and sums.
func (p *portable[T]) add(b *Batch[T], k int, x []T, value, wz T) {
	wy := b.Weight[1][k*p.stride:][:p.support]
	rows := b.Row[0][b.First[1][k]:][:len(wy)]
	switch wx := b.Weight[0][k*p.stride:]; p.support {
	case 2:
		v0, v1 := wz*(value*wx[0]), wz*(value*wx[1])
		for j, w := range wy {
			u := (*[2]T)(x[rows[j]:])
			u[0] += T(w * v0)
			u[1] += T(w * v1)
		}
	case 3:
		v0, v1, v2 := wz*(value*wx[0]), wz*(value*wx[1]), wz*(value*wx[2])
		for j, w := range wy {
			u := (*[3]T)(x[rows[j]:])
			u[0] += T(w * v0)
			u[1] += T(w * v1)
			u[2] += T(w * v2)
		}
	case 4:
		v0, v1, v2, v3 := wz*(value*wx[0]), wz*(value*wx[1]), wz*(value*wx[2]), wz*(value*wx[3])
		for j, w := range wy {
			u := (*[4]T)(x[rows[j]:])
			u[0] += T(w * v0)
			u[1] += T(w * v1)
			u[2] += T(w * v2)
			u[3] += T(w * v3)
		}
	case 6:
		v0, v1, v2 := wz*(value*wx[0]), wz*(value*wx[1]), wz*(value*wx[2])
		v3, v4, v5 := wz*(value*wx[3]), wz*(value*wx[4]), wz*(value*wx[5])
		for j, w := range wy {
			u := (*[6]T)(x[rows[j]:])
			u[0] += T(w * v0)
			u[1] += T(w * v1)
			u[2] += T(w * v2)
			u[3] += T(w * v3)
			u[4] += T(w * v4)
			u[5] += T(w * v5)
		}
	default:
		for j, w := range wy {
			for i, u := range x[rows[j]:][:p.support] {
				x[rows[j]+i] = u + T(w*(wz*(value*wx[i])))
			}
		}
	}
}

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
func (p *portable[T]) dot(b *Batch[T], k int, x []T) (sum T) {
	wx := b.Weight[0][k*p.stride:][:p.support]
	wy := b.Weight[1][k*p.stride:][:p.support]
	rows := b.Row[0][b.First[1][k]:][:p.support]
	if len(wx) == 4 && len(rows) == 4 { // the usual ones are written out: loops cost twice as much
		w0, w1, w2, w3 := wx[0], wx[1], wx[2], wx[3]
		for j, w := range wy {
			row := x[rows[j]:][:4]
			sum += w * (w0*row[0] + w1*row[1] + w2*row[2] + w3*row[3])
		}
		return sum
	}
	if len(wx) == 3 && len(rows) == 3 {
		w0, w1, w2 := wx[0], wx[1], wx[2]
		for j, w := range wy {
			row := x[rows[j]:][:3]
			sum += w * (w0*row[0] + w1*row[1] + w2*row[2])
		}
		return sum
	}
	for j, w := range wy {
		var dot T
		for i, u := range x[rows[j]:][:len(wx)] {
			dot += wx[i] * u
		}
		sum += w * dot
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
		for l, w := range b.Weight[2][k*p.stride:][:p.support] {
			p.add(b, k, x[rows[l]:], b.Values[k], w)
		}
	}
}

// add adds value·wz to a plane of the support of point k, whose nodes begin at
// x. The conversions keep the compiler from fusing products and sums.
func (p *portable[T]) add(b *Batch[T], k int, x []T, value, wz T) {
	wx := b.Weight[0][k*p.stride:][:p.support]
	wy := b.Weight[1][k*p.stride:][:p.support]
	rows := b.Row[0][b.First[1][k]:][:p.support]
	if len(wx) == 4 && len(rows) == 4 {
		v0, v1, v2, v3 := wz*(value*wx[0]), wz*(value*wx[1]), wz*(value*wx[2]), wz*(value*wx[3])
		for j, w := range wy {
			row := x[rows[j]:][:4]
			row[0] += T(w * v0)
			row[1] += T(w * v1)
			row[2] += T(w * v2)
			row[3] += T(w * v3)
		}
		return
	}
	for j, w := range wy {
		row := x[rows[j]:][:len(wx)]
		for i, v := range wx {
			row[i] += T(w * (wz * (value * v)))
		}
	}
}

package ib

// sumRows is Σ_r factor[r] Σ_i w[i]·field[offset[r]+i]. The usual supports are
// written out, with the weights in registers: loops of three or four cost twice
// as much.
func sumRows[T Float](field []T, offset []int, factor, w []T) (sum T) {
	factor = factor[:len(offset)]
	switch len(w) {
	case 4:
		w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
		for r, o := range offset {
			row := field[o:][:4]
			sum += factor[r] * (w0*row[0] + w1*row[1] + w2*row[2] + w3*row[3])
		}
	case 3:
		w0, w1, w2 := w[0], w[1], w[2]
		for r, o := range offset {
			row := field[o:][:3]
			sum += factor[r] * (w0*row[0] + w1*row[1] + w2*row[2])
		}
	default:
		for r, o := range offset {
			sum += factor[r] * dot(w, field[o:])
		}
	}
	return sum
}

// dot is Σ w[i]·row[i] over the weights of a row.
func dot[T Float](w, row []T) (sum T) {
	row = row[:len(w)]
	for i, v := range w {
		sum += v * row[i]
	}
	return sum
}

// addRows is fields[c][at+i] += factor·values[c]·w[i], the usual supports
// written out as in sumRows.
func addRows[T Float](fields [][]T, values []T, at int, w []T, factor T) {
	fields = fields[:len(values)]
	switch len(w) {
	case 4:
		w0, w1, w2, w3 := factor*w[0], factor*w[1], factor*w[2], factor*w[3]
		for c, v := range values {
			row := fields[c][at:][:4]
			row[0] += v * w0
			row[1] += v * w1
			row[2] += v * w2
			row[3] += v * w3
		}
	case 3:
		w0, w1, w2 := factor*w[0], factor*w[1], factor*w[2]
		for c, v := range values {
			row := fields[c][at:][:3]
			row[0] += v * w0
			row[1] += v * w1
			row[2] += v * w2
		}
	default:
		for c, v := range values {
			addScaled(fields[c][at:], w, factor*v)
		}
	}
}

// addScaled is row[i] += a·w[i] over the weights of a row.
func addScaled[T Float](row, w []T, a T) {
	row = row[:len(w)]
	for i, v := range w {
		row[i] += a * v
	}
}

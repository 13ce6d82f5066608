package ib

// dot is Σ w[i]·row[i] over the weights of a row. The usual supports are
// written out: a loop of three or four costs as much again.
func dot[T Float](w, row []T) T {
	switch len(w) {
	case 4:
		row = row[:4]
		return w[0]*row[0] + w[1]*row[1] + w[2]*row[2] + w[3]*row[3]
	case 3:
		row = row[:3]
		return w[0]*row[0] + w[1]*row[1] + w[2]*row[2]
	}
	var sum T
	row = row[:len(w)]
	for i, v := range w {
		sum += v * row[i]
	}
	return sum
}

// addScaled is row[i] += a·w[i] over the weights of a row.
func addScaled[T Float](row, w []T, a T) {
	switch len(w) {
	case 4:
		row = row[:4]
		row[0] += a * w[0]
		row[1] += a * w[1]
		row[2] += a * w[2]
		row[3] += a * w[3]
		return
	case 3:
		row = row[:3]
		row[0] += a * w[0]
		row[1] += a * w[1]
		row[2] += a * w[2]
		return
	}
	row = row[:len(w)]
	for i, v := range w {
		row[i] += a * v
	}
}

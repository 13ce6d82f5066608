package statistics

import "math"

// track is a quantity, as a velocity, at even times with its derivative, by differences of fourth order: with 20 samples a period that of
// a sine is off by 3e-4.
type track struct{ t, v, a []float64 }

func newTrack(t, v []float64) *track {
	n := len(v)
	k := &track{t, v, make([]float64, n)}
	if n < 5 {
		for i := range k.a {
			k.a[i] = math.NaN()
		}
		return k
	}
	for i := range v {
		first := min(max(i-2, 0), n-5) // of the five that it is made of
		f := v[first:][:5]
		h := (t[first+4] - t[first]) / 4
		for j, c := range differences[i-first] {
			k.a[i] += c * f[j] / (12 * h)
		}
	}
	return k
}

// differences are 12 h times the derivative at each of five samples, from all of them.
var differences = [5][5]float64{
	{-25, 48, -36, 16, -3},
	{-3, -10, 18, -6, 1},
	{1, -8, 0, 8, -1},
	{-1, 6, -18, 10, 3},
	{3, -16, 36, -48, 25},
}

// at is velocity and acceleration at a time, by the cubics that have both at the samples; those at the ends go on.
func (k *track) at(time float64) (v, a float64) {
	i := min(max(series{k.t, k.v}.index(time), 1), len(k.t)-1)
	h := k.t[i] - k.t[i-1]
	s := (time - k.t[i-1]) / h
	v0, v1, d0, d1 := k.v[i-1], k.v[i], h*k.a[i-1], h*k.a[i]
	v = v0 + s*(d0+s*(3*(v1-v0)-2*d0-d1+s*(d0+d1-2*(v1-v0))))
	a = (d0 + s*(2*(3*(v1-v0)-2*d0-d1)+3*s*(d0+d1-2*(v1-v0)))) / h
	return v, a
}

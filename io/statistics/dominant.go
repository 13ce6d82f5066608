package statistics

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/dsp/fourier"
)

// What makes one frequency of a record its own.
const (
	clearShare = 0.6  // of the power about its mean and trend that the frequency has, at least
	clearTimes = 2.   // that it swings within the record, at least
	clearSwing = 1e-9 // of the largest value, beyond which a record varies
	spread     = 4    // times as many points as samples are transformed, at least, which brings the frequency to some percent of 1/T
)

// Dominant is the frequency, in cycles per sample, at which a record of even samples swings, and the
// amplitude, half of peak to peak, that it has about its trend; zeros where none is clear: where no frequency has most of
// the power, or it swings less than twice. Swings of less than two samples are taken for slower ones.
//
// The record, without the straight line that fits it best, is tapered by Hann's window (whose main lobe
// has four lines) and transformed; the place of the highest line is that of a parabola through the logarithms of three.
func Dominant(y []float64) (frequency, amplitude float64) {
	n := len(y)
	if n < enoughSamples {
		return 0, 0
	}
	z, largest := detrended(y)
	low, high := 0., 0.
	for i, v := range z[:n] {
		low, high = math.Min(low, v), math.Max(high, v)
		z[i] *= (1 - math.Cos(2*math.Pi*(float64(i)+0.5)/float64(n))) / 2
	}
	if amplitude = (high - low) / 2; !(amplitude > clearSwing*largest) {
		return 0, 0
	}
	lines := fourier.NewFFT(len(z)).Coefficients(nil, z)
	power, all, top := make([]float64, len(lines)), 0., 0
	for k, c := range lines {
		power[k] = real(c)*real(c) + imag(c)*imag(c)
		all += power[k]
		if power[k] > power[top] {
			top = k
		}
	}
	per := float64(len(z)) / float64(n) // lines for a period in the record
	if float64(top) < 0.9*clearTimes*per || top+1 >= len(lines) {
		return 0, 0
	}
	own, lobe := 0., int(2*per)
	for k := max(0, top-lobe); k <= min(len(lines)-1, top+lobe); k++ {
		own += power[k]
	}
	if own < clearShare*all {
		return 0, 0
	}
	at := float64(top)
	if a, b, c := math.Log(power[top-1]), math.Log(power[top]), math.Log(power[top+1]); a-2*b+c < 0 {
		at += (a - c) / (a - 2*b + c) / 2
	}
	return at / float64(len(z)), amplitude
}

// detrended is a record without the straight line that fits it best, followed by zeros up to a power
// of two, and the largest value of the record.
func detrended(y []float64) (z []float64, largest float64) {
	n := len(y)
	z = make([]float64, 1<<bits.Len(uint(spread*n-1)))
	mean, slope, middle := 0., 0., float64(n-1)/2
	for i, v := range y {
		mean += v / float64(n)
		slope += v * (float64(i) - middle)
		largest = math.Max(largest, math.Abs(v))
	}
	slope /= float64(n) * (float64(n)*float64(n) - 1) / 12
	for i, v := range y {
		z[i] = v - mean - slope*(float64(i)-middle)
	}
	return z, largest
}

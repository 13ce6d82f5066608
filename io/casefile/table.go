package casefile

import (
	"math"
	"slices"
)

// Table is a factor at points of time: linear between them, and beyond them
// constant or, with Repeat, periodic.
type Table struct {
	T, Factor []float64 // T in L/U, increasing
	Repeat    bool
	File      string // joined with the case's folder
	SHA256    string // of the file, in hexadecimal
}

// At returns the factor at the time t, in L/U.
func (b *Table) At(t float64) float64 {
	last := len(b.T) - 1
	if b.Repeat {
		period := b.T[last] - b.T[0]
		t -= period * math.Floor((t-b.T[0])/period)
	}
	i, exact := slices.BinarySearch(b.T, t)
	switch {
	case exact:
		return b.Factor[i]
	case i == 0:
		return b.Factor[0]
	case i > last:
		return b.Factor[last]
	}
	s := (t - b.T[i-1]) / (b.T[i] - b.T[i-1])
	return b.Factor[i-1] + s*(b.Factor[i]-b.Factor[i-1])
}

// At returns what multiplies the face's velocity, or the ρ/ρ0 − 1 of a pressure
// face, at the time t in L/U: start, oscillation, factor and table together.
func (f *Face) At(t float64) float64 {
	a := f.Factor.At(t)
	if f.Table != nil {
		a *= f.Table.At(t)
	}
	if f.Ramp > 0 && t < f.Ramp {
		a *= (1 - math.Cos(math.Pi*t/f.Ramp)) / 2
	}
	if f.Period > 0 {
		a *= math.Sin(2*math.Pi*t/f.Period + f.Phase)
	}
	return a
}

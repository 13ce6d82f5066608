package run

import (
	"math"
	"strings"

	"lbmib/io/statistics"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

// analysis are the statistics of a body, found by drag and lift as its heading has
// them; those of the result are along x and y again, as in forces.csv.
type analysis struct {
	statistics.Result
	along  float64 // mean force along the heading
	across float64 // amplitude of the force across it, in which periods are looked for
	scale  float64 // of both means
}

func (h *history) analyse(to setup.Heading, from, length float64) (r analysis) {
	turned := observe.Along(h.History, h.cs, to)
	r.Result = statistics.Analyse(turned, from, length)
	if !to.Plain() { // which drag and lift do not mean in summary.json
		r.Note = strings.NewReplacer("drag", "force along "+to.String(), "lift", "force across it").Replace(r.Note)
	}
	r.along, r.across, r.scale = r.CdMean, r.ClAmplitude, math.Hypot(r.CdMean, r.ClMean)
	switch {
	case to.Axis == 2:
		r.CdMean = meanBetween(h.T, h.Cd, r.From, r.To)
		low := make([]float64, len(h.Cd))
		for i, v := range h.Cd {
			low[i] = -v
		}
		r.CdAmplitude = (maxBetween(h.T, h.Cd, r.From, r.To) + maxBetween(h.T, low, r.From, r.To)) / 2
	case to.Axis == 1:
		r.CdMean, r.CdAmplitude, r.ClMean, r.ClAmplitude = r.ClMean, r.ClAmplitude, to.Sign*r.CdMean, r.CdAmplitude
		r.ClRMS = rmsBetween(h.T, h.Cl, r.From, r.To)
	default:
		r.CdMean *= to.Sign
	}
	return r
}

// rmsBetween is the root mean square of v about its mean over from ≤ t ≤ to.
func rmsBetween(t, v []float64, from, to float64) float64 {
	mean, square := meanBetween(t, v, from, to), make([]float64, len(v))
	for i := range v {
		square[i] = (v[i] - mean) * (v[i] - mean)
	}
	return math.Sqrt(meanBetween(t, square, from, to))
}

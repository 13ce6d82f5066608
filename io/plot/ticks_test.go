package plot

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// checkTicks checks what every axis needs: labels in order that say the value.
func checkTicks(t *testing.T, ticks []tick, lo, hi float64, most int) {
	t.Helper()
	labels, last := 0, math.Inf(-1)
	for _, k := range ticks {
		if k.at < lo-1e-6*(hi-lo) || k.at > hi+1e-6*(hi-lo) {
			t.Errorf("[%g, %g]: a mark at %g outside", lo, hi, k.at)
		}
		if k.label == "" {
			continue
		}
		labels++
		if k.at <= last {
			t.Errorf("[%g, %g]: the mark at %g comes after %g", lo, hi, k.at, last)
		}
		last = k.at
		v, err := strconv.ParseFloat(strings.ReplaceAll(k.label, "−", "-"), 64)
		if err != nil || math.Abs(v-k.at) > 1e-9*math.Max(math.Abs(lo), math.Abs(hi)) {
			t.Errorf("[%g, %g]: the mark at %.15g is labelled %q", lo, hi, k.at, k.label)
		}
	}
	if labels < 1 || labels > most {
		t.Errorf("[%g, %g]: %d labels, expected 1 … %d", lo, hi, labels, most)
	}
}

func TestTicksAreRoundFewAndSayTheirValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		size := math.Pow(10, r.Float64()*24-12)
		lo := (r.Float64()*2 - 1) * size
		hi := lo + size*math.Pow(10, r.Float64()*5-4)
		n := 2 + r.IntN(12)
		checkTicks(t, linearTicks(lo, hi, n), lo, hi, n)
		limit := roundUp(size)
		checkTicks(t, endTicks(-limit, limit, n), -limit, limit, n)
		checkTicks(t, endTicks(0, limit, n), 0, limit, n)
		checkTicks(t, endTicks(lo, hi, n), lo, hi, n)
		least := math.Pow(10, r.Float64()*20-16)
		greatest := least * math.Pow(10, 0.2+r.Float64()*14)
		checkTicks(t, logTicks(least, greatest, n), least, greatest, max(n, 6))
	}
}

func TestColourBarEndsAtAMark(t *testing.T) {
	for _, m := range []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		for _, n := range []int{5, 8, 16} {
			ticks := endTicks(-m, m, n)
			if len(ticks) < 3 || math.Abs(ticks[0].at+m) > 1e-12 || math.Abs(ticks[len(ticks)-1].at-m) > 1e-12 {
				t.Errorf("±%g, at most %d marks: %v", m, n, ticks)
			}
		}
	}
}

func TestNumbersAreWrittenShort(t *testing.T) {
	for _, c := range []struct {
		step, v, largest float64
		want             string
	}{
		{5, 40, 40, "40"}, {0.5, -1, 1, "−1.0"}, {0.25, 0.75, 1, "0.75"}, {0.2, 0, 1, "0"}, {1, math.Copysign(0, -1), 3, "0"},
		{2e8, 3e9, 3e9, "3.0e9"}, {1e-7, -4e-7, 4e-7, "−4e−7"}, {20000, 80000, 80000, "80000"}, {1e-3, 2e-3, 2e-3, "0.002"},
	} {
		if got := numberFormat(c.step, c.largest)(c.v); got != c.want {
			t.Errorf("%g in steps of %g: %q, expected %q", c.v, c.step, got, c.want)
		}
	}
}

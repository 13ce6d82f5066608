package observe

import (
	"testing"

	"lbmib/run/setup/setuptest"
)

// The mean drag by which a run ends is that of the summary, over the window that output.statistics gives: what was before does not make it known, nor unknown. A window has 40 samples
// before anything is known of it, 1 L/U here.
func TestARunStopsByTheWindowOfItsMeanDrag(t *testing.T) {
	steady := func(float64) float64 { return 1.5 }
	for name, of := range map[string]struct {
		from  string
		drag  func(t float64) float64
		end   float64
		known bool
	}{
		"steady":                          {"", steady, 8, true},
		"steady, too few samples":         {"", steady, 0.9, false},
		"steady before the window":        {"output.statistics.from=4", steady, 3.9, false},
		"steady, short in the window":     {"output.statistics.from=4", steady, 4.9, false},
		"steady in the window":            {"output.statistics.from=4", steady, 5.1, true},
		"high before the window":          {"output.statistics.from=4", func(t float64) float64 { return 1.5 + max(0, 4-t) }, 8, true},
		"drifting in the window":          {"output.statistics.from=4", func(t float64) float64 { return 1.5 + 0.05*max(0, t-4) }, 8, false},
		"drifting, the window is its own": {"", func(t float64) float64 { return 1.5 + 0.05*t }, 8, false},
	} {
		sets := []string{"run.stop_when.cd_interval=0.01"}
		if of.from != "" {
			sets = append(sets, of.from)
		}
		d := newDragStop(setuptest.Problem(t, setuptest.StreamCase, sets...))
		for k := 1; float64(k)*0.025 <= of.end; k++ {
			at := float64(k) * 0.025
			d.add("rod", at, []float64{of.drag(at), 0})
			d.add("another", at, []float64{float64(k % 2), 0})
		}
		if d.isKnown() != of.known {
			t.Errorf("%s: the mean drag is known: %v, want %v", name, d.isKnown(), of.known)
		}
	}
}

package report

import (
	"math"
	"testing"
)

// ring are n markers around a centre.
func ring(n int, x, y, radius float64) (all [][3]float64) {
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		all = append(all, [3]float64{x + radius*cos, y + radius*sin, 0})
	}
	return all
}

func TestClosedLinesOfMarkersAreOutlines(t *testing.T) {
	closed, dots := loops(append(ring(40, 0, 0, 1), ring(20, 5, 0, 0.5)...))
	if len(closed) != 2 || len(dots) != 0 || len(closed[0]) != 40 || len(closed[1]) != 20 {
		t.Errorf("two rings give %d outlines and %d dots, want two and none", len(closed), len(dots))
	}
	var plate [][3]float64
	for i := range 30 {
		plate = append(plate, [3]float64{0.1 * float64(i), 0, 0})
	}
	if closed, dots := loops(plate); len(closed) != 0 || len(dots) != 30 {
		t.Errorf("a plate gives %d outlines and %d dots, want none and 30", len(closed), len(dots))
	}
}

func TestNumbersAreForPeople(t *testing.T) {
	for want, got := range map[string]string{
		"1.5202": figure(1.52024), "1.2·10⁻⁷": figure(1.2e-7), "−3": figure(-3), "–": figure(math.NaN()), "120\u202f000": grouped(120000),
		"0": told("cl_mean", 1e-16), "": told("strouhal", 0.), "47.78\u202f–\u202f117.5": told("window", []any{47.7806, 117.5002}), "1m11.1s": duration(71.08),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Drag that is felt along y or z has no place in panels of drag and lift.
func TestBodiesThatHeadAsideHaveForcesByAxes(t *testing.T) {
	d := &Record{Summary: &Summary{Bodies: map[string]map[string]any{"along": {"heading": "x"}, "against": {"heading": "−x"}, "falling": {"heading": "−y"}, "rising": {"heading": "z"}, "old": {}}}}
	for body, want := range map[string]bool{"along": false, "against": false, "falling": true, "rising": true, "old": false, "none": false} {
		if got := d.headsAside(body); got != want {
			t.Errorf("%s: forces by axes: %v, want %v", body, got, want)
		}
	}
}

package run

import (
	"fmt"
	"testing"
)

// Cautions about the copies of a body are one, the worst, and those about other bodies their own.
func TestCautionsAboutCopiesAreOne(t *testing.T) {
	var g grouped
	for k, slip := range []float64{0.12, 0.3, 0.2} {
		g.add("body.0", fmt.Sprintf("rod-%d", k), fmt.Sprintf("slip %v", slip), slip)
	}
	g.add("body.1", "ball", "slip 0.15", 0.15)
	var got []string
	for _, w := range g {
		got = append(got, w.name+": "+w.text+w.others())
	}
	if want := "[rod-1: slip 0.3; its 2 other copies are not worse ball: slip 0.15]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

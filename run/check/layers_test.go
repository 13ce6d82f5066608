package check

import (
	"fmt"
	"testing"

	"lbmib/run/setup/setuptest"
)

// Without the correction of walls a layer that the grid does not hold costs drag, too: less, and at
// thinner layers, than with it. The cylinders are those of docs/method.md, 2.
func TestDragIsEstimatedByTheLayerWithoutTheCorrectionToo(t *testing.T) {
	for _, c := range []struct {
		name       string
		resolution float64
		reynolds   float64
		least      float64 // of the estimate with ib.correction = "none"
		most       float64
		verdict    Verdict // of the layer
	}{
		{"1.2 nodes, 0.4 % low", 20, 300, 0.03, 0.08, Caution},
		{"0.6 nodes, 12 to 17 % low", 10, 300, 0.12, 0.3, Unsafe},
		{"0.6 nodes, 21 to 28 % low", 20, 1000, 0.18, 0.3, Unsafe},
		{"0.02 nodes, half", 20, 1e6, 0.4, 0.6, Unsafe},
		{"2 nodes, 3 % high", 20, 100, 0.02, 0.08, OK},
	} {
		p := setuptest.Problem(t, setuptest.StreamCase, "ib.correction=none", fmt.Sprintf("reference.resolution=%v", c.resolution), fmt.Sprintf("reference.reynolds=%v", c.reynolds))
		if e := DragError(p, 0, 0); !(e > c.least && e < c.most) {
			t.Errorf("%s: drag is off by %.3g, want %g to %g", c.name, e, c.least, c.most)
		}
		if l := LayerOf(p, 0); l == nil || l.Verdict != c.verdict {
			t.Errorf("%s: the layer is %+v, want %s", c.name, l, c.verdict)
		}
		if with := LayerOf(setuptest.Problem(t, setuptest.StreamCase, fmt.Sprintf("reference.resolution=%v", c.resolution), fmt.Sprintf("reference.reynolds=%v", c.reynolds)), 0); severity[with.Verdict] < severity[c.verdict] {
			t.Errorf("%s: with the correction the layer is %s only", c.name, with.Verdict)
		}
	}
}

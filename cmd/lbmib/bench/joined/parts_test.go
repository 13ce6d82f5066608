package joined

import (
	"io"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
)

// Every row of small boxes has both times, in parts and on ranks.
func TestPartsAreMeasured(t *testing.T) {
	specs := partsOf(harness.Size{24, 20}, harness.Size{12, 10, 8})
	if len(specs) != 20 {
		t.Errorf("%d rows, want 2 precisions × 5 axes × 2", len(specs))
	}
	rows, err := NewParts(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard, "").Run(t.Context(), specs)
	if err != nil || len(rows) != len(specs) {
		t.Fatal(len(rows), err)
	}
	for _, r := range rows {
		if r.Status != harness.OK || !(r.OneMS > 0 && r.DividedMS > 0) || r.ShareLow > r.Share || r.Share > r.ShareHigh {
			t.Errorf("%+v", r)
		}
	}
	if r := rows[0]; r.Axis != "x" || r.Pairs != 80 {
		t.Errorf("%v: %d pairs, want 80", r, r.Pairs)
	}
}

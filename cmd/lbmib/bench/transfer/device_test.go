// The detector of races allocates in calls that do not.
//go:build !race

package transfer

import (
	"context"
	"io"
	"slices"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda/standin"
	"lbmib/cuda/transfer"
	"lbmib/ib"
)

func TestEveryStrategyOfADeviceIsMeasuredAndChecked(t *testing.T) {
	standin.Use(t)
	specs := plan(t, Selection{Grid: each("16"), Points: each(300), Order: each(fresh, kept, set), Backend: harness.Backends, Threads: each(1)})
	b := New(harness.Effort{Repeats: 5, Step: 100 * time.Microsecond}, io.Discard, "")
	rows, err := b.Run(context.Background(), specs)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, r := range rows {
		if r.Backend != "cuda" {
			continue
		}
		if r.Status != harness.OK || !(r.Ms > 0) || !(r.ToSerial > 0) || r.Device != "stand-in" || r.Kernel != "cuda" || r.Threads != 0 || len(r.Checks) < 5 {
			t.Errorf("%+v", r)
		}
		found = append(found, r.Algorithm)
	}
	for _, name := range transfer.Names() {
		if n := len(slices.DeleteFunc(slices.Clone(found), func(f string) bool { return f != name })); n != 5 { // two operations in two orders, and SetPoints
			t.Errorf("%d rows of %s on the device, want 5", n, name)
		}
	}
	if all := ib.TransferNames(); len(rows) < 5*len(all) {
		t.Errorf("%d rows, want those of the processor's %d strategies, too", len(rows), len(all))
	}
}

// A transfer that loses a point is wrong on a device, too.
func TestAWrongResultOfADeviceHasNoTime(t *testing.T) {
	standin.Use(t)
	l := &harness.Limits{}
	defer l.Close()
	specs := plan(t, Selection{Grid: each("16"), Points: each(300), Order: each(fresh), Algorithm: each("atomic"), Op: each("spread"), Backend: each("cuda")})
	g, err := newGame[float64](l, specs, harness.Effort{Repeats: 5, Step: 100 * time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	g.placed[2] = g.placed[2][:299] // where the points are when results are checked
	device := g.turns[0]
	r, err := g.reference(g.placed[1])
	if err != nil {
		t.Fatal(err)
	}
	device.calls = 2
	if _, err := g.run(context.Background(), device, 1); err != nil {
		t.Fatal(err)
	}
	checks, err := g.checksOf(device.transfer, r)
	if err != nil || harness.Failed(checks) == "" {
		t.Errorf("%v, %v", checks, err)
	}
}

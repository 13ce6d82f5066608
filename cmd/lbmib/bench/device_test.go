package bench

import (
	"context"
	"io"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/cuda/standin"
)

func TestADeviceIsMeasuredLikeAProcessor(t *testing.T) {
	standin.Use(t)
	specs, err := Selection{Size: each("64x32"), Backend: gauge.Backends, Threads: []int{1}, Kernel: each("go"), StepsPerSweep: []int{1, 2}, Precision: each("f64", "f32/f16")}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	b := Bench{Effort: gauge.Effort{Repeats: 5, Step: time.Millisecond}, Progress: io.Discard}
	rows, err := b.Run(context.Background(), specs)
	if err != nil {
		t.Fatal(err)
	}
	onDevice := 0
	for _, r := range rows {
		if r.Status != gauge.OK || !(r.MFLUPS > 0) || !(r.CopyGBs > 0) || !(r.UpdateGBs > 0) || !(r.Roofline > 0) {
			t.Errorf("%+v", r)
		}
		if r.Backend != "cuda" {
			continue
		}
		onDevice++
		if r.Device != "stand-in" || r.Kernel != "cuda" || r.Threads != 0 || r.Layout != "soa" || r.StepsPerSweep != 1 {
			t.Errorf("%+v", r)
		}
	}
	if onDevice != 2*2 { // precisions, streaming schemes
		t.Errorf("%d rows of the device, want 4", onDevice)
	}
}

func TestWhatADeviceHasNoRoomForIsRefused(t *testing.T) {
	standin.Use(t)
	t.Setenv("LBMIB_STANDIN_MEMORY", "30000000")
	specs, err := Selection{Size: each("512x512"), Backend: each("cuda"), Precision: each("f64"), Streaming: each("ab")}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	b := Bench{Effort: gauge.Effort{Repeats: 5, Step: time.Millisecond}, Progress: io.Discard}
	rows, err := b.Run(context.Background(), specs)
	if err != nil || len(rows) != 1 || rows[0].Status != gauge.Refused {
		t.Errorf("%+v, %v", rows, err)
	}
	if _, err := (Selection{Backend: each("cuda"), Layout: each("aos")}).Plan(); err == nil {
		t.Error("a device has no layout aos")
	}
}

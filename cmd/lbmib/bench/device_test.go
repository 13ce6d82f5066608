package bench

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda/standin"
	"lbmib/run/backend"
)

func TestADeviceIsMeasuredLikeAProcessor(t *testing.T) {
	standin.Use(t)
	specs, err := Selection{Size: each("64x32"), Backend: harness.Backends, Threads: []int{1}, Kernel: each("go"), StepsPerSweep: []int{1, 2}, Precision: each("f64", "f32/f16")}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	b := New(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard)
	rows, err := b.Run(context.Background(), specs)
	if err != nil {
		t.Fatal(err)
	}
	onDevice := 0
	for _, r := range rows {
		if r.Status != harness.OK || !(r.MFLUPS > 0) || !(r.CopyGBs > 0) || !(r.UpdateGBs > 0) || !(r.Roofline > 0) {
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

// counted is a flow whose state counts how often it is asked for.
type counted struct {
	flow
	calls *atomic.Int64
}

func (c counted) state(p [3]float64) (rho float64, u [3]float64) {
	c.calls.Add(1)
	return c.flow.state(p)
}

// The initial state on a device is evaluated for one period of the flow, not for every node.
func TestTheInitialStateOnADeviceIsEvaluatedForOnePeriod(t *testing.T) {
	standin.Use(t)
	device, err := backend.OpenDevice()
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	cfg, fl, err := plan(t, Selection{Size: each("128x96"), Backend: each("cuda"), Precision: each("f64"), Streaming: each("ab")})[0].config()
	if err != nil {
		t.Fatal(err)
	}
	f, err := backend.NewFluid[float64](device, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := counted{fl, &atomic.Int64{}}
	if _, err := newTrial[float64](f, c); err != nil {
		t.Fatal(err)
	}
	p := fl.period()
	const stencil = 5 // a node and its neighbours, for the gradients
	if n, most := c.calls.Load(), int64(stencil*p[0]*p[1]*p[2]); n == 0 || n > most || most >= int64(cfg.Nodes()) {
		t.Errorf("the state of %d nodes was evaluated %d times, for a period at most %d", cfg.Nodes(), n, most)
	}
}

// A tube is taken by runs where that is open, and gives the flow that a box gives.
func TestATubeOnADevice(t *testing.T) {
	standin.Use(t)
	specs, err := Selection{Flow: each("tube"), Size: each("32x32x32"), Storage: each("auto", "box"), Backend: each("cuda"), Precision: each("f64"), Streaming: each("ab", "inplace")}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := New(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard).Run(context.Background(), specs)
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for k, r := range rows {
		if want := []string{"runs", "box"}[k/2]; r.Storage != want || r.Status != harness.OK || !(r.MFLUPS > 0) {
			t.Errorf("%+v, want storage %s", r, want)
		}
	}
}

func TestWhatADeviceHasNoRoomForIsRefused(t *testing.T) {
	standin.Use(t)
	t.Setenv("LBMIB_STANDIN_MEMORY", "30000000")
	specs, err := Selection{Size: each("512x512"), Backend: each("cuda"), Precision: each("f64"), Streaming: each("ab")}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	b := New(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard)
	rows, err := b.Run(context.Background(), specs)
	if err != nil || len(rows) != 1 || rows[0].Status != harness.Refused {
		t.Errorf("%+v, %v", rows, err)
	}
	if _, err := (Selection{Backend: each("cuda"), Layout: each("aos")}).Plan(); err == nil {
		t.Error("a device has no layout aos")
	}
}

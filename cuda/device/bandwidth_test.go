package device

import (
	"math"
	"testing"
)

func TestABandwidthMovesAllOfItsMemory(t *testing.T) {
	l := open(t)
	m, err := NewBandwidth(l, 300_001)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Release()
	values := func() []float32 {
		v := make([]float32, m.bytes/4)
		if err := CopyOut(m.stream, v, Slot{m.memory, 0}); err != nil {
			t.Fatal(err)
		}
		if err := m.stream.Synchronize(); err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := values()
	for i, v := range before {
		if !(v >= 0.5 && v < 1.5) {
			t.Fatalf("number %d is %g before any pass", i, v)
		}
	}
	m.scale.Args.Float32(1, 2)
	if rate := m.Update(); !(rate > 0) || math.IsInf(rate, 0) {
		t.Errorf("the rate of an update is %g", rate)
	}
	for i, v := range values() {
		if v != 2*before[i] {
			t.Fatalf("number %d is %g after an update, want %g", i, v, 2*before[i])
		}
	}
	if err := CopyIn(m.stream, Slot{m.memory, 0}, []float32{7}); err != nil {
		t.Fatal(err)
	}
	if rate := m.Copy(); !(rate > 0) || math.IsInf(rate, 0) {
		t.Errorf("the rate of a copy is %g", rate)
	}
	after := values()
	half := len(after) / 2
	for i := range half {
		if after[i] != after[half+i] {
			t.Fatalf("number %d is %g, its copy %g", i, after[i], after[half+i])
		}
	}
	if after[half] != 7 || m.Err() != nil {
		t.Errorf("the copy begins with %g, error %v", after[half], m.Err())
	}
}

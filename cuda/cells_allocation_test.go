//go:build !race

package cuda

import (
	"testing"

	"lbmib/cuda/device/devicetest"
)

// TestDeviceStepOfCellsAllocatesNothing, on the host or on the device, contact and the looks for faults included; nothing of it waits for a stream but these.
func TestDeviceStepOfCellsAllocatesNothing(t *testing.T) {
	l := devicetest.Open(t)
	s := pressed(t)
	sim := deviceCells[float64](t, l, &s, "device", membraneThreads)
	for range 16 {
		sim.Step()
	}
	held, _ := l.Context.Held()
	before := l.Context.Counts()
	if n := testing.AllocsPerRun(31, sim.Step); n != 0 { // and one before these
		t.Errorf("steps of cells allocate %v times, want 0", n)
	}
	if now, _ := l.Context.Held(); now != held {
		t.Errorf("steps of cells change the device memory held from %d to %d bytes", held, now)
	}
	if n := l.Context.Counts().Sub(before); n.ToHost.Calls != 2 || n.ToDevice.Calls != 0 {
		t.Errorf("32 steps of cells copy %d times to the host and %d times to the device, should for two looks for faults alone", n.ToHost.Calls, n.ToDevice.Calls)
	}
	if err := sim.Err(); err != nil {
		t.Fatal(err)
	}
}

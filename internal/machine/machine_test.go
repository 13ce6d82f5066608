package machine

import "testing"

func TestTheMachineIsKnown(t *testing.T) {
	if CPU() == "" {
		t.Error("the processor has no name")
	}
	if m, err := Memory(); err != nil || m < 64<<20 {
		t.Errorf("memory is %d bytes (%v), a machine that runs Go has more", m, err)
	}
	if d, err := FreeDisk(t.TempDir()); err != nil || d < 0 {
		t.Errorf("free space is %d bytes (%v)", d, err)
	}
	if _, err := FreeDisk("/nonexistent/place"); err == nil {
		t.Error("a place that does not exist has free space")
	}
	if err := Writable(t.TempDir()); err != nil {
		t.Error(err)
	}
	if err := Writable("/nonexistent/place"); err == nil {
		t.Error("a place that does not exist can be written to")
	}
}

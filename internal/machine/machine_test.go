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

func TestCachesGrowWithTheirLevel(t *testing.T) {
	for level := 1; level < 3; level++ {
		if a, b := CacheSize(level), CacheSize(level+1); a < 1<<10 || b < a {
			t.Errorf("caches of levels %d and %d have %d and %d bytes", level, level+1, a, b)
		}
	}
	for text, want := range map[string]int64{"48K": 48 << 10, "2048K": 2 << 20, "260M": 260 << 20} {
		if got, err := cacheSize(text); err != nil || got != want {
			t.Errorf("%s is read as %d (%v), want %d", text, got, err, want)
		}
	}
	if _, err := cacheSize("many"); err == nil {
		t.Error("a size without a number is accepted")
	}
}

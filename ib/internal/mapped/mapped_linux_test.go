package mapped

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// resident is the memory of the process in bytes.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func TestFreedMemoryIsTheSystemsAtOnce(t *testing.T) {
	const n = 64 << 20
	var m Memory[float32]
	before := resident(t)
	if err := m.Make(n / 4); err != nil {
		t.Fatal(err)
	}
	for i := range m.Slice() {
		m.Slice()[i] = 1
	}
	if grown := resident(t) - before; grown < n/2 {
		t.Errorf("the process has %d bytes more after %d were written", grown, n)
	}
	m.Free()
	if grown := resident(t) - before; grown > n/2 {
		t.Errorf("the process still has %d bytes more after %d were given back", grown, n)
	}
}

func TestWhatTheSystemDoesNotHaveIsAnError(t *testing.T) {
	var m Memory[float64]
	if err := m.Make(1 << 56); err == nil { // 2^59 bytes, more than addresses
		t.Error("memory beyond all addresses was mapped")
	}
	if m.Free(); m.Slice() != nil {
		t.Error("what was not mapped is lent")
	}
}

func TestMappingAllocatesNothing(t *testing.T) {
	var m Memory[float64]
	if n := testing.AllocsPerRun(20, func() {
		if err := m.Make(1 << 19); err != nil {
			t.Fatal(err)
		}
		m.Slice()[0] = 1
		m.Free()
	}); n != 0 {
		t.Errorf("%v allocations per mapping, want none", n)
	}
}

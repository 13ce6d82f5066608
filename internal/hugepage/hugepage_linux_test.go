package hugepage

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// huge is how many bytes of the mappings that overlap [lo, hi) lie on huge
// pages, by /proc/self/smaps; known is false where the system does not tell.
func huge(t *testing.T, lo, hi uintptr) (bytes int, known bool) {
	t.Helper()
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0, false
	}
	defer file.Close()
	inside := false
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var a, b uintptr
		if k, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &a, &b); k == 2 {
			inside = a < hi && lo < b
		}
		var kb int
		if k, _ := fmt.Sscanf(lines.Text(), "AnonHugePages: %d kB", &kb); inside && k == 1 {
			bytes, known = bytes+kb<<10, true
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return bytes, known
}

func TestPagesAreHugeWhereTheSystemGivesThem(t *testing.T) {
	mode, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || strings.Contains(string(mode), "[never]") {
		t.Logf("this system gives no huge pages (%s, %v): nothing to see", mode, err)
		return
	}
	const n = 64 << 20
	for _, memory := range []string{"used before", "fresh"} {
		if memory == "used before" { // a place with small pages, most likely taken again
			small := make([]byte, n+2*page)
			touch(small)
			runtime.KeepAlive(small)
			small = nil
			runtime.GC()
		}
		s := Make[byte](n)
		touch(s)
		lo := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
		got, known := huge(t, lo, lo+n)
		switch {
		case !known:
			t.Logf("this system does not tell which pages are huge")
		case got < n/2: // all of them, unless memory is in pieces
			t.Errorf("%s memory: %d of %d bytes are on huge pages, want at least half", memory, got, n)
		}
		kept = append(kept, s)
	}
	kept = nil
}

// kept keeps the first slice while the second is made, which is then elsewhere.
var kept [][]byte

func touch(s []byte) {
	for i := range s {
		s[i] = 1
	}
}

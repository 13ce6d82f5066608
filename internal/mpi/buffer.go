package mpi

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"lbmib/internal/hugepage"
)

// buffers hands out memory, and knows what it has handed out. For processes the system maps
// it, outside Go's heap, and it is never unmapped: what is freed is given out again. A
// network may keep the pages of a buffer that it has once sent from, and sees neither Go's
// unmapping nor its giving pages back to the system. Goroutines get Go's memory, so that the
// race detector sees who touches a message under way.
type buffers struct {
	mapped bool

	mu   sync.Mutex
	used []buffer // by address
	free []buffer
}

// buffer is memory of which the first bytes are in use.
type buffer struct {
	memory []byte
	bytes  int
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// get is zeroed memory.
func (m *buffers) get(bytes int) []byte {
	if bytes < 0 {
		panic(fmt.Sprintf("mpi: a buffer of %d bytes", bytes))
	}
	grain := 64
	if m.mapped {
		grain = os.Getpagesize()
	}
	size := max(grain, (bytes+grain-1)/grain*grain)
	m.mu.Lock()
	defer m.mu.Unlock()
	got := buffer{bytes: bytes}
	if i := slices.IndexFunc(m.free, func(f buffer) bool { return len(f.memory) == size }); i >= 0 {
		got.memory = m.free[i].memory
		m.free = slices.Delete(m.free, i, i+1)
		clear(got.memory)
	} else {
		got.memory = m.allocate(size)
	}
	at, _ := slices.BinarySearchFunc(m.used, got, byAddress)
	m.used = slices.Insert(m.used, at, got)
	return got.memory[:bytes:bytes]
}

func (m *buffers) allocate(bytes int) []byte {
	if !m.mapped {
		return hugepage.Make[byte](bytes)
	}
	pages, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		panic(fmt.Sprintf("mpi: no memory for a buffer of %d bytes: %v", bytes, err))
	}
	return pages
}

func byAddress(a, b buffer) int {
	switch x, y := address(a.memory), address(b.memory); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// put takes back a whole buffer.
func (m *buffers) put(b []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := slices.BinarySearchFunc(m.used, buffer{memory: b}, byAddress)
	if !ok || m.used[at].bytes != len(b) {
		panic(fmt.Sprintf("mpi: Free of %d bytes that Buffer did not give, or that are freed already", len(b)))
	}
	m.free = append(m.free, m.used[at])
	m.used = slices.Delete(m.used, at, at+1)
}

// has tells whether b lies in one buffer; nothing at all lies everywhere.
func (m *buffers) has(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at, exact := slices.BinarySearchFunc(m.used, buffer{memory: b}, byAddress)
	if !exact {
		at--
	}
	if at < 0 {
		return false
	}
	u := m.used[at]
	return address(b)+uintptr(len(b)) <= address(u.memory)+uintptr(u.bytes)
}

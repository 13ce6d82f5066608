package mpi

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// buffers hands out memory that the system maps, not Go's heap. It is never unmapped: what
// is freed is given out again. A network may keep the pages of a buffer that it has once
// sent from, and sees neither Go's unmapping nor its giving pages back to the system.
type buffers struct {
	mu   sync.Mutex
	used []mapping // by address
	free []mapping
}

// mapping is whole pages, of which the first bytes are in use.
type mapping struct {
	pages []byte
	bytes int
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// get is zeroed memory.
func (m *buffers) get(bytes int) []byte {
	if bytes < 0 {
		panic(fmt.Sprintf("mpi: a buffer of %d bytes", bytes))
	}
	page := os.Getpagesize()
	size := max(page, (bytes+page-1)/page*page)
	m.mu.Lock()
	defer m.mu.Unlock()
	got := mapping{bytes: bytes}
	if i := slices.IndexFunc(m.free, func(f mapping) bool { return len(f.pages) == size }); i >= 0 {
		got.pages = m.free[i].pages
		m.free = slices.Delete(m.free, i, i+1)
		clear(got.pages)
	} else {
		pages, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			panic(fmt.Sprintf("mpi: no memory for a buffer of %d bytes: %v", bytes, err))
		}
		got.pages = pages
	}
	at, _ := slices.BinarySearchFunc(m.used, got, byAddress)
	m.used = slices.Insert(m.used, at, got)
	return got.pages[:bytes:bytes]
}

func byAddress(a, b mapping) int {
	switch x, y := address(a.pages), address(b.pages); {
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
	at, ok := slices.BinarySearchFunc(m.used, mapping{pages: b}, byAddress)
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
	at, exact := slices.BinarySearchFunc(m.used, mapping{pages: b}, byAddress)
	if !exact {
		at--
	}
	if at < 0 {
		return false
	}
	u := m.used[at]
	return address(b)+uintptr(len(b)) <= address(u.pages)+uintptr(u.bytes)
}

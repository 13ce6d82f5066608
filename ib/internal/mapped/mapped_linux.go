package mapped

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

const page = 2 << 20 // bytes of a huge page

// region is a mapping.
type region struct {
	start unsafe.Pointer
	size  uintptr
}

// reserve maps at least size bytes. From a huge page on they begin on one.
func (r *region) reserve(size uintptr) (unsafe.Pointer, error) {
	slack := uintptr(0)
	if size >= page {
		size = (size + page - 1) &^ (page - 1)
		slack = page
	}
	start, err := unix.MmapPtr(-1, 0, nil, size+slack, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("the system maps no %d MiB more: %w", size>>20+1, err)
	}
	r.start, r.size = start, size+slack
	if slack > 0 {
		start = unsafe.Add(start, -uintptr(start)&(page-1))
		// Advice: where it is not followed pages are small, and nothing else differs.
		_ = unix.Madvise(unsafe.Slice((*byte)(start), size), unix.MADV_HUGEPAGE)
	}
	return start, nil
}

func (r *region) release() {
	if r.start == nil {
		return
	}
	if err := unix.MunmapPtr(r.start, r.size); err != nil {
		panic(fmt.Sprintf("mapped: memory cannot be given back: %v", err)) // not mapped by reserve
	}
	r.start = nil
}

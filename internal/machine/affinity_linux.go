package machine

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Affinity is a mask of the processors that this process may run on, a bit each: 1024 of them.
func Affinity() (mask [16]uint64) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return allProcessors()
	}
	for cpu := range min(8*int(unsafe.Sizeof(set)), 64*len(mask)) {
		if set.IsSet(cpu) {
			mask[cpu/64] |= 1 << (cpu % 64)
		}
	}
	return mask
}

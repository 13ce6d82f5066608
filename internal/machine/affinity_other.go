//go:build !linux

package machine

// Affinity is a mask of the processors that this process may run on, a bit each: all of the machine here.
func Affinity() [16]uint64 { return allProcessors() }

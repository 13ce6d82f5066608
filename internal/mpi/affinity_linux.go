//go:build !nompi

package mpi

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// affinity names the processors that this process may run on.
func affinity() string {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", set)
}

package driver

import (
	"fmt"
	"strings"
)

// Describe says in lines what was found of the driver and its devices, or why
// nothing can be used and what to do.
func Describe() []string {
	d, err := Open("")
	if err != nil {
		return strings.Split(err.Error(), "\n")
	}
	lines := []string{fmt.Sprintf("driver %s, CUDA %d.%d", d.path, d.major, d.minor)}
	list, err := d.Devices()
	if err != nil {
		return append(lines, strings.Split(err.Error(), "\n")...)
	}
	for _, i := range list {
		line := fmt.Sprintf("device %d: %s, %s, compute capability %d.%d, %d multiprocessors, %s of L2, PCI %s",
			i.Index, i.Name, size(i.Memory), i.Major, i.Minor, i.Multiprocessors, size(i.L2), i.PCI)
		if !i.Supported() {
			line += fmt.Sprintf(" (too old: %d.%d is needed)", minComputeMajor, minComputeMinor)
		}
		lines = append(lines, line)
	}
	return lines
}

// Package machine tells what the computer is: processor, memory, disk.
package machine

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"
)

// CPU is the processor's name, "unknown" where the system does not tell.
func CPU() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return "unknown " + runtime.GOARCH
}

// Features lists the vector extensions of the processor.
func Features() []string {
	var f []string
	for _, x := range []struct {
		name string
		has  bool
	}{
		{"AVX2", cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA}, {"F16C", cpu.X86.HasF16C}, {"AVX-512F", cpu.X86.HasAVX512F},
		{"AVX-512BW", cpu.X86.HasAVX512BW}, {"AVX-512DQ", cpu.X86.HasAVX512DQ}, {"AVX-512VL", cpu.X86.HasAVX512VL},
		{"NEON", cpu.ARM64.HasASIMD},
	} {
		if x.has {
			f = append(f, x.name)
		}
	}
	return f
}

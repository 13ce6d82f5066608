// Package machine tells what the computer is: processor, memory, disk.
package machine

import (
	"fmt"
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

// MemoryLimit is how much memory the process can have, and what says so.
type MemoryLimit struct {
	Bytes  int64
	By     string // what limits it, for messages; empty: the machine
	Remedy string // how to have more; empty: there is none
}

// Refusal says that so much memory is not to be had, as part of a message: what there
// is, and what to do about it. words are how to need less.
func (l MemoryLimit) Refusal(size func(int64) string, words string) string {
	if l.By == "" {
		return fmt.Sprintf("this machine has %s: %s", size(l.Bytes), words)
	}
	return fmt.Sprintf("%s, which leaves %s: %s, %s", l.By, size(l.Bytes), l.Remedy, words)
}

// Memory is what the process may use in bytes: the machine's memory, or what the
// control groups it runs in or the limit on its address space (ulimit -v) leave of it.
func Memory() (int64, error) {
	l, err := Limit()
	return l.Bytes, err
}

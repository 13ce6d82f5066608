//go:build !unix

package gpureport

import (
	"os"
	"os/exec"
)

// Without groups of processes, what a process has started is left to itself.
func ownGroup(*exec.Cmd)           {}
func interruptGroup(p *os.Process) { _ = p.Signal(os.Interrupt) }
func killGroup(p *os.Process)      { _ = p.Kill() }

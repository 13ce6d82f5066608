//go:build unix

package gpureport

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the process the first of a group, so that signals reach what it starts.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// The errors of signals are that there is nobody left to have them.
func interruptGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGINT) }
func killGroup(p *os.Process)      { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

package main

import "syscall"

// withParent lets a process end when this one does, however it does.
func withParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

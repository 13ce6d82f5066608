//go:build !linux

package main

import "syscall"

// withParent is nothing here: a process may outlive this one.
func withParent() *syscall.SysProcAttr { return nil }

//go:build !nompi && !linux

package mpi

// keepHandlers has nothing to keep: UCX, which takes over handlers of signals, is Linux's.
func keepHandlers() (restore func()) { return func() {} }

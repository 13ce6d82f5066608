//go:build !nompi && !linux

package mpi

// affinity would name the processors that this process may run on: all of them.
func affinity() string { return "" }

//go:build !linux

package parallel

import "sync/atomic"

// haveFutex tells that threads cannot be put to sleep one by one: goroutines
// sleep instead, and the two functions below are never called.
const haveFutex = false

func futexWait(*atomic.Uint32, uint32) {}

func futexWake(*atomic.Uint32) {}

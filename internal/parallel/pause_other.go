//go:build !amd64

package parallel

// pause would tell the processor that this is a waiting loop.
func pause() {}

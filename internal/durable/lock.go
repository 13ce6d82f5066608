package durable

import (
	"path/filepath"
	"sync"
)

// writers are the paths that are being written to, each with those who write
// and those who wait.
var writers = struct {
	sync.Mutex
	of map[string]*turn
}{of: map[string]*turn{}}

type turn struct {
	sync.Mutex
	users int
}

// lock waits until nobody else in this process writes to path.
func lock(path string) (unlock func()) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	writers.Lock()
	t := writers.of[path]
	if t == nil {
		t = &turn{}
		writers.of[path] = t
	}
	t.users++
	writers.Unlock()
	t.Lock()
	return func() {
		t.Unlock()
		writers.Lock()
		defer writers.Unlock()
		if t.users--; t.users == 0 {
			delete(writers.of, path)
		}
	}
}

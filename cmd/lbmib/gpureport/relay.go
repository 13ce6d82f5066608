package gpureport

import (
	"io"
	"sync"
	"time"
)

// relay passes text on to a writer without ever waiting for it: what a slow reader has
// left no room for is dropped, so that no reader can hold up a watchdog.
type relay struct {
	mutex sync.Mutex // of closing
	shut  bool
	queue chan []byte
	ended chan struct{}
}

const relayed = 1024 // writes that wait to be passed on, at most

func newRelay(to io.Writer) *relay {
	r := &relay{queue: make(chan []byte, relayed), ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		for text := range r.queue {
			_, _ = to.Write(text) // a reader that is gone does not end the report
		}
	}()
	return r
}

// Write always succeeds, and at once.
func (r *relay) Write(text []byte) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.shut {
		select {
		case r.queue <- append([]byte{}, text...):
		default:
		}
	}
	return len(text), nil
}

// close waits until all was passed on, or for so long.
func (r *relay) close(patience time.Duration) {
	r.mutex.Lock()
	if !r.shut {
		r.shut = true
		close(r.queue)
	}
	r.mutex.Unlock()
	select {
	case <-r.ended:
	case <-time.After(patience):
	}
}

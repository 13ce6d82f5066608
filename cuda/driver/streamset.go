package driver

import (
	"slices"
	"sync"
)

// streamSet is the streams of a context, in the order in which they were made.
type streamSet struct {
	mu  sync.Mutex
	all []*Stream
}

func (t *streamSet) add(s *Stream) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, s)
}

func (t *streamSet) remove(s *Stream) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = slices.DeleteFunc(t.all, func(o *Stream) bool { return o == s })
}

// but are all streams but one.
func (t *streamSet) but(one *Stream) []*Stream {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(t.all), func(o *Stream) bool { return o == one })
}

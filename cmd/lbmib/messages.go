package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Bounds on messages that wait for their reader.
const (
	mostWaiting    = 1 << 20         // bytes
	readerPatience = 3 * time.Second // at the end, with a reader that takes nothing
)

// messages is standard error: progress, notes and errors. Nothing that a command does waits
// for their reader, which may be a terminal that is held or a pipe that nobody reads:
// they are written beside it, in order, and of more than mostWaiting the oldest are
// dropped.
type messages struct {
	to io.Writer

	mutex   sync.Mutex
	changed sync.Cond // of what follows
	waiting [][]byte
	bytes   int
	taken   int64 // writes that have ended
	dropped int   // messages, since the last one that was written
	writing bool  // a goroutine is
	stuck   bool  // it was waited for in vain, and is not again before it goes on
	err     error // of a write: the reader is gone
}

func newMessages(to io.Writer) *messages {
	m := &messages{to: to}
	m.changed.L = &m.mutex
	return m
}

// Write has the text written, and keeps none of it. Its error is that of a write before.
func (m *messages) Write(text []byte) (int, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.err != nil {
		return 0, m.err
	}
	m.waiting, m.bytes = append(m.waiting, append([]byte(nil), text...)), m.bytes+len(text)
	for m.bytes > mostWaiting && len(m.waiting) > 1 {
		m.bytes -= len(m.waiting[0])
		m.waiting = m.waiting[1:]
		m.dropped++
	}
	if !m.writing {
		m.writing = true
		go m.write()
	}
	return len(text), nil
}

// write writes until nothing waits.
func (m *messages) write() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for len(m.waiting) > 0 && m.err == nil {
		text := m.waiting[0]
		m.waiting, m.bytes = m.waiting[1:], m.bytes-len(text)
		if m.dropped > 0 {
			text = append(fmt.Appendf(nil, "\n(%d messages were dropped: nothing read standard error)\n", m.dropped), text...)
			m.dropped = 0
		}
		m.mutex.Unlock()
		_, err := m.to.Write(text)
		m.mutex.Lock()
		m.err = err
		m.taken, m.stuck = m.taken+1, false
		m.changed.Broadcast()
	}
	m.writing = false
	m.changed.Broadcast()
}

// flush waits until all is written, or the reader has taken nothing for so long.
func (m *messages) flush(patience time.Duration) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for m.writing && !m.stuck {
		before, late := m.taken, false
		timer := time.AfterFunc(patience, func() {
			m.mutex.Lock()
			defer m.mutex.Unlock()
			late = true
			m.changed.Broadcast()
		})
		for m.writing && m.taken == before && !late {
			m.changed.Wait()
		}
		timer.Stop()
		m.stuck = m.writing && m.taken == before
	}
}

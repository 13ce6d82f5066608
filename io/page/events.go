package page

import (
	"fmt"
	"net/http"
	"time"
)

// Times of the stream.
const (
	eventsEvery = 200 * time.Millisecond // least time between what is sent
	stillThere  = 15 * time.Second       // after which a reader that is told nothing is told so: one that is gone is found
)

// events is the stream of server-sent events: the latest of every document, as soon as it changes. A
// reader that is slow is told less often; one that takes nothing for so long is dropped, and
// comes back by itself.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if s.streams.Add(1) > mostStreams {
		s.streams.Add(-1)
		w.Header().Set("Retry-After", "5")
		http.Error(w, "the page is open too often", http.StatusServiceUnavailable)
		return
	}
	defer s.streams.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	seen := map[string]int{}
	for {
		names, texts, more := s.news(seen)
		_ = out.SetWriteDeadline(time.Now().Add(writePatience))
		for i := range names {
			if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", names[i], texts[i]); err != nil {
				return
			}
		}
		if len(names) == 0 {
			if _, err := fmt.Fprint(w, ": still there\n\n"); err != nil {
				return
			}
		}
		if out.Flush() != nil {
			return
		}
		if !s.pause(r, time.After(eventsEvery), nil) || !s.pause(r, time.After(stillThere), more) {
			return
		}
	}
}

// pause waits for one of two, and tells whether to go on: neither the reader nor the server has gone.
func (s *Server) pause(r *http.Request, a <-chan time.Time, b <-chan struct{}) bool {
	select {
	case <-a:
		return true
	case <-b:
		return true
	case <-r.Context().Done():
		return false
	case <-s.closed:
		return false
	}
}

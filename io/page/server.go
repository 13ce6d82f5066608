package page

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// assets are all files of the page.
//
//go:embed assets
var assets embed.FS

// Bounds on what readers can take of the process.
const (
	mostConnections = 64
	mostStreams     = 16 // of events: pages that are open
	mostHead        = 16 << 10
	mostBody        = 1 << 10 // of a request: buttons send nothing
	writePatience   = 15 * time.Second
)

// Buttons are what a reader may ask of the run. They return at once.
type Buttons struct {
	Checkpoint func() // as SIGUSR1 does
	Stop       func() // as SIGINT does; it is called once
}

// Server shows runs, one after the other. Its methods may be called from any goroutine.
type Server struct {
	state
	series  series
	wishes  wishes
	buttons Buttons

	listener net.Listener
	http     *http.Server
	token    string // 128 bits
	folder   string // that all is below: the cookie is sent to no other path
	served   sync.WaitGroup
	streams  atomic.Int32
	stopping atomic.Bool // a reader has asked for it
	closed   chan struct{}
	close    sync.Once
}

// Listen begins to serve on a free port of the loopback address.
func Listen(b Buttons) (*Server, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the page needs a port of 127.0.0.1: %w: allow it, or leave --page out", err)
	}
	s := &Server{buttons: b, listener: limit(l, mostConnections), token: secret(), folder: "/" + secret()[:16] + "/", closed: make(chan struct{})}
	s.state.init()
	s.series.init()
	s.wishes.init()
	s.http = &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: mostHead,
		ErrorLog: quiet,
	}
	s.served.Add(1)
	go func() {
		defer s.served.Done()
		_ = s.http.Serve(s.listener) // until Close
	}()
	return s, nil
}

// secret is 128 random bits in hexadecimal digits.
func secret() string {
	var b [16]byte
	rand.Read(b[:]) // which never fails
	return hex.EncodeToString(b[:])
}

// host is the address with its port.
func (s *Server) host() string { return s.listener.Addr().String() }

// URL is what a browser is to open. It has the token: who knows it may look and press buttons.
func (s *Server) URL() string { return "http://" + s.host() + "/?token=" + s.token }

// handler is all routes behind the guard.
func (s *Server) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", s.enter)
	m.HandleFunc("GET "+s.folder, s.file)
	m.HandleFunc("GET "+s.folder+"events", s.events)
	m.HandleFunc("GET "+s.folder+"slice", s.slice)
	m.HandleFunc("GET "+s.folder+"bodies", s.bodies)
	m.HandleFunc("GET "+s.folder+"scene", s.scene)
	m.HandleFunc("GET "+s.folder+"series", s.rows)
	m.HandleFunc("GET "+s.folder+"report", s.report)
	m.HandleFunc("POST "+s.folder+"checkpoint", s.press(s.pressCheckpoint))
	m.HandleFunc("POST "+s.folder+"stop", s.press(s.pressStop))
	for _, button := range []string{"checkpoint", "stop"} { // which the files' pattern would answer
		m.HandleFunc("GET "+s.folder+button, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Allow", "POST")
			http.Error(w, "a button is pressed by POST", http.StatusMethodNotAllowed)
		})
	}
	return s.guarded(m)
}

// types are those of the files by their extensions.
var types = map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// file answers with a file of the page, of a known type, by its whole name.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	name := cmp.Or(strings.TrimPrefix(r.URL.Path, s.folder), "index.html")
	text, err := assets.ReadFile("assets/" + name)
	if of := types[path.Ext(name)]; err == nil && of != "" {
		w.Header().Set("Content-Type", of)
		_, _ = w.Write(text) // the reader may be gone
		return
	}
	http.Error(w, "there is no such file", http.StatusNotFound)
}

// press is a button.
func (s *Server) press(do func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if s.hasEnded() {
			http.Error(w, "the run has ended", http.StatusConflict)
			return
		}
		answer(w, map[string]string{"text": do()})
	}
}

func (s *Server) pressCheckpoint() string {
	if s.buttons.Checkpoint != nil {
		s.buttons.Checkpoint()
	}
	return "a checkpoint is written after the step at hand; the run goes on"
}

// pressStop stops once: a second signal would end the process without a checkpoint.
func (s *Server) pressStop() string {
	if s.stopping.CompareAndSwap(false, true) && s.buttons.Stop != nil {
		s.buttons.Stop()
	}
	return "the run stops after the step at hand, with a checkpoint"
}

// Readers is how many pages are open.
func (s *Server) Readers() int { return int(s.streams.Load()) }

// How long a server stays after the end.
const (
	reload      = 2 * time.Second  // that a page which is loaded again is away
	LongestStay = 10 * time.Minute // with readers
	farewell    = 3 * time.Second  // that readers have to fetch the report where the program does not stay
)

// Stay is to be called after End: it returns when no page has been open for a moment, at once
// where none is, when the context is cancelled, or after LongestStay. Where it is cancelled
// already, readers have a moment to fetch what they show.
func (s *Server) Stay(ctx context.Context) {
	if s.Readers() == 0 {
		return
	}
	patience, cancelled, wasCancelled := LongestStay, ctx.Done(), ctx.Err() != nil
	if wasCancelled {
		patience, cancelled = farewell, nil
	}
	s.leave(patience, wasCancelled)
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	var away time.Time // since when nobody is there
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		switch {
		case s.Readers() > 0:
			away = time.Time{}
		case away.IsZero() && !wasCancelled:
			away = time.Now()
		case wasCancelled || time.Since(away) > reload:
			return
		}
		select {
		case <-poll.C:
		case <-cancelled:
			return
		}
	}
}

// Close ends the server and all that it does, if there is one. Answers under way are cut off, and waited for.
func (s *Server) Close() {
	if s == nil {
		return
	}
	s.close.Do(func() {
		close(s.closed)
		_ = s.http.Close()
		s.served.Wait()
	})
}

// limited is a listener with so many connections at most.
type limited struct {
	net.Listener
	free chan struct{}
}

func limit(l net.Listener, most int) net.Listener {
	return &limited{l, make(chan struct{}, most)}
}

// Accept closes at once what is too many.
func (l *limited) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.free <- struct{}{}:
			return &counted{Conn: c, of: l}, nil
		default:
			_ = c.Close()
		}
	}
}

// counted is a connection that is counted until it is closed.
type counted struct {
	net.Conn
	of   *limited
	once sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { <-c.of.free })
	return c.Conn.Close()
}

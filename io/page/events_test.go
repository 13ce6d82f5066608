package page

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// stream is the stream of events as a reader hears it.
type stream struct {
	*bufio.Reader
	io.Closer
}

func listen(t *testing.T, reader *http.Client, folder string) *stream {
	t.Helper()
	answer, err := reader.Get(folder + "events")
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("the stream answers with %s, %s", answer.Status, answer.Header.Get("Content-Type"))
	}
	return &stream{bufio.NewReader(answer.Body), answer.Body}
}

// until reads to an event of a name whose data holds a text.
func (s *stream) until(t *testing.T, name, text string) string {
	t.Helper()
	for at := ""; ; {
		line, err := s.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ends before %s with %q: %v", name, text, err)
		}
		line = strings.TrimSpace(line)
		if n, ok := strings.CutPrefix(line, "event: "); ok {
			at = n
		} else if data, ok := strings.CutPrefix(line, "data: "); ok && at == name && strings.Contains(data, text) {
			return data
		}
	}
}

// eventually waits for something that happens soon.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come to be", what)
		}
	}
}

func TestReadersAreToldTheLatest(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	early := listen(t, reader, folder)
	defer early.Close()
	s.Begin(Head{Case: "first", Dim: 2})
	early.until(t, "head", `"first"`)
	for step := range int64(1000) {
		s.Progress(Progress{Step: step + 1})
	}
	early.until(t, "progress", `"Step":1000,`)
	late := listen(t, reader, folder)
	defer late.Close()
	late.until(t, "head", `"first"`)
	late.until(t, "progress", `"Step":1000,`)
	s.Begin(Head{Case: "second"})
	s.Sweep("case", []SweepRun{{Name: "a", State: "done"}, {Name: "b", State: "running"}})
	for _, r := range []*stream{early, late} {
		r.until(t, "head", `"second"`)
	}
	s.End(Ending{Status: "diverged", Text: "the flow diverged"})
	for _, r := range []*stream{early, late} {
		r.until(t, "end", "the flow diverged")
	}
}

func TestAThousandReconnectsLeakNothing(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	s.Begin(Head{Case: "case"})
	free := s.listener.(*limited).free
	eventually(t, "the end of the first connection", func() bool { return len(free) == 0 })
	before := runtime.NumGoroutine()
	for i := range 1000 {
		ctx, cancel := context.WithCancel(t.Context())
		answer, err := reader.Do(request(t, "GET", folder+"events").WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case answer.StatusCode == http.StatusServiceUnavailable: // those before have not been noticed to be gone
			eventually(t, "room for a reader", func() bool { return s.Readers() < mostStreams })
		case answer.StatusCode != 200:
			t.Fatalf("connection %d: %s", i, answer.Status)
		case i%2 == 0:
			if _, err := bufio.NewReader(answer.Body).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		answer.Body.Close()
	}
	eventually(t, "that no reader is left", func() bool { return s.Readers() == 0 })
	eventually(t, "that no connection is left", func() bool { return len(free) == 0 })
	eventually(t, "that no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

func TestAReaderThatTakesNothingHoldsNobodyUp(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	s.Begin(Head{Case: "case", Text: strings.Repeat("long ", 1<<18)})
	c, err := net.Dial("tcp", s.host())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.(*net.TCPConn).SetReadBuffer(1 << 10)
	_, err = io.WriteString(c, "GET "+s.folder+"events HTTP/1.1\r\nHost: "+s.host()+"\r\nAuthorization: Bearer "+s.token+"\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the slow reader", func() bool { return s.Readers() == 1 })
	other := listen(t, reader, folder)
	defer other.Close()
	begin := time.Now()
	for step := range int64(20000) {
		s.Progress(Progress{Step: step + 1})
		s.Row("forces.csv", []string{"t", "step", "body", "cd"}, []any{float64(step), step, "body", 1.})
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("telling 20 000 times took %v", took)
	}
	other.until(t, "progress", `"Step":20000,`)
	begin = time.Now()
	s.Close() // which waits for all answers
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("the end waited for the slow reader: %v", took)
	}
}

func TestThereIsRoomForSoManyReaders(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	s.Begin(Head{Case: "case"})
	for range mostStreams {
		defer listen(t, reader, folder).Close()
	}
	if code, _, h := get(t, reader, request(t, "GET", folder+"events")); code != http.StatusServiceUnavailable || h.Get("Retry-After") == "" {
		t.Errorf("one reader too many is answered with %d", code)
	}
	if code, _, _ := get(t, reader, request(t, "GET", folder)); code != 200 {
		t.Errorf("the page itself: %d", code)
	}
}

func TestTheServerStaysWithItsReadersAfterTheEnd(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	s.Begin(Head{Case: "case"})
	s.End(Ending{Status: "done"})
	begin := time.Now()
	s.Stay(t.Context()) // nobody is there
	if took := time.Since(begin); took > time.Second {
		t.Errorf("without readers it stayed %v", took)
	}
	open := listen(t, reader, folder)
	open.until(t, "end", "done")
	stayed := make(chan struct{})
	go func() { s.Stay(t.Context()); close(stayed) }()
	open.until(t, "leave", `"Minutes":10,"Now":false`)
	select {
	case <-stayed:
		t.Fatal("it left a reader")
	case <-time.After(300 * time.Millisecond):
	}
	open.Close() // and is opened again, as by loading it anew
	open = listen(t, reader, folder)
	select {
	case <-stayed:
		t.Fatal("it left a reader who loaded the page again")
	case <-time.After(300 * time.Millisecond):
	}
	open.Close()
	select {
	case <-stayed:
	case <-time.After(20 * time.Second):
		t.Fatal("it stays though nobody is there")
	}
}

func TestTheServerGoesWhenItIsAsked(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	s.Begin(Head{Case: "case"})
	open := listen(t, reader, folder)
	defer open.Close()
	s.End(Ending{Status: "done"})
	ctx, cancel := context.WithCancel(t.Context())
	stayed := make(chan struct{})
	go func() { s.Stay(ctx); close(stayed) }()
	open.until(t, "leave", `"Now":false`)
	cancel()
	select {
	case <-stayed:
	case <-time.After(2 * time.Second):
		t.Fatal("it stays though it was asked to go")
	}
	begin := time.Now() // one that was asked before the end gives readers a moment
	go func() { open.until(t, "leave", `"Now":true`); open.Close() }()
	s.Stay(ctx)
	if took := time.Since(begin); took > farewell {
		t.Errorf("it waited %v for a reader that had left", took)
	}
}

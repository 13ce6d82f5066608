// Package browser drives Chromium for tests of pages, by its debugging protocol over a pipe.
package browser

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// View is how a page is looked at.
type View struct {
	Width, Height int
	Dark          bool
}

// Tab is a page in a browser of its own, which ends with the test.
type Tab struct {
	t       testing.TB
	to      io.Writer
	session string

	mutex  sync.Mutex
	last   int
	wait   map[int]chan reply
	faults []string // that the page has reported: exceptions, refused loads, errors of the console
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// message is what the browser says: an answer, or news.
type message struct {
	ID     int
	Method string
	Params json.RawMessage
	reply
}

// patience bounds every single wait, for what would never come: the machine may be busy with other tests.
const patience = 5 * time.Minute

// Find is the program; an error tells how to get it.
func Find() (string, error) {
	for _, name := range []string{os.Getenv("LBMIB_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium: run scripts/install.sh chromium, or set LBMIB_CHROMIUM to the program")
}

// Open opens a page. Where there is no browser the test fails.
func Open(t testing.TB, url string, v View) *Tab {
	t.Helper()
	program, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp("", "lbmib-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeHome(t, home) })
	c := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--no-first-run", "--disable-dev-shm-usage", "--disable-extensions", "--remote-debugging-pipe", "--user-data-dir="+home, "about:blank")
	c.Env = append(os.Environ(), "HOME="+home)
	c.WaitDelay = 5 * time.Second
	hear, say, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	told, tell, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.ExtraFiles = []*os.File{hear, tell} // 3, which it reads, and 4
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	hear.Close()
	tell.Close()
	tab := &Tab{t: t, to: say, wait: map[int]chan reply{}}
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		tab.hear(told)
	}()
	t.Cleanup(func() {
		_ = tab.post("", "Browser.close", nil)
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		select {
		case <-ended:
		case <-time.After(patience):
			_ = c.Process.Kill()
			<-ended
		}
		say.Close()
		told.Close()
		<-heard
	})
	tab.begin(url, v)
	return tab
}

// removeHome removes the browser's directory. Processes that it has started may outlive it for a moment, and write there.
func removeHome(t testing.TB, home string) {
	var err error
	for range 100 {
		if err = os.RemoveAll(home); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("what the browser wrote is left: %v", err)
}

// begin makes a page of its own and opens the address in it.
func (p *Tab) begin(url string, v View) {
	p.t.Helper()
	var made struct{ TargetID string }
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var attached struct{ SessionID string }
	p.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	p.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		p.call(domain+".enable", nil, nil)
	}
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	p.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": v.Width, "height": v.Height, "deviceScaleFactor": 1, "mobile": v.Width < 600}, nil)
	p.Go(url)
}

// Go opens another address; what is evaluated then is evaluated there. Until waits for what loads.
func (p *Tab) Go(url string) {
	p.t.Helper()
	p.call("Page.navigate", map[string]any{"url": url}, nil)
}

// post sends a command, and returns what its reply comes by.
func (p *Tab) post(session, method string, params any) chan reply {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.last++
	back := make(chan reply, 1)
	p.wait[p.last] = back
	command := map[string]any{"id": p.last, "method": method}
	if params != nil {
		command["params"] = params
	}
	if session != "" {
		command["sessionId"] = session
	}
	text, err := json.Marshal(command)
	if err == nil {
		_, err = p.to.Write(append(text, 0))
	}
	if err != nil {
		back <- reply{Error: &struct{ Message string }{err.Error()}}
	}
	return back
}

// call sends a command and waits for what comes back.
func (p *Tab) call(method string, params, into any) {
	p.t.Helper()
	if err := p.try(method, params, into); err != nil {
		p.t.Fatal(err)
	}
}

// try is call that tells an error.
func (p *Tab) try(method string, params, into any) error {
	select {
	case r := <-p.post(p.session, method, params):
		switch {
		case r.Error != nil:
			return fmt.Errorf("the browser answers %s with: %s", method, r.Error.Message)
		case into != nil:
			return json.Unmarshal(r.Result, into)
		}
		return nil
	case <-time.After(patience):
		return fmt.Errorf("the browser does not answer %s", method)
	}
}

// hear takes what the browser says until it ends.
func (p *Tab) hear(from io.Reader) {
	for r := bufio.NewReaderSize(from, 1<<20); ; {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		p.mutex.Lock()
		if m.ID > 0 {
			if back := p.wait[m.ID]; back != nil {
				back <- m.reply
				delete(p.wait, m.ID)
			}
		} else if fault := faultIn(&m); fault != "" {
			p.faults = append(p.faults, fault)
		}
		p.mutex.Unlock()
	}
}

// faultIn is what a page reports as wrong; empty for other news.
func faultIn(m *message) string {
	switch m.Method {
	case "Runtime.exceptionThrown":
		return string(m.Params)
	case "Log.entryAdded":
		var of struct {
			Entry struct{ Level, Text, URL string }
		}
		if json.Unmarshal(m.Params, &of) == nil && of.Entry.Level == "error" {
			return of.Entry.Text + " " + of.Entry.URL
		}
	case "Runtime.consoleAPICalled":
		var of struct{ Type string }
		if json.Unmarshal(m.Params, &of) == nil && of.Type == "error" {
			return string(m.Params)
		}
	}
	return ""
}

// Faults are what the page has reported as wrong so far.
func (p *Tab) Faults() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]string(nil), p.faults...)
}

// Eval is the value of an expression in the page.
func (p *Tab) Eval(expression string) any {
	p.t.Helper()
	v, err := p.value(expression)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

func (p *Tab) value(expression string) (any, error) {
	var of struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := p.try("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &of)
	if e := of.ExceptionDetails; err == nil && e != nil {
		err = fmt.Errorf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	return of.Result.Value, err
}

// Until waits until an expression in the page is true. While the page loads it may be none.
func (p *Tab) Until(expression string) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		v, err := p.value("!!(" + expression + ")")
		if v == true && err == nil {
			return
		}
		if time.Now().After(deadline) {
			text, _ := p.value("document.body.innerText")
			p.t.Fatalf("the page does not come to %s (%v); its text is\n%v\nfaults: %q", expression, err, text, p.Faults())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Shot is a picture of the page from its top to its end, as PNG.
func (p *Tab) Shot() []byte {
	p.t.Helper()
	var of struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &of)
	picture, err := base64.StdEncoding.DecodeString(of.Data)
	if err != nil {
		p.t.Fatal(fmt.Errorf("the browser's picture: %w", err))
	}
	return picture
}

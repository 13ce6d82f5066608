package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// paged is a command with a page, whose address it has printed, and a reader who has come in.
type paged struct {
	*exec.Cmd
	http.Client
	folder string
	said   chan string // all of standard error, when it ends
	stdout bytes.Buffer
}

// beginPaged starts a command with --page.
func beginPaged(t *testing.T, dir string, args ...string) *paged {
	t.Helper()
	p := &paged{Cmd: exec.Command(binary, append(args, "--page")...), said: make(chan string, 1)}
	p.Dir, p.Stdout = dir, &p.stdout
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	url := regexp.MustCompile(`^page: (http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32})\n$`).FindStringSubmatch(line)
	if url == nil {
		t.Fatalf("the first line is %q (%v), not the address of the page", line, err)
	}
	go func() {
		rest, _ := io.ReadAll(lines)
		p.said <- line + string(rest)
	}()
	p.Jar, _ = cookiejar.New(nil)
	p.Transport = &http.Transport{DisableKeepAlives: true}
	answer, err := p.Get(url[1])
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	p.folder = answer.Request.URL.String()
	return p
}

// end is how the command ended.
func (p *paged) end(t *testing.T) outcome {
	t.Helper()
	done := time.AfterFunc(patience, func() { _ = p.Process.Kill() })
	defer done.Stop()
	said := <-p.said
	_ = p.Wait()
	return outcome{p.ProcessState.ExitCode(), p.stdout.String(), said}
}

// look opens the stream of events, as an open page does.
func (p *paged) look(t *testing.T) *http.Response {
	t.Helper()
	answer, err := p.Get(p.folder + "events")
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// until reads the stream to an event.
func until(t *testing.T, stream *bufio.Reader, name string) (data string) {
	t.Helper()
	for at := ""; ; {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ends before %s: %v", name, err)
		}
		if n, ok := strings.CutPrefix(line, "event: "); ok {
			at = strings.TrimSpace(n)
		} else if data, ok := strings.CutPrefix(line, "data: "); ok && at == name {
			return data
		}
	}
}

func (p *paged) press(t *testing.T, button string) {
	t.Helper()
	answer, err := p.Post(p.folder+button, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		text, _ := io.ReadAll(answer.Body)
		t.Fatalf("%s is answered with %s: %s", button, answer.Status, text)
	}
}

func TestTheButtonsOfThePageDoWhatTheSignalsDo(t *testing.T) {
	t.Parallel()
	text := edited(t, cylinder, `checkpoint = { every = 2.0`, `checkpoint = { every = 0.0`)
	text = edited(t, text, "time = 40.0", "time = 4000.0")
	dir := place(t, text)
	p := beginPaged(t, dir, "run", "case.toml")
	open := p.look(t)
	defer open.Body.Close()
	stream := bufio.NewReader(open.Body)
	until(t, stream, "head")
	p.press(t, "checkpoint")
	for !strings.Contains(until(t, stream, "note"), "as asked; the run goes on") {
	}
	if n := len(checkpoints(t, dir)); n != 1 {
		t.Errorf("%d checkpoints, want the one that was asked for", n)
	}
	p.press(t, "stop")
	p.press(t, "stop") // once more is no second signal, which would end the process at once
	if told := until(t, stream, "end"); !strings.Contains(told, `"Status":"interrupted"`) || !strings.Contains(told, "to continue: ") || !strings.Contains(told, "report.html") {
		t.Errorf("the page is told %s", told)
	}
	until(t, stream, "leave")
	report, err := p.Get(p.folder + "report")
	if err != nil || report.StatusCode != 200 {
		t.Errorf("the report: %v, %v", report, err)
	}
	open.Body.Close()
	o := p.end(t)
	o.want(t, 130, "as asked; the run goes on", "interrupted at step", "checkpoint written to", "--resume")
	if n := len(checkpoints(t, dir)); n < 1 {
		t.Error("there is no checkpoint")
	}
	lbmib(t, dir, "run", "case.toml", "--time", "1", "--resume") // which it continues from, or says why not
}

func TestARunWithAPageEndsWhenNobodyLooks(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder)
	dir := place(t, cylinder)
	p := beginPaged(t, dir, "run", "case.toml")
	o := p.end(t)
	o.want(t, 0)
	if !strings.Contains(o.stdout, "cylinder") || strings.Contains(o.stderr, "the page is open") {
		t.Errorf("it says %q and %q", o.stdout, o.stderr)
	}
	sameRun(t, dir, whole)
}

func TestTheProgramStaysWithTheOpenPage(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"closed", "Ctrl-C"} {
		dir := place(t, edited(t, cylinder, "time = 40.0", "time = 8.0"))
		p := beginPaged(t, dir, "run", "case.toml", "--json")
		open := p.look(t)
		stream := bufio.NewReader(open.Body)
		until(t, stream, "end")
		if told := until(t, stream, "leave"); !strings.Contains(told, `"Now":false`) {
			t.Errorf("the page is told %s", told)
		}
		asked := time.Now()
		if how == "closed" {
			open.Body.Close()
		} else {
			_ = p.Process.Signal(os.Interrupt)
		}
		o := p.end(t)
		open.Body.Close()
		o.want(t, 0, "the page is open", "10 minutes at most", "Ctrl-C")
		if took := time.Since(asked); took > prompt {
			t.Errorf("%s: it took %v to end", how, took)
		}
		var summary struct{ Status string }
		if err := json.Unmarshal([]byte(o.stdout), &summary); err != nil || summary.Status != "done" {
			t.Errorf("standard output is %q (%v)", o.stdout, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "run", "report.html")); err != nil {
			t.Error(err)
		}
	}
}

func TestASweepHasAPage(t *testing.T) {
	t.Parallel()
	dir := place(t, edited(t, cylinder, "time = 40.0", "time = 2.0"))
	p := beginPaged(t, dir, "sweep", "case.toml", "--over", "reference.reynolds=20,40", "--out", "all.sweep")
	open := p.look(t)
	defer open.Body.Close()
	stream := bufio.NewReader(open.Body)
	if told := until(t, stream, "sweep"); !strings.Contains(told, "reynolds = 20") || !strings.Contains(told, "reynolds = 40") {
		t.Errorf("the page is told %s", told)
	}
	until(t, stream, "leave")
	open.Body.Close()
	p.end(t).want(t, 0)
}

package gpureport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lbmib/cmd/lbmib/backend"
	"lbmib/cmd/lbmib/bench/gauge"
)

// Options say what to report on, and where.
type Options struct {
	Out      string // directory of the report
	Quick    bool
	Version  string
	Program  string // the program's own file, which does the sections
	Progress io.Writer
}

// The whole report takes no longer, and each section no longer than its own limit.
const (
	fullTime  = 8*time.Minute + 30*time.Second
	quickTime = 110 * time.Second
)

// Report makes the report; it and the names of its files come back, also where it was
// interrupted, with the context's error. A device is needed.
func Report(ctx context.Context, o Options) (*Document, string, error) {
	begin := time.Now()
	d, err := newDocument(o)
	if err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(o.Out, 0o777); err != nil {
		return nil, "", fmt.Errorf("--out: %w: choose another directory", err)
	}
	scratch, err := os.MkdirTemp("", "lbmib-gpu-report-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(scratch)
	all := fullTime
	if o.Quick {
		all = quickTime
	}
	files := filepath.Join(o.Out, d.stem()+".md") + " and .json"
	for i, s := range sections {
		limit := min(s.limit(o.Quick), all-time.Since(begin))
		fmt.Fprintf(o.Progress, "[%d/%d] %s (at most %.0f s)\n", i+1, len(sections), s.title, max(0, limit.Seconds()))
		var part *Section
		if limit < time.Second {
			part = &Section{Status: incomplete, Note: "there was no time left"}
		} else {
			part = inProcess(ctx, o, s, limit, scratch)
		}
		part.Name, part.Title = s.name, s.title
		fmt.Fprintf(o.Progress, "%s: %s, %.1f s %s\n", s.name, part.Status, part.Seconds, part.Note)
		d.add(part)
		d.Seconds, d.Complete = time.Since(begin).Seconds(), i == len(sections)-1 && ctx.Err() == nil
		if err := d.write(o.Out); err != nil {
			return d, files, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return d, files, ctx.Err()
}

// newDocument names the device.
func newDocument(o Options) (*Document, error) {
	device, err := backend.OpenDevice()
	if err != nil {
		return nil, err
	}
	defer device.Close()
	i := device.Info()
	return &Document{
		Device: i.Name, StandIn: device.StandIn(), Compute: fmt.Sprintf("%d.%d", i.Major, i.Minor), Memory: int64(i.Memory), Driver: device.Driver(),
		Version: o.Version, Date: time.Now().UTC().Format(time.RFC3339), Quick: o.Quick, Host: gauge.ThisHost(o.Version),
		Targets: judge(nil), values: map[string]float64{},
	}, nil
}

// grace is how long a process whose time is up may take to end.
const grace = 10 * time.Second

// inProcess lets another process do a section.
func inProcess(ctx context.Context, o Options, s section, limit time.Duration, scratch string) *Section {
	begin := time.Now()
	file := filepath.Join(scratch, s.name+".json")
	args := []string{"gpu-report", "--section", s.name, "--into", file, "--limit", limit.String()}
	if o.Quick {
		args = append(args, "--quick")
	}
	timed, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	cmd := exec.CommandContext(timed, o.Program, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = o.Progress, io.MultiWriter(o.Progress, &said)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	err := cmd.Run()
	part := &Section{}
	text, readErr := os.ReadFile(file)
	if readErr == nil {
		readErr = json.Unmarshal(text, part)
	}
	if readErr != nil {
		part = &Section{Status: failed, Note: fmt.Sprintf("its process ended without a result (%v); it said last: %s", errors.Join(err, ctx.Err()), lastLines(said.String()))}
	}
	part.Seconds = time.Since(begin).Seconds()
	return part
}

// lastLines are the last of what a process said, in one line.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], " / ")
}

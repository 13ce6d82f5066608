package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbmib/internal/durable"
)

// row is what was done of one kind, and what failed.
type row struct {
	Part     string         `json:"part"`
	What     string         `json:"what"`
	Count    int            `json:"count"`
	Detail   map[string]int `json:"detail,omitempty"`
	Failures []string       `json:"failures"`
	NotRun   string         `json:"not_run,omitempty"` // why it could not be done, or all of it
	Seconds  float64        `json:"seconds"`
	Worst    float64        `json:"worst_seconds,omitempty"` // of processor time for one case
	Commit   string         `json:"commit"`
	Machine  string         `json:"machine"`
	Seed     uint64         `json:"seed"`

	begun time.Time
}

func (r *row) fail(format string, args ...any) {
	r.Failures = append(r.Failures, fmt.Sprintf(format, args...))
}

func (r row) end() row {
	r.Seconds = time.Since(r.begun).Seconds()
	return r
}

// line is a row for people.
func (r *row) line() string {
	text := fmt.Sprintf("%s: %s: %d, %d failures, %.0f s", r.Part, r.What, r.Count, len(r.Failures), r.Seconds)
	if r.NotRun != "" {
		text += ", NOT RUN: " + r.NotRun
	}
	if d := r.detail(); d != "" {
		text += " (" + d + ")"
	}
	for _, f := range r.Failures {
		text += "\n  FAIL " + f
	}
	return text
}

func (r *row) detail() string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(r.Detail)) {
		parts = append(parts, fmt.Sprintf("%s %d", key, r.Detail[key]))
	}
	if r.Worst > 0 {
		parts = append(parts, fmt.Sprintf("slowest %.2f s", r.Worst))
	}
	return strings.Join(parts, ", ")
}

// keep puts rows into DIR/results.json, in place of earlier ones of the same parts, and
// writes DIR/results.md from all.
func keep(dir string, rows []row) error {
	path := dir + "/results.json"
	var all []row
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: remove it to begin a new one", path, err)
	}
	all = slices.DeleteFunc(all, func(r row) bool {
		return slices.ContainsFunc(rows, func(n row) bool { return n.Part == r.Part })
	})
	all = append(all, rows...)
	order := func(r row) int { return slices.Index(partNames, r.Part) }
	slices.SortStableFunc(all, func(a, b row) int { return order(a) - order(b) })
	if err := durable.WriteJSON(path, all); err != nil {
		return err
	}
	return durable.Write(dir+"/results.md", func(w io.Writer) error { return markdown(w, all) })
}

// markdown writes rows as Markdown.
func markdown(w io.Writer, rows []row) error {
	var b strings.Builder
	b.WriteString("| part | what | count | failures | of these | seconds | commit | machine |\n|---|---|--:|--:|---|--:|---|---|\n")
	for _, r := range rows {
		failures := strconv.Itoa(len(r.Failures))
		if r.NotRun != "" && len(r.Failures) == 0 {
			failures = "not run"
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %.0f | %s | %s |\n", r.Part, r.What, r.Count, failures, r.detail(), r.Seconds, r.Commit, r.Machine)
	}
	for _, r := range rows {
		if r.NotRun != "" {
			fmt.Fprintf(&b, "\n%s, %s: not run: %s\n", r.Part, r.What, r.NotRun)
		}
		for _, f := range r.Failures {
			fmt.Fprintf(&b, "\n%s, %s:\n```text\n%.4000s\n```\n", r.Part, r.What, f)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// origin is the commit of the working tree and the machine.
func origin(machine string) (commit, class string) {
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=9").Output()
	if err != nil {
		return "unknown", machine
	}
	if machine == "" {
		machine = fmt.Sprintf("%d cores", runtime.NumCPU())
	}
	return strings.TrimSpace(string(out)), machine
}

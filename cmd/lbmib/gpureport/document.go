// Package gpureport proves the program on a GPU and measures it there: what the driver's
// compiler makes of the kernels, conformance suites, differences from the CPU, NVIDIA's
// sanitizer, the validation suite, and benchmarks beside the bandwidth of the device's
// memory. It needs the built program and a GPU, nothing else.
//
// A fault ends a CUDA context for the rest of its process, and a kernel that hangs never
// gives its process back. So the report is made of units, each in a process of its own,
// whose items (a row, a check) are written to disk one by one, each named before it
// begins. Where a process loses the device, dies or says nothing for too long, another
// goes on behind the item that was at work, which is in the report as failed, died or
// hung; where time runs out, what is left is "not run".
package gpureport

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/internal/durable"
)

// Document is the report as JSON. All numbers are measured, in this run, on the device
// that it names.
type Document struct {
	Device   string       `json:"device"`
	StandIn  bool         `json:"stand_in"` // no device, but kernels that run on the processor: rates mean nothing
	Compute  string       `json:"compute_capability"`
	Memory   int64        `json:"memory_bytes"`
	Driver   string       `json:"driver"` // the CUDA version that it supports
	Version  string       `json:"lbmib"`  // with the commit
	Date     string       `json:"date"`   // of the start, UTC, RFC 3339
	Quick    bool         `json:"quick"`
	Complete bool         `json:"complete"`       // every section that was asked for has been there
	Only     []string     `json:"only,omitempty"` // sections that were asked for; empty: all
	Seconds  float64      `json:"wall_seconds"`
	Host     harness.Host `json:"host"`
	Targets  []Target     `json:"targets"`
	Sections []*Section   `json:"sections"`
}

// Section is a part of the report.
type Section struct {
	Name    string             `json:"name"`
	Title   string             `json:"title"`
	Status  string             `json:"status"`         // done | failed | incomplete | absent | not run
	Note    string             `json:"note,omitempty"` // why it is not done
	Seconds float64            `json:"wall_seconds"`
	Units   []*Unit            `json:"units"`
	Data    json.RawMessage    `json:"data,omitempty"`   // what the units' items have measured, as one array
	Values  map[string]float64 `json:"values,omitempty"` // measured of targets, by their names
	Text    string             `json:"text,omitempty"`   // in Markdown; not in the report's JSON
}

// judge fills in the targets from the sections that there are.
func (d *Document) judge() {
	values, status := map[string]float64{}, map[string]string{}
	for _, s := range d.Sections {
		status[s.Name] = s.Status
		for name, v := range s.Values {
			values[name] = v
		}
	}
	d.Targets = judge(values, status)
}

// Unfinished are the sections of which something was not run for lack of time, or as the
// report was interrupted.
func (d *Document) Unfinished() (names []string) {
	for _, s := range d.Sections {
		left := s.Status == incomplete || s.Status == notRun
		for _, u := range s.Units {
			left = left || len(u.LeftOut) > 0 || u.Status == notRun || u.Status == incomplete
		}
		if left {
			names = append(names, s.Name)
		}
	}
	return names
}

// Failed tells whether something is wrong: numbers that miss their targets are not.
func (d *Document) Failed() (names []string) {
	for _, s := range d.Sections {
		if s.Status == failed {
			names = append(names, s.Name)
		}
	}
	return names
}

// stem is the name of the report's files, without an ending.
func (d *Document) stem() string {
	clean := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}
	name := strings.Join(strings.FieldsFunc(strings.Map(clean, d.Device), func(r rune) bool { return r == '-' }), "-")
	return name + "-" + strings.ReplaceAll(d.Date, ":", "") // 2026-11-22T153045Z
}

// write writes the report's two files into a directory, which is there.
func (d *Document) write(dir string) error {
	plain := *d
	plain.Sections = nil
	for _, s := range d.Sections {
		c := *s
		c.Text, c.Values, c.Units = "", nil, nil
		for _, u := range s.Units {
			c.Units = append(c.Units, u.withoutData())
		}
		plain.Sections = append(plain.Sections, &c)
	}
	if err := durable.WriteJSON(filepath.Join(dir, d.stem()+".json"), &plain); err != nil {
		return err
	}
	return durable.Write(filepath.Join(dir, d.stem()+".md"), func(w io.Writer) error {
		_, err := io.WriteString(w, d.markdown())
		return err
	})
}

// markdown is the report for readers.
func (d *Document) markdown() string {
	var b strings.Builder
	d.Host.WriteHead(&b, "lbmib on "+d.Device, [][2]string{
		{"device", fmt.Sprintf("%s, compute capability %s, %.1f GiB", d.Device, d.Compute, float64(d.Memory)/(1<<30))},
		{"driver", d.Driver},
		{"run time", fmt.Sprintf("%.0f s%s", d.Seconds, map[bool]string{true: ", quick"}[d.Quick])},
	})
	if d.StandIn {
		b.WriteString("\n**stand-in: rates mean nothing.** The kernels ran on the processor, as in the tests.\n")
	}
	if !d.Complete {
		b.WriteString("\nThis report is not complete: it was interrupted, or is still being made.\n")
	}
	if len(d.Only) > 0 {
		fmt.Fprintf(&b, "\nThis report was asked for these sections alone: %s.\n", strings.Join(d.Only, ", "))
	}
	b.WriteString("\nEvery number here was measured in this run, but for those that are called published or target.\n")
	b.WriteString("\n## Targets\n\n| quantity | target | measured | |\n|---|---|---|---|\n")
	for i := range d.Targets {
		t := &d.Targets[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", t.Title, t.bound(), t.measured(), t.verdict())
	}
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s, %.1f s", s.Title, s.Status, s.Seconds)
		if s.Note != "" {
			fmt.Fprintf(&b, ": %s", s.Note)
		}
		fmt.Fprintf(&b, "\n\n%s", s.Text)
	}
	return b.String()
}

// WriteTargets writes the targets for a terminal.
func (d *Document) WriteTargets(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, lbmib %s\n", d.Device, d.Driver, d.Version)
	if d.StandIn {
		b.WriteString("stand-in: rates mean nothing\n")
	}
	b.WriteByte('\n')
	table := table.Table{{Title: "quantity"}, {Title: "target", Quantity: true}, {Title: "measured", Quantity: true}, {Title: ""}}
	for i := range d.Targets {
		t := &d.Targets[i]
		for k, text := range []string{t.Title, t.bound(), t.measured(), t.verdict()} {
			table[k].Cells = append(table[k].Cells, text)
		}
	}
	table.WriteText(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

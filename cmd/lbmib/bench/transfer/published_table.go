package transfer

import (
	"fmt"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// Table puts this machine's numbers beside published ones.
type Table struct {
	Name   string     `json:"name"` // one of TableNames, or a case's file
	Title  string     `json:"title"`
	Source string     `json:"source,omitempty"` // of the published numbers
	Steps  int        `json:"steps,omitempty"`  // timed steps of every run
	Notes  []string   `json:"notes"`
	Rows   []TableRow `json:"rows"`

	subtables []subtable
}

// TableRow is one number of a table and its published counterpart. What does not
// apply is left out.
type TableRow struct {
	Part       string `json:"part,omitempty"` // weak | strong, of kassen2; new places, of kassen1
	Op         string `json:"op"`
	Algorithm  string `json:"algorithm"`
	Number     int    `json:"number,omitempty"` // of the paper's algorithm
	Delta      string `json:"delta"`
	Dim        int    `json:"dim"`
	Precision  string `json:"precision"`
	Refinement int    `json:"refinement"`      // nodes along an axis
	Cells      int    `json:"cells,omitempty"` // red cells, of kassen5
	Points     int    `json:"points"`
	Threads    int    `json:"threads"`
	harness.Outcome
	Seconds           float64         `json:"seconds_per_call"` // of kassen3 and kassen4: per time step
	Speedup           float64         `json:"speedup"`          // over serial on one thread, in the same rounds; of kassen5, over the fewest threads
	PaperDevice       string          `json:"paper_device,omitempty"`
	PaperSeconds      float64         `json:"paper_seconds,omitempty"`
	PaperSpeedup      float64         `json:"paper_speedup,omitempty"`
	PaperWithTransfer float64         `json:"paper_speedup_with_transfer,omitempty"`
	Convergence       *Convergence    `json:"convergence,omitempty"` // of kassen3 and kassen4
	Checks            []harness.Check `json:"checks,omitempty"`
}

// subtable is a part of a table as it is written.
type subtable struct {
	title string
	table table.Table
}

// reasons are the distinct reasons of rows without a time.
func (t *Table) reasons() (lines []string) {
	told := map[string]bool{}
	for _, r := range t.Rows {
		line := fmt.Sprintf("%s, threads %d, %d nodes along an axis: %s: %s", r.Algorithm, r.Threads, r.Refinement, r.Status, r.Reason)
		if r.Status != harness.OK && !told[line] {
			told[line] = true
			lines = append(lines, line)
		}
	}
	return lines
}

// head is the title and what to know of the numbers.
func (t *Table) head() []string {
	lines := []string{}
	if t.Steps > 0 {
		lines = append(lines, fmt.Sprintf("steps timed: %d", t.Steps))
	}
	lines = append(lines, t.Notes...)
	if t.Source != "" {
		lines = append(lines, "published: "+t.Source)
	}
	return lines
}

// writeText writes the table for a terminal.
func (t *Table) writeText(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s\n", t.Title)
	for _, line := range t.head() {
		fmt.Fprintf(b, "  %s\n", line)
	}
	for _, s := range t.subtables {
		fmt.Fprintf(b, "\n%s\n", s.title)
		s.table.WriteText(b)
	}
	for _, line := range t.reasons() {
		fmt.Fprintln(b, line)
	}
}

// WriteMarkdown writes the table for a report.
func (t *Table) WriteMarkdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", t.Title)
	for _, line := range t.head() {
		fmt.Fprintf(b, "- %s\n", line)
	}
	for _, s := range t.subtables {
		fmt.Fprintf(b, "\n**%s**\n\n", s.title)
		s.table.WriteMarkdown(b)
	}
	if lines := t.reasons(); len(lines) > 0 {
		fmt.Fprintf(b, "\n- %s\n", strings.Join(lines, "\n- "))
	}
}

// number is a quantity in a cell, "–" where there is none.
func number(v float64, format string) string {
	if v == 0 {
		return "–"
	}
	return fmt.Sprintf(format, v)
}

// seconds is a time in a cell.
func seconds(v float64) string { return number(v, "%.5f") }

// ratio is a speed-up in a cell.
func ratio(v float64) string { return number(v, "%.2f") }

// tableRow is a measured row as one of a table.
func tableRow(r *Row) TableRow {
	n := TableRow{
		Op: r.Op, Algorithm: r.Algorithm, Delta: r.Delta, Dim: r.Size.Dim(), Precision: r.Precision, Refinement: r.Size[0],
		Points: r.Points, Threads: r.Threads, Outcome: r.Outcome, Checks: r.Checks, Seconds: r.Ms / 1e3,
	}
	if r.Status == harness.OK {
		n.Speedup = 1 / r.ToSerial
	}
	return n
}

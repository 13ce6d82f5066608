package suite

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"lbmib/internal/finite"
)

// Document is the result of the suite as JSON.
type Document struct {
	Passed  int     `json:"passed"`
	Failed  int     `json:"failed"`
	Told    int     `json:"report_only,omitempty"` // quantities with a value and a reference of doubtful memory, which count as neither
	Suite   string  `json:"suite"`                 // quick | full
	Version string  `json:"version"`
	Device  string  `json:"device"`
	Threads int     `json:"threads"`
	Date    string  `json:"date"` // of the report, UTC, RFC 3339
	Wall    float64 `json:"wall_seconds"`
	Cases   []Row   `json:"cases"`

	Versions string `json:"kept_runs_of,omitempty"` // of the program, where kept runs alone were evaluated
}

// Row is a quantity of a group. Its wall time is that of the runs it came from,
// which other quantities may share.
type Row struct {
	Name       string        `json:"name"`
	Quantity   string        `json:"quantity"`
	Value      finite.Number `json:"value"` // null: none, see note
	Reference  float64       `json:"reference"`
	Low        finite.Number `json:"low"` // null, as high, of what is reported only
	High       finite.Number `json:"high"`
	Source     string        `json:"source"`
	Confidence string        `json:"confidence"`
	Tolerance  string        `json:"tolerance"`
	Pass       bool          `json:"pass"`
	Wall       float64       `json:"wall_seconds"`
	Note       string        `json:"note,omitempty"`
}

// Host is where and by what the suite was run.
type Host struct {
	Version, Device string
	Threads         int
}

// NewDocument is the document of outcomes; wall is the time that all took.
func NewDocument(outcomes []Outcome, quick bool, h Host, wall time.Duration) *Document {
	d := &Document{Suite: "full", Version: h.Version, Device: h.Device, Threads: h.Threads, Date: time.Now().UTC().Format(time.RFC3339), Wall: wall.Seconds(), Cases: []Row{}}
	if quick {
		d.Suite = "quick"
	}
	for _, o := range outcomes {
		g := o.Test.Gate
		r := Row{Name: g.Group, Quantity: g.Quantity, Value: finite.Number(o.Value), Reference: g.Reference, Low: finite.Number(g.Low), High: finite.Number(g.High),
			Source: g.Source, Confidence: g.Confidence, Tolerance: g.Tolerance, Pass: o.Pass(), Wall: o.Wall, Note: o.Note}
		d.Cases = append(d.Cases, r)
		switch {
		case r.Pass && g.ReportOnly():
			d.Told++
		case r.Pass:
			d.Passed++
		default:
			d.Failed++
		}
	}
	return d
}

// value is a row's value for people.
func (r *Row) value() string {
	if v := float64(r.Value); !math.IsNaN(v) {
		return digits(v)
	}
	return "–"
}

// digits is a number with as many digits as anybody reads.
func digits(v float64) string {
	if v != 0 && math.Abs(v) < 1e-3 {
		return fmt.Sprintf("%.2g", v)
	}
	return fmt.Sprintf("%.5g", v)
}

// deviation is by how much a value differs from its reference.
func (r *Row) deviation() string {
	if v := float64(r.Value); r.Reference != 0 && !math.IsNaN(v) {
		return fmt.Sprintf("%+.2f %%", 100*(v/r.Reference-1))
	}
	return "–"
}

// verdict is pass or FAIL, or that the value is told only.
func (r *Row) verdict() string {
	switch {
	case !r.Pass:
		return "FAIL"
	case math.IsNaN(float64(r.Low)):
		return "report only"
	}
	return "pass"
}

// bound is one of a row's bounds for people.
func bound(v finite.Number) string {
	if math.IsNaN(float64(v)) {
		return "–"
	}
	return digits(float64(v))
}

// total is the document in a line.
func (d *Document) total() string {
	told := ""
	if d.Told > 0 {
		told = fmt.Sprintf(", %d reported only", d.Told)
	}
	return fmt.Sprintf("%s suite: %d passed, %d failed%s, in %s", d.Suite, d.Passed, d.Failed, told, time.Duration(d.Wall*float64(time.Second)).Round(time.Second))
}

// WriteText writes the table of a terminal.
func (d *Document) WriteText(w io.Writer) error {
	head := []string{"case", "quantity", "value", "reference", "deviation", "low", "high", ""}
	cells := [][]string{head}
	for _, r := range d.Cases {
		cells = append(cells, []string{r.Name, r.Quantity, r.value(), digits(r.Reference), r.deviation(), bound(r.Low), bound(r.High), r.verdict()})
	}
	widths := make([]int, len(head))
	for _, row := range cells {
		for i, c := range row {
			widths[i] = max(widths[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for _, row := range cells {
		var l strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(c)))
			if i >= 2 && i <= 6 { // numbers end in line
				l.WriteString(pad + c + "  ")
			} else {
				l.WriteString(c + pad + "  ")
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	for _, r := range d.Cases {
		if r.Note != "" {
			fmt.Fprintf(&b, "%s, %s: %s\n", r.Name, r.Quantity, r.Note)
		}
	}
	b.WriteString(d.total() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

package harness

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/table"
	"lbmib/internal/durable"
)

// Table is how rows are written.
type Table[R Measured] struct {
	Columns []table.Property[R]
	Legend  string
}

// reasons are one line for every row without a result.
func reasons[R Measured](rows []R) (lines []string) {
	for _, r := range rows {
		if r.State() != OK {
			lines = append(lines, fmt.Sprintf("%v: %s", r, Result(r)))
		}
	}
	return lines
}

// Text is the machine, and rows in aligned columns with what is the same in all of them
// above.
func (t *Table[R]) Text(h Host, rows []R) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\nlbmib %s, %s\n", h, h.Version, h.Date)
	if len(rows) > 0 {
		columns, same := table.Of(t.Columns, rows)
		if len(same) > 0 {
			fmt.Fprintf(&b, "all rows: %s\n", strings.Join(same, ", "))
		}
		b.WriteByte('\n')
		columns.WriteText(&b)
		b.WriteString(t.Legend)
	}
	for _, line := range reasons(rows) {
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

// WriteMarkdown writes rows as a table with what is the same in all of them above.
func (t *Table[R]) WriteMarkdown(b *strings.Builder, rows []R) {
	if len(rows) == 0 {
		b.WriteString("No row was measured.\n")
		return
	}
	columns, same := table.Of(t.Columns, rows)
	if len(same) > 0 {
		fmt.Fprintf(b, "All rows: %s.\n\n", strings.Join(same, ", "))
	}
	columns.WriteMarkdown(b)
	if lines := reasons(rows); len(lines) > 0 {
		fmt.Fprintf(b, "\n- %s\n", strings.Join(lines, "\n- "))
	}
}

// Section is a part of a report: rows as a table and, where it has a name, as a plot:
// bars, or lines where the abscissa is a number.
type Section[S, R any] struct {
	Name  string // of the plot's file, without .png
	Title string
	Why   string // what it tells
	Specs []S

	Group  func(*R) string  // bars that stand together, or the line that a row is on
	Member func(*R) string  // bars of a group
	X      func(*R) float64 // nil: bars
	XLabel string
	LogX   bool
	LogY   bool
}

// Planner is a selection of rows.
type Planner[S any] interface{ Plan() ([]S, error) }

// PlanAll is the rows of several selections.
func PlanAll[S any, P Planner[S]](selections ...P) (all []S, err error) {
	for _, p := range selections {
		some, err := p.Plan()
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// Union is the rows asked for and those of all sections, each once.
func Union[S Spec[S], R any](asked []S, sections []Section[S, R]) (all []S) {
	add := func(specs []S) {
		for _, s := range specs {
			if !slices.ContainsFunc(all, s.Is) {
				all = append(all, s)
			}
		}
	}
	add(asked)
	for i := range sections {
		add(sections[i].Specs)
	}
	return all
}

// Report is a page in Markdown with its plots.
type Report[S Spec[S], R Row[S]] struct {
	Title      string
	Host       Host
	Facts      [][2]string // besides those of the host
	Head, Tail string
	Sections   []Section[S, R]
	Table      *Table[R]
	Figure     *Figure[R]             // nil where no section has a plot
	More       func(*strings.Builder) // writes what stands between sections and tail; may be nil
}

// Write writes the page to path and the plots beside it, and tells the progress. An
// error is that of writing.
func (r *Report[S, R]) Write(path string, measured []R, progress io.Writer) error {
	var b strings.Builder
	r.Host.WriteHead(&b, r.Title, r.Facts)
	b.WriteString(r.Head)
	for i := range r.Sections {
		s := &r.Sections[i]
		rows := Pick(measured, s.Specs)
		fmt.Fprintf(&b, "\n## %s\n\n", s.Title)
		if s.Why != "" {
			fmt.Fprintf(&b, "%s\n\n", s.Why)
		}
		if s.Name != "" {
			drawn, err := Draw(r.Figure, s, filepath.Join(filepath.Dir(path), s.Name+".png"), rows)
			if err != nil {
				return err
			}
			if drawn {
				fmt.Fprintf(&b, "![%s](%s.png)\n\n", s.Title, s.Name)
			}
		}
		r.Table.WriteMarkdown(&b, rows)
	}
	if r.More != nil {
		r.More(&b)
	}
	b.WriteString(r.Tail)
	err := durable.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, b.String())
		return err
	})
	if err == nil {
		fmt.Fprintf(progress, "report: %s\n", path)
	}
	return err
}

// Asked is the title of the section of the rows asked for.
const Asked = "The rows asked for"

// ToRepeat is the tail of a report that a command wrote; caution says what its numbers
// are good for.
func ToRepeat(command, caution string) string {
	return "\n## To repeat it\n\n<!-- not run: measures for minutes -->\n```sh\nlbmib bench " + command + " --report DIR\n```\n\non a machine that does nothing else. " + caution + "\n"
}

package transfer

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/internal/durable"
)

// To end soon, a report repeats less often what takes long, shortens the tables of
// Kassen et al. and leaves strategies out of the one of particles and meshes.
const (
	longRepeats = 3
	reportSteps = 10
)

func inPPM() []string { return those("serial", "sort-reduce", "blocks") }

// inReport is what shortens a table of a report, where nothing was asked for.
func (s Shorter) inReport(table string) Shorter {
	if s.Steps == 0 {
		s.Steps = reportSteps
	}
	if table == "ppm" && len(s.Algorithms) == 0 {
		s.Algorithms = inPPM()
	}
	return s
}

// Report measures the rows asked for, those of the plots and all tables, and writes
// ib.md and the plots into dir, which is there. What was measured is returned: the
// rows asked for, all of them, and the tables; an error is that of the context or of
// writing.
func (b *Bench) Report(ctx context.Context, dir string, h harness.Host, asked []Spec, s Shorter) (rows, all []Row, tables []Table, err error) {
	plots := b.plots
	if plots == nil {
		plots = sets()
	}
	b.Long = longRepeats
	order, ofPlot, err := reportSpecs(asked, plots, b.Kernel)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err = b.Run(ctx, order)
	rows = pick(all, asked)
	for _, name := range TableNames {
		if err == nil {
			var more []Table
			more, err = b.Tables(ctx, each(name), s.inReport(name))
			tables = append(tables, more...)
		}
	}
	if err != nil {
		return rows, all, tables, err
	}
	if err := b.writeReport(dir, h, rows, all, plots, ofPlot, tables); err != nil {
		return rows, all, tables, err
	}
	fmt.Fprintf(b.Progress, "report: %s\n", filepath.Join(dir, "ib.md"))
	return rows, all, tables, nil
}

func (b *Bench) writeReport(dir string, h harness.Host, asked, measured []Row, plots []plotted, ofPlot [][]Spec, tables []Table) error {
	var text strings.Builder
	d := NewDocument(h, measured, tables)
	h.WriteHead(&text, "How fast values go between markers and grid", [][2]string{
		{"kernel", strings.Join(kernels(measured), ", ")},
		{"fastest copy", fmt.Sprintf("%.1f GB/s, read plus written, with all threads over the largest fields", d.CopyGBs)},
	})
	fmt.Fprintf(&text, reportHead, b.Effort, strings.Join(inPPM(), ", "))
	WriteMarkdown(&text, asked)
	for i, p := range plots {
		rows := pick(measured, ofPlot[i])
		fmt.Fprintf(&text, "\n## %s\n\n%s\n\n", p.title, p.why)
		drawn, err := p.draw(filepath.Join(dir, p.name+".png"), rows)
		if err != nil {
			return err
		}
		if drawn {
			fmt.Fprintf(&text, "![%s](%s.png)\n\n", p.title, p.name)
		}
		WriteMarkdown(&text, rows)
	}
	for i := range tables {
		tables[i].WriteMarkdown(&text)
	}
	text.WriteString(reportTail)
	return durable.Write(filepath.Join(dir, "ib.md"), func(w io.Writer) error {
		_, err := io.WriteString(w, text.String())
		return err
	})
}

const reportHead = `
Times are milliseconds per call for all components, the median of the repeats; the
range is that of all of them. A call begins with telling the transfer where the
points are (SetPoints), which sorts where the strategy sorts. In the order "new" all
points are at other places in every call; in the order "kept" they hardly move; in the
order "sorted" likewise, and they lie in memory in the order of cells. All rows of one problem take turns, so that ratios hold where times
wander; those to serial are of one thread, the same operation and order, in the same
rounds.

The bytes of a call are those that it has to touch: every cache line of a field that
a point reaches (twice where it is added to), positions and values. GB/s are these over the time, and the
share is that of the fastest copy of memory with the same threads, measured in the
same rounds. A share above one means that fields stay in the caches between calls.
Gweights/s are points times the nodes of a support times components. Markers are lists,
one for every component (soa), or have position, velocity and force side by side (aos).

No time is told unless the result was right: interpolated values against the
definition and against serial, the spread field against serial, the total force, the
adjoint, and no allocation.

What was measured how often: %v; where serial takes longer, so do all beside it. Cut
to end soon: plots over a number have the strategies that are fastest somewhere, and
for 2²² points serial and sort-reduce alone; strategies that take more than ten times
as long as serial are left out; the tables of Kassen et al. have fewer steps than
published, which they tell; that of particles and meshes has %s alone. Tables with
every strategy come from lbmib bench ib --table NAME; those of bodies in a stream from
lbmib bench coupled --report DIR.

## The rows asked for

`

const reportTail = `
## To repeat it

` + "```" + `
lbmib bench ib --report DIR
` + "```" + `

on a machine that does nothing else. Ratios compare between runs, times hardly do.
`

// WriteMarkdown writes rows as a table, and what is the same in all of them above.
func WriteMarkdown(b *strings.Builder, rows []Row) {
	if len(rows) == 0 {
		b.WriteString("No row was measured.\n")
		return
	}
	table, same := table.Of(columns, rows)
	if len(same) > 0 {
		fmt.Fprintf(b, "All rows: %s.\n\n", strings.Join(same, ", "))
	}
	table.WriteMarkdown(b)
	if lines := reasons(rows); len(lines) > 0 {
		fmt.Fprintf(b, "\n- %s\n", strings.Join(lines, "\n- "))
	}
}

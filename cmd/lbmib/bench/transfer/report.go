package transfer

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/internal/durable"
)

// Report measures the rows asked for, those of the plots and all tables, and writes
// ib.md and the plots into dir, which is there. What was measured is returned: the
// rows asked for, all of them, and the tables; an error is that of the context or of
// writing.
func (b *Bench) Report(ctx context.Context, dir string, h gauge.Host, asked []Spec, s Shorter) (rows, all []Row, tables []Table, err error) {
	plots := b.plots
	if plots == nil {
		plots = sets()
	}
	order, ofPlot, err := reportSpecs(asked, plots)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err = b.Run(ctx, order)
	rows = pick(all, asked)
	if err == nil {
		tables, err = b.Tables(ctx, TableNames, s)
	}
	if err != nil {
		return rows, all, tables, err
	}
	if err := writeReport(dir, h, rows, all, plots, ofPlot, tables); err != nil {
		return rows, all, tables, err
	}
	fmt.Fprintf(b.Progress, "report: %s\n", filepath.Join(dir, "ib.md"))
	return rows, all, tables, nil
}

func writeReport(dir string, h gauge.Host, asked, measured []Row, plots []plotted, ofPlot [][]Spec, tables []Table) error {
	var b strings.Builder
	d := NewDocument(h, measured, tables)
	h.WriteHead(&b, "How fast values go between markers and grid", [][2]string{
		{"fastest copy", fmt.Sprintf("%.1f GB/s, read plus written, with all threads over the largest fields", d.CopyGBs)},
	})
	b.WriteString(reportHead)
	markdownTable(&b, asked)
	for i, p := range plots {
		rows := pick(measured, ofPlot[i])
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", p.title, p.why)
		drawn, err := p.draw(filepath.Join(dir, p.name+".png"), rows)
		if err != nil {
			return err
		}
		if drawn {
			fmt.Fprintf(&b, "![%s](%s.png)\n\n", p.title, p.name)
		}
		markdownTable(&b, rows)
	}
	for i := range tables {
		tables[i].writeMarkdown(&b)
	}
	b.WriteString(reportTail)
	return durable.Write(filepath.Join(dir, "ib.md"), func(w io.Writer) error {
		_, err := io.WriteString(w, b.String())
		return err
	})
}

const reportHead = `
Times are milliseconds per call for all components, the median of the repeats; the
range is that of all of them. A call begins with telling the transfer where the
points are (SetPoints), which computes weights and sorts where the strategy sorts.
In the order "new" all points are at other places in every call; in the order "kept"
they hardly move. All rows of one problem take turns, so that ratios hold where times
wander; those to serial are of one thread, the same operation and order, in the same
rounds.

The bytes of a call are those that it has to touch: every cache line of a field that
a point reaches (twice where it is added to), positions, values, and the weights of
every axis and staggering, written and read. GB/s are these over the time, and the
share is that of the fastest copy of memory with the same threads, measured in the
same rounds. A share above one means that fields stay in the caches between calls.
Gweights/s are points times the nodes of a support times components.

No time is told unless the result was right: interpolated values against the
definition and against serial, the spread field against serial, the total force, the
adjoint, and no allocation.

## The rows asked for

`

const reportTail = `
## To repeat it

` + "```" + `
lbmib bench ib --report DIR
` + "```" + `

on a machine that does nothing else. Ratios compare between runs, times hardly do.
`

// markdownTable writes rows as a table, and what is the same in all of them above.
func markdownTable(b *strings.Builder, rows []Row) {
	if len(rows) == 0 {
		b.WriteString("No row was measured.\n")
		return
	}
	table, same := tableOf(rows)
	if len(same) > 0 {
		fmt.Fprintf(b, "All rows: %s.\n\n", strings.Join(same, ", "))
	}
	table.WriteMarkdown(b)
	if lines := reasons(rows); len(lines) > 0 {
		fmt.Fprintf(b, "\n- %s\n", strings.Join(lines, "\n- "))
	}
}

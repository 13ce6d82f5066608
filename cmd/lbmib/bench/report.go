package bench

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

// Report measures the rows asked for and those of the plots, and writes lbm.md
// and the plots into dir, which is there. It returns the rows asked for and all
// that were measured; an error is that of the context or of writing.
func (b *Bench) Report(ctx context.Context, dir string, h harness.Host, asked []Spec) (rows, all []Row, err error) {
	order, ofSet, err := reportSpecs(asked)
	if err != nil {
		return nil, nil, err
	}
	all, err = b.Run(ctx, order)
	rows = pick(all, asked)
	if err != nil {
		return rows, all, err
	}
	if err := writeReport(dir, h, rows, all, ofSet); err != nil {
		return rows, all, err
	}
	fmt.Fprintf(b.Progress, "report: %s\n", filepath.Join(dir, "lbm.md"))
	return rows, all, nil
}

// pick is the rows of specs.
func pick(measured []Row, specs []Spec) (rows []Row) {
	for _, s := range specs {
		for _, r := range measured {
			if r.spec == s {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

func writeReport(dir string, h harness.Host, asked, measured []Row, ofSet [][]Spec) error {
	var b strings.Builder
	d := NewDocument(h, measured)
	h.WriteHead(&b, "How fast the fluid is", [][2]string{
		{"kernels", strings.Join(h.Kernels, ", ")},
		{"fastest copy", fmt.Sprintf("%.1f GB/s, read plus written, with all threads over the largest lattices", d.CopyGBs)},
		{"fastest in-place update", fmt.Sprintf("%.1f GB/s, likewise", d.UpdateGBs)},
	})
	b.WriteString(reportHead)
	WriteMarkdown(&b, asked)
	for i, s := range sets() {
		rows := pick(measured, ofSet[i])
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s.title, s.why)
		drawn, err := s.draw(filepath.Join(dir, s.name+".png"), rows)
		if err != nil {
			return err
		}
		if drawn {
			fmt.Fprintf(&b, "![%s](%s.png)\n\n", s.title, s.name)
		}
		WriteMarkdown(&b, rows)
	}
	b.WriteString(reportTail)
	return durable.Write(filepath.Join(dir, "lbm.md"), func(w io.Writer) error {
		_, err := io.WriteString(w, b.String())
		return err
	})
}

const reportHead = `
MFLUPS are 10⁶ node updates per second, the median of the repeats; the spread is
that of all of them. A step reads and writes every population once: so many bytes
per node. The limit is the bandwidth of what the scheme does to memory, a copy for
two lattices (ab) and an update in place for one (inplace), the fastest that was
found, measured in the same process in turn with the flow, with the same threads,
over as many bytes as the lattices have. The share is that of the limit. The ideal rate
is that of Valero-Lara et al., J. Comput. Sci. 10 (2015) 249, eq. (7): the copy's bandwidth
over six accesses to every population, which streaming and colliding apart take; a step
that reads and writes each once may reach three times as much. In plots, limits are
black bars across bars and dashed lines. Every rate is of a flow that was held against
theory after the steps were timed.

## The rows asked for

`

const reportTail = `
## To repeat it

` + "```" + `
lbmib bench lbm --report DIR
` + "```" + `

on a machine that does nothing else. Rates of memory wander from minute to minute,
by a fifth or more on machines that are shared: shares compare, rates of different
runs hardly do.
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

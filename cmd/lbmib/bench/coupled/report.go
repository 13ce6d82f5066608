package coupled

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/internal/durable"
)

// Report measures the rows asked for and those of the report, one and two cylinders
// with strategies side by side, and writes coupled.md into dir, which is there. It
// returns the rows asked for and all that were measured; an error is that of the
// context or of writing.
func (b *Bench) Report(ctx context.Context, dir string, h harness.Host, asked []Spec) (rows, all []Row, err error) {
	own, err := Selection{Algorithm: []string{"auto", "serial", "sort-reduce"}}.Plan()
	if err != nil {
		return nil, nil, fmt.Errorf("report: %w", err)
	}
	all, err = b.Run(ctx, harness.Unique(slices.Concat(asked, own)))
	rows = pick(all, asked)
	if err != nil {
		return rows, all, err
	}
	var text strings.Builder
	kernels := []string{}
	for _, r := range all {
		kernels = append(kernels, r.Kernel)
	}
	h.WriteHead(&text, "What bodies cost a stream", [][2]string{{"kernel", strings.Join(harness.Unique(kernels), ", ")}, {"repeats", b.Effort.String()}})
	text.WriteString(reportHead)
	WriteMarkdown(&text, pick(all, own))
	if !slices.Equal(asked, own) {
		text.WriteString("\n## The rows asked for\n\n")
		WriteMarkdown(&text, rows)
	}
	text.WriteString(reportTail)
	path := filepath.Join(dir, "coupled.md")
	if err := durable.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text.String())
		return err
	}); err != nil {
		return rows, all, err
	}
	fmt.Fprintf(b.Progress, "report: %s\n", path)
	return rows, all, nil
}

// pick is the rows of specs.
func pick(measured []Row, specs []Spec) (rows []Row) {
	for _, s := range specs {
		if i := slices.IndexFunc(measured, func(r Row) bool { return r.spec == s }); i >= 0 {
			rows = append(rows, measured[i])
		}
	}
	return rows
}

// WriteMarkdown writes rows as a table, and what is the same in all of them above.
func WriteMarkdown(b *strings.Builder, rows []Row) {
	table, same := table.Of(columns, rows)
	if len(same) > 0 {
		fmt.Fprintf(b, "All rows: %s.\n\n", strings.Join(same, ", "))
	}
	table.WriteMarkdown(b)
	if lines := reasons(rows); len(lines) > 0 {
		fmt.Fprintf(b, "\n- %s\n", strings.Join(lines, "\n- "))
	}
}

const reportHead = `
A stream enters at the left, leaves at the right and slides along the other faces;
cylinders stand in a row along its middle. The same stream is stepped without and with
them in turn. MFLUPS are 10⁶ node updates per second, the median of the repeats. The
overhead is 1 − with bodies/alone, the median of the repeats' own, and its range that of
all of them; the bodies' share of a step is by the clock around their part, which a
machine that wanders disturbs less. The volume is πD²/(NX·NY) per cylinder, as
Valero-Lara et al., J. Comput. Sci. 10 (2015) 249, count: four times what a cylinder
fills.

No rate is told unless the force on every body was what the fluid lost of its momentum,
and the fluid at the markers stood still as far as one application brings it there.

## Bodies in a stream

`

const reportTail = `
## To repeat it

` + "```" + `
lbmib bench coupled --report DIR
` + "```" + `

on a machine that does nothing else. Shares compare between runs, rates hardly do.
`

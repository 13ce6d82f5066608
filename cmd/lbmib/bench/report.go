package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
)

// Bench measures rows.
type Bench = harness.Bench[Spec, Row]

// New is the benchmark on this machine; progress gets a line for every row.
func New(e harness.Effort, progress io.Writer) *Bench {
	return &Bench{Effort: e, Progress: progress, Measure: harness.Each(measure)}
}

// Report measures the rows asked for and those of the plots, and writes lbm.md
// and the plots into dir, which is there. It returns the rows asked for and all
// that were measured; an error is that of the context or of writing.
func Report(ctx context.Context, b *Bench, dir string, h harness.Host, asked []Spec) (rows, all []Row, err error) {
	sections, err := sets()
	if err != nil {
		return nil, nil, err
	}
	// Rows that measure the limits on the same workers and as much memory follow each
	// other, so that these are found once.
	order := harness.Union(asked, sections)
	slices.SortStableFunc(order, func(a, b Spec) int {
		return cmp.Or(cmp.Compare(b.Threads, a.Threads), cmp.Compare(a.footprint(), b.footprint()))
	})
	all, err = b.Run(ctx, order)
	rows = harness.Pick(all, asked)
	if err != nil {
		return rows, all, err
	}
	d := NewDocument(h, all)
	r := harness.Report[Spec, Row]{
		Title: "How fast the fluid is", Host: h, Facts: [][2]string{
			{"kernels", strings.Join(h.Kernels, ", ")},
			{"fastest copy", fmt.Sprintf("%.1f GB/s, read plus written, with all threads over the largest lattices", d.CopyGBs)},
			{"fastest in-place update", fmt.Sprintf("%.1f GB/s, likewise", d.UpdateGBs)},
		},
		Head: reportHead, Tail: harness.ToRepeat("lbm", reportCaution),
		Sections: append([]section{{Title: harness.Asked, Specs: asked}}, sections...), Table: &Table, Figure: &figure,
	}
	return rows, all, r.Write(filepath.Join(dir, "lbm.md"), all, b.Progress)
}

// figure is rates with their limits.
var figure = harness.Figure[Row]{
	Label: "MFLUPS", Value: func(r *Row) float64 { return r.MFLUPS },
	AboveIs: "share of the limit", Above: func(r *Row) string { return fmt.Sprintf("%.2f", r.Roofline) },
	Limit: (*Row).limitMFLUPS, LimitIs: "limit", LineLimit: "limit of the same colour",
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
`

const reportCaution = `Rates of memory wander from minute to minute,
by a fifth or more on machines that are shared: shares compare, rates of different
runs hardly do.`

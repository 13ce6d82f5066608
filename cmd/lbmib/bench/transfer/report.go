package transfer

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
)

// To end soon, a report repeats less often what takes long, shortens the tables of
// Kassen et al. and leaves strategies out of the one of particles and meshes.
const (
	longRepeats = 3
	reportSteps = 10
)

// reportTables are those of a report: kassen3 and kassen4 are left out, which take long and depend on no machine.
func reportTables() []string {
	return slices.DeleteFunc(slices.Clone(TableNames), func(n string) bool { return n == "kassen3" || n == "kassen4" })
}

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
	sections, err := b.plots(b.Kernel)
	if err != nil {
		return nil, nil, nil, err
	}
	sections = append([]section{{Title: harness.Asked, Specs: asked}}, sections...)
	b.Long = longRepeats
	all, err = b.Run(ctx, harness.Union(asked, sections))
	rows = harness.Pick(all, asked)
	for _, name := range reportTables() {
		if err == nil {
			var more []Table
			more, err = b.Tables(ctx, each(name), s.inReport(name))
			tables = append(tables, more...)
		}
	}
	if err != nil {
		return rows, all, tables, err
	}
	r := harness.Report[Spec, Row]{
		Title: "How fast values go between markers and grid", Host: h, Facts: [][2]string{
			{"kernel", strings.Join(kernels(all), ", ")},
			{"fastest copy", fmt.Sprintf("%.1f GB/s, read plus written, with all threads over the largest fields", NewDocument(h, all, nil).CopyGBs)},
		},
		Head: fmt.Sprintf(reportHead, b.Effort, strings.Join(inPPM(), ", ")), Tail: harness.ToRepeat("ib", "Ratios compare between runs, times hardly do."),
		Sections: sections, Table: &RowTable, Figure: &figure,
		More: func(text *strings.Builder) {
			for i := range tables {
				tables[i].WriteMarkdown(text)
			}
		},
	}
	return rows, all, tables, r.Write(filepath.Join(dir, "ib.md"), all, b.Progress)
}

// figure is times with the limit of memory.
var figure = harness.Figure[Row]{
	Label: "ms per call", Value: func(r *Row) float64 { return r.Ms },
	AboveIs: "over serial", Above: func(r *Row) string { return fmt.Sprintf("%.2f", r.ToSerial) },
	Limit: (*Row).limitMs, LimitIs: "memory's limit",
}

// kernels are those of the rows.
func kernels(rows []Row) []string {
	return harness.Names(rows, func(r *Row) string { return r.Kernel })
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
published, which they tell, and the convergence of Tables 3 and 4 is left out; that of particles and meshes has %s alone. Tables with
every strategy come from lbmib bench ib --table NAME; those of bodies in a stream from
lbmib bench coupled --report DIR, of red cells from lbmib bench cells --report DIR.
`

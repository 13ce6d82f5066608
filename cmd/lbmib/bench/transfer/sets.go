package transfer

import (
	"fmt"
	"runtime"
	"slices"

	"lbmib/cmd/lbmib/bench/chart"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/ib"
)

// plotted is the rows of one plot of a report and how they are drawn: bars, or lines
// where the abscissa is a number.
type plotted struct {
	name  string // of the file, without .png
	title string
	why   string // what the plot tells, for the text
	pick  []Selection

	group  func(*Row) string  // bars that stand together, or the line that a row is on
	member func(*Row) string  // bars of a group
	x      func(*Row) float64 // nil: bars
	xlabel string
	logX   bool
	logY   bool
}

// few are the strategies of plots over a number: the yardstick and what is fastest
// in one regime or another.
func few() []string {
	return those("serial", "sort-reduce", "buffered", "columns", "blocks")
}

// those are the names that this build has.
func those(names ...string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(ib.TransferNames(), n) })
}

func each[V any](values ...V) []V { return values }

// sets are the plots of a report.
func sets() (all []plotted) {
	strategy := func(r *Row) string { return r.Algorithm }
	order := func(r *Row) string { return r.Order }
	for _, op := range []string{interpolate, spread} {
		title := map[string]string{interpolate: "Interpolation", spread: "Spreading"}[op]
		all = append(all,
			plotted{
				name: "points-" + op, title: title + " over the number of points", logX: true, logY: true,
				why: "Points at new places in every call, 128³ nodes, all threads. A cost in proportion to the points is a line of slope one.",
				pick: each(
					Selection{Op: each(op), Order: each(fresh), Points: each(1<<12, 1<<14, 1<<16, 1<<18, 1<<20), Algorithm: few()},
					Selection{Op: each(op), Order: each(fresh), Points: each(1 << 22), Algorithm: those("serial", "sort-reduce")},
				),
				group: strategy, x: func(r *Row) float64 { return float64(r.Points) }, xlabel: "points",
			},
			plotted{
				name: "grid-" + op, title: title + " over the size of the grid, points in the same 32³ nodes", logX: true,
				why:   "65536 points in a box of 32³ nodes in the middle of grids of 32³ to 256³. A strategy that does not depend on the grid is a horizontal line.",
				pick:  each(Selection{Op: each(op), Order: each(fresh), Grid: each("32", "64", "128", "256"), Box: each(32), Algorithm: few()}),
				group: strategy, x: func(r *Row) float64 { return float64(r.Grid[0]) }, xlabel: "nodes along an axis",
			},
			plotted{
				name: "strategies-" + op, title: title + " by strategy",
				why:   "65536 random points, 128³ nodes, all threads (serial: one): all points at new places in every call, and hardly moved (kept).",
				pick:  each(Selection{Op: each(op), Order: each(fresh, kept)}),
				group: strategy, member: order,
			},
			plotted{
				name: "order-" + op, title: title + " by the order of points",
				why:   "65536 random points, 128³ nodes, strategies on one thread and on all: all points at new places in every call (new); hardly moved, in memory as they come (kept); hardly moved, in memory in the order of cells (sorted).",
				pick:  each(Selection{Op: each(op), Order: each(fresh, kept, sorted), Threads: harness.Unique([]int{1, runtime.GOMAXPROCS(0)}), Algorithm: those("serial", "sort-reduce", "auto")}),
				group: func(r *Row) string { return fmt.Sprintf("%s, %d", r.Algorithm, r.Threads) }, member: order,
			},
			plotted{
				name: "distribution-" + op, title: title + " by where the points are",
				why:   "Random in the box, evenly on a sphere of half its diameter, on red cells; all points at new places in every call.",
				pick:  each(Selection{Op: each(op), Order: each(fresh), Distribution: each("random", "sphere", "rbc"), Algorithm: few()}),
				group: strategy, member: func(r *Row) string { return r.Distribution },
			},
			plotted{
				name: "threads-" + op, title: title + " over threads",
				why:   "65536 random points at new places in every call, 128³ nodes.",
				pick:  each(Selection{Op: each(op), Order: each(fresh), Threads: harness.SomeThreads(), Algorithm: few()}),
				group: strategy, x: func(r *Row) float64 { return float64(r.Threads) }, xlabel: "worker threads",
			},
			plotted{
				name: "layout-" + op, title: title + " by the layout of markers",
				why:   "65536 random points, in space and in the plane, strategy serial on one thread: position, velocity and force of a marker side by side (aos), or a list for every component (soa). Weights and results are the same bits.",
				pick:  each(Selection{Op: each(op), Order: each(fresh, sorted), Grid: each("128", "1024x1024"), Algorithm: each("serial"), Layout: layouts}),
				group: func(r *Row) string { return r.spec.gridText() + " " + r.Order }, member: func(r *Row) string { return r.Layout },
			},
		)
	}
	return all
}

// draw draws the rows that have a time; without any, nothing is drawn.
func (p *plotted) draw(path string, rows []Row) (drawn bool, err error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Status != harness.OK })
	if len(rows) == 0 {
		return false, nil
	}
	if p.x != nil {
		return true, p.lines(rows).Save(path)
	}
	return true, p.bars(rows).Save(path)
}

// names are the values of a property, in the order in which they come.
func names(rows []Row, of func(*Row) string) (all []string) {
	for i := range rows {
		all = append(all, of(&rows[i]))
	}
	return harness.Unique(all)
}

// bars are times in groups, with the limit of each across it and its time over
// serial's above.
func (p *plotted) bars(rows []Row) *chart.Bars {
	b := &chart.Bars{
		Title: p.title, YLabel: "ms per call   (above: over serial)", Limit: "memory's limit",
		Groups: names(rows, p.group), Members: names(rows, p.member),
	}
	for i := range rows {
		r := &rows[i]
		b.Bars = append(b.Bars, chart.Bar{
			Group: slices.Index(b.Groups, p.group(r)), Member: slices.Index(b.Members, p.member(r)),
			Value: r.Ms, Limit: r.limitMs(), Above: fmt.Sprintf("%.2f", r.ToSerial),
		})
	}
	return b
}

// lines are times over a number.
func (p *plotted) lines(rows []Row) *chart.Lines {
	l := &chart.Lines{Title: p.title, XLabel: p.xlabel, YLabel: "ms per call", LogX: p.logX, LogY: p.logY}
	for _, name := range names(rows, p.group) {
		line := chart.Series{Name: name}
		for i := range rows {
			if r := &rows[i]; p.group(r) == name {
				line.X, line.Y = append(line.X, p.x(r)), append(line.Y, r.Ms)
			}
		}
		l.Series = append(l.Series, line)
	}
	return l
}

// reportSpecs are the rows asked for and those of all plots with a kernel, each once,
// and which belong to what.
func reportSpecs(asked []Spec, plots []plotted, kernel string) (all []Spec, ofPlot [][]Spec, err error) {
	all = slices.Clone(asked)
	for _, p := range plots {
		var specs []Spec
		for _, pick := range p.pick {
			pick.Kernel = kernel
			more, err := pick.Plan()
			if err != nil {
				return nil, nil, fmt.Errorf("report: plot %s: %w", p.name, err)
			}
			specs = append(specs, more...)
		}
		for i := range specs {
			specs[i].spare = true
		}
		ofPlot = append(ofPlot, specs)
		for _, s := range specs {
			if !slices.ContainsFunc(all, s.same) {
				all = append(all, s)
			}
		}
	}
	return all, ofPlot, nil
}

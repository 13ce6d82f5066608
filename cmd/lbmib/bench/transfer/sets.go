package transfer

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/ib"
)

type section = harness.Section[Spec, Row]

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

// sets are the plots of a report, with a kernel as Selection has it. The error is that of
// planning their rows.
func sets(kernel string) (all []section, err error) {
	pick := func(selections ...Selection) []Spec {
		for i := range selections {
			selections[i].Kernel = kernel
		}
		specs, wrong := harness.PlanAll(selections...)
		err = cmp.Or(err, wrong)
		for i := range specs {
			specs[i].spare = true
		}
		return specs
	}
	strategy := func(r *Row) string { return r.Algorithm }
	order := func(r *Row) string { return r.Order }
	for _, op := range []string{interpolate, spread} {
		title := map[string]string{interpolate: "Interpolation", spread: "Spreading"}[op]
		all = append(all,
			section{
				Name: "points-" + op, Title: title + " over the number of points", LogX: true, LogY: true,
				Why: "Points at new places in every call, 128³ nodes, all threads. A cost in proportion to the points is a line of slope one.",
				Specs: pick(
					Selection{Op: each(op), Order: each(fresh), Points: each(1<<12, 1<<14, 1<<16, 1<<18, 1<<20), Algorithm: few()},
					Selection{Op: each(op), Order: each(fresh), Points: each(1 << 22), Algorithm: those("serial", "sort-reduce")},
				),
				Group: strategy, X: func(r *Row) float64 { return float64(r.Points) }, XLabel: "points",
			},
			section{
				Name: "grid-" + op, Title: title + " over the size of the grid, points in the same 32³ nodes", LogX: true,
				Why:   "65536 points in a box of 32³ nodes in the middle of grids of 32³ to 256³. A strategy that does not depend on the grid is a horizontal line.",
				Specs: pick(Selection{Op: each(op), Order: each(fresh), Grid: each("32", "64", "128", "256"), Box: each(32), Algorithm: few()}),
				Group: strategy, X: func(r *Row) float64 { return float64(r.Size[0]) }, XLabel: "nodes along an axis",
			},
			section{
				Name: "strategies-" + op, Title: title + " by strategy",
				Why:   "65536 random points, 128³ nodes, all threads (serial: one): all points at new places in every call, and hardly moved (kept).",
				Specs: pick(Selection{Op: each(op), Order: each(fresh, kept)}),
				Group: strategy, Member: order,
			},
			section{
				Name: "order-" + op, Title: title + " by the order of points",
				Why:   "65536 random points, 128³ nodes, strategies on one thread and on all: all points at new places in every call (new); hardly moved, in memory as they come (kept); hardly moved, in memory in the order of cells (sorted).",
				Specs: pick(Selection{Op: each(op), Order: each(fresh, kept, sorted), Threads: harness.Unique([]int{1, runtime.GOMAXPROCS(0)}), Algorithm: those("serial", "sort-reduce", "auto")}),
				Group: func(r *Row) string { return fmt.Sprintf("%s, %d", r.Algorithm, r.Threads) }, Member: order,
			},
			section{
				Name: "distribution-" + op, Title: title + " by where the points are",
				Why:   "Random in the box, evenly on a sphere of half its diameter, on red cells; all points at new places in every call.",
				Specs: pick(Selection{Op: each(op), Order: each(fresh), Distribution: each("random", "sphere", "rbc"), Algorithm: few()}),
				Group: strategy, Member: func(r *Row) string { return r.Distribution },
			},
			section{
				Name: "threads-" + op, Title: title + " over threads",
				Why:   "65536 random points at new places in every call, 128³ nodes.",
				Specs: pick(Selection{Op: each(op), Order: each(fresh), Threads: harness.SomeThreads(), Algorithm: few()}),
				Group: strategy, X: func(r *Row) float64 { return float64(r.Threads) }, XLabel: "worker threads",
			},
			section{
				Name: "layout-" + op, Title: title + " by the layout of markers",
				Why:   "65536 random points, in space and in the plane, strategy serial on one thread: position, velocity and force of a marker side by side (aos), or a list for every component (soa). Weights and results are the same bits.",
				Specs: pick(Selection{Op: each(op), Order: each(fresh, sorted), Grid: each("128", "1024x1024"), Algorithm: each("serial"), Layout: layouts}),
				Group: func(r *Row) string { return r.gridText() + " " + r.Order }, Member: func(r *Row) string { return r.Layout },
			},
		)
	}
	return all, err
}

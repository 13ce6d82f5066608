package bench

import (
	"fmt"
	"slices"

	"lbmib/cmd/lbmib/bench/harness"
)

// set is the rows of one plot of a report and how they are drawn: bars, or lines
// where the abscissa is a number.
type set struct {
	name  string // of the file, without .png
	title string
	why   string // what the plot tells, for the text
	pick  []Selection

	group  func(*Row) string  // bars that stand together, or the line that a row is on
	member func(*Row) string  // bars of a group
	x      func(*Row) float64 // nil: bars
	xlabel string
	log    bool // x is logarithmic
}

func each(names ...string) []string { return names }

// Sizes of the comparisons: well beyond the caches of most processors' cores,
// and quick.
var (
	small2D = each("2048x1024")
	small3D = each("128x128x128")
	both    = []string{small2D[0], small3D[0]}
	large   = each("4096x2048", "256x256x256")
	schemes = each("ab", "inplace")
)

// sets are the plots of a report.
func sets() []set {
	lattice := func(r *Row) string { return r.Lattice }
	nodes := func(r *Row) float64 { return float64(r.spec.nodes()) }
	scheme := func(r *Row) string { return r.spec.streamingText() }
	precision := func(r *Row) string { return r.Precision }
	and := func(f ...func(*Row) string) func(*Row) string {
		return func(r *Row) (text string) {
			for i, of := range f {
				if i > 0 {
					text += " "
				}
				text += of(r)
			}
			return text
		}
	}
	kernel := func(r *Row) string { return r.Kernel }
	f64 := each("f64")
	return []set{
		{
			name: "size-D2Q9", title: "D2Q9, double precision, over the size of the domain",
			why: "From lattices that stay in the caches to those that do not. Small domains pay for the workers' meetings.",
			pick: []Selection{{Precision: f64, Streaming: schemes,
				Size: each("256x100", "512x256", "1024x512", "2048x1024", "4096x2048")}},
			group: scheme, x: nodes, xlabel: "nodes", log: true,
		},
		{
			name: "size-D3Q19", title: "D3Q19, double precision, over the size of the domain",
			why: "The same in three dimensions.",
			pick: []Selection{{Precision: f64, Streaming: schemes,
				Size: each("32x32x32", "48x48x48", "64x64x64", "96x96x96", "128x128x128", "192x192x192", "256x256x256")}},
			group: scheme, x: nodes, xlabel: "nodes", log: true,
		},
		{
			name: "scheme", title: "Streaming schemes, double precision",
			why: "Two lattices (ab) written through the cache or around it, one lattice (inplace), and one on which two steps share a sweep (inplace-2), which may pass the limit of one sweep per step.",
			pick: []Selection{
				{Precision: f64, Streaming: each("ab"), Stores: each("cached", "streaming"), Size: large},
				{Precision: f64, Streaming: each("inplace"), StepsPerSweep: []int{1, 2}, Size: large},
			},
			group: lattice, member: scheme,
		},
		{
			name: "push", title: "Pushing and pulling, plain Go, double precision",
			why: "Two lattices either way: push writes what leaves a node to its neighbours, ab reads what arrives from them.",
			pick: []Selection{
				{Precision: f64, Streaming: each(push), Size: both},
				{Precision: f64, Streaming: each("ab"), Stores: each("cached"), Kernel: each("go"), Size: both},
			},
			group: lattice, member: scheme,
		},
		{
			name: "precision", title: "Precision of arithmetic, and of storage",
			why:   "The fewer bytes a population takes, the more nodes the memory feeds.",
			pick:  []Selection{{Streaming: schemes, Size: large}},
			group: and(lattice, scheme), member: precision,
		},
		{
			name: "layout", title: "Layouts, double precision",
			why: "A structure of arrays (soa), blocks of nodes of it (soaos/nodes), an array of structures (aos).",
			pick: []Selection{
				{Precision: f64, Streaming: schemes, Size: both, Layout: each("soa", "aos")},
				{Precision: f64, Streaming: schemes, Size: both, Layout: each("soaos"), Block: []int{32, 64, 256}},
			},
			group: and(lattice, scheme), member: func(r *Row) string { return r.spec.layoutText() },
		},
		{
			name: "threads", title: "Workers, double precision",
			why:   "One worker seldom gets all that the memory gives; the limit is that of as many workers.",
			pick:  []Selection{{Precision: f64, Streaming: schemes, Size: large, Threads: harness.SomeThreads()}},
			group: and(lattice, scheme), x: func(r *Row) float64 { return float64(r.Threads) }, xlabel: "worker threads",
		},
		{
			name: "kernel", title: "Kernels, two lattices, one worker",
			why:   "What the instructions bring where one worker has the memory to itself.",
			pick:  []Selection{{Precision: each("f64", "f32"), Streaming: each("ab"), Size: both, Threads: []int{1}, Kernel: kernels()}},
			group: and(lattice, precision), member: kernel,
		},
		{
			name: "collision", title: "Collision operators, double precision",
			why:   "What a second relaxation rate costs (trt), and what recursive regularisation does.",
			pick:  []Selection{{Precision: f64, Streaming: schemes, Size: both, Collision: each("bgk", "trt", "recursive")}},
			group: and(lattice, scheme), member: func(r *Row) string { return r.Collision },
		},
		{
			name: "flow", title: "Boundaries, double precision",
			why: "A periodic box; a cavity of walls with a lid; a duct of walls, driven by a force; a stream with inflow, outflow and free-slip sides.",
			pick: []Selection{
				{Precision: f64, Streaming: schemes, Size: each("1024x1024"), Flow: each("box", "cavity", "stream")},
				{Precision: f64, Streaming: schemes, Size: each("192x192x192"), Flow: each("box", "duct", "stream")},
			},
			group: and(lattice, scheme), member: func(r *Row) string { return r.Flow },
		},
	}
}

func kernels() []string { return harness.ThisHost("").Kernels }

// reportSpecs are the rows of all sets and of the selection, each once, and which
// belong to what. Rows that measure the limits on the same workers and as much
// memory follow each other, so that these are found once.
func reportSpecs(asked []Spec) (order []Spec, ofSet [][]Spec, err error) {
	all := slices.Clone(asked)
	for _, s := range sets() {
		var specs []Spec
		for _, p := range s.pick {
			more, err := p.Plan()
			if err != nil {
				return nil, nil, fmt.Errorf("report: plot %s: %w", s.name, err)
			}
			specs = append(specs, more...)
		}
		ofSet, all = append(ofSet, specs), append(all, specs...)
	}
	order = harness.Unique(all)
	slices.SortStableFunc(order, func(a, b Spec) int {
		if a.Threads != b.Threads {
			return b.Threads - a.Threads
		}
		return int(min(max(a.footprint()-b.footprint(), -1), 1))
	})
	return order, ofSet, nil
}

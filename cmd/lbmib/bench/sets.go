package bench

import (
	"cmp"

	"lbmib/cmd/lbmib/bench/harness"
)

type section = harness.Section[Spec, Row]

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

// sets are the plots of a report. The error is that of planning their rows.
func sets() (all []section, err error) {
	pick := func(selections ...Selection) []Spec {
		specs, wrong := harness.PlanAll(selections...)
		err = cmp.Or(err, wrong)
		return specs
	}
	lattice := func(r *Row) string { return r.Lattice }
	nodes := func(r *Row) float64 { return float64(r.Size.Nodes()) }
	scheme := func(r *Row) string { return r.streamingText() }
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
	all = []section{
		{
			Name: "size-D2Q9", Title: "D2Q9, double precision, over the size of the domain",
			Why: "From lattices that stay in the caches to those that do not. On small domains the synchronisation of workers costs a share.",
			Specs: pick(Selection{Precision: f64, Streaming: schemes,
				Size: each("256x100", "512x256", "1024x512", "2048x1024", "4096x2048")}),
			Group: scheme, X: nodes, XLabel: "nodes", LogX: true,
		},
		{
			Name: "size-D3Q19", Title: "D3Q19, double precision, over the size of the domain",
			Why: "The same in three dimensions.",
			Specs: pick(Selection{Precision: f64, Streaming: schemes,
				Size: each("32x32x32", "48x48x48", "64x64x64", "96x96x96", "128x128x128", "192x192x192", "256x256x256")}),
			Group: scheme, X: nodes, XLabel: "nodes", LogX: true,
		},
		{
			Name: "scheme", Title: "Streaming schemes, double precision",
			Why: "Two lattices (ab) written through the cache or around it, one lattice (inplace), and one on which two steps share a sweep (inplace-2), which may pass the limit of one sweep per step.",
			Specs: pick(
				Selection{Precision: f64, Streaming: each("ab"), Stores: each("cached", "streaming"), Size: large},
				Selection{Precision: f64, Streaming: each("inplace"), StepsPerSweep: []int{1, 2}, Size: large},
			),
			Group: lattice, Member: scheme,
		},
		{
			Name: "push", Title: "Pushing and pulling, plain Go, double precision",
			Why: "Two lattices either way: push writes what leaves a node to its neighbours, ab reads what arrives from them.",
			Specs: pick(
				Selection{Precision: f64, Streaming: each(push), Size: both},
				Selection{Precision: f64, Streaming: each("ab"), Stores: each("cached"), Kernel: each("go"), Size: both},
			),
			Group: lattice, Member: scheme,
		},
		{
			Name: "precision", Title: "Precision of arithmetic, and of storage",
			Why:   "The fewer bytes a population takes, the more nodes the memory feeds.",
			Specs: pick(Selection{Streaming: schemes, Size: large}),
			Group: and(lattice, scheme), Member: precision,
		},
		{
			Name: "layout", Title: "Layouts, double precision",
			Why: "A structure of arrays (soa), blocks of nodes of it (soaos/nodes), an array of structures (aos).",
			Specs: pick(
				Selection{Precision: f64, Streaming: schemes, Size: both, Layout: each("soa", "aos")},
				Selection{Precision: f64, Streaming: schemes, Size: both, Layout: each("soaos"), Block: []int{32, 64, 256}},
			),
			Group: and(lattice, scheme), Member: func(r *Row) string { return r.layoutText() },
		},
		{
			Name: "threads", Title: "Workers, double precision",
			Why:   "One worker seldom gets all that the memory gives; the limit is that of as many workers.",
			Specs: pick(Selection{Precision: f64, Streaming: schemes, Size: large, Threads: harness.SomeThreads()}),
			Group: and(lattice, scheme), X: func(r *Row) float64 { return float64(r.Threads) }, XLabel: "worker threads",
		},
		{
			Name: "kernel", Title: "Kernels, two lattices, one worker",
			Why:   "What the instructions bring where one worker has the memory to itself.",
			Specs: pick(Selection{Precision: each("f64", "f32"), Streaming: each("ab"), Size: both, Threads: []int{1}, Kernel: kernels()}),
			Group: and(lattice, precision), Member: kernel,
		},
		{
			Name: "collision", Title: "Collision operators, double precision",
			Why:   "What a second relaxation rate costs (trt), and what recursive regularisation does.",
			Specs: pick(Selection{Precision: f64, Streaming: schemes, Size: both, Collision: each("bgk", "trt", "recursive")}),
			Group: and(lattice, scheme), Member: func(r *Row) string { return r.Collision },
		},
		{
			Name: "flow", Title: "Boundaries, double precision",
			Why: "A periodic box; a cavity of walls with a lid; a duct of walls, driven by a force; a stream with inflow, outflow and free-slip sides.",
			Specs: pick(
				Selection{Precision: f64, Streaming: schemes, Size: each("1024x1024"), Flow: each("box", "cavity", "stream")},
				Selection{Precision: f64, Streaming: schemes, Size: each("192x192x192"), Flow: each("box", "duct", "stream")},
			),
			Group: and(lattice, scheme), Member: func(r *Row) string { return r.Flow },
		},
	}
	return all, err
}

func kernels() []string { return harness.ThisHost("").Kernels }

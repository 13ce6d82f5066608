package lbm

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"lbmib/internal/parallel"
)

// Assembly reads and corrects lists of nodes as someNodes does, to rounding, and leaves the
// bits of all other nodes alone, in every phase of the schemes.
func TestAssemblyCorrectsNodesAsGoDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("compares kernels, which the race detector does not see")
	}
	for name, cfg := range localFlows(t) {
		for _, kernel := range KernelNames {
			if kernel == "go" || len(MissingFor(kernel)) > 0 {
				continue
			}
			for _, streaming := range StreamingNames {
				cfg.Kernel, cfg.Streaming = kernel, streaming
				for steps := range 2 {
					corrects[float64](t, fmt.Sprintf("%s f64 %s %s %d", name, kernel, streaming, steps), cfg, steps+1, 1e-16)
					corrects[float32](t, fmt.Sprintf("%s f32 %s %s %d", name, kernel, streaming, steps), cfg, steps+1, 5e-8)
					half := cfg
					half.Store = "f16" // dithered: where the sums differ in the last bit, by one half
					corrects[float32](t, fmt.Sprintf("%s f16 %s %s %d", name, kernel, streaming, steps), half, steps+1, 2e-5)
				}
			}
		}
	}
}

// corrects compares a fluid with one whose nodes are corrected in Go. bound is for populations,
// which are up to some hundredths; forces change them by some 1e-4.
func corrects[T Float](t *testing.T, name string, cfg Config, steps int, bound float64) {
	t.Helper()
	pool := parallel.NewPool(3)
	defer pool.Close()
	nodes, at, force := someNodesOf[T](&cfg)
	var results [2]State[T]
	var moments [2][][]T
	for i := range results {
		f, err := New[T](cfg, pool)
		if err != nil {
			t.Fatal(name, err)
		}
		f.Initialize(wavy)
		for range steps {
			f.Step()
		}
		before := StateOf(f)
		if i == 1 {
			withoutAssembly(f)
		}
		fields := make([][]T, 1+cfg.Lattice.Dim)
		for a := range fields {
			fields[a] = make([]T, len(nodes)+3)
		}
		f.Moments(nodes, at, fields[0], fields[1:])
		f.Correct(nodes, at, force)
		results[i], moments[i] = StateOf(f), fields
		listed := make([]bool, cfg.Nodes())
		for _, n := range nodes {
			listed[n] = true
		}
		for q, p := range results[i].Populations {
			for n, v := range p {
				if !listed[n] && v != before.Populations[q][n] {
					t.Fatalf("%s: population %d of node %v, which is not listed, was %v and is %v", name, q, cfg.Position(n), before.Populations[q][n], v)
				}
			}
		}
	}
	for a := range moments[0] {
		if !slices.Equal(moments[0][a][:3], []T{0, 0, 0}) {
			t.Fatalf("%s: values beside those of the nodes are %v", name, moments[0][a][:3])
		}
		for k := range nodes {
			if d := math.Abs(float64(moments[0][a][3+k] - moments[1][a][3+k])); !(d <= 4*math.Max(bound/10, float64(epsilon[T]()))) {
				t.Fatalf("%s: moment %d of node %v is %v, in Go %v", name, a, cfg.Position(int(nodes[k])), moments[0][a][3+k], moments[1][a][3+k])
			}
		}
	}
	for q := range results[0].Populations {
		for n, v := range results[0].Populations[q] {
			if d := math.Abs(float64(v - results[1].Populations[q][n])); !(d <= bound) {
				t.Fatalf("%s: population %d of node %v is %v, in Go %v", name, q, cfg.Position(n), v, results[1].Populations[q][n])
			}
		}
	}
}

// withoutAssembly makes a fluid read and correct nodes in Go.
func withoutAssembly[T Float](f Fluid[T]) {
	switch f := f.(type) {
	case *CPU[T, T]:
		f.spans, f.nodes.kernels = nil, nodeKernels{}
	case *CPU[T, Half]:
		f.spans, f.nodes.kernels = nil, nodeKernels{}
	}
}

func epsilon[T Float]() T {
	var one T
	if unsafe.Sizeof(one) == 4 {
		return T(math.Ldexp(1, -23))
	}
	return T(math.Ldexp(1, -52))
}

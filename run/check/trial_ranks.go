package check

import (
	"math"
	"time"

	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
	"lbmib/run/setup"
)

// A trial of parts of one level has so many nodes along each side.
var trialParts = map[int]int{2: 512, 3: 64}

// measureCopies is the time, in seconds, that a pair of nodes at a seam between two parts of one level takes in a step on this machine: of a periodic box cut
// into two across its slowest axis, beside one that is whole, in turn. 0 where that cannot be done.
func measureCopies(p *setup.Problem, kernel string) float64 {
	if p.Precision().Single {
		return copiesTrial[float32](p, kernel)
	}
	return copiesTrial[float64](p, kernel)
}

func copiesTrial[T lbm.Float](p *setup.Problem, kernel string) float64 {
	flow, err := setup.Bulk(p.Case)
	if err != nil {
		return 0
	}
	dim := flow.Lattice.Dim
	n := trialParts[dim]
	if flow.Kernel, flow.Size = kernel, [3]int{1, 1, 1}; kernel == "cuda" {
		flow.Kernel = ""
	}
	for a := range dim {
		flow.Size[a] = n
	}
	low, high := joined.Box{Hi: flow.Size}, joined.Box{Hi: flow.Size}
	low.Hi[dim-1], high.Lo[dim-1] = n/2, n/2
	pool := parallel.NewPool(p.Case.Run.Threads)
	defer pool.Close()
	var fluids [2]lbm.Fluid[T]
	var fastest [2]float64
	for k, boxes := range [2][]joined.Box{nil, {low, high}} {
		f, err := joined.New(flow, boxes, func(part lbm.Config) (lbm.Fluid[T], error) { return lbm.New[T](part, pool) })
		if err != nil {
			return 0
		}
		f.Step() // touches all memory
		f.Step()
		fluids[k], fastest[k] = f, math.Inf(1)
	}
	for begin := time.Now(); time.Since(begin) < 2*trialTime || math.IsInf(fastest[1], 1); {
		for k, f := range fluids {
			now := time.Now()
			f.Step()
			f.Step()
			fastest[k] = math.Min(fastest[k], time.Since(now).Seconds()/2)
		}
	}
	pairs := 2 * float64(flow.Nodes()/n) // of each part, at both of its ends
	return math.Max(0, (fastest[1]-fastest[0])/(2*pairs))
}

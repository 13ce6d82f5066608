package check

import (
	"math"
	"time"

	"lbmib/internal/finite"
	"lbmib/internal/machine"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/setup"
)

// The lattice that is stepped to estimate a case's time: no larger than the
// case's, and large enough that a case beyond the caches is measured beyond them.
const (
	probeBytes = 64 << 20 // more than the last cache holds
	probeTime  = 150 * time.Millisecond
)

// measureRate is the rate, in million nodes a second, at which this machine
// steps a smaller lattice of the case's kind where the case is computed, with its
// threads; NaN where it cannot be made. Bodies, faces and outputs take no part.
func measureRate(c *casefile.Case, kernel setup.Kernel) (mflups float64) {
	flow, err := setup.Bulk(c)
	if err != nil {
		return math.NaN()
	}
	flow.Kernel = kernel.Name
	in := setup.Precisions[c.Fluid.Precision]
	if streaming := flow.Streaming; streaming == "" || streaming == "auto" || streaming == "inplace" {
		flow.StepsPerSweep = flow.Steps("inplace", in.Stored) // as the whole flow
	}
	flow.Size = probeSize(flow.Size, probeNodes(&flow, in.Stored))
	if in.Single {
		return stepProbe[float32](flow, c.Run)
	}
	return stepProbe[float64](flow, c.Run)
}

// probeNodes is about how many nodes lie beyond the caches, and in an eighth of
// the memory.
func probeNodes(flow *lbm.Config, stored int) int {
	bytes := machine.CacheSize(3) + probeBytes
	if have, err := machine.Memory(); err == nil {
		bytes = min(bytes, have/8)
	}
	lattices := int64(1)
	if flow.Streaming == "ab" {
		lattices = 2
	}
	return max(1, int(bytes/(lattices*int64(flow.Lattice.Q)*int64(stored))))
}

func stepProbe[T lbm.Float](flow lbm.Config, how casefile.Run) float64 {
	pool := parallel.NewPool(how.Threads)
	defer pool.Close()
	made, err := backend.Choose[T](backend.Request{Backend: how.Backend, Flow: flow, Pool: pool})
	if err != nil {
		return math.NaN()
	}
	defer made.Close()
	made.Sim.Step() // touches all memory
	if made.Wait() != nil {
		return math.NaN()
	}
	begin := time.Now()
	for steps, batch := 0, 2; ; batch *= 2 { // in place, odd and even steps differ
		for range batch {
			made.Sim.Step()
		}
		steps += batch
		if made.Wait() != nil {
			return math.NaN()
		}
		if spent := time.Since(begin); spent > probeTime {
			return float64(steps) * float64(flow.Nodes()) / spent.Seconds() / 1e6
		}
	}
}

// probeSize is a lattice of at most about limit nodes with rows as long as the
// case's, as far as that leaves 32 of them: as deep as high where the case's is, since
// one of a single layer would have neighbours across a face at every node.
func probeSize(size [3]int, limit int) [3]int {
	size[0] = min(size[0], limit/32)
	rows := max(1, limit/size[0])
	deep := min(size[2], max(int(math.Sqrt(float64(rows))), rows/size[1]))
	size[1] = min(size[1], max(1, rows/deep))
	size[2] = min(size[2], max(1, rows/size[1]))
	return size
}

// estimate fills in the time and concludes.
func (r *Report) estimate(c *casefile.Case, at speeds) {
	e := &r.Estimate
	e.MFLUPS, e.Threads, e.Marker = finite.Number(at.mflups), c.Run.Threads, finite.Number(1e9*at.marker)
	e.Vertex = finite.Number(1e9 * at.vertex)
	all := at.seconds(r.updates(), r.markers(), r.vertices(), c.Run.Steps)
	if r.Grids != nil {
		e.SeamSeconds = finite.Number(at.seam * ghostsOf(r.problem) * float64(c.Run.Steps))
		all += float64(e.SeamSeconds)
	}
	e.BodySeconds = finite.Number(at.bodies(r.markers(), r.vertices(), c.Run.Steps))
	e.Seconds = *judged(all, timeLimits)
	r.conclude()
}

// updates is how many nodes are updated in a step.
func (r *Report) updates() int {
	if r.Grids != nil {
		return int(r.Grids.Updates)
	}
	if r.Scheme.Storage == "runs" {
		return int(float64(r.Scheme.Fluid) + setup.LinkWork*float64(r.Scheme.links))
	}
	return r.Domain.Total
}

// markers is the number of markers of all bodies.
func (r *Report) markers() (n int) {
	for i := range r.Bodies {
		n += r.Bodies[i].Markers
	}
	return n
}

// vertices is the number of vertices of all elastic bodies.
func (r *Report) vertices() (n int) {
	for i := range r.Cells {
		n += r.Cells[i].Vertices
	}
	return n
}

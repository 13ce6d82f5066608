package runner

import (
	"math"
	"time"

	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// The lattice that is stepped to estimate a case's time: no larger than the
// case's, and large enough that its populations do not stay in a core's cache.
const (
	probeBytes = 64 << 20
	probeTime  = 200 * time.Millisecond
)

// measureRate is the rate, in million nodes a second, at which this machine
// steps a small lattice of the case's kind with the case's threads; NaN where it
// cannot be made. Bodies and outputs take no part.
func measureRate(c *casefile.Case) (mflups float64) {
	if c.Fluid.Precision == "f32" {
		return stepProbe[float32](c, 4)
	}
	return stepProbe[float64](c, 8)
}

func stepProbe[T lbm.Float](c *casefile.Case, bytesPerValue int) float64 {
	collision, err := lbm.NewCollision(c.Fluid.Collision, c.Units().Nu, c.Fluid.Magic)
	if err != nil {
		return math.NaN()
	}
	pool := parallel.NewPool(c.Run.Threads)
	defer pool.Close()
	lattice := lbm.Lattices[c.Domain.Lattice]
	cfg := lbm.Config{Lattice: lattice, Collision: collision, Layout: c.Fluid.Layout}
	cfg.Size = probeSize(c.Domain.Nodes, probeBytes/(2*lattice.Q*bytesPerValue))
	fluid, err := lbm.New[T](cfg, pool)
	if err != nil {
		return math.NaN()
	}
	fluid.Step() // touches all memory
	begin := time.Now()
	for steps := 1; ; steps++ {
		fluid.Step()
		if spent := time.Since(begin); spent > probeTime {
			return float64(steps) * float64(cfg.Nodes()) / spent.Seconds() / 1e6
		}
	}
}

// probeSize is a lattice of at most about limit nodes with rows as long as the
// case's, as far as that leaves 32 of them.
func probeSize(size [3]int, limit int) [3]int {
	size[0] = min(size[0], limit/32)
	size[1] = min(size[1], max(1, limit/size[0]))
	size[2] = min(size[2], max(1, limit/(size[0]*size[1])))
	return size
}

// seconds is the time that steps of nodes take at a rate in MFLUPS.
func seconds(nodes int, steps int64, mflups float64) float64 {
	return float64(nodes) * float64(steps) / (mflups * 1e6)
}

// estimate fills in the time and concludes.
func (r *Report) estimate(c *casefile.Case, mflups float64) {
	e := &r.Estimate
	e.MFLUPS, e.Threads = Number(mflups), c.Run.Threads
	e.Seconds = *judged(seconds(r.Domain.Total, c.Run.Steps, mflups), timeLimits)
	r.conclude()
}

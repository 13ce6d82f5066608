package cuda

import (
	"math"
	"unsafe"

	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Threads that survey all nodes, and those that shorten what they found; the host does
// the rest. The numbers depend on the number of nodes alone, so that sums do.
const (
	surveyThreads = 128
	surveyBlocks  = 256 // at most
	mergeBlocks   = 2
	findings      = surveyThreads * (surveyBlocks + mergeBlocks)
	surveyBytes   = findings * int64(unsafe.Sizeof(healthRecord{}))
)

// healthRecord is Health of kernels/survey.h, sumRecord its Sum.
type healthRecord struct {
	worst, ok                            int64
	rho, speed, maxSpeed, minRho, maxRho float64
}

type sumRecord struct {
	mass float64
	j    [3]float64
}

// fluidSurvey is what surveys need.
type fluidSurvey struct {
	found                           *driver.Memory // by all threads, then shortened
	host                            *driver.Host
	health, momentum, inflow, merge *driver.Args
}

func (f *Fluid[T]) prepareSurvey() (err error) {
	s := &f.survey
	most := surveyThreads * (surveyShare(f.cfg.Nodes()) + mergeBlocks)
	if s.found, err = f.alloc(most * int(unsafe.Sizeof(healthRecord{}))); err != nil {
		return err
	}
	s.host, err = f.pinned(surveyThreads * mergeBlocks * int(unsafe.Sizeof(healthRecord{})))
	s.health, s.momentum, s.inflow = driver.NewArgs(latticeArgs+6), driver.NewArgs(latticeArgs+7), driver.NewArgs(latticeArgs+7)
	s.merge = driver.NewArgs(3)
	return err
}

// surveyShare is the number of blocks that survey so many nodes.
func surveyShare(nodes int) int {
	return max(1, min(surveyBlocks, (nodes+surveyThreads-1)/surveyThreads))
}

// surveyed queues a survey of so many nodes and what shortens its findings, and brings
// these to the host.
func surveyed[R any, T lbm.Float](f *Fluid[T], nodes int, k, merge *driver.Function, a *driver.Args) ([]R, error) {
	v, size := &f.survey, sizeOf[R]()
	blocks := surveyShare(nodes)
	block := [3]int{surveyThreads, 1, 1}
	if err := f.stream.Launch(k, [3]int{blocks, 1, 1}, block, 0, a); err != nil {
		return nil, err
	}
	short := surveyThreads * blocks * size
	s := setter{a: v.merge}
	s.pointer(v.found, 0).int64(blocks*surveyThreads).pointer(v.found, short)
	if err := f.stream.Launch(merge, [3]int{mergeBlocks, 1, 1}, block, 0, s.a); err != nil {
		return nil, err
	}
	n := surveyThreads * mergeBlocks
	if err := f.stream.CopyFrom(v.host.Pointer(0), v.found, short, n*size); err != nil {
		return nil, err
	}
	if err := f.stream.Synchronize(); err != nil {
		return nil, err
	}
	return driver.View[R](v.host, 0, n), nil
}

// Health looks at every node that is not a wall.
func (f *Fluid[T]) Health() lbm.Health {
	broken := lbm.Health{Worst: [3]int{-1, -1, -1}, Rho: math.NaN(), Speed: math.NaN(), MaxSpeed: math.NaN(), MinRho: math.NaN(), MaxRho: math.NaN()}
	if !f.settled() {
		return broken
	}
	s := setter{a: f.survey.health}
	f.setLattice(&s).pointer(f.solid, 0).int64(f.cfg.Nodes())
	setReals(&s, f.rates.Accel[:]...).pointer(f.survey.found, 0)
	found, err := surveyed[healthRecord](f, f.cfg.Nodes(), f.kernels.health, f.kernels.healthMerge, s.a)
	if err != nil {
		f.fail(err)
		return broken
	}
	h := lbm.NoHealth
	for _, r := range found {
		if r.worst >= 0 {
			h.Merge(lbm.Health{OK: r.ok != 0, Worst: f.cfg.Position(int(r.worst)), Rho: r.rho, Speed: r.speed,
				MaxSpeed: r.maxSpeed, MinRho: r.minRho, MaxRho: r.maxRho})
		}
	}
	return h
}

// Momentum is Σ f and Σ c f over the nodes lo ≤ p < hi, in double precision.
func (f *Fluid[T]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	n := [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}
	nodes := n[0] * n[1] * n[2]
	if !f.settled() || n[0] <= 0 || n[1] <= 0 || n[2] <= 0 {
		return 0, j
	}
	s := setter{a: f.survey.momentum}
	f.setLattice(&s)
	f.setBox(&s, lo, n).int64(nodes).pointer(f.survey.found, 0)
	sum := f.sum(nodes, f.kernels.momentum, s.a)
	return float64(nodes) + sum.mass, sum.j
}

// Inflow is the momentum that the next step streams into the box lo ≤ p < hi less what
// it streams out; see lbm.Fluid.
func (f *Fluid[T]) Inflow(lo, hi [3]int) (j [3]float64) {
	n := [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}
	if !f.settled() || n[0] <= 0 || n[1] <= 0 || n[2] <= 0 {
		return j
	}
	s := setter{a: f.survey.inflow}
	f.setLattice(&s)
	f.setBox(&s, lo, n).int32(n[2]).pointer(f.survey.found, 0)
	skin := 2 * (n[0]*n[1] + n[1]*n[2] + n[2]*n[0])
	return f.sum(min(skin, f.cfg.Nodes()), f.kernels.inflow, s.a).j
}

func (f *Fluid[T]) sum(nodes int, k *driver.Function, a *driver.Args) (total sumRecord) {
	found, err := surveyed[sumRecord](f, nodes, k, f.kernels.sumMerges, a)
	f.fail(err)
	for _, r := range found {
		total.mass += r.mass
		for a := range total.j {
			total.j[a] += r.j[a]
		}
	}
	return total
}

package cuda

import (
	"math"
	"sync"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// healthRecord is Health of kernels/survey.h.
type healthRecord struct {
	worst, ok                            int64
	rho, speed, maxSpeed, minRho, maxRho float64
	minAt, maxAt                         int64
}

const healthBytes = device.SurveyRecords * int64(unsafe.Sizeof(healthRecord{}))

// fluidHealth is what looks at all nodes need, and the health asked for last.
type fluidHealth struct {
	found     *driver.Memory // by all warps, then shortened
	host      *driver.Host
	done      *driver.Event // the findings are on the host
	of, merge *driver.Args
	ofBox     *driver.Args
	pending   *pendingHealth // asked for last; nil: none yet
}

func (f *Fluid[T]) prepareHealth() (err error) {
	h := &f.health
	size := int(unsafe.Sizeof(healthRecord{}))
	if h.found, err = f.alloc(device.SurveyRecords * size); err != nil {
		return err
	}
	if h.host, err = f.pinned(device.MergedRecords * size); err != nil {
		return err
	}
	h.of, h.ofBox, h.merge = driver.NewArgs(latticeArgs+6), driver.NewArgs(latticeArgs+11), driver.NewArgs(3)
	h.done, err = f.context.EventUntimed()
	return err
}

// surveyed is how many nodes are looked at: those of the domain, of a storage by runs the fluid's.
func (f *core[T]) surveyed() int {
	if f.runs != nil {
		return f.runs.count
	}
	return f.cfg.Nodes()
}

// close waits for what is still on its way.
func (h *fluidHealth) close() {
	if h.pending != nil {
		h.pending.Wait()
	}
	h.done.Close()
}

// unknown is the health of a fluid that cannot be looked at.
var unknown = lbm.Health{Worst: [3]int{-1, -1, -1}, Rho: math.NaN(), Speed: math.NaN(), MaxSpeed: math.NaN(), MinRho: math.NaN(), MaxRho: math.NaN()}

// Health looks at every node that is not a wall.
func (f *Fluid[T]) Health() lbm.Health {
	h, err := f.PendingHealth().Wait()
	f.fail(err)
	return h
}

// HealthIn looks at the nodes lo ≤ p < hi that are not walls, of a storage as a box: at those of a level that no finer one covers.
func (f *Fluid[T]) HealthIn(lo, hi [3]int) lbm.Health {
	if !f.settled() {
		return unknown
	}
	if before := f.health.pending; before != nil {
		before.Wait() // its findings are overwritten
	}
	found, err := f.healthIn(lo, hi)
	if f.fail(err) != nil {
		return unknown
	}
	return found
}

func (f *Fluid[T]) healthIn(lo, hi [3]int) (lbm.Health, error) {
	h, n := &f.health, [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}
	nodes := n[0] * n[1] * n[2]
	s := device.Setter{Args: h.ofBox}
	f.setLattice(&s).Pointer(f.solid, 0)
	f.setBox(&s, lo, n).Int64(nodes)
	device.SetReals(&s, f.rates.Accel[:]...).Pointer(h.found, 0)
	if err := device.Survey(f.stream, nodes, device.SizeOf[healthRecord](), f.kernels.healthBox, f.kernels.healthMerge, s.Args, h.merge, h.found, h.host); err != nil {
		return unknown, err
	}
	if err := f.stream.Synchronize(); err != nil {
		return unknown, err
	}
	return h.merged(&f.cfg), nil
}

// merged is what all threads have found.
func (h *fluidHealth) merged(nodes *lbm.Config) lbm.Health {
	all := lbm.NoHealth
	for _, r := range driver.View[healthRecord](h.host, 0, device.MergedRecords) {
		if r.worst >= 0 {
			all.Merge(lbm.Health{OK: r.ok != 0, Worst: nodes.Position(int(r.worst)), Rho: r.rho, Speed: r.speed,
				MaxSpeed: r.maxSpeed, MinRho: r.minRho, MaxRho: r.maxRho, MinAt: nodes.Position(int(r.minAt)), MaxAt: nodes.Position(int(r.maxAt))})
		}
	}
	return all
}

// PendingHealth queues a look at all nodes and does not wait; see lbm.Capturer.
func (f *Fluid[T]) PendingHealth() lbm.Pending[lbm.Health] {
	if !f.settled() {
		return lbm.Failed(unknown, f.err)
	}
	if before := f.health.pending; before != nil {
		before.Wait() // its findings are overwritten
	}
	if err := f.queueHealth(); err != nil {
		f.fail(err)
		return lbm.Failed(unknown, f.err)
	}
	f.health.pending = &pendingHealth{nodes: &f.cfg, of: &f.health, aside: &f.background, health: unknown}
	return lbm.Later[lbm.Health](f.health.pending)
}

// queueHealth queues the look and the copy of its findings to the host.
func (f *Fluid[T]) queueHealth() error {
	h := &f.health
	s := device.Setter{Args: h.of}
	f.setLattice(&s).Pointer(f.solid, 0).Int64(f.surveyed())
	device.SetReals(&s, f.rates.Accel[:]...).Pointer(h.found, 0)
	if err := device.Survey(f.stream, f.surveyed(), device.SizeOf[healthRecord](), f.kernels.health, f.kernels.healthMerge, s.Args, h.merge, h.found, h.host); err != nil {
		return err
	}
	return f.stream.Record(h.done)
}

// pendingHealth is the source of an lbm.Pending: findings on their way to the host.
type pendingHealth struct {
	nodes *lbm.Config
	of    *fluidHealth
	aside *device.BackgroundError

	mu     sync.Mutex // held while the device is waited for
	done   bool       // health and err are final
	health lbm.Health
	err    error
}

// Ready reports whether the findings are on the host.
func (a *pendingHealth) Ready() bool {
	if !a.mu.TryLock() { // another goroutine waits
		return false
	}
	defer a.mu.Unlock()
	return a.done || a.of.done.Done()
}

// Wait merges the findings.
func (a *pendingHealth) Wait() (lbm.Health, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.done {
		return a.health, a.err
	}
	a.done = true
	if a.err = a.of.done.Synchronize(); a.err != nil {
		a.aside.Keep(a.err)
		return a.health, a.err
	}
	a.health = a.of.merged(a.nodes)
	return a.health, nil
}

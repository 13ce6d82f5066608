package cuda

import (
	"math"
	"sync"
	"unsafe"

	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// healthRecord is Health of kernels/survey.h.
type healthRecord struct {
	worst, ok                            int64
	rho, speed, maxSpeed, minRho, maxRho float64
}

const healthBytes = findings * int64(unsafe.Sizeof(healthRecord{}))

// fluidHealth is what looks at all nodes need, and the question asked last.
type fluidHealth struct {
	found     *driver.Memory // by all threads, then shortened
	host      *driver.Host
	done      *driver.Event // the findings are on the host
	of, merge *driver.Args
	asked     *healthAnswer // nil: none yet
}

func (f *Fluid[T]) prepareHealth() (err error) {
	h := &f.health
	size := int(unsafe.Sizeof(healthRecord{}))
	if h.found, err = f.alloc(surveyThreads * (surveyShare(f.cfg.Nodes()) + mergeBlocks) * size); err != nil {
		return err
	}
	if h.host, err = f.pinned(surveyThreads * mergeBlocks * size); err != nil {
		return err
	}
	h.of, h.merge = driver.NewArgs(latticeArgs+6), driver.NewArgs(3)
	h.done, err = f.context.EventUntimed()
	return err
}

// close waits for an answer that is still to come.
func (h *fluidHealth) close() {
	if h.asked != nil {
		h.asked.Health()
	}
	h.done.Close()
}

// unknown is the health of a fluid that cannot be looked at.
var unknown = lbm.Health{Worst: [3]int{-1, -1, -1}, Rho: math.NaN(), Speed: math.NaN(), MaxSpeed: math.NaN(), MinRho: math.NaN(), MaxRho: math.NaN()}

// Health looks at every node that is not a wall.
func (f *Fluid[T]) Health() lbm.Health {
	h, err := f.AskHealth().Health()
	f.fail(err)
	return h
}

// AskHealth asks for Health without waiting for the answer; see lbm.Capturer.
func (f *Fluid[T]) AskHealth() lbm.HealthAnswer {
	a := &healthAnswer{nodes: &f.cfg, of: &f.health, aside: &f.captures.aside, told: true, health: unknown}
	if !f.settled() {
		a.err = f.err
		return a
	}
	if before := f.health.asked; before != nil {
		before.Health() // its findings are overwritten
	}
	if err := f.askHealth(); err != nil {
		f.fail(err)
		a.err = f.err
		return a
	}
	a.told = false
	f.health.asked = a
	return a
}

// askHealth queues the look.
func (f *Fluid[T]) askHealth() error {
	h := &f.health
	s := setter{a: h.of}
	f.setLattice(&s).pointer(f.solid, 0).int64(f.cfg.Nodes())
	setReals(&s, f.rates.Accel[:]...).pointer(h.found, 0)
	if err := survey(f.stream, f.cfg.Nodes(), sizeOf[healthRecord](), f.kernels.health, f.kernels.healthMerge, s.a, h.merge, h.found, h.host); err != nil {
		return err
	}
	return f.stream.Record(h.done)
}

// healthAnswer is a lbm.HealthAnswer.
type healthAnswer struct {
	nodes *lbm.Config
	of    *fluidHealth
	aside *asideError

	mu     sync.Mutex // held while the device is waited for
	told   bool
	health lbm.Health
	err    error
}

// Known tells whether Health would not wait.
func (a *healthAnswer) Known() bool {
	if !a.mu.TryLock() { // somebody waits
		return false
	}
	defer a.mu.Unlock()
	return a.told || a.of.done.Done()
}

// Health waits for the answer.
func (a *healthAnswer) Health() (lbm.Health, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.told {
		return a.health, a.err
	}
	a.told = true
	if a.err = a.of.done.Synchronize(); a.err != nil {
		a.aside.tell(a.err)
		return a.health, a.err
	}
	a.health = lbm.NoHealth
	for _, r := range driver.View[healthRecord](a.of.host, 0, surveyThreads*mergeBlocks) {
		if r.worst >= 0 {
			a.health.Merge(lbm.Health{OK: r.ok != 0, Worst: a.nodes.Position(int(r.worst)), Rho: r.rho, Speed: r.speed,
				MaxSpeed: r.maxSpeed, MinRho: r.minRho, MaxRho: r.maxRho})
		}
	}
	return a.health, nil
}

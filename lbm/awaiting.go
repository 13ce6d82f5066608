package lbm

import "lbmib/internal/parallel"

// Awaiter is a fluid that can begin a step before its ghosts hold what they should: see Config.Ghosts.
type Awaiter interface {
	// AwaitGhosts has the next step call arrived once, before it needs the ghosts, and sweep before that what does not need them. arrived may Put.
	AwaitGhosts(arrived func())
}

// awaiting are the rows of a fluid by whether they need ghosts.
type awaiting struct {
	arrived func() // of the next step; nil: ghosts are there
	needs   []bool // of each row; nil: all do
	rim     []int32
	ghosts  []bool // rows of ghosts alone, which are not swept: nobody asks what they become; nil: there are none
}

// newAwaiting finds the rows that need ghosts: those that these are in, and those beside them.
func newAwaiting(cfg *Config) (a awaiting) {
	near := func(at, axis, layers int) bool {
		return cfg.Ghosts[2*axis] && at < layers || cfg.Ghosts[2*axis+1] && at >= cfg.Size[axis]-layers
	}
	if cfg.Ghosts != [6]bool{} {
		a.ghosts = make([]bool, cfg.Size[1]*cfg.Size[2])
		for row := range a.ghosts {
			a.ghosts[row] = near(row%cfg.Size[1], 1, 1) || near(row/cfg.Size[1], 2, 1)
		}
	}
	if cfg.Ghosts == [6]bool{} || cfg.Ghosts[0] || cfg.Ghosts[1] {
		return a
	}
	a.needs = make([]bool, cfg.Size[1]*cfg.Size[2])
	for row := range a.needs {
		if a.needs[row] = near(row%cfg.Size[1], 1, 2) || near(row/cfg.Size[1], 2, 2); a.needs[row] && !a.ghosts[row] {
			a.rim = append(a.rim, int32(row))
		}
	}
	return a
}

// AwaitGhosts has the next step wait for ghosts as late as it can; see Awaiter.
func (f *CPU[T, S]) AwaitGhosts(arrived func()) { f.awaiting.arrived = arrived }

// arrive has the ghosts be there.
func (f *CPU[T, S]) arrive() {
	if arrived := f.awaiting.arrived; arrived != nil {
		f.awaiting.arrived = nil
		arrived()
	}
}

// splits tells whether the step at hand sweeps first what does not need ghosts. Where steps share sweeps all is swept at once.
func (f *CPU[T, S]) splits() bool {
	return f.awaiting.arrived != nil && f.awaiting.needs != nil && f.fusion == nil
}

// sweepInner sweeps a worker's rows that need no ghosts.
func (f *CPU[T, S]) sweepInner(worker int) {
	f.sweepRows(worker, 0, func(row int) bool { return !f.awaiting.needs[row] })
}

// sweepRim sweeps its share of the others, which lie at the ends of few workers' slabs.
func (f *CPU[T, S]) sweepRim(worker int) {
	s := &f.sweeper[worker]
	s.begin()
	lo, hi := parallel.Share(len(f.awaiting.rim), worker, f.pool.Workers())
	for _, row := range f.awaiting.rim[lo:hi] {
		f.sweepRow(s, 0, int(row), nil)
	}
	s.end()
}

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
	needs   []bool // of each row, or run of a storage by runs; nil: all do
	rim     []int32
	ghosts  []bool // rows, or runs, of ghosts alone, which are not swept: nobody asks what they become; nil: there are none
}

// awaitingRuns is newAwaiting of a storage by runs, whose runs need ghosts or not wherever the flow was divided.
func awaitingRuns(cfg *Config, runs []run) (a awaiting) {
	if cfg.Ghosts == [6]bool{} {
		return a
	}
	near := func(lo, end, axis, layers int) bool { // lo ≤ p < end has some of the outermost layers
		return cfg.Ghosts[2*axis] && lo < layers || cfg.Ghosts[2*axis+1] && end > cfg.Size[axis]-layers
	}
	a.needs, a.ghosts = make([]bool, len(runs)), make([]bool, len(runs))
	for k := range runs {
		r := &runs[k]
		x, y, z := int(r.x), int(r.row)%cfg.Size[1], int(r.row)/cfg.Size[1]
		end := x + int(r.n)
		a.ghosts[k] = near(y, y+1, 1, 1) || near(z, z+1, 2, 1) ||
			cfg.Ghosts[0] && end <= 1 || cfg.Ghosts[1] && x >= cfg.Size[0]-1
		a.needs[k] = near(x, end, 0, 2) || near(y, y+1, 1, 2) || near(z, z+1, 2, 2)
		if a.needs[k] && !a.ghosts[k] {
			a.rim = append(a.rim, int32(k))
		}
	}
	return a
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

// sweepInner sweeps a worker's rows, or runs, that need no ghosts.
func (f *CPU[T, S]) sweepInner(worker int) {
	if f.sparse != nil {
		f.sweepSome(worker, f.awaiting.needs)
		return
	}
	f.sweepRows(worker, 0, func(row int) bool { return !f.awaiting.needs[row] })
}

// sweepRim sweeps its share of the others, which lie at the ends of few workers' slabs.
func (f *CPU[T, S]) sweepRim(worker int) {
	s := &f.sweeper[worker]
	s.begin()
	lo, hi := parallel.Share(len(f.awaiting.rim), worker, f.pool.Workers())
	for _, k := range f.awaiting.rim[lo:hi] {
		if f.sparse != nil {
			f.sweepRun(s, 0, int(k), nil)
		} else {
			f.sweepRow(s, 0, int(k), nil)
		}
	}
	s.end()
}

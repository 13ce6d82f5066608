package run

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/capacity"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// Ranks are processes that make a run together. Rank 0 makes it as a process by itself would, and leaves all files; the others have a share of
// the nodes each, and do with it what rank 0 asks of them.
type Ranks struct {
	Comm  mpi.Comm
	met   atomic.Bool // all know whether all are set up
	left  atomic.Bool // this rank was stopped before that: only an abort ends the others
	ended atomic.Bool // all know that there is nothing more to do
	final atomic.Bool // this rank has done the last that it does with others
}

// leads tells whether this process makes the run, alone or with others.
func (r *Ranks) leads() bool { return r == nil || r.Comm.Rank() == 0 }

// comm is what joins the ranks; nil: there is one process.
func (r *Ranks) comm() mpi.Comm {
	if r == nil {
		return nil
	}
	return r.Comm
}

// Meet has all ranks know whether one could not set the run up: its error is that of all.
func (r *Ranks) Meet(err error) error {
	switch {
	case r == nil:
		return err
	case r.left.Load():
		return cmp.Or(err, errStopped)
	case r.met.Swap(true):
		return err
	}
	code := mpi.AgreeMax(r.Comm, exit.Code(err))
	agreed := mpi.AgreeError(r.Comm, err)
	if agreed == nil {
		return nil
	}
	r.ended.Store(true)
	if err != nil && r.Comm.Rank() == 0 {
		return err
	}
	return &exit.Error{Code: code, Err: agreed}
}

// leave says that this rank meets no other any more.
func (r *Ranks) leave() {
	if r != nil && !r.met.Swap(true) {
		r.left.Store(true)
	}
}

// abortOnPanic ends all ranks where one panics: others may wait for it. It is deferred.
func (r *Ranks) abortOnPanic() {
	if r == nil {
		return
	}
	if p := recover(); p != nil {
		r.Comm.Abort(exit.Internal, InternalError(p))
	}
}

// InternalError is what a panic tells, with where it was.
func InternalError(p any) string {
	return fmt.Sprintf("internal error: %v\n%s\nplease report it with the case file", p, debug.Stack())
}

// Ended tells whether the other ranks know that there is nothing more to do.
func (r *Ranks) Ended() bool { return r.ended.Load() }

// Finalize is the last that a rank does with others, once they know; after that, and before, it does nothing.
func (r *Ranks) Finalize() {
	if r != nil && r.Ended() && !r.final.Swap(true) {
		r.Comm.Finalize()
	}
}

// end says that they do.
func (r *Ranks) end() {
	if r != nil {
		r.ended.Store(true)
	}
}

// follow sets this rank's share of a run up, and serves it until rank 0 ends the run.
func follow(c *casefile.Case, o Options) error {
	p, err := share(c, o)
	if err := o.Ranks.Meet(err); err != nil {
		return err
	}
	pool := parallel.NewPool(c.Run.Threads)
	defer pool.Close()
	if p.Precision().Single {
		err = backend.Serve[float32](capacity.Request(p, pool, nil))
	} else {
		err = backend.Serve[float64](capacity.Request(p, pool, nil))
	}
	o.Ranks.end()
	return err
}

// share is what a rank has to know of a problem.
func share(c *casefile.Case, o Options) (*setup.Problem, error) {
	p, err := problem(c, &o)
	if err != nil {
		return nil, err
	}
	if err := capacity.Share(p); err != nil {
		return nil, err
	}
	return p, p.Stored.Read(&p.Domain)
}

// rankRecord is a part of a grid, as the manifest tells it.
type rankRecord struct {
	Rank  int       `json:"rank"`
	Host  string    `json:"host,omitempty"`  // where it runs; empty: there is one process
	Level int       `json:"level,omitempty"` // of refinement
	Box   [2][3]int `json:"box"`             // the nodes of the finest grid that it covers, lo ≤ p < hi
	Nodes int       `json:"nodes"`           // of its level
}

// rankRecords are the parts of a division.
func (r *results[T]) rankRecords(d *setup.Division) (all []rankRecord) {
	for k, b := range d.Boxes {
		box := lbm.Box{Lo: b.Lo, Hi: b.Hi}
		of := rankRecord{Rank: d.Of[k], Level: b.Level, Box: [2][3]int{b.Lo, b.Hi}, Nodes: box.Nodes()}
		for range r.Flow.Lattice.Dim {
			of.Nodes /= r.Problem.Parts()[0].Width >> b.Level
		}
		if r.Ranks != nil {
			of.Host = r.Ranks.Host(of.Rank)
		}
		all = append(all, of)
	}
	return all
}

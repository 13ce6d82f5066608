package main

import (
	"errors"
	"fmt"
	"io"

	"lbmib/internal/mpi"
	"lbmib/run"
	"lbmib/run/exit"
)

// ranks joins the processes that a launcher has started, nil: there is no launcher. All but rank 0 are silent from then on, and leave signals to
// it: launchers pass these on to all.
func (s *surroundings) ranks() (*run.Ranks, error) {
	if l, ok := mpi.Launched(); !ok || l.Size == 1 {
		return nil, nil
	}
	comm, err := mpi.Connect()
	if err != nil {
		return nil, &exit.Error{Code: exit.BadCase, Err: err}
	}
	if comm.Size() == 1 {
		comm.Finalize()
		return nil, nil
	}
	if comm.Rank() > 0 {
		s.silent = true
		s.attention.deaf.Store(true)
	}
	return &run.Ranks{Comm: comm}, nil
}

// leaveRanks ends what ranks has begun, after the run. Others that may wait for this one are ended, too.
func leaveRanks(r *run.Ranks, err error) {
	if r.Ended() {
		r.Finalize()
		return
	}
	reason := "the run has ended, and others were not told"
	if err != nil {
		reason = err.Error()
	}
	r.Comm.Abort(max(exit.Code(err), exit.Internal), reason)
}

// onOneRank refuses a command under a launcher that would have every rank do the same.
func onOneRank(command string) error {
	l, ok := mpi.Launched()
	if !ok || l.Size == 1 {
		return nil
	}
	switch command {
	case "run", "version", "doctor", "help", "completion", "man":
		return nil
	}
	return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("lbmib %s under %s: only lbmib run is made by several ranks together: leave the launcher out, or have it start one process", command, l.Name)}
}

// toldElsewhere tells whether another rank tells an error of a command, as all have it.
func toldElsewhere(err error) bool {
	l, ok := mpi.Launched()
	if !ok || l.Rank == 0 || err == nil {
		return false
	}
	var of *mpi.RankError
	return errors.As(err, &of) || exit.Code(err) == exit.BadCase
}

// messagesTo is where messages go: nowhere on a rank that another speaks for.
func (s *surroundings) messagesTo() io.Writer {
	if s.silent {
		return io.Discard
	}
	return s.stderr
}

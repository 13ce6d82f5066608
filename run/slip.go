package run

import (
	"fmt"
	"math"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/table"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// grantedMost is the slip, in U and a mean over the markers, from which on the wall correction
// makes drag 10 % too low: so it was for cylinders at Re 100 on 10 nodes and 300 on 20, 30 % at
// 0.4, 3 % at 0.23 (docs/method.md, 2).
const grantedMost = 0.3

// slipWatch follows the mean, over about 1 L/U, of the slip that is granted to the fluid at a
// body. Layers are thin in any sudden start, so that the mean begins at 0.
type slipWatch struct {
	mean, last float64 // the mean at the time of the last row, U and L/U
	told       bool
}

// add takes the slip at a time, and tells whether the mean passes the bound for the
// first time.
func (w *slipWatch) add(t, granted float64) bool {
	part := math.Min(1, t-w.last)
	w.last = t
	if !finite.Is(granted) {
		return false
	}
	w.mean += part * (granted - w.mean)
	if w.told || w.mean <= grantedMost {
		return false
	}
	w.told = true
	return true
}

// warning is what to tell of body i when the mean has passed the bound. What drag is off by is not known from a slip that grows still.
func (w *slipWatch) warning(p *setup.Problem, i int) string {
	consequence := "forces on it are not those of a resolved flow"
	if finite.Is(check.DragError(p, i, w.mean)) {
		consequence = "drag is off, by how much the summary tells from the slip of the whole window"
	}
	return fmt.Sprintf("body %q: at t = %.3g L/U the wall correction lets the fluid pass the wall at %.2g U, the mean over its markers and 1 L/U: above %.2g the boundary layer is too thin for this grid, and %s",
		p.Case.Bodies[i].Name, w.last, w.mean, grantedMost, consequence)
}

// mostSlips is of how many bodies of a table such a slip is told; the rest are counted.
const mostSlips = 3

// slips follow the slip that is granted at each body, and warn of it.
type slips struct {
	problem *setup.Problem
	checks  *checks
	of      []slipWatch    // each body
	finer   string         // what to do about it; empty: nothing was told
	told    map[string]int // how many bodies of each table it was told of, by its key
}

func newSlips(p *setup.Problem, c *checks) *slips {
	return &slips{problem: p, checks: c, of: make([]slipWatch, len(p.Bodies)), told: map[string]int{}}
}

// add takes the slip at a body.
func (s *slips) add(body int, t, granted float64) {
	if w := &s.of[body]; w.add(t, granted) {
		if s.finer == "" {
			s.finer = strings.ReplaceAll(check.FinerAdvice(s.problem.Case), "\n", "; ")
		}
		key := s.problem.Case.Bodies[body].Key
		if s.told[key]++; s.told[key] > mostSlips {
			s.checks.count(w.warning(s.problem, body))
			return
		}
		s.checks.advise(s.finer, w.warning(s.problem, body))
	}
}

// recall follows the slip over the rows that are kept of a run that is resumed, so that
// it warns as if it had not been interrupted; it has been told before.
func (s *slips) recall(forces string) error {
	t, err := table.Read(forces)
	if err != nil {
		return err
	}
	for i, b := range s.problem.Bodies {
		h, err := readHistory(t, b.Name, s.problem.Flow.Lattice.Dim)
		if err != nil {
			return err
		}
		for k, granted := range h.granted {
			s.of[i].add(h.T[k], granted)
		}
	}
	return nil
}

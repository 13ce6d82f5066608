package run

import (
	"cmp"
	"image/color"
	"math"
	"time"

	"lbmib/io/plot"
	"lbmib/io/view"
	"lbmib/lbm"
	"lbmib/run/layout"
	"lbmib/run/observe"
)

// liveView shows the vorticity of a run in progress on a terminal; in 3D its z
// component on the plane through the first body's centre, or the middle. It
// only reads: a run with it leaves the same bits as one without.
type liveView[T lbm.Float] struct {
	observe.Stateless
	state  *observe.State[T]
	screen *view.Screen
	rows   *observe.VorticityRows[T]
	bodies func() [][][2]float64 // outlines where they are now
	scale  vorticityScale
	pace   pace
	shown  int64 // step of the picture that is on the screen
}

// newLiveView sets a view up; nil if none is wanted.
func newLiveView[T lbm.Float](r *observe.State[T], o *Options) *liveView[T] {
	if o.View == nil {
		return nil
	}
	plane := layout.Plane(r.Problem)
	v := &liveView[T]{state: r, screen: o.View, rows: observe.NewVorticityRows(r, plane), pace: pace{least: viewEvery}, shown: r.Step}
	if o.viewEvery > 0 {
		v.pace = pace{least: o.viewEvery, share: 1}
	}
	v.bodies = func() [][][2]float64 {
		closed, lines := layout.Outlines(r.Problem, plane, func(x [3]float64) [3]float64 { return x })
		return append(closed, lines...)
	}
	if !r.Problem.Moving() && len(r.Coupling.Cells) == 0 {
		drawn := v.bodies()
		v.bodies = func() [][][2]float64 { return drawn }
	}
	return v
}

// Due is at times, not steps.
func (v *liveView[T]) Due(int64) bool { return v.pace.due(time.Now()) }

// Observe draws the state at hand.
func (v *liveView[T]) Observe() error {
	begin := time.Now()
	v.draw(v.state.Step)
	v.pace.drew(begin, time.Now())
	return nil
}

// last draws the state at the end of a run. One that no step has led to is left
// out: its velocity at the bodies is not known to the simulation.
func (v *liveView[T]) last(step int64) {
	if v != nil && step != v.shown {
		v.draw(step)
	}
}

// draw draws the state at hand. A terminal that cannot be written to any more
// is no reason to end a run, so errors are dropped.
func (v *liveView[T]) draw(step int64) {
	_ = v.screen.Draw(view.Picture{
		Nx: v.rows.Flow.Size[0], Ny: v.rows.Flow.Size[1], Row: v.rows.Begin(),
		Outlines: v.bodies(), Scale: &v.scale, Label: "vorticity L/U",
	})
	v.shown = step
}

const (
	viewEvery = 500 * time.Millisecond // least time between pictures
	viewShare = 0.04                   // of the run's time that pictures may take
	viewJump  = 4.                     // by which the cost of a picture may seem to rise at once
)

// pace spaces pictures so that they take at most a given share of the time.
type pace struct {
	least time.Duration
	share float64       // of the time; 0: viewShare
	cost  time.Duration // of a picture
	next  time.Time
}

func (p *pace) due(now time.Time) bool { return !now.Before(p.next) }

// drew notes a picture. One that took very much longer than those before, as
// where the terminal's user stopped the output for a while, counts in part.
func (p *pace) drew(begin, end time.Time) {
	took := end.Sub(begin)
	if p.cost > 0 {
		took = min(took, time.Duration(viewJump*float64(p.cost)))
	}
	p.cost = max(took, 1)
	share := cmp.Or(p.share, viewShare)
	p.next = end.Add(max(p.least-took, time.Duration(float64(took)*(1-share)/share)))
}

// vorticityScale is the diverging scale of the pictures in plots, with a limit
// that does not flicker: it rises at once and falls when it is far too high.
type vorticityScale struct{ limit float64 }

const (
	vorticityNoise = 1e-4 // U/L: rounding errors are no pattern
	limitSlack     = 0.6  // a limit is kept down to this part of it
)

// Fit adapts the limit to a picture.
func (s *vorticityScale) Fit(pixels []float64) {
	limit := math.Max(vorticityNoise, plot.SymmetricLimit(pixels, 1))
	if limit > s.limit || limit < limitSlack*s.limit {
		s.limit = limit
	}
}

// Range is ± the limit.
func (s *vorticityScale) Range() (lo, hi float64) { return -s.limit, s.limit }

// Color is blue below zero and red above.
func (s *vorticityScale) Color(v float64) color.RGBA { return plot.DivergingColor(v, s.limit) }

package transfer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/parallel"
)

// A Driver is a strategy that takes part in a test.
type Driver struct {
	Algorithm  string
	Threads    int
	Refinement int
	Points     int
	Steps      int
}

// Timing is how long a driver's calls took, each with the SetPoints before it:
// medians over parts of the run of a part's mean.
type Timing struct {
	Driver
	harness.Outcome
	Interpolate, Spread float64 // s per call
	// Speedup over serial on one thread: medians of the parts' ratios.
	InterpolateSpeedup, SpreadSpeedup float64
	Checks                            []harness.Check
}

// firstMoment bounds |Σ (x−j) φ(x−j)| of deltas for which it is not zero.
var firstMoment = map[string]float64{"cosine4": 0.0211}

// shear is the flow of a test on one grid.
type shear struct {
	*Unstructured
	h        float64
	grids    []ib.Grid
	delta    ib.Delta[float64]
	velocity [][]float64
	force    [][]float64 // what is spread to
}

func newShear(u *Unstructured, refinement int) (*shear, error) {
	d, err := ib.NewDelta[float64](u.Delta)
	if err != nil {
		return nil, err
	}
	n := refinement
	s := &shear{Unstructured: u, h: u.Size / float64(n), delta: d}
	s.grids = ib.MAC(ib.Grid{Dim: 3, Size: [3]int{n, n, n}, Periodic: [3]bool{true, true, true}, Spacing: s.h})
	for _, g := range s.grids {
		s.velocity = append(s.velocity, make([]float64, g.Nodes()))
		s.force = append(s.force, make([]float64, g.Nodes()))
	}
	for i := range s.velocity[2] {
		y := float64(i/n%n) + s.grids[2].Staggering[1]
		s.velocity[2][i] = u.Rate * (y*s.h - u.Height)
	}
	return s, nil
}

// tethered are points on springs that a transfer moves.
type tethered struct {
	*shear
	transfer        ib.Transfer[float64]
	first, x, ahead []geometry.Vec
	velocities      [][]float64 // at the points
	forces          [][]float64
	steps           int

	interpolating, spreading time.Duration // of two calls, and of one, per step
	lost                     float64       // worst relative error of the total force
}

func (s *shear) tether(algorithm string, points int, pool *parallel.Pool) (*tethered, error) {
	t, err := ib.NewStaggered(algorithm, s.grids, s.delta, pool, ib.Kernel(s.Kernel))
	if err != nil {
		return nil, err
	}
	p := &tethered{shear: s, transfer: t}
	r := rand.New(rand.NewPCG(s.Seed, 0x746574686572))
	for range points {
		p.first = append(p.first, geometry.Vec{r.Float64() * s.Size, r.Float64() * s.Size, r.Float64() * s.Size})
	}
	p.x = append(p.x, p.first...)
	p.ahead = make([]geometry.Vec, points)
	for range s.grids {
		p.velocities = append(p.velocities, make([]float64, points))
		p.forces = append(p.forces, make([]float64, points))
	}
	return p, nil
}

// step is one step of the test; only calls of the transfer are timed.
func (p *tethered) step() error {
	if err := p.interpolate(); err != nil { // U at X
		return err
	}
	for k, x := range p.x { // X* = X + k U, F = −κ (X* − X0)
		p.ahead[k] = x.Add(p.moved(k))
		pull := p.ahead[k].Sub(p.first[k]).Scale(-p.Stiffness)
		for c := range p.forces {
			p.forces[c][k] = pull[c]
		}
	}
	for c := range p.force {
		clear(p.force[c])
	}
	begin := time.Now()
	if err := p.transfer.SetPoints(p.ahead); err != nil {
		return err
	}
	p.transfer.Spread(p.force, p.forces)
	p.spreading += time.Since(begin)
	if err := p.interpolate(); err != nil { // U at X again
		return err
	}
	for k := range p.x {
		p.x[k] = p.x[k].Add(p.moved(k))
	}
	p.steps++
	return nil
}

func (p *tethered) interpolate() error {
	begin := time.Now()
	if err := p.transfer.SetPoints(p.x); err != nil {
		return err
	}
	p.transfer.Interpolate(p.velocities, p.velocity)
	p.interpolating += time.Since(begin)
	return nil
}

// moved is how far point k goes in a step.
func (p *tethered) moved(k int) (d geometry.Vec) {
	for c := range p.velocities {
		d[c] = p.Step * p.velocities[c][k]
	}
	return d
}

// weigh holds the force on the grid against that of the springs.
func (p *tethered) weigh() {
	volume := p.h * p.h * p.h
	for c := range p.force {
		var onGrid, ofSprings, size float64
		for _, f := range p.force[c] {
			onGrid += f * volume
		}
		for _, f := range p.forces[c] {
			ofSprings += f
			size += math.Abs(f)
		}
		if size > 0 {
			p.lost = harness.Worse(p.lost, math.Abs(onGrid-ofSprings)/size)
		}
	}
}

// checks hold the points against theory: they keep x and y, and z moves by
// rate·(y − height)·t to the delta's first moment. Points that feel the jump at the
// periodic face are excepted.
func (p *tethered) checks() []harness.Check {
	t := p.Step * float64(p.steps)
	scale := math.Abs(p.Rate) * p.h * t // displacement by one cell's difference of velocity
	margin := float64(p.delta.Support())/2*p.h + p.h
	var along, across float64
	for k, x := range p.x {
		moved := x.Sub(p.first[k])
		across = harness.Worse(across, math.Max(math.Abs(moved[0]), math.Abs(moved[1])))
		if y := p.first[k][1]; y > margin && y < p.Size-margin {
			along = harness.Worse(along, math.Abs(moved[2]-p.Rate*(y-p.Height)*t))
		}
	}
	// A position is rounded once a step, by half a unit of the farthest.
	rounding := 1e-12 + 0x1p-52*p.Size*(2+math.Abs(p.Rate)*t)*float64(p.steps+4)/scale
	return []harness.Check{
		{Name: "error of the displacement along the flow, over that of one cell", Value: along / scale, Bound: firstMoment[p.Delta] + rounding},
		{Name: "displacement across the flow, over that of one cell", Value: across / scale, Bound: rounding},
		{Name: "relative error of the total force", Value: p.lost, Bound: 1e-11}, // of sums over the grid
	}
}

// parts is the number of parts of a run, in which drivers take turns.
const parts = 5

// drive runs the drivers of each refinement and number of points in turns, a fifth
// of the steps each time, beside serial, whose time they are held against. An error
// is that of the context.
func drive(ctx context.Context, u *Unstructured, drivers []Driver) ([]Timing, error) {
	timings := make([]Timing, len(drivers))
	pools := map[int]*parallel.Pool{}
	defer func() {
		for _, p := range pools {
			p.Close()
		}
	}()
	type round struct{ refinement, points, steps int }
	rounds := map[round][]int{}
	var order []round
	for i, d := range drivers {
		timings[i] = Timing{Driver: d, Outcome: harness.Outcome{Status: harness.OK}}
		if d.Threads > 1 && pools[d.Threads] == nil {
			pools[d.Threads] = parallel.NewPool(d.Threads)
		}
		r := round{d.Refinement, d.Points, d.Steps}
		if rounds[r] == nil {
			order = append(order, r)
		}
		rounds[r] = append(rounds[r], i)
	}
	for _, r := range order {
		s, err := newShear(u, r.refinement)
		if err != nil {
			return nil, err
		}
		var runs []*run
		for _, i := range rounds[r] {
			runs = append(runs, &run{Timing: &timings[i], pool: pools[drivers[i].Threads]})
		}
		if !slices.ContainsFunc(runs, (*run).isSerial) {
			runs = append(runs, &run{Timing: &Timing{Driver: Driver{Algorithm: "serial"}, Outcome: harness.Outcome{Status: harness.OK}}})
		}
		if err := s.takeTurns(ctx, runs, r.points, r.steps); err != nil {
			return timings, err
		}
	}
	return timings, nil
}

// run is a driver at work; the times are those of parts.
type run struct {
	*Timing
	pool                *parallel.Pool
	points              *tethered
	interpolate, spread []float64
}

func (r *run) isSerial() bool { return r.Algorithm == "serial" }

// takeTurns runs all of them; one is serial.
func (s *shear) takeTurns(ctx context.Context, runs []*run, points, steps int) error {
	for _, r := range runs {
		p, err := s.tether(r.Algorithm, points, r.pool)
		if err != nil {
			r.Status, r.Reason = harness.Refused, err.Error()
			continue
		}
		r.points = p
	}
	for part := range min(parts, steps) {
		lo, hi := parallel.Share(steps, part, min(parts, steps))
		for _, r := range runs {
			if r.Status != harness.OK {
				continue
			}
			if err := r.work(ctx, hi-lo); err != nil {
				return err
			}
		}
	}
	serial := runs[slices.IndexFunc(runs, (*run).isSerial)]
	for _, r := range runs {
		r.finish(serial)
	}
	return nil
}

// work takes a part's steps. Its error is that of the context.
func (r *run) work(ctx context.Context, steps int) error {
	p := r.points
	if p.steps == 0 { // touches the memory
		if err := p.interpolate(); err != nil {
			r.Status, r.Reason = harness.Refused, err.Error()
			return nil
		}
	}
	p.interpolating, p.spreading = 0, 0
	for i := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.step(); err != nil {
			r.Status, r.Reason = harness.Refused, err.Error()
			return nil
		}
		if i == 0 || i == steps-1 {
			p.weigh()
		}
	}
	r.interpolate = append(r.interpolate, p.interpolating.Seconds()/float64(2*steps))
	r.spread = append(r.spread, p.spreading.Seconds()/float64(steps))
	return nil
}

// finish fills in the times, unless a check is not passed.
func (r *run) finish(serial *run) {
	if r.Status != harness.OK {
		return
	}
	if serial.Status != harness.OK {
		r.Status, r.Reason = harness.Refused, serial.Reason
		return
	}
	r.Checks = r.points.checks()
	if what := harness.Failed(r.Checks); what != "" {
		r.Status, r.Reason = harness.Wrong, what
		return
	}
	ratios := func(of, to []float64) float64 {
		all := make([]float64, len(of))
		for i := range of {
			all[i] = to[i] / of[i]
		}
		return harness.Median(all)
	}
	r.InterpolateSpeedup = ratios(r.interpolate, serial.interpolate)
	r.SpreadSpeedup = ratios(r.spread, serial.spread)
	r.Timing.Interpolate, r.Timing.Spread = harness.Median(r.interpolate), harness.Median(r.spread)
}

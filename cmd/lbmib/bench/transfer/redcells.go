package transfer

import (
	"context"
	"math"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/ib/elastic/rbf"
	"lbmib/internal/parallel"
	"lbmib/validation/ib/published"
)

// Red cells of the paper, in µm, µs and nN: moduli are those of its text, and of the authors' program
// (github.com/sonwell/ib.cu, test/ib-whole.cc and include/forces/bending.h) where it has none.
const (
	redRadius  = 3.91
	redSize    = 16.    // of the cube
	redRate    = 1e-3   // of shear, 1/µs
	redStep    = 0.1    // µs
	redShear   = 2.5e-3 // nN/µm = dyn/cm
	redArea    = 100.
	redBending = 2 * 2e-4 // nN µm: κ = 2κ′ with κ′ = 2e-12 erg, see kassen5
	redLoss    = 0.25     // nN µs/µm: 2.5e-7 dyn s/cm
)

// redCellsTiming is how long the calls of a strategy take with so many red cells, in seconds.
type redCellsTiming struct {
	harness.Outcome
	Algorithm           string
	Cells, Threads      int
	Interpolate, Spread float64
	Checks              []harness.Check
}

// lawsTogether is how many cells share the operators where the time of forces is measured.
const lawsTogether = 8

// redCells measures all of them in turn, and what the forces of a cell take on one thread. Its error is that of the context, or
// of what no row is to blame for.
func redCells(ctx context.Context, all []redCellsTiming, steps int, kernel string) (laws float64, err error) {
	surface, err := rbf.NewRedCell(published.KassenData, published.KassenSamples, redRadius)
	if err != nil {
		return 0, err
	}
	m, err := rbf.NewMembrane(surface, rbf.Material{Shear: redShear, Area: redArea, Bending: redBending, ShearViscosity: redLoss, AreaViscosity: redLoss})
	if err != nil {
		return 0, err
	}
	blood, laws := newRedCells(m)
	var runs []*redRun
	for i := range all {
		pool := parallel.NewPool(all[i].Threads)
		defer pool.Close()
		r, err := blood.run(&all[i], pool, kernel)
		if err != nil {
			all[i].Status, all[i].Reason = harness.Refused, err.Error()
			continue
		}
		runs = append(runs, r)
	}
	for part := range min(parts, steps) {
		lo, hi := parallel.Share(steps, part, min(parts, steps))
		for _, r := range runs {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			r.work(hi - lo)
		}
	}
	for _, r := range runs {
		r.finish()
	}
	return laws, ctx.Err()
}

// blood is the sites of eight cells, and what they are interpolated from and spread to.
type blood struct {
	x, y            []geometry.Vec // data and sample sites, cell by cell
	force           [][]float64    // at sample sites
	grids           []ib.Grid
	velocity, field [][]float64
}

// newRedCells are in their places, stretched a little so that they have forces; laws is the time of these for one cell.
func newRedCells(m *rbf.Membrane) (b *blood, laws float64) {
	b = &blood{}
	const cells = lawsTogether
	data, samples := m.Surface().Data(), m.Surface().Samples()
	b.x, b.y = make([]geometry.Vec, cells*data), make([]geometry.Vec, cells*samples)
	for i := range cells {
		// Two in a layer across z, on one of its diagonals in turn.
		layer, side := float64(i/2), float64(i%2)
		at := geometry.Vec{4 + 8*side, 4 + 8*math.Abs(side-float64(i/2%2)), 2 + 4*layer}
		m.Surface().Place(b.x[i*data:(i+1)*data], at, geometry.Mat{{1.02}, {0, 1 / 1.02}, {0, 0, 1}})
	}
	n := published.KassenRefinement
	h := redSize / float64(n)
	b.grids = ib.MAC(ib.Grid{Dim: 3, Size: [3]int{n, n, n}, Periodic: [3]bool{true, true, true}, Spacing: h})
	for range b.grids {
		b.velocity, b.field = append(b.velocity, make([]float64, n*n*n)), append(b.field, make([]float64, n*n*n))
		b.force = append(b.force, make([]float64, cells*samples))
	}
	for i := range b.velocity[2] {
		b.velocity[2][i] = flowAt((float64(i/n%n) + b.grids[2].Staggering[1]) * h)
	}
	u, f := make([]geometry.Vec, len(b.x)), make([]geometry.Vec, len(b.y))
	for k, x := range b.x {
		u[k][2] = flowAt(x[1])
	}
	scratch := m.NewScratch(cells)
	var times []float64
	for range parts {
		begin := time.Now()
		m.Forces(scratch, b.x, u, b.y, f)
		times = append(times, time.Since(begin).Seconds()/cells)
	}
	for c := range b.force {
		for k := range f {
			b.force[c][k] = f[k][c]
		}
	}
	return b, harness.Median(times)
}

// flowAt is the flow along z, µm/µs.
func flowAt(y float64) float64 { return redRate * (y - redSize/2) }

// redRun is a row at work.
type redRun struct {
	*redCellsTiming
	*blood
	from, to            ib.Transfer[float64] // what data sites feel, and to where sample sites spread
	x, y                []geometry.Vec
	felt, force         [][]float64
	interpolate, spread []float64 // of parts
	lost, off           float64
	err                 error
}

func (b *blood) run(t *redCellsTiming, pool *parallel.Pool, kernel string) (r *redRun, err error) {
	delta, err := ib.NewDelta[float64]("cosine4")
	if err != nil {
		return nil, err
	}
	r = &redRun{redCellsTiming: t, blood: b}
	for _, of := range []*ib.Transfer[float64]{&r.from, &r.to} {
		if *of, err = ib.NewStaggered(t.Algorithm, b.grids, delta, pool, ib.Kernel(kernel)); err != nil {
			return nil, err
		}
	}
	r.x = append(r.x, b.x[:t.Cells*published.KassenData]...)
	r.y = append(r.y, b.y[:t.Cells*published.KassenSamples]...)
	for c := range b.force {
		r.felt = append(r.felt, make([]float64, len(r.x)))
		r.force = append(r.force, b.force[c][:len(r.y)])
	}
	r.interpolating()
	r.spreading() // touch the memory
	return r, r.err
}

// interpolating is a call, and how long it took.
func (r *redRun) interpolating() time.Duration {
	begin := time.Now()
	if err := r.from.SetPoints(r.x); err != nil {
		r.err = err
		return 0
	}
	r.from.Interpolate(r.felt, r.velocity)
	return time.Since(begin)
}

// spreading likewise; fields are cleared before it.
func (r *redRun) spreading() time.Duration {
	for c := range r.field {
		clear(r.field[c])
	}
	begin := time.Now()
	if err := r.to.SetPoints(r.y); err != nil {
		r.err = err
		return 0
	}
	r.to.Spread(r.field, r.force)
	return time.Since(begin)
}

// work makes some steps: sites go with the flow.
func (r *redRun) work(steps int) {
	var interpolating, spreading time.Duration
	for range steps {
		interpolating += r.interpolating()
		for k := range r.y {
			r.y[k][2] += redStep * flowAt(r.y[k][1])
		}
		for k := range r.x {
			r.x[k][2] += redStep * r.felt[2][k]
		}
		spreading += r.spreading()
	}
	r.interpolate = append(r.interpolate, interpolating.Seconds()/float64(steps))
	r.spread = append(r.spread, spreading.Seconds()/float64(steps))
	r.weigh()
}

// weigh holds what has been interpolated and spread last against the flow and the forces.
func (r *redRun) weigh() {
	h := r.grids[0].Spacing
	for c := range r.field {
		var onGrid, ofSites, size float64
		for _, f := range r.field[c] {
			onGrid += f * h * h * h
		}
		for _, f := range r.force[c] {
			ofSites += f
			size += math.Abs(f)
		}
		r.lost = harness.Worse(r.lost, math.Abs(onGrid-ofSites)/size)
	}
	margin := 3 * h // sites nearer to the jump at the periodic face feel it
	for k, x := range r.x {
		if x[1] > margin && x[1] < redSize-margin {
			r.off = harness.Worse(r.off, math.Abs(r.felt[2][k]-flowAt(x[1]))/(redRate*h))
		}
	}
}

// finish fills in the times, unless a check is not passed.
func (r *redRun) finish() {
	if r.err != nil {
		r.Status, r.Reason = harness.Refused, r.err.Error()
		return
	}
	r.Checks = []harness.Check{
		{Name: "error of an interpolated velocity, over the difference between two nodes", Value: r.off, Bound: firstMoment["cosine4"] + 1e-12},
		{Name: "relative error of the total force", Value: r.lost, Bound: 1e-11},
	}
	if what := harness.Failed(r.Checks); what != "" {
		r.Status, r.Reason = harness.Wrong, what
		return
	}
	r.redCellsTiming.Interpolate, r.redCellsTiming.Spread = harness.Median(r.interpolate), harness.Median(r.spread)
}

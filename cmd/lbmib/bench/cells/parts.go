package cells

import (
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// parts are those of a step by themselves, in seconds.
type parts struct{ laws, transfers float64 }

// partsAlone are those where the cells are now.
func partsAlone[T lbm.Float](p *pair[T], e harness.Effort, kernel string) (alone parts, err error) {
	if alone.laws, err = lawsAlone(p, e); err == nil {
		alone.transfers, err = transfersAlone(p, e, kernel)
	}
	return alone, err
}

// lawsAlone is what the forces of all membranes take, of the same state in other cells.
func lawsAlone[T lbm.Float](p *pair[T], e harness.Effort) (float64, error) {
	cells, err := p.spec.cells(p.blood.membrane)
	if err != nil {
		return 0, err
	}
	system := flexible.NewSystem(cells, parallel.Loops{Pool: p.request.Pool})
	if err := system.SetState(p.with.Sim.Flexible()); err != nil {
		return 0, err
	}
	t := int64(0)
	return alone(e, func() error {
		t++
		_, err := system.Forces(t)
		return err
	})
}

// transfersAlone is what one interpolation of velocities and one spreading of forces of a step take, between
// vertices and fields of the whole box.
func transfersAlone[T lbm.Float](p *pair[T], e harness.Effort, kernel string) (float64, error) {
	delta, err := ib.NewDelta[T](p.spec.Delta)
	if err != nil {
		return 0, err
	}
	grid := ib.Grid{Dim: 3, Size: p.request.Flow.Size, Periodic: [3]bool{true, true, true}}
	t, err := ib.NewTransfer[T](strategy, grid, delta, p.request.Pool, ib.Kernel(kernel))
	if err != nil {
		return 0, err
	}
	var x []geometry.Vec
	for _, c := range p.with.Sim.Cells {
		x = append(x, c.Points()...)
	}
	if err := t.SetPoints(x); err != nil {
		return 0, err
	}
	velocity, force, values := patch.Fields[T](3, grid.Nodes()), patch.Fields[T](3, grid.Nodes()), patch.Fields[T](3, len(x))
	return alone(e, func() error {
		t.Interpolate(values, velocity)
		t.Spread(force, values)
		return nil
	})
}

// alone is the median time of a call.
func alone(e harness.Effort, call func() error) (float64, error) {
	run := func(n int) (time.Duration, error) {
		begin := time.Now()
		for range n {
			if err := call(); err != nil {
				return 0, err
			}
		}
		return time.Since(begin), nil
	}
	calls, err := harness.StepsFor(e.Step/5, run)
	if err != nil {
		return 0, err
	}
	var all []float64
	for range e.Repeats {
		taken, err := run(calls)
		if err != nil {
			return 0, err
		}
		all = append(all, taken.Seconds()/float64(calls))
	}
	return harness.Median(all), nil
}

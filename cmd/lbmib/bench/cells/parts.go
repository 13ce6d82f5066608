package cells

import (
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/ib"
	"lbmib/ib/contact"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// parts are those of a step by themselves, in seconds.
type parts struct{ laws, transfers, contact float64 }

// partsAlone are those where the cells are now.
func partsAlone[T lbm.Float](p *pair[T], e harness.Effort, kernel string) (alone parts, err error) {
	if alone.laws, err = lawsAlone(p, e); err == nil {
		alone.transfers, err = transfersAlone(p, e, kernel)
	}
	if err == nil && p.spec.Contact > 0 {
		alone.contact, err = contactAlone(p, e)
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

// contactAlone is what the forces of contact take, with the lists of neighbours that hold where the cells are.
func contactAlone[T lbm.Float](p *pair[T], e harness.Effort) (float64, error) {
	coupling := p.request.Coupling
	coupling.Cells = p.with.Sim.Cells
	box, surfaces := hybrid.ContactOfCells(&coupling, &p.request.Flow, 0) // there are no solid nodes, from which a support would keep
	for i := range surfaces {
		surfaces[i].Force = make([]geometry.Vec, len(surfaces[i].Points)) // not those that the cells have
	}
	system, err := contact.New(box, surfaces, parallel.Loops{Pool: p.request.Pool})
	if err != nil {
		return 0, err
	}
	return alone(e, func() error { system.AddForces(); return nil })
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

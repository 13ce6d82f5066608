package transfer

import (
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/ib"
)

// What differs between rows of the processor and of a device.

// measureMemory makes the memory that a row's bandwidth is measured on.
func (g *game[T]) measureMemory(l *harness.Limits, s *Spec) (err error) {
	if g.memory[s.Threads] != nil {
		return nil
	}
	var m harness.Bandwidth
	if s.onDevice() {
		m, err = l.Of(0).OverDevice(g.footprint(), 2*g.footprint())
	} else {
		m, err = l.Of(s.Threads).Over(max(g.footprint(), int64(s.Threads)<<20), s.Threads)
	}
	if err == nil {
		g.memory[s.Threads] = m
	}
	return err
}

// transferFor makes the transfer of a row.
func (g *game[T]) transferFor(l *harness.Limits, s *Spec) (ib.Transfer[T], error) {
	if s.Layout == aos {
		return newStructures(g.stage)
	}
	if !s.onDevice() {
		return g.newTransfer(s.Algorithm, l.Of(s.Threads).Workers(s.Threads))
	}
	d, err := l.Of(0).Device()
	if err != nil {
		return nil, err
	}
	r, err := newResident(d, s.Algorithm, g.grids, g.delta)
	if err != nil {
		return nil, err
	}
	g.held = append(g.held, r)
	return r, nil
}

func (g *game[T]) close() {
	for _, r := range g.held {
		r.close()
	}
	g.held = nil
}

// checksOf are the checks of a transfer; one that works apart brings its results.
func (g *game[T]) checksOf(t ib.Transfer[T], r *reference[T]) ([]harness.Check, error) {
	d, ok := t.(apart)
	if !ok {
		return g.checks(t, r), nil
	}
	d.tell(true)
	defer d.tell(false)
	checks := g.checks(t, r)
	return checks, d.wait()
}

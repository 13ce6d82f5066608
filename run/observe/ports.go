package observe

import (
	"fmt"
	"slices"

	"lbmib/hybrid"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

const portsFile = "ports.csv"

// portColumns are those of ports.csv. What enters is positive; The last is what the interpolation
// at all walls adds in a step before they take it back: it tells how well these are resolved.
var portColumns = []string{"t", "step", "port", "flow_rate", "p", "wall_flow_rate"}

// fedPortColumns are appended where cells enter and leave with the fluid: how many have since the start, how many have to wait until there is room,
// and the volume of those that have entered less that of those that have left, as they are at rest, L³.
var fedPortColumns = []string{"cells_in", "cells_out", "cells_due", "cell_volume"}

// ported is a fluid with ports.
type ported interface {
	PortFlow(port int) float64
	PortDensity(port int) float64
	WallFlow() float64
}

// ports writes ports.csv: a row per port.
type ports[T lbm.Float] struct {
	*State[T]
	*Table
}

func init() {
	register(kind{key: "ports", files: []string{portsFile}, f32: newPorts[float32], f64: newPorts[float64]})
}

func newPorts[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	if o.Vessel == nil {
		return nil, nil
	}
	columns := portColumns
	if o.Coupling.Feed != nil {
		columns = slices.Concat(columns, fedPortColumns)
	}
	t, err := o.Table(portsFile, columns, o.Case.Output.Every("ports"))
	if err != nil {
		return nil, err
	}
	return []Observer{&ports[T]{o.State, t}}, nil
}

// Observe appends a row per port.
func (p *ports[T]) Observe() error {
	f := p.Sim.Fluid.(ported)
	rate := func(nodes float64) float64 { return p.Units.FromLattice(casefile.FlowRate, nodes) }
	wall := rate(f.WallFlow())
	for i := range p.Case.Ports {
		name := p.Case.Ports[i].Name
		p.row = append(p.row[:0], p.Time(), p.Step, name, rate(f.PortFlow(i)), p.Units.PressureOf(f.PortDensity(i)), wall)
		if fed := p.Sim.Fed(); fed != nil {
			p.appendFed(fed, i)
		}
		if err := p.Append(p.row...); err != nil {
			return fmt.Errorf("port %q: %w", name, err)
		}
	}
	return p.Lost()
}

// appendFed appends to a row what cells have entered and left by a port.
func (p *ports[T]) appendFed(fed *hybrid.Fed, port int) {
	var in, out int64
	due, volume := 0., 0.
	for k, kind := range p.Coupling.Feed.Kinds {
		in, out, due = in+fed.Entered[port][k], out+fed.Left[port][k], due+fed.Due[port][k]
		volume += float64(fed.Entered[port][k]-fed.Left[port][k]) * kind.Volume
	}
	h := p.Units.FromLatticeLength(1)
	p.row = append(p.row, in, out, due, volume*h*h*h)
}

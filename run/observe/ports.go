package observe

import (
	"fmt"

	"lbmib/io/casefile"
	"lbmib/lbm"
)

const portsFile = "ports.csv"

// portColumns are those of ports.csv. What enters is positive; The last is what the interpolation
// at all walls adds in a step before they take it back: it tells how well these are resolved.
var portColumns = []string{"t", "step", "port", "flow_rate", "p", "wall_flow_rate"}

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
	t, err := o.Table(portsFile, portColumns, o.Case.Output.Every("ports"))
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
		if err := p.Append(p.row...); err != nil {
			return fmt.Errorf("port %q: %w", name, err)
		}
	}
	return p.Lost()
}

package observe

import (
	"fmt"

	"lbmib/lbm"
)

const probesFile = "probes.csv"

func probeColumns(dim int) []string {
	return append(append([]string{"t", "step", "probe", "rho"}, []string{"u", "v", "w"}[:dim]...), "p")
}

// probes writes probes.csv: a row per probe, each at its own interval.
type probes[T lbm.Float] struct {
	*State[T]
	*Table
	every []int64 // steps between rows of each probe
}

func init() {
	register(kind{key: "probes", files: []string{probesFile}, f32: newProbes[float32], f64: newProbes[float64]})
}

func newProbes[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	all := o.Case.Output.Probes
	if len(all) == 0 {
		return nil, nil
	}
	t, err := o.Table(probesFile, probeColumns(o.Flow.Lattice.Dim), 0, 1) // some versions did not tell the pressure
	if err != nil {
		return nil, err
	}
	p := &probes[T]{State: o.State, Table: t}
	for _, q := range all {
		p.every = append(p.every, p.Case.StepsOf(q.Every))
	}
	return []Observer{p}, nil
}

// Due is where one of the probes is.
func (p *probes[T]) Due(step int64) bool {
	for _, every := range p.every {
		if step%every == 0 {
			return true
		}
	}
	return false
}

// Observe appends a row per probe that is due.
func (p *probes[T]) Observe() (err error) {
	for i, q := range p.Case.Output.Probes {
		if p.Step%p.every[i] != 0 {
			continue
		}
		p.Sample([][3]float64{p.Node(q.At)}, func(_ int, rho float64, v [3]float64) {
			row := append(p.row[:0], p.Time(), p.Step, q.Name, rho)
			for a := range p.Flow.Lattice.Dim {
				row = append(row, p.Units.FromLatticeVelocity(v[a]))
			}
			row = append(row, p.Units.PressureOf(rho))
			p.row = row
			err = p.Append(row...)
		})
		if err != nil {
			return fmt.Errorf("probe %q: %w", q.Name, err)
		}
	}
	return nil
}

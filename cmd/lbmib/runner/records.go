package runner

import (
	"fmt"
	"math"

	"lbmib/hybrid"
	"lbmib/io/table"
	"lbmib/lbm"
)

// records are the time series of a run: forces.csv and probes.csv.
type records struct {
	dir    directory
	forces *table.Writer // nil without bodies
	probes *table.Writer // nil without probes
	every  int64         // steps between rows of forces
	probe  []int64       // of each probe
	lastCd float64       // of the first body; NaN before the first row
	row    []any
}

// forceColumns are the columns of forces.csv (interface.md), and behind them
// the length of the recirculation at that instant.
func forceColumns(dim int) []string {
	c := []string{"t", "step", "body", "fx", "fy", "fz", "tx", "ty", "tz", "cd", "cl", "cs", "slip_max", "cv_fx", "cv_fy", "cv_fz", "recirculation"}
	if dim == 3 {
		return c
	}
	return []string{"t", "step", "body", "fx", "fy", "tx", "ty", "tz", "cd", "cl", "slip_max", "cv_fx", "cv_fy", "recirculation"}
}

func probeColumns(dim int) []string {
	return append([]string{"t", "step", "probe", "rho"}, []string{"u", "v", "w"}[:dim]...)
}

// openRecords begins the time series, or continues them at the offsets that a
// checkpoint recorded.
func openRecords(p *problem, d directory, resume bool, at recordOffsets) (r *records, err error) {
	r = &records{dir: d, every: p.cas.StepsOf(p.cas.Output.Forces.Every), lastCd: math.NaN()}
	if len(p.bodies) > 0 {
		if r.forces, err = openTable(d.file("forces.csv"), forceColumns(p.flow.Lattice.Dim), resume, at.Forces); err != nil {
			return nil, err
		}
	}
	for _, q := range p.cas.Output.Probes {
		r.probe = append(r.probe, p.cas.StepsOf(q.Every))
	}
	if len(r.probe) > 0 {
		if r.probes, err = openTable(d.file("probes.csv"), probeColumns(p.flow.Lattice.Dim), resume, at.Probes); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func openTable(path string, columns []string, resume bool, offset int64) (*table.Writer, error) {
	if resume {
		return table.Resume(path, columns, offset)
	}
	return table.Create(path, columns)
}

func (r *records) forcesDue(step int64) bool { return r.forces != nil && step%r.every == 0 }

// offsets syncs the series and returns their lengths.
func (r *records) offsets() (o recordOffsets, err error) {
	if r.forces != nil {
		if o.Forces, err = r.forces.Sync(); err != nil {
			return o, err
		}
	}
	if r.probes != nil {
		o.Probes, err = r.probes.Sync()
	}
	return o, err
}

func (r *records) sync() error {
	_, err := r.offsets()
	return err
}

// close ends the series; sync has told of any failure before.
func (r *records) close() {
	if r.forces != nil {
		r.forces.Close()
	}
	if r.probes != nil {
		r.probes.Close()
	}
}

// recordForces appends a row per body.
func (r *run[T]) recordForces(loads []hybrid.Load) error {
	dim, u := r.flow.Lattice.Dim, r.units
	for i, l := range loads {
		if sound := 1 / math.Sqrt(3); !(l.Slip < sound) || !isFinite(l.Force[0]+l.Force[1]+l.Force[2]) {
			if err := r.checkHealth(); err != nil { // before a row of a flow that is lost
				return err
			}
		}
		b := r.bodies[i]
		frontal := b.Shape.Frontal() / math.Pow(r.cas.Reference.Resolution, float64(dim-1)) // in L^(d−1)
		row := append(r.records.row[:0], r.time(), r.steps, b.Name)
		for a := range dim {
			row = append(row, u.ForceCoefficient(l.Force[a]))
		}
		for a := range 3 {
			row = append(row, u.TorqueCoefficient(l.Torque[a]))
		}
		for a := range dim {
			row = append(row, u.ForceCoefficient(l.Force[a])/frontal)
		}
		row = append(row, u.FromLatticeVelocity(l.Slip))
		for a := range dim {
			row = append(row, u.ForceCoefficient(l.Balance[a]))
		}
		row = append(row, r.recirculation(b))
		if err := r.records.forces.Append(row...); err != nil {
			return err
		}
		r.records.row = row
		if i == 0 {
			r.records.lastCd = u.ForceCoefficient(l.Force[0]) / frontal
		}
	}
	return nil
}

// recordProbes appends a row per probe that is due.
func (r *run[T]) recordProbes() error {
	for i, q := range r.cas.Output.Probes {
		if r.steps%r.records.probe[i] != 0 {
			continue
		}
		rho, v := r.at(r.node(q.At))
		row := append(r.records.row[:0], r.time(), r.steps, q.Name, rho)
		for a := range r.flow.Lattice.Dim {
			row = append(row, r.units.FromLatticeVelocity(v[a]))
		}
		if err := r.records.probes.Append(row...); err != nil {
			return fmt.Errorf("probe %q: %w", q.Name, err)
		}
		r.records.row = row
	}
	return nil
}

// at is density and velocity at a point in node coordinates, linear between
// nodes, around a periodic axis, and constant beyond the outermost of others.
func (r *run[T]) at(x [3]float64) (rho float64, u [3]float64) {
	dim := r.flow.Lattice.Dim
	one, v := make([]T, 1), make([][]T, dim)
	for a := range v {
		v[a] = make([]T, 1)
	}
	for corner := range 1 << dim {
		node, w := [3]int{}, 1.
		for a := range dim {
			below := math.Floor(x[a])
			frac := x[a] - below
			if corner>>a&1 == 1 {
				below, frac = below+1, 1-frac
			}
			w *= 1 - frac
			n := r.flow.Size[a]
			if node[a] = int(below); r.flow.Faces[2*a].Kind == lbm.Periodic {
				node[a] = (node[a] + n) % n
			}
			node[a] = min(max(node[a], 0), n-1)
		}
		r.sim.Box(node, [3]int{node[0] + 1, node[1] + 1, node[2] + 1}, one, v)
		rho += w * float64(one[0])
		for a := range v {
			u[a] += w * float64(v[a][0])
		}
	}
	return rho, u
}

package runner

import (
	"fmt"
	"math"

	"lbmib/hybrid"
	"lbmib/io/table"
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
// nodes and constant beyond the outermost.
func (r *run[T]) at(x [3]float64) (rho float64, u [3]float64) {
	dim := r.flow.Lattice.Dim
	var lo [3]int
	hi := [3]int{1, 1, 1}
	var frac [3]float64
	for a := range dim {
		n := r.flow.Size[a]
		c := min(max(x[a], 0), float64(n-1))
		lo[a] = min(int(c), max(n-2, 0))
		hi[a] = min(lo[a]+2, n)
		frac[a] = c - float64(lo[a])
	}
	count := (hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2])
	rs, us := make([]T, count), make([][]T, dim)
	for a := range us {
		us[a] = make([]T, count)
	}
	r.sim.Box(lo, hi, rs, us)
	for k := range count {
		w, rest := 1., k
		for a := range 3 {
			n := hi[a] - lo[a]
			if rest%n == 1 {
				w *= frac[a]
			} else if n == 2 {
				w *= 1 - frac[a]
			}
			rest /= n
		}
		rho += w * float64(rs[k])
		for a := range us {
			u[a] += w * float64(us[a][k])
		}
	}
	return rho, u
}

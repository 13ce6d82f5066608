package run

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lbmib/hybrid"
	"lbmib/internal/finite"
	"lbmib/io/statistics"
	"lbmib/io/table"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// records are the time series of a run: forces.csv, bodies.csv, probes.csv and
// lines/NAME.csv.
type records struct {
	dir    rundir.Dir
	forces *series   // nil without bodies
	bodies *series   // nil where nothing moves
	probes *series   // nil without probes
	probe  []int64   // steps between rows of each probe
	lines  []*series // of each line, with its name and its points in node coordinates
	names  []string
	points [][][3]float64
	turned []float64          // angle of each body at the last row, whole turns counted; in 2D
	latest float64            // coefficient of the force on the first body along its heading; NaN before the first row
	drag   statistics.History // of the body whose mean drag is to be known; else empty
	lost   bool               // loads that have been told and not recorded
	slips  []slipWatch        // of each body
	finer  string             // what to do about slip; empty: none was told
	row    []any
}

// series is a table and when it is written to.
type series struct {
	*table.Writer
	name    string // of the file, below the run directory
	every   int64  // steps between rows
	columns int
}

func (s *series) due(step int64) bool { return s != nil && step%s.every == 0 }

// forceColumns are the columns of forces.csv (interface.md), and behind them
// the length of the recirculation at that instant, the slip that is granted, and the
// force by the fluid outside.
func forceColumns(dim int) []string {
	c := []string{"t", "step", "body", "fx", "fy", "fz", "tx", "ty", "tz", "cd", "cl", "cs", "slip_max", "cv_fx", "cv_fy", "cv_fz", "recirculation", "slip_granted", "outer_fx", "outer_fy", "outer_fz"}
	if dim == 3 {
		return c
	}
	return []string{"t", "step", "body", "fx", "fy", "tx", "ty", "tz", "cd", "cl", "slip_max", "cv_fx", "cv_fy", "recirculation", "slip_granted", "outer_fx", "outer_fy"}
}

func probeColumns(dim int) []string {
	return append([]string{"t", "step", "probe", "rho"}, []string{"u", "v", "w"}[:dim]...)
}

// openRecords begins the time series, or continues them at the offsets that a
// checkpoint recorded.
func openRecords(p *setup.Problem, d rundir.Dir, resume bool, at recordOffsets) (r *records, err error) {
	r = &records{dir: d, latest: math.NaN(), turned: make([]float64, len(p.Bodies)), slips: make([]slipWatch, len(p.Bodies))}
	copy(r.turned, at.Turned)
	open := func(name string, columns []string, every float64, offset int64) (s *series) {
		if err != nil {
			return nil
		}
		s = &series{name: name, every: p.Case.StepsOf(every), columns: len(columns)}
		s.Writer, err = openTable(d.File(name), columns, resume, offset)
		return s
	}
	dim, out := p.Flow.Lattice.Dim, p.Case.Output
	if len(p.Bodies) > 0 {
		columns := forceColumns(dim)
		for _, fewer := range []int{dim, dim + 1} { // versions that did not tell the force by the fluid outside, nor the slip that is granted
			if old := columns[:len(forceColumns(dim))-fewer]; resume && table.Begins(d.File("forces.csv"), old) {
				columns = old
				break
			}
		}
		r.forces = open("forces.csv", columns, out.Forces.Every, at.Forces)
	}
	if p.Moving() {
		r.bodies = open("bodies.csv", bodyColumns(dim), bodiesEvery(p.Case), at.Bodies)
	}
	for _, q := range out.Probes {
		r.probe = append(r.probe, p.Case.StepsOf(q.Every))
	}
	if len(r.probe) > 0 {
		r.probes = open("probes.csv", probeColumns(dim), 0, at.Probes) // each probe at its own interval
	}
	for _, l := range out.Lines {
		r.lines = append(r.lines, open(lineFile(l), lineColumns(dim), l.Every, at.Lines[l.Name]))
		r.names, r.points = append(r.names, l.Name), append(r.points, linePoints(p, l))
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func openTable(path string, columns []string, resume bool, offset int64) (*table.Writer, error) {
	if resume {
		return table.Resume(path, columns, offset)
	}
	return table.Create(path, columns)
}

// offsets flushes the series and returns their lengths and checksums. What refers to them must be
// written after commit.
func (r *records) offsets() (o recordOffsets, sums []output, err error) {
	length := func(s *series) (n int64) {
		if s != nil && err == nil {
			n, err = s.Flush()
			sums = append(sums, output{Path: s.name, Sum: s.Sum()})
		}
		return n
	}
	o = recordOffsets{Forces: length(r.forces), Bodies: length(r.bodies), Probes: length(r.probes), Turned: slices.Clone(r.turned)}
	for i, l := range r.lines {
		if o.Lines == nil {
			o.Lines = map[string]int64{}
		}
		o.Lines[r.names[i]] = length(l)
	}
	return o, sums, err
}

// commit waits until all that has been flushed is on the disk. Rows may be appended
// meanwhile.
func (r *records) commit() error {
	for _, s := range r.all() {
		if err := s.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// all are the series that there are.
func (r *records) all() []*series {
	return slices.DeleteFunc(append([]*series{r.forces, r.bodies, r.probes}, r.lines...), func(s *series) bool { return s == nil })
}

func (r *records) sync() error {
	if _, _, err := r.offsets(); err != nil {
		return err
	}
	return r.commit()
}

// close ends the series; sync has told of any failure before.
func (r *records) close() {
	for _, s := range r.all() {
		s.Close()
	}
}

// takeLoads appends the rows of forces.csv of all steps whose loads have been told; with
// wait of all steps that have been measured.
func (r *run[T]) takeLoads(wait bool) error {
	for m := r.Sim.Measured(wait); m != nil; m = r.Sim.Measured(wait) {
		if err := r.Sim.Err(); err != nil {
			r.records.lost = true // this one: those after it would leave a gap
			return r.stepFailed(err)
		}
		if err := r.recordForces(m); err != nil {
			return exit.AsInputOutput(err)
		}
	}
	if err := r.Sim.Err(); err != nil { // a device that has failed tells nothing
		return r.stepFailed(err)
	}
	return nil
}

// lastLoads is takeLoads of a run that has ended, for whatever reason: up to the first
// that are not sound. A failure to write shows when the series are synced.
func (r *run[T]) lastLoads() {
	if r.records.lost {
		return
	}
	for m := r.Sim.Measured(true); m != nil && !slices.ContainsFunc(m.Loads, isUnsound); m = r.Sim.Measured(true) {
		if r.recordForces(m) != nil {
			return
		}
	}
}

// isUnsound tells whether a load is that of a flow that may be lost.
func isUnsound(l hybrid.Load) bool {
	return !(l.Slip < 1/math.Sqrt(3)) || !finite.Is(l.Force[0]+l.Force[1]+l.Force[2])
}

// wantsLoads tells whether something after this step needs all loads so far.
func (r *run[T]) wantsLoads() bool {
	return r.watch.dragDue(r.Step) || r.Dir.CheckpointDue(r.Step) || r.progress.due(r.Step, r.Problem.Steps)
}

// recordForces appends a row per body.
func (r *run[T]) recordForces(m *hybrid.Measurement[T]) error {
	dim, u, time := r.Flow.Lattice.Dim, r.Units, float64(m.Step)*r.Units.Dt
	for i, l := range m.Loads {
		if isUnsound(l) {
			if err := r.checkHealth(); err != nil { // before a row of a flow that is lost
				return err
			}
		}
		b := r.Bodies[i]
		frontal := b.Shape.Frontal() / math.Pow(r.Case.Reference.Resolution, float64(dim-1)) // in L^(d−1)
		row := append(r.records.row[:0], time, m.Step, b.Name)
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
		granted := u.FromLatticeVelocity(l.Granted)
		row = append(row, r.recirculation(i, m), granted)
		for a := range dim {
			row = append(row, u.ForceCoefficient(l.Outer[a]))
		}
		if err := r.records.forces.Append(row[:r.records.forces.columns]...); err != nil {
			return err
		}
		if w := &r.records.slips[i]; w.add(time, granted) {
			if r.records.finer == "" {
				r.records.finer = strings.ReplaceAll(check.FinerAdvice(r.Case), "\n", "; ")
			}
			r.checks.warn("%s; %s", w.warning(r.Problem, i), r.records.finer)
		}
		r.records.row = row
		cd, cl := u.ForceCoefficient(l.Force[0])/frontal, u.ForceCoefficient(l.Force[1])/frontal
		if i == 0 {
			h := setup.HeadingOf(r.Case, &r.Case.Bodies[0])
			r.records.latest = h.Sign * u.ForceCoefficient(l.Force[h.Axis]) / frontal
		}
		if r.watch.drag > 0 && b.Name == r.Case.Run.StopBody {
			h := &r.records.drag
			h.T, h.Cd, h.Cl = append(h.T, time), append(h.Cd, cd), append(h.Cl, cl)
		}
	}
	return nil
}

// record appends the rows of the other series that are due.
func (r *run[T]) record() error {
	if r.records.bodies.due(r.Step) {
		if err := r.recordBodies(); err != nil {
			return err
		}
	}
	if err := r.recordProbes(); err != nil {
		return err
	}
	return r.recordLines()
}

// recordProbes appends a row per probe that is due.
func (r *run[T]) recordProbes() (err error) {
	for i, q := range r.Case.Output.Probes {
		if r.Step%r.records.probe[i] != 0 {
			continue
		}
		r.Sample([][3]float64{r.Node(q.At)}, func(_ int, rho float64, v [3]float64) {
			row := append(r.records.row[:0], r.Time(), r.Step, q.Name, rho)
			for a := range r.Flow.Lattice.Dim {
				row = append(row, r.Units.FromLatticeVelocity(v[a]))
			}
			err = r.records.probes.Append(row...)
			r.records.row = row
		})
		if err != nil {
			return fmt.Errorf("probe %q: %w", q.Name, err)
		}
	}
	return nil
}

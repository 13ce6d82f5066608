package observe

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

const cellsFile = "cells.csv"

// cellColumns are those of cells.csv: where an elastic body's centre of volume is and how it
// moves, its shape in the x–y plane, how far its membrane has turned, what area and volume have
// become, its energy by part, how near others are and how long it is along the axes.
func cellColumns(dim int) []string {
	c := append([]string{"t", "step", "body"}, []string{"x", "y", "z"}[:dim]...)
	c = append(c, []string{"vx", "vy", "vz"}[:dim]...)
	c = append(c, "deformation", "inclination", "tread",
		"area_drift", "volume_drift", "energy", "energy_membrane", "energy_bending", "energy_area", "energy_volume", "gap")
	return append(c, []string{"extent_x", "extent_y", "extent_z"}[:dim]...)
}

// Cells writes cells.csv: a row per elastic body.
type Cells[T lbm.Float] struct {
	*State[T]
	*Table
	marks []mark
}

// mark is the vertex by which the turning of a membrane is told.
type mark struct {
	vertex int
	from   float64 // its angle about the centre at t = 0
	turned float64 // since then, whole turns counted, at the last row
}

func init() {
	register(kind{key: "cells", files: []string{cellsFile}, f32: newCells[float32], f64: newCells[float64]})
}

func newCells[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	if len(o.Coupling.Cells) == 0 {
		return nil, nil
	}
	columns := cellColumns(o.Flow.Lattice.Dim)
	if o.Coupling.Feed != nil {
		columns = append(columns, "number") // the how many-th to enter; 0: there at the start
	}
	t, err := o.Table(cellsFile, columns, o.Case.Output.Every("cells"), 1)
	if err != nil {
		return nil, err
	}
	o.Cells = &Cells[T]{State: o.State, Table: t}
	for _, c := range o.Coupling.Cells {
		o.Cells.marks = append(o.Cells.marks, markOf(c))
	}
	return []Observer{o.Cells}, nil
}

// markOf is the vertex that is farthest from the centre in the x–y plane at t = 0, the first of those.
func markOf(c *flexible.Cell) (m mark) {
	farthest := -1.
	for v, x := range c.Drawn() {
		arm := x.Sub(c.Center)
		if d := math.Hypot(arm[0], arm[1]); d > farthest*(1+1e-9) {
			m.vertex, farthest, m.from = v, d, math.Atan2(arm[1], arm[0])
		}
	}
	return m
}

// turnedBy is how far the membrane has turned, with the vertex at an arm from the centre: of the
// angles that differ by whole turns the one nearest to that of the last row.
func (m *mark) turnedBy(arm geometry.Vec) float64 {
	angle := math.Atan2(arm[1], arm[0]) - m.from
	return angle + 2*math.Pi*math.Round((m.turned-angle)/(2*math.Pi))
}

// Save also keeps the angles, of which whole turns are counted from row to row.
func (r *Cells[T]) Save(to *Saved) error {
	to.Offsets.Treaded = make([]float64, len(r.marks))
	for i, m := range r.marks {
		to.Offsets.Treaded[i] = m.turned
	}
	return r.Table.Save(to)
}

// Restore goes on counting turns.
func (r *Cells[T]) Restore(from *Saved) error {
	for i, turned := range from.Offsets.Treaded {
		r.marks[i].turned = turned
	}
	return nil
}

// Observe appends a row per elastic body that is in the fluid.
func (r *Cells[T]) Observe() error {
	r.Sim.Flush()
	dim, fed := r.Flow.Lattice.Dim, r.Sim.Fed()
	for i, c := range r.Sim.Cells {
		if c.Away() {
			continue
		}
		s := r.Of(i)
		if !math.IsNaN(s.Tread) {
			r.marks[i].turned = s.Tread
		}
		row := append(r.row[:0], r.Time(), r.Step, c.Name)
		for _, x := range slices.Concat(s.Position[:dim], s.Velocity[:dim], []float64{s.Deformation, s.Inclination, s.Tread, s.AreaDrift, s.VolumeDrift,
			s.Energy.Total(), s.Energy.Membrane, s.Energy.Bending, s.Energy.Area, s.Energy.Volume, s.Gap}, s.Extent[:dim]) {
			row = append(row, x)
		}
		if fed != nil {
			row = append(row, fed.Number[i])
		}
		r.row = row
		if err := r.Append(row...); err != nil {
			return err
		}
	}
	return nil
}

// CellState is where an elastic body is, how it moves and what it has become, in reference units.
type CellState struct {
	Position, Velocity     [3]float64 // of the centre of volume
	Deformation            float64    // Taylor's D
	Inclination            float64    // radians
	Tread                  float64    // radians by which the membrane has turned in the x–y plane
	AreaDrift, VolumeDrift float64    // A/A0 − 1, V/V0 − 1; of a ring its length's and that of the area which it encloses
	Energy                 elastic.Energy
	Gap                    float64    // to the nearest of others and of walls, L; the range of contact where there is none within it, NaN without contact
	Extent                 [3]float64 // along the axes, from vertex to vertex, L
}

// Of is the state of elastic body i at hand.
func (r *Cells[T]) Of(i int) CellState {
	c := r.Sim.Cells[i]
	m, e := c.Measure(), c.Energy()
	area, volume := c.Rest()
	out := CellState{
		Position: r.Place(m.Center), Deformation: m.Deformation, Inclination: m.Inclination,
		Tread:     r.marks[i].turnedBy(c.Points()[r.marks[i].vertex].Sub(m.Center)),
		AreaDrift: m.Area/area - 1, VolumeDrift: m.Volume/volume - 1,
	}
	if fed := r.Sim.Fed(); fed != nil && fed.Number[i] > 0 { // the vertex is told of cells as they are at the start
		out.Tread = math.NaN()
	}
	out.Gap = math.NaN()
	if gap, known := r.Sim.Gap(i); known {
		out.Gap = r.Units.FromLatticeLength(gap)
	}
	for a, n := range extent(c.Points()) {
		out.Extent[a] = r.Units.FromLatticeLength(n)
	}
	for a, v := range c.Velocity() {
		out.Velocity[a] = r.Units.FromLatticeVelocity(v)
	}
	energy := func(of float64) float64 { return r.Units.FromLattice(casefile.Work, of) }
	out.Energy = elastic.Energy{Membrane: energy(e.Membrane), Bending: energy(e.Bending), Area: energy(e.Area), Volume: energy(e.Volume)}
	return out
}

// extent is how long a box along the axes around points is.
func extent(x []geometry.Vec) (n geometry.Vec) {
	lo, hi := x[0], x[0]
	for _, p := range x {
		for a, v := range p {
			lo[a], hi[a] = math.Min(lo[a], v), math.Max(hi[a], v)
		}
	}
	return hi.Sub(lo)
}

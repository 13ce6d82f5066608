package observe

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic/beam"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

const filamentsFile = "filaments.csv"

// filamentColumns are those of filaments.csv: where the last point of a line that bends is and how it moves, how much
// the line is bent, pulled and strained at most, its energy by part, and what it does to what holds its ends.
func filamentColumns(dim int) []string {
	c := []string{"t", "step", "body", "tip_x", "tip_y", "tip_z", "tip_vx", "tip_vy", "tip_vz", "curvature_max", "tension_max", "strain_max",
		"energy", "energy_stretching", "energy_bending", "energy_kinetic",
		"start_fx", "start_fy", "start_fz", "start_moment", "end_fx", "end_fy", "end_fz", "end_moment"}
	if dim == 2 {
		c = slices.DeleteFunc(c, func(name string) bool {
			return slices.Contains([]string{"tip_z", "tip_vz", "start_fz", "end_fz"}, name)
		})
	}
	return c
}

// Filaments writes filaments.csv: a row per line that bends.
type Filaments[T lbm.Float] struct {
	*State[T]
	*Table
	of        []filament
	curvature []float64
	hooks     *Hooks
	tangles   tangles
}

// filament is a body that is one.
type filament struct {
	body int
	*flexible.Filament
}

func init() {
	register(kind{key: "filaments", files: []string{filamentsFile}, f32: newFilaments[float32], f64: newFilaments[float64]})
}

func newFilaments[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	f := &Filaments[T]{State: o.State, hooks: &o.Hooks}
	for i, b := range o.Problem.Bodies {
		if line, ok := b.Structure.(*flexible.Filament); ok {
			f.of = append(f.of, filament{i, line})
			f.curvature = make([]float64, max(len(f.curvature), line.Line.Len()))
		}
	}
	if len(f.of) == 0 {
		return nil, nil
	}
	var err error
	if f.Table, err = o.Table(filamentsFile, filamentColumns(o.Flow.Lattice.Dim), o.Case.Output.Every("filaments")); err != nil {
		return nil, err
	}
	o.Filaments = f
	return []Observer{f}, nil
}

// Observe appends a row per line.
func (r *Filaments[T]) Observe() error {
	r.Sim.Flush()
	r.lookForTangles()
	dim := r.Flow.Lattice.Dim
	for i, f := range r.of {
		s := r.Of(i)
		row := append(r.row[:0], r.Time(), r.Step, r.Bodies[f.body].Name)
		for _, part := range [...][]float64{s.Tip[:dim], s.TipVelocity[:dim], {s.Curvature, s.Tension, s.Strain},
			{s.Energy.Stretching + s.Energy.Bending + s.Energy.Kinetic, s.Energy.Stretching, s.Energy.Bending, s.Energy.Kinetic},
			s.Force[0][:dim], {s.Moment[0]}, s.Force[1][:dim], {s.Moment[1]}} {
			for _, x := range part {
				row = append(row, x)
			}
		}
		r.row = row
		if err := r.Append(row...); err != nil {
			return err
		}
	}
	return nil
}

// FilamentState is where a line that bends is and what acts in it, in reference units.
type FilamentState struct {
	Tip, TipVelocity           [3]float64
	Curvature, Tension, Strain float64     // the largest magnitudes
	Energy                     beam.Energy // without that of gravity
	Force                      [2][3]float64
	Moment                     [2]float64 // on what holds the ends; in 3D its magnitude
}

// Len is the number of lines, Name the name of line i.
func (r *Filaments[T]) Len() int          { return len(r.of) }
func (r *Filaments[T]) Name(i int) string { return r.Bodies[r.of[i].body].Name }

// Of is the state of line i at hand.
func (r *Filaments[T]) Of(i int) (s FilamentState) {
	line, u := r.of[i].Line, r.Units
	s.Tip = r.Place(line.Tip())
	line.Curvature(r.curvature)
	for k := range line.Len() {
		s.Curvature = math.Max(s.Curvature, math.Abs(r.curvature[k]))
	}
	for _, t := range line.Tension() {
		s.Tension = math.Max(s.Tension, math.Abs(t))
	}
	s.Curvature, s.Tension, s.Strain = u.FromLattice(casefile.Curvature, s.Curvature), u.FromLattice(casefile.Force, s.Tension), line.Strain()
	e := line.Energy()
	energy := func(of float64) float64 { return u.FromLattice(casefile.Work, of) }
	s.Energy = beam.Energy{Stretching: energy(e.Stretching), Bending: energy(e.Bending), Kinetic: energy(e.Kinetic + r.of[i].InsideEnergy())}
	for a, v := range line.U()[line.Len()-1] {
		s.TipVelocity[a] = u.FromLatticeVelocity(v)
	}
	for end := range 2 {
		force, moment := line.Support(end)
		for a, f := range force {
			s.Force[end][a] = u.FromLatticeForce(f)
		}
		s.Moment[end] = u.FromLattice(casefile.Torque, r.along(moment))
	}
	return s
}

// along is a moment about z in the plane, its magnitude in space.
func (r *Filaments[T]) along(moment geometry.Vec) float64 {
	if r.Flow.Lattice.Dim == 2 {
		return moment[2]
	}
	return moment.Norm()
}

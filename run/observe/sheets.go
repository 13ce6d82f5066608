package observe

import (
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic/plate"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

const sheetsFile = "sheets.csv"

// sheetColumns are those of sheets.csv: where the tip of a sheet is, the middle of the edge across from the one that is held, and how it
// moves, how much the sheet is bent, pulled and strained at most, its energy by part, what it does to what holds it, and where its corners are.
var sheetColumns = []string{"t", "step", "body", "tip_x", "tip_y", "tip_z", "tip_vx", "tip_vy", "tip_vz", "curvature_max", "tension_max", "strain_max",
	"energy", "energy_stretching", "energy_bending", "energy_kinetic", "hold_fx", "hold_fy", "hold_fz",
	"left_bottom_x", "left_bottom_y", "left_bottom_z", "right_bottom_x", "right_bottom_y", "right_bottom_z",
	"left_top_x", "left_top_y", "left_top_z", "right_top_x", "right_top_y", "right_top_z"}

// Sheets writes sheets.csv: a row per sheet.
type Sheets[T lbm.Float] struct {
	*State[T]
	*Table
	of []sheet
}

// sheet is a body that is one.
type sheet struct {
	body int
	*flexible.Sheet
}

func init() {
	register(kind{key: "sheets", files: []string{sheetsFile}, f32: newSheets[float32], f64: newSheets[float64]})
}

func newSheets[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	s := &Sheets[T]{State: o.State}
	for i, b := range o.Problem.Bodies {
		if of, ok := b.Structure.(*flexible.Sheet); ok {
			s.of = append(s.of, sheet{i, of})
		}
	}
	if len(s.of) == 0 {
		return nil, nil
	}
	var err error
	if s.Table, err = o.Table(sheetsFile, sheetColumns, o.Case.Output.Every("sheets")); err != nil {
		return nil, err
	}
	o.Sheets = s
	return []Observer{s}, nil
}

// Observe appends a row per sheet.
func (r *Sheets[T]) Observe() error {
	r.Sim.Flush()
	for i := range r.of {
		s := r.Of(i)
		row := append(r.row[:0], r.Time(), r.Step, r.Name(i))
		for _, part := range [...][]float64{s.Tip[:], s.TipVelocity[:], {s.Curvature, s.Tension, s.Strain},
			{s.Energy.Stretching + s.Energy.Bending + s.Energy.Kinetic, s.Energy.Stretching, s.Energy.Bending, s.Energy.Kinetic},
			s.Force[:], s.Corners[0][:], s.Corners[1][:], s.Corners[2][:], s.Corners[3][:]} {
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

// SheetState is where a sheet is and what acts in it, in reference units.
type SheetState struct {
	Tip, TipVelocity           [3]float64
	Curvature, Tension, Strain float64      // the largest magnitudes
	Energy                     plate.Energy // without that of gravity
	Force                      [3]float64   // on what holds edges
	Corners                    [4][3]float64
}

// Len is the number of sheets, Name the name of sheet i.
func (r *Sheets[T]) Len() int          { return len(r.of) }
func (r *Sheets[T]) Name(i int) string { return r.Bodies[r.of[i].body].Name }

// Of is the state of sheet i at hand.
func (r *Sheets[T]) Of(i int) (s SheetState) {
	of, u := r.of[i].Plate, r.Units
	x, v := of.Middle(r.of[i].Tip())
	s.Tip = r.Place(x)
	for a := range v {
		s.TipVelocity[a] = u.FromLatticeVelocity(v[a])
		s.Force[a] = u.FromLatticeForce(of.Support()[a])
	}
	for c, k := range of.Corners() {
		s.Corners[c] = r.Place(of.X()[k])
	}
	s.Curvature, s.Tension, s.Strain = u.FromLattice(casefile.Curvature, of.Curvature()), u.FromLattice(casefile.Tension, of.Tension()), of.Strain()
	e := of.Energy()
	energy := func(of float64) float64 { return u.FromLattice(casefile.Work, of) }
	s.Energy = plate.Energy{Stretching: energy(e.Stretching), Bending: energy(e.Bending), Kinetic: energy(e.Kinetic)}
	return s
}

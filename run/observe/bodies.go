package observe

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

const bodiesFile = "bodies.csv"

// bodyColumns are those of bodies.csv: where a moving body's centre is, how it
// moves, by how much it is turned from how it was drawn, and how it spins. In
// space the turn is the vector along its axis whose length is the angle, from 0 to
// π; in the plane whole turns count.
func bodyColumns(dim int) []string {
	if dim == 3 {
		return []string{"t", "step", "body", "x", "y", "z", "vx", "vy", "vz", "rx", "ry", "rz", "wx", "wy", "wz"}
	}
	return []string{"t", "step", "body", "x", "y", "vx", "vy", "angle", "spin"}
}

// bodiesEvery is the interval of bodies.csv, that of the forces where the case
// does not say.
func bodiesEvery(c *casefile.Case) float64 {
	if c.Output.Every("bodies") > 0 {
		return c.Output.Every("bodies")
	}
	return c.Output.Every("forces")
}

// Bodies writes bodies.csv: a row per moving body.
type Bodies[T lbm.Float] struct {
	*State[T]
	*Table
	turned []float64 // angle of each body at the last row, whole turns counted; in 2D
}

func init() {
	register(kind{key: "bodies", files: []string{bodiesFile}, f32: newBodies[float32], f64: newBodies[float64]})
}

func newBodies[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	if !o.Problem.Moving() {
		return nil, nil
	}
	t, err := o.Table(bodiesFile, bodyColumns(o.Flow.Lattice.Dim), bodiesEvery(o.Case))
	if err != nil {
		return nil, err
	}
	o.Bodies = &Bodies[T]{State: o.State, Table: t, turned: make([]float64, len(o.Problem.Bodies))}
	return []Observer{o.Bodies}, nil
}

// Save also keeps the angles, of which whole turns are counted from row to row.
func (r *Bodies[T]) Save(to *Saved) error {
	to.Offsets.Turned = slices.Clone(r.turned)
	return r.Table.Save(to)
}

// Restore goes on counting turns.
func (r *Bodies[T]) Restore(from *Saved) error {
	copy(r.turned, from.Offsets.Turned)
	return nil
}

// Observe appends a row per moving body.
func (r *Bodies[T]) Observe() error {
	dim := r.Flow.Lattice.Dim
	for i, b := range r.Bodies {
		if !b.Moving() {
			continue
		}
		r.turned[i] = r.turn(i, float64(r.Every))
		s := r.Of(i)
		row := append(r.row[:0], r.Time(), r.Step, b.Name)
		for _, v := range [...][]float64{s.Position[:dim], s.Velocity[:dim], s.angle(dim), s.spinning(dim)} {
			for _, x := range v {
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

// turn is the angle of body i in the plane, so many steps after the last row: of
// those that differ by whole turns the one nearest to what its spin leads to.
func (r *Bodies[T]) turn(i int, steps float64) float64 {
	s := r.Bodies[i].State()
	expected := r.turned[i] + s.Spin[2]*steps
	angle := math.Atan2(s.Rotation[1][0], s.Rotation[0][0])
	return angle + 2*math.Pi*math.Round((expected-angle)/(2*math.Pi))
}

// BodyState is where a body is and how it moves, in reference units.
type BodyState struct {
	Position, Velocity, Spin [3]float64
	Turned                   float64    // in the plane
	Rotation                 [3]float64 // in space
}

// Of is the state of body i at hand.
func (r *Bodies[T]) Of(i int) BodyState {
	s := r.Bodies[i].State()
	out := BodyState{Position: r.Place(s.Position), Rotation: rotationVector(s.Rotation)}
	for a := range 3 {
		out.Velocity[a] = r.Units.FromLatticeVelocity(s.Velocity[a])
		out.Spin[a] = s.Spin[a] / r.Units.Dt
	}
	since := float64(0)
	if every := r.Every; r.Step > 0 {
		since = float64(r.Step % every)
	}
	out.Turned = r.turn(i, since)
	return out
}

// angle and spinning are a number in the plane, vectors in space.
func (s *BodyState) angle(dim int) []float64 {
	if dim == 2 {
		return []float64{s.Turned}
	}
	return s.Rotation[:]
}

func (s *BodyState) spinning(dim int) []float64 {
	if dim == 2 {
		return s.Spin[2:]
	}
	return s.Spin[:]
}

// rotationVector is the axis of a rotation times its angle, which is at most π: from
// the quaternion of the matrix, taken by way of its largest component (Shepperd, J.
// Guid. Control 1 (1978) 223), so that no half turn loses its axis.
func rotationVector(m geometry.Mat) (v [3]float64) {
	trace := m[0][0] + m[1][1] + m[2][2]
	q := [4]float64{1 + trace, 1 + 2*m[0][0] - trace, 1 + 2*m[1][1] - trace, 1 + 2*m[2][2] - trace} // 4 q², w first
	largest := 0
	for i := range q {
		if q[i] > q[largest] {
			largest = i
		}
	}
	// 4 q_i q_j of the largest i
	product := [4][4]float64{
		{q[0], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
		{m[2][1] - m[1][2], q[1], m[0][1] + m[1][0], m[0][2] + m[2][0]},
		{m[0][2] - m[2][0], m[0][1] + m[1][0], q[2], m[1][2] + m[2][1]},
		{m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], q[3]},
	}[largest]
	if product[0] < 0 {
		for i := range product {
			product[i] = -product[i]
		}
	}
	sine := math.Hypot(math.Hypot(product[1], product[2]), product[3])
	if sine == 0 {
		return v
	}
	angle := 2 * math.Atan2(sine, product[0])
	for a := range v {
		v[a] = product[1+a] / sine * angle
	}
	return v
}

package run

import (
	"math"

	"lbmib/geometry"
	"lbmib/io/casefile"
)

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
	if c.Output.Bodies.Every > 0 {
		return c.Output.Bodies.Every
	}
	return c.Output.Forces.Every
}

// recordBodies appends a row per moving body.
func (r *run[T]) recordBodies() error {
	dim := r.Flow.Lattice.Dim
	for i, b := range r.Bodies {
		if !b.Moving() {
			continue
		}
		r.records.turned[i] = r.turn(i, float64(r.records.bodies.every))
		s := r.stateOf(i)
		row := append(r.records.row[:0], r.Time(), r.Step, b.Name)
		for _, v := range [...][]float64{s.position[:dim], s.velocity[:dim], s.angle(dim), s.spinning(dim)} {
			for _, x := range v {
				row = append(row, x)
			}
		}
		if err := r.records.bodies.Append(row...); err != nil {
			return err
		}
		r.records.row = row
	}
	return nil
}

// turn is the angle of body i in the plane, so many steps after the last row: of
// those that differ by whole turns the one nearest to what its spin leads to.
func (r *run[T]) turn(i int, steps float64) float64 {
	s := r.Bodies[i].State()
	expected := r.records.turned[i] + s.Spin[2]*steps
	angle := math.Atan2(s.Rotation[1][0], s.Rotation[0][0])
	return angle + 2*math.Pi*math.Round((expected-angle)/(2*math.Pi))
}

// bodyState is where a body is and how it moves, in reference units.
type bodyState struct {
	position, velocity, spin [3]float64
	turned                   float64    // in the plane
	rotation                 [3]float64 // in space
}

// stateOf is the state of body i at hand.
func (r *run[T]) stateOf(i int) bodyState {
	s := r.Bodies[i].State()
	out := bodyState{position: r.Place(s.Position), rotation: rotationVector(s.Rotation)}
	for a := range 3 {
		out.velocity[a] = r.Units.FromLatticeVelocity(s.Velocity[a])
		out.spin[a] = s.Spin[a] / r.Units.Dt
	}
	since := float64(0)
	if every := r.records.bodies.every; r.Step > 0 {
		since = float64(r.Step % every)
	}
	out.turned = r.turn(i, since)
	return out
}

// angle and spinning are a number in the plane, vectors in space.
func (s *bodyState) angle(dim int) []float64 {
	if dim == 2 {
		return []float64{s.turned}
	}
	return s.rotation[:]
}

func (s *bodyState) spinning(dim int) []float64 {
	if dim == 2 {
		return s.spin[2:]
	}
	return s.spin[:]
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

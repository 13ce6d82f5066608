package observe

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

const (
	suspensionFile = "suspension.csv"
	profileFile    = "suspension_profile.csv"
)

// suspensionColumns are those of suspension.csv: means over all ellipsoids of velocity, of its fluctuation's square root, of spin, of the squares of the axis'
// components, energies per particle, and the fastest.
var suspensionColumns = []string{"t", "step", "ellipsoids", "hematocrit", "vx", "vy", "vz", "v_rms", "spin_x", "spin_y", "spin_z",
	"order_x", "order_y", "order_z", "contact_energy", "kinetic_energy", "speed_max", "slip_max"}

// profileColumns are those of suspension_profile.csv: of every layer of nodes its place, how much of it ellipsoids fill, their mean velocity, and that of the fluid.
func profileColumns(axis string) []string {
	return []string{"t", "step", axis, "hematocrit", "vx", "vy", "vz", "ux", "uy", "uz"}
}

// Suspension writes suspension.csv and suspension_profile.csv.
type Suspension[T lbm.Float] struct {
	*State[T]
	profiled
	axis   int
	layers []layer
	slab   [][]T
}

// profiled are the tables of a suspension: of means over it, and of layers across it.
type profiled struct {
	*Table
	profile *Table // nil: none
}

// Save also keeps where the profiles end.
func (p *profiled) Save(to *Saved) error {
	if p.profile != nil {
		if err := p.profile.Save(to); err != nil {
			return err
		}
	}
	return p.Table.Save(to)
}

// Close closes both.
func (p *profiled) Close() error {
	err := p.Table.Close()
	if p.profile != nil {
		if e := p.profile.Close(); err == nil {
			err = e
		}
	}
	return err
}

// layer is what is known of a layer of nodes.
type layer struct {
	volume  float64      // of ellipsoids with their centre there
	v, u    geometry.Vec // sums over ellipsoids, nodes of the fluid
	n, open int          // of these
}

func init() {
	register(kind{key: "suspension", files: []string{suspensionFile, profileFile}, f32: newSuspension[float32], f64: newSuspension[float64]})
}

func newSuspension[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	if len(o.Problem.Suspended) > 0 {
		return newSuspendedCells(o)
	}
	if o.Coupling.Ellipsoids == nil {
		return nil, nil
	}
	t, err := o.Table(suspensionFile, suspensionColumns, o.Case.Output.Every("suspension"))
	if err != nil {
		return nil, err
	}
	s := &Suspension[T]{State: o.State, profiled: profiled{Table: t}}
	if axis := o.Case.Output.Suspension.Profile; axis != "" {
		s.axis = int(axis[0] - 'x')
		if s.profile, err = o.Table(profileFile, profileColumns(axis), o.Case.Output.Every("suspension")); err != nil {
			return nil, err
		}
		s.layers = make([]layer, o.Flow.Size[s.axis])
	}
	return []Observer{s}, nil
}

// Observe appends a row, and a row per layer.
func (r *Suspension[T]) Observe() error {
	s := r.Of()
	row := append(r.row[:0], r.Time(), r.Step, s.Count)
	for _, x := range []float64{s.Hematocrit, s.Velocity[0], s.Velocity[1], s.Velocity[2], s.Fluctuation, s.Spin[0], s.Spin[1], s.Spin[2],
		s.Order[0], s.Order[1], s.Order[2], s.Contact, s.Kinetic, s.Fastest, s.Slip} {
		row = append(row, x)
	}
	r.row = row
	if err := r.Append(row...); err != nil || r.profile == nil {
		return err
	}
	return r.observeProfile()
}

// SuspensionState is the means over all ellipsoids, in reference units.
type SuspensionState struct {
	Count            int
	Hematocrit       float64
	Velocity         [3]float64
	Fluctuation      float64    // √ of the mean of |v − mean|²
	Spin             [3]float64 // U/L
	Order            [3]float64 // mean squares of the axis' components: 1/3 each where there is no order
	Contact, Kinetic float64    // energy of one, ρU²L³
	Fastest, Slip    float64    // largest speed, and largest speed against the fluid felt
}

// Of is the state at hand.
func (r *Suspension[T]) Of() (out SuspensionState) {
	s := r.Sim.Ellipsoids()
	c := s.Config()
	n := float64(s.Len())
	out.Count, out.Hematocrit = s.Len(), r.Problem.Haematocrit()
	var mean, spin, order geometry.Vec
	squares, fastest, slip := 0., 0., 0.
	for i, v := range s.V {
		mean, spin, order = mean.Add(v), spin.Add(s.Spins(i)), order.Add(squared(s.Axis(i)))
		squares, fastest = squares+v.Dot(v), math.Max(fastest, v.Norm())
		if c.Friction.Translation[0] > 0 {
			slip = math.Max(slip, s.Push[i].Norm()/c.Friction.Translation[0])
		}
	}
	mean = mean.Scale(1 / n)
	for a := range mean {
		out.Velocity[a] = r.Units.FromLatticeVelocity(mean[a])
		out.Spin[a] = spin[a] / n / r.Units.Dt
		out.Order[a] = order[a] / n
	}
	out.Fluctuation = r.Units.FromLatticeVelocity(math.Sqrt(math.Max(0, squares/n-mean.Dot(mean))))
	energy := func(e float64) float64 { return r.Units.FromLattice(casefile.Energy, e/n) }
	out.Contact, out.Kinetic = energy(s.Potential()), energy(s.Kinetic())
	out.Fastest, out.Slip = r.Units.FromLatticeVelocity(fastest), r.Units.FromLatticeVelocity(slip)
	return out
}

func squared(v geometry.Vec) geometry.Vec { return geometry.Vec{v[0] * v[0], v[1] * v[1], v[2] * v[2]} }

// observeProfile appends a row per layer of nodes across the axis.
func (r *Suspension[T]) observeProfile() error {
	clear(r.layers)
	s := r.Sim.Ellipsoids()
	for i, x := range s.X {
		k := min(max(int(math.Floor(x[r.axis]+0.5)), 0), len(r.layers)-1)
		l := &r.layers[k]
		l.n, l.volume, l.v = l.n+1, l.volume+s.Config().Shape.Volume(), l.v.Add(s.V[i])
	}
	r.addFluid()
	area := float64(r.Flow.Nodes() / r.Flow.Size[r.axis])
	for k := range r.layers {
		l := &r.layers[k]
		at := [3]float64{}
		at[r.axis] = float64(k)
		row := append(r.profile.row[:0], r.Time(), r.Step, r.Place(at)[r.axis], l.volume/area)
		for a := range l.v {
			v := math.NaN() // where there are none
			if l.n > 0 {
				v = r.Units.FromLatticeVelocity(l.v[a] / float64(l.n))
			}
			row = append(row, v)
		}
		for a := range l.u {
			row = append(row, r.Units.FromLatticeVelocity(l.u[a]/float64(l.open)))
		}
		r.profile.row = row
		if err := r.profile.Append(row...); err != nil {
			return fmt.Errorf("%s: %w", profileFile, err)
		}
	}
	return nil
}

// addFluid sums the velocity of the fluid's nodes, layer by layer along z.
func (r *Suspension[T]) addFluid() {
	size := r.Flow.Size
	plane := size[0] * size[1]
	if r.slab == nil {
		r.slab = [][]T{make([]T, plane), make([]T, plane), make([]T, plane)}
	}
	for z := range size[2] {
		r.Sim.Box([3]int{0, 0, z}, [3]int{size[0], size[1], z + 1}, nil, r.slab)
		for n := range plane {
			k := [3]int{n % size[0], n / size[0], z}[r.axis]
			l := &r.layers[k]
			l.open++
			for a := range l.u {
				l.u[a] += float64(r.slab[a][n])
			}
		}
	}
}

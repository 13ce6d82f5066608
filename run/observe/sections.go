package observe

import (
	"fmt"

	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/setup"
)

const sectionsFile = "sections.csv"

func sectionColumns(dim int) []string {
	return append(append([]string{"t", "step", "section", "flow_rate"}, []string{"u", "v", "w"}[:dim]...), "p", "area")
}

// sections writes sections.csv: a row per section, each at its own interval.
type sections[T lbm.Float] struct {
	*State[T]
	*Table
	of []*section[T]
}

// section is a plane across an axis, from face to face.
type section[T lbm.Float] struct {
	casefile.Section
	setup.Region
	every  int64       // steps between rows
	lo, hi [3]int      // the nodes that it is read from: one layer, or the two beside it
	now    Snapshot[T] // of these
	counts []bool      // which of them are in the flow
	inFlow int         // how many, where the flow is held
}

// newSection is one at a region, a layer of nodes or what lies between two.
func newSection[T lbm.Float](of casefile.Section, at setup.Region) *section[T] {
	x := &section[T]{Section: of, Region: at}
	held := at.Layers()
	x.lo, x.hi = held.Lo, held.Lo
	for a := range x.hi {
		x.hi[a] += held.Size[a]
	}
	return x
}

func init() {
	register(kind{key: "sections", files: []string{sectionsFile}, f32: newSections[float32], f64: newSections[float64]})
}

func newSections[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	all := o.Case.Output.Sections
	if len(all) == 0 {
		return nil, nil
	}
	t, err := o.Table(sectionsFile, sectionColumns(o.Flow.Lattice.Dim), 0)
	if err != nil {
		return nil, err
	}
	s := &sections[T]{State: o.State, Table: t}
	for _, of := range all {
		x := newSection[T](of, o.PlaneAt(of.Axis, of.At))
		x.every = o.Case.StepsOf(of.Every)
		s.of = append(s.of, x)
	}
	return []Observer{s}, nil
}

// Due is where one of the sections is.
func (s *sections[T]) Due(step int64) bool {
	for _, x := range s.of {
		if step%x.every == 0 {
			return true
		}
	}
	return false
}

// Observe appends a row per section that is due.
func (s *sections[T]) Observe() error {
	dim := s.Flow.Lattice.Dim
	for _, x := range s.of {
		if s.Step%x.every != 0 {
			continue
		}
		m := x.measure(s.State)
		row := append(s.row[:0], s.Time(), s.Step, x.Name, m.flow)
		for _, v := range m.velocity[:dim] {
			row = append(row, v)
		}
		s.row = append(row, m.pressure, m.area)
		if err := s.Append(s.row...); err != nil {
			return fmt.Errorf("section %q: %w", x.Name, err)
		}
	}
	return s.Lost()
}

// through is what goes through a section, in reference units; velocity and pressure are means over its area.
type through struct {
	flow, pressure, area float64
	velocity             [3]float64
}

// measure looks at the state at hand, linear between the layers beside the section. Sums go over nodes in their order.
func (x *section[T]) measure(r *State[T]) (m through) {
	size := x.Layers().Size
	x.now.Read(r, x.lo, size)
	if x.counts == nil || r.Problem.Moving() {
		x.counts = inTheFlow(r, x.lo, size, x.counts)
	}
	var density float64
	stride := 1 // between layers
	for a := range x.Across {
		stride *= size[a]
	}
	for n, counts := range x.counts {
		if !counts {
			continue
		}
		w := 1.
		if x.Beyond > 0 {
			if w = x.Beyond; n/stride%2 == 0 {
				w = 1 - x.Beyond
			}
		}
		m.area += w
		density += w * (float64(x.now.Rho[n]) - 1)
		for a := range x.now.U {
			m.velocity[a] += w * float64(x.now.U[a][n])
		}
	}
	if m.area == 0 {
		return through{}
	}
	m.pressure = r.Units.PressureOf(1 + density/m.area)
	nodes := m.area
	m.area = r.Units.FromLattice(casefile.Area, nodes)
	for a := range m.velocity {
		m.velocity[a] = r.Units.FromLatticeVelocity(m.velocity[a] / nodes)
	}
	m.flow = m.velocity[x.Axis] * m.area
	return m
}

// inTheFlow tells which nodes, from lo on, have fluid that counts: neither walls, nor what is inside bodies in the flow, nor what is
// outside those that hold it.
func inTheFlow[T lbm.Float](r *State[T], lo, size [3]int, into []bool) []bool {
	into = notOutside(r, lo, size, into)
	mask := make([]float32, len(into))
	markBodies(r.Problem, bodyStates[T](r, nil), lattice{lo, size, 1}, func(i int) bool { return r.Case.Bodies[i].Fluid != "inside" }, mask)
	for k := range into {
		into[k] = into[k] && mask[k] == inFluid
	}
	return into
}

// notOutside tells which nodes, from lo on, are neither walls nor outside bodies that hold the flow.
func notOutside[T lbm.Float](r *State[T], lo, size [3]int, into []bool) []bool {
	if into == nil {
		into = make([]bool, size[0]*size[1]*size[2])
	}
	holds := func(i int) bool { return r.Case.Bodies[i].Fluid == "inside" }
	held := false // whether a body holds the flow
	for i := range r.Bodies {
		held = held || holds(i)
	}
	for k := range into {
		into[k] = true
	}
	if held {
		mask := make([]float32, len(into))
		markBodies(r.Problem, bodyStates[T](r, nil), lattice{lo, size, 1}, holds, mask)
		for k := range into {
			into[k] = mask[k] != inFluid
		}
	}
	if r.Flow.HasWalls() {
		for k, wall := range r.SolidCells(lo, size, 1) {
			into[k] = into[k] && !wall
		}
	}
	return into
}

package flexible

import (
	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic/plate"
)

// Sheet is a rectangle that stretches and bends and may have mass, whose step is implicit in its own forces and in the
// fluid's reaction: a flag, a plate, a leaf. The fluid feels it at its nodes, on both sides, without thickness. It is a
// rigid.Structure.
type Sheet struct {
	Plate *plate.Sheet

	config  plate.Config
	places  []geometry.Vec    // of nodes: where they are expected
	normals []geometry.Vec    // there
	saved   [2][]geometry.Vec // both before the step at hand
	force   []geometry.Vec    // on the fluid in the last step, at nodes, as the sheet expects it
	loads   []geometry.Vec    // on nodes, of contact
	center  kinematics.State
	area    float64
	drawn   geometry.Mat // its frame at t = 0
}

// NewSheet is a sheet whose nodes are the markers.
func NewSheet(c plate.Config) (*Sheet, error) {
	s := &Sheet{config: c}
	sheet, err := plate.New(c)
	if err != nil {
		return nil, err
	}
	s.Plate = sheet
	n := sheet.Len()
	for _, v := range []*[]geometry.Vec{&s.places, &s.normals, &s.saved[0], &s.saved[1], &s.force, &s.loads} {
		*v = make([]geometry.Vec, n)
	}
	for k := range n {
		s.area += sheet.Share(k)
	}
	s.drawn, _ = s.frame()
	return s, nil
}

// Markers are those of the sheet where it begins, each with the area that it stands for.
func (s *Sheet) Markers() geometry.Markers {
	n := s.Plate.Len()
	m := geometry.Markers{X: make([]geometry.Vec, n), Area: make([]float64, n), Normal: make([]geometry.Vec, n)}
	copy(m.X, s.Plate.X())
	s.Plate.Normals(m.Normal, m.X)
	for k := range m.Area {
		m.Area[k] = s.Plate.Share(k)
	}
	return m
}

// Body is the sheet as a body of a coupling. shape is it as drawn.
func (s *Sheet) Body(name string, shape geometry.Shape) *rigid.Body {
	return &rigid.Body{Name: name, Shape: shape, Markers: s.Markers(), Structure: s}
}

// Start is rigid.Structure.
func (s *Sheet) Start() error {
	sheet, err := plate.New(s.config)
	if err != nil {
		return err
	}
	s.Plate = sheet
	copy(s.places, sheet.X())
	sheet.Normals(s.normals, s.places)
	clear(s.loads)
	s.take()
	return nil
}

// Advance is rigid.Structure.
func (s *Sheet) Advance(float64) error {
	s.Plate.Predict(s.places)
	s.Plate.Normals(s.normals, s.places)
	return nil
}

// Place is rigid.Structure.
func (s *Sheet) Place(m *geometry.Markers) {
	copy(m.X, s.places)
	copy(m.Normal, s.normals)
}

// Save is rigid.Structure.
func (s *Sheet) Save() {
	copy(s.saved[0], s.places)
	copy(s.saved[1], s.normals)
}

// Restore is rigid.Structure.
func (s *Sheet) Restore() {
	copy(s.places, s.saved[0])
	copy(s.normals, s.saved[1])
}

// Solve is rigid.Structure.
func (s *Sheet) Solve(felt []geometry.Vec, reaction, share []float64, _ float64) error {
	if err := s.Plate.Step(plate.Fluid{Velocity: felt, Reaction: reaction, Share: share}, s.loads, s.force); err != nil {
		return err
	}
	s.take()
	return nil
}

// Load is rigid.Structure.
func (s *Sheet) Load(force []geometry.Vec) { copy(s.loads, force) }

// take takes over where the sheet is and how it moves.
func (s *Sheet) take() {
	s.center = kinematics.State{}
	for k, x := range s.Plate.X() {
		share := s.Plate.Share(k) / s.area
		s.center.Position = s.center.Position.Add(x.Scale(share))
		s.center.Velocity = s.center.Velocity.Add(s.Plate.U()[k].Scale(share))
	}
	frame, spin := s.frame()
	s.center.Rotation, s.center.Spin = frame.Mul(s.drawn.Transpose()), spin
}

// frame has as columns the directions along the sheet, from the middle of the left edge to that of the right, across it on the
// sheet, and of the normal of the two; spin is how it turns. Of a sheet that is folded up it is the unit matrix.
func (s *Sheet) frame() (frame geometry.Mat, spin geometry.Vec) {
	between := func(from, to int) (d, rate geometry.Vec) {
		a, u := s.Plate.Middle(from)
		b, v := s.Plate.Middle(to)
		return b.Sub(a), v.Sub(u)
	}
	d, dRate := between(plate.Left, plate.Right)
	e, eRate := between(plate.Bottom, plate.Top)
	n := d.Cross(e)
	if d.Norm() == 0 || n.Norm() == 0 {
		return geometry.Identity(), spin
	}
	long := d.Norm()
	t := d.Scale(1 / long)
	n = n.Scale(1 / n.Norm())
	b := n.Cross(t)
	for a := range 3 {
		frame[a] = [3]float64{t[a], b[a], n[a]}
	}
	// ω·n and ω·b turn t, ω·t turns b, which e is in the plane of.
	aroundN, aroundB := dRate.Dot(b)/long, -dRate.Dot(n)/long
	aroundT := (eRate.Dot(n) + aroundB*e.Dot(t)) / e.Dot(b)
	return frame, t.Scale(aroundT).Add(b.Scale(aroundB)).Add(n.Scale(aroundN))
}

// Velocities is rigid.Structure.
func (s *Sheet) Velocities() []geometry.Vec { return s.Plate.U() }

// Gained is rigid.Structure: a sheet displaces no fluid.
func (s *Sheet) Gained() (m rigid.Momentum) { return m }

// Center is rigid.Structure.
func (s *Sheet) Center() kinematics.State { return s.center }

// Outline is the line along the sheet in its middle, from the left edge to the right.
func (s *Sheet) Outline() (line []geometry.Vec) {
	n := s.Plate.Nodes()
	low, high := (n[1]-1)/2*n[0], n[1]/2*n[0]
	x := s.Plate.X()
	for i := range n[0] {
		line = append(line, x[low+i].Add(x[high+i]).Scale(0.5))
	}
	return line
}

// Tip is the edge across from the one that is held: the right one of a sheet that none or several hold.
func (s *Sheet) Tip() (edge int) {
	held := 0
	for e, kind := range s.config.Edges {
		if kind != plate.Free {
			held++
			edge = e ^ 1
		}
	}
	if held != 1 {
		return plate.Right
	}
	return edge
}

// Reach is rigid.Structure.
func (s *Sheet) Reach() float64 {
	c := s.config
	return geometry.Vec{float64(c.Nodes[0]-1) * c.Spacing[0], float64(c.Nodes[1]-1) * c.Spacing[1]}.Norm()
}

// IsHeldBy is rigid.Structure: edges stay where they are drawn.
func (s *Sheet) IsHeldBy(*rigid.Body) bool { return false }

// Config is what the sheet is made of.
func (s *Sheet) Config() *plate.Config { return &s.config }

// StateLen is rigid.Structure: steps, four vectors a node, the stresses, and a node's place and normal.
func (s *Sheet) StateLen() int {
	saved := s.Plate.NewSaved()
	return 1 + (4+2)*3*s.Plate.Len() + len(saved.Tension) + len(saved.Shear)
}

// Keep is rigid.Structure.
func (s *Sheet) Keep(to []float64) []float64 {
	saved := s.Plate.Save()
	to = append(to, float64(saved.Steps))
	for _, part := range s.parts(&saved) {
		for _, v := range part {
			to = append(to, v[:]...)
		}
	}
	return append(append(to, saved.Tension...), saved.Shear...)
}

// Take is rigid.Structure.
func (s *Sheet) Take(from []float64) error {
	saved := s.Plate.NewSaved()
	saved.Steps = int64(from[0])
	from = from[1:]
	for _, part := range s.parts(&saved) {
		for k := range part {
			from = from[copy(part[k][:], from):]
		}
	}
	from = from[copy(saved.Tension, from):]
	copy(saved.Shear, from)
	if err := s.Plate.Restore(saved); err != nil {
		return err
	}
	s.take()
	return nil
}

// parts are the vectors of the state.
func (s *Sheet) parts(saved *plate.Saved) [6][]geometry.Vec {
	return [6][]geometry.Vec{saved.X, saved.U, saved.XBefore, saved.UBefore, s.places, s.normals}
}

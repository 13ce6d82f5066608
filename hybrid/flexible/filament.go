package flexible

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic/beam"
)

// Filament is a line that bends and may have mass, whose step is implicit in its own forces and in the fluid's
// reaction: a filament, a fibre, a beam, in 2D a flag, too. One in 2D may be thick: the fluid then feels it at both
// faces and its free ends. It is a rigid.Structure.
type Filament struct {
	Line      *beam.Line
	Thickness float64 // nodes; 0: the fluid feels it along the line
	Holds     [2]Hold // of each end

	config     beam.Config
	places     []geometry.Vec    // of markers: where they are expected
	normals    []geometry.Vec    // there
	saved      [2][]geometry.Vec // both before the step at hand
	velocities []geometry.Vec    // of markers after the last step
	force      []geometry.Vec    // on the fluid in the last step, at markers, as the line expects it
	center     kinematics.State
	gained     rigid.Momentum
	loads      []geometry.Vec // on nodes, of contact
	length     float64
	inner      rigid.Momentum // of the fluid that it displaces, before the step
	pull       beam.Pull
}

// Hold is what holds an end, where the line's End says that something does.
type Hold struct {
	Base *rigid.Body // nil: it stays where it is. One that moves freely is pulled

	place, tangent geometry.Vec // in the axes of the base
	arm            geometry.Vec // from its centre, in space, where it moves freely
}

// NewFilament is a line whose X are its nodes at t = 0, and which displaces fluid, of density 1, by its thickness. spacing is the distance
// of markers on its end faces, in nodes. Mass is that of the structure; a thick one cannot be lighter than the fluid.
func NewFilament(c beam.Config, thickness, spacing float64, holds [2]Hold) (*Filament, error) {
	f := &Filament{Thickness: thickness, Holds: holds, config: c}
	if thickness > 0 {
		if c.Mass < thickness {
			return nil, fmt.Errorf("its mass per length is %.4g of that of the fluid that it displaces, must be at least 1: it moves by what it weighs beyond the fluid", c.Mass/thickness)
		}
		f.config.Mass -= thickness
	}
	f.config.Markers = f.markers(spacing)
	n := len(f.config.Markers)
	for _, v := range []*[]geometry.Vec{&f.places, &f.normals, &f.saved[0], &f.saved[1], &f.velocities, &f.force} {
		*v = make([]geometry.Vec, n)
	}
	f.loads = make([]geometry.Vec, len(c.X))
	for j := range len(c.X) - 1 {
		f.length += c.X[j+1].Sub(c.X[j]).Norm()
	}
	line, err := beam.New(f.config)
	if err != nil {
		return nil, err
	}
	f.Line = line
	return f, nil
}

// markers are those of the line: at its nodes, or on both faces and on ends that are free. A node that a body
// holds has none: the body's own are there.
func (f *Filament) markers(spacing float64) (m []beam.Marker) {
	last, half := len(f.config.X)-1, f.Thickness/2
	facing := beam.Across
	if f.config.Dim == 3 {
		facing = beam.NoWay
	}
	for i := range last + 1 {
		e := min(i, 1)
		isEnd := i == 0 || i == last
		switch {
		case isEnd && f.Holds[e].Base != nil:
		case half == 0:
			m = append(m, beam.Marker{Node: i, Facing: facing})
		default:
			m = append(m, beam.Marker{Node: i, Across: half, Facing: facing}, beam.Marker{Node: i, Across: -half, Facing: facing})
			if !isEnd || [2]beam.End{f.config.First, f.config.Last}[e].Kind != beam.Free {
				continue
			}
			between := int(math.Round(f.Thickness / spacing))
			for k := 1; k < between; k++ {
				m = append(m, beam.Marker{Node: i, Across: half - f.Thickness*float64(k)/float64(between), Facing: beam.Along})
			}
		}
	}
	return m
}

// Markers are those of the filament where it begins, each with the length of it that it stands for. In space they have no
// normal.
func (f *Filament) Markers() geometry.Markers {
	n := len(f.places)
	m := geometry.Markers{X: make([]geometry.Vec, n), Area: make([]float64, n), Normal: make([]geometry.Vec, n)}
	f.Line.Places(m.X)
	f.Line.NormalsNow(m.Normal)
	onSection := make([]int, f.Line.Len())
	for _, k := range f.config.Markers {
		onSection[k.Node]++
	}
	for k, at := range f.config.Markers {
		switch m.Area[k] = f.Line.Share(at.Node); {
		case math.Abs(at.Across) < f.Thickness/2: // of an end face
			m.Area[k] = f.Thickness / float64(onSection[at.Node]-1)
		}
	}
	return m
}

// Body is the filament as a body of a coupling. shape is it as drawn.
func (f *Filament) Body(name string, shape geometry.Shape) *rigid.Body {
	return &rigid.Body{Name: name, Shape: shape, Markers: f.Markers(), Structure: f}
}

// Start is rigid.Structure.
func (f *Filament) Start() error {
	line, err := beam.New(f.config)
	if err != nil {
		return err
	}
	f.Line = line
	last := len(f.config.X) - 1
	for e, end := range [2]beam.End{f.config.First, f.config.Last} {
		h := &f.Holds[e]
		if h.Base == nil {
			continue
		}
		segment := e * (last - 1)
		tangent := end.Tangent
		if tangent.Norm() == 0 {
			tangent = f.config.X[segment+1].Sub(f.config.X[segment])
		}
		at := drawn(h.Base)
		h.place, h.tangent = at.ToBody(f.config.X[e*last]), at.Rotation.Transpose().Apply(tangent)
	}
	f.Line.Places(f.places)
	f.Line.NormalsNow(f.normals)
	f.take()
	f.gained = rigid.Momentum{}
	return nil // what holds it may not have begun yet: Advance asks where that is
}

// drawn is where a body was drawn.
func drawn(b *rigid.Body) kinematics.State {
	return kinematics.State{Position: b.Shape.Center(), Rotation: geometry.Identity()}
}

// hold has an end be where the body is that holds it.
func (f *Filament) hold(e int) error {
	h := &f.Holds[e]
	at := h.Base.Here()
	place, tangent := at.ToSpace(h.place), at.Rotation.Apply(h.tangent)
	if h.Base.Free == nil {
		err := f.Line.Hold(e, place, tangent)
		f.Line.Spin(e, at.Spin)
		return err
	}
	h.arm = place.Sub(at.Position)
	return f.Line.Carry(e, place, tangent, at.VelocityAt(place), at.Spin)
}

// Advance is rigid.Structure.
func (f *Filament) Advance(float64) error {
	f.Line.Predict(f.places)
	f.Line.Normals(f.normals)
	for e := range f.Holds {
		if f.Holds[e].Base == nil {
			continue
		}
		if err := f.hold(e); err != nil {
			return err
		}
	}
	return nil
}

// Place is rigid.Structure.
func (f *Filament) Place(m *geometry.Markers) {
	copy(m.X, f.places)
	copy(m.Normal, f.normals)
}

// Save is rigid.Structure.
func (f *Filament) Save() {
	copy(f.saved[0], f.places)
	copy(f.saved[1], f.normals)
}

// Restore is rigid.Structure.
func (f *Filament) Restore() {
	copy(f.places, f.saved[0])
	copy(f.normals, f.saved[1])
	for e := range f.Holds {
		switch h := &f.Holds[e]; {
		case h.Base == nil:
		case h.Base.Free != nil:
			f.Line.Return(e)
		default:
			if err := f.hold(e); err != nil { // where it was held a step ago
				panic(fmt.Sprintf("flexible: %v", err))
			}
		}
	}
}

// Solve is rigid.Structure.
func (f *Filament) Solve(felt []geometry.Vec, reaction, share []float64, _ float64) error {
	f.inner = f.inside()
	if err := f.Line.Begin(beam.Fluid{Velocity: felt, Reaction: reaction, Share: share}, f.loads); err != nil {
		return err
	}
	if f.PulledBodies() != [2]*rigid.Body{} {
		return nil // what these do is not known yet
	}
	return f.finish()
}

// finish ends a step.
func (f *Filament) finish() error {
	if err := f.Line.Finish(f.force); err != nil {
		return err
	}
	f.take()
	f.gained = f.inside().Sub(f.inner)
	return nil
}

// take takes over where the line is and how it moves.
func (f *Filament) take() {
	f.Line.Velocities(f.velocities)
	f.center = kinematics.State{}
	f.center.Rotation, f.center.Spin = f.turned()
	for i, x := range f.Line.X() {
		share := f.Line.Share(i) / f.length
		f.center.Position = f.center.Position.Add(x.Scale(share))
		f.center.Velocity = f.center.Velocity.Add(f.Line.U()[i].Scale(share))
	}
}

// turned is how the line from the first to the last node has turned since the start, and how it turns. Where the ends meet
// it has not.
func (f *Filament) turned() (r geometry.Mat, spin geometry.Vec) {
	last := f.Line.Len() - 1
	x, u := f.Line.X(), f.Line.U()
	from, to := f.config.X[last].Sub(f.config.X[0]), x[last].Sub(x[0])
	square := to.Dot(to)
	if from.Norm() == 0 || square == 0 {
		return geometry.Identity(), spin
	}
	spin = to.Cross(u[last].Sub(u[0])).Scale(1 / square)
	axis := from.Cross(to)
	size := axis.Norm()
	if size == 0 {
		return geometry.Identity(), spin
	}
	return geometry.Rotation(axis.Scale(1/size), math.Atan2(size, from.Dot(to))), spin
}

// inside is the momentum of the fluid that the filament displaces, about its centre.
func (f *Filament) inside() (m rigid.Momentum) {
	if f.Thickness == 0 {
		return m
	}
	for i, x := range f.Line.X() {
		p := f.Line.U()[i].Scale(f.Thickness * f.Line.Share(i))
		m.Linear = m.Linear.Add(p)
		m.Angular = m.Angular.Add(x.Sub(f.center.Position).Cross(p))
	}
	return m
}

// Velocities is rigid.Structure.
func (f *Filament) Velocities() []geometry.Vec { return f.velocities }

// Gained is rigid.Structure.
func (f *Filament) Gained() rigid.Momentum { return f.gained }

// Center is rigid.Structure.
func (f *Filament) Center() kinematics.State { return f.center }

// Outline is the line, or around its faces.
func (f *Filament) Outline() []geometry.Vec {
	x := f.Line.X()
	if f.Thickness == 0 {
		return append([]geometry.Vec(nil), x...)
	}
	last := len(x) - 1
	outline := make([]geometry.Vec, 0, 2*len(x)+1)
	half := f.Thickness / 2
	normal := func(i int) geometry.Vec {
		d := x[min(i+1, last)].Sub(x[max(i-1, 0)])
		return geometry.Vec{-d[1], d[0], 0}.Scale(half / d.Norm())
	}
	for i := range x {
		outline = append(outline, x[i].Add(normal(i)))
	}
	for i := last; i >= 0; i-- {
		outline = append(outline, x[i].Sub(normal(i)))
	}
	return append(outline, outline[0])
}

// Reach is rigid.Structure.
func (f *Filament) Reach() float64 { return f.length + f.Thickness }

// IsHeldBy is rigid.Structure.
func (f *Filament) IsHeldBy(b *rigid.Body) bool { return f.Holds[0].Base == b || f.Holds[1].Base == b }

// Mass is that of the structure, the fluid that it displaces included, per length.
func (f *Filament) Mass() float64 { return f.config.Mass + f.Thickness }

// Config is what the line is made of.
func (f *Filament) Config() *beam.Config { return &f.config }

// InsideEnergy is the kinetic energy of the fluid that the filament displaces, which moves with it.
func (f *Filament) InsideEnergy() (e float64) {
	for i, u := range f.Line.U() {
		e += f.Thickness * f.Line.Share(i) / 2 * u.Dot(u)
	}
	return e
}

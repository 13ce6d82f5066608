package setup

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/io/statistics"
	"lbmib/lbm"
)

// Drive is something that swings in time, with a frequency that the case gives or that is clear from
// what it prescribes over the run.
type Drive struct {
	Of        string  // "body NAME", "face NAME", "force" along an axis
	key       string  // of the table of the bodies that it moves; empty: it moves the flow
	Axis      int     // along which it pushes; −1: it makes no sound
	Frequency float64 // U/L
	layer     bool    // walls have a layer of this frequency: of bodies, and of a flow that swings by swingLeast or more
}

// swingLeast is the amplitude of a flow's velocity, in U, from which on its layer at walls is looked at.
const swingLeast = 0.1

// Records of what varies have so many samples, all of them together at most so many.
const recordMost, recordsMost = 1 << 16, 1 << 22

// Drives are all of the case. What is given by formulas and tables is sampled over the run, so that what swings
// less than twice in it, or without one frequency, is not among them.
func (p *Problem) Drives() []Drive {
	if p.driven != nil {
		return *p.driven
	}
	all := []Drive{}
	told, first := map[string]bool{}, []int{}
	for i := range p.Case.Bodies {
		if key := p.Case.Bodies[i].Key; !told[key] { // copies of a table move alike
			told[key] = true
			first = append(first, i)
		}
	}
	over := &drives{p, int(min(p.Steps, recordMost, recordsMost/int64(1+len(first))))}
	for _, i := range first {
		all = append(all, over.ofBody(i)...)
	}
	for i := range 2 * p.Case.Domain.Dim {
		all = append(all, over.ofFace(i)...)
	}
	for a, f := range p.Case.Domain.Force[:p.Case.Domain.Dim] {
		if frequency, most := over.dominant(f.Constant(), f.At); frequency > 0 {
			all = append(all, Drive{"force along " + "xyz"[a:a+1], "", a, frequency, most/(2*math.Pi*frequency) >= swingLeast})
		}
	}
	if flow := p.Case.Domain.Flow; flow != nil {
		if frequency, most := over.dominant(flow.Given.Constant(), p.Case.Domain.HeldSpeed); frequency > 0 {
			all = append(all, Drive{"flow along " + "xyz"[flow.Axis:flow.Axis+1], "", flow.Axis, frequency, most >= swingLeast})
		}
	}
	p.driven = &all
	return all
}

// drives looks for what swings over the run.
type drives struct {
	*Problem
	samples int // of what varies
}

// record is how many samples are taken of what varies, and the time between them, in L/U.
func (d *drives) record() (n int, dt float64) {
	return d.samples, d.Case.Run.Time / float64(max(d.samples, 1))
}

// dominant is the clear frequency, in U/L, of what varies over the run, and its amplitude; zeros where
// there is none.
func (d *drives) dominant(constant bool, of func(t float64) float64) (frequency, amplitude float64) {
	n, dt := d.record()
	if constant || n == 0 {
		return 0, 0
	}
	y := make([]float64, n)
	for k := range y {
		y[k] = of(float64(k) * dt)
	}
	frequency, amplitude = statistics.Dominant(y)
	return frequency / dt, amplitude
}

// ofFace are those of a face that lets fluid pass, across it.
func (d *drives) ofFace(i int) []Drive {
	f := &d.Case.Domain.Boundary[i]
	if !lbm.FaceKinds[f.Type].IsOpen() {
		return nil
	}
	frequency, swing := 0., 1.
	if f.Period > 0 {
		frequency = 1 / f.Period
	} else if frequency, swing = d.dominant(f.Table == nil && f.Factor.Constant(), f.At); frequency == 0 {
		return nil
	}
	speed := math.Max(Length(f.Value), math.Abs(f.Peak)) * swing
	if f.Type == "pressure" { // which has to speed up what is between it and the face opposite
		u := d.Case.Reference.Velocity
		speed = math.Abs(f.Density-1) * swing / (3 * u * u) / (2 * math.Pi * frequency * d.Case.Domain.Size[i/2])
	}
	return []Drive{{"face " + lbm.FaceNames[i], "", i / 2, frequency, speed >= swingLeast}}
}

// ofBody are those of body i.
func (d *drives) ofBody(i int) []Drive {
	switch d.Case.Bodies[i].Motion.Type {
	case "prescribed":
		return append(d.ofShift(i), d.ofTurn(i)...)
	case "free":
		return d.ofSprings(i)
	}
	return nil
}

// ofShift are those of a body's displacement, along each axis.
func (d *drives) ofShift(i int) (all []Drive) {
	b, m := &d.Case.Bodies[i], &d.Case.Bodies[i].Motion
	for a := range d.Case.Domain.Dim {
		frequency := 0.
		switch {
		case m.Displacement != nil:
			_, dt := d.record()
			x := m.Displacement[a]
			frequency, _ = d.dominant(x.Constant(), func(t float64) float64 { return (x.At(t+dt) - x.At(t)) / dt })
		case m.Velocity != nil:
			frequency, _ = d.dominant(m.Velocity[a].Constant(), m.Velocity[a].At)
		case m.Amplitude[a] != 0:
			frequency = m.Frequency
		}
		if frequency > 0 {
			all = append(all, Drive{"body " + b.Name, b.Key, a, frequency, true})
		}
	}
	return all
}

// ofTurn are those of a body's rotation: of its walls' layer the spin's, and of sound those of its centre
// along each axis or, where it turns about that and is not round, the spin's across the axis of rotation.
func (d *drives) ofTurn(i int) (all []Drive) {
	b, m := &d.Case.Bodies[i], &d.Case.Bodies[i].Motion
	if m.Angle == nil && m.Spin == nil && m.Swing == 0 {
		return nil
	}
	axis, arm := geometry.Vec(m.Axis), geometry.Vec{}
	if axis.Norm() == 0 {
		axis = geometry.Vec{0, 0, 1}
	}
	center := d.Bodies[i].Shape.Center()
	if m.Pivot != nil {
		arm = center.Sub(geometry.Vec(d.Node(*m.Pivot))) // nodes
	}
	frequency, angle := d.turning(m)
	if frequency > 0 {
		all = append(all, Drive{"body " + b.Name, b.Key, -1, frequency, true})
	}
	offCenter := arm.Cross(axis).Norm() > 0.01*d.Bodies[i].Shape.Length()
	for a := range d.Case.Domain.Dim {
		switch {
		case offCenter:
			n, dt := d.record()
			y := make([]float64, n)
			for k := range y {
				before, after := geometry.Rotation(axis, angle(float64(k)*dt)).Apply(arm), geometry.Rotation(axis, angle(float64(k+1)*dt)).Apply(arm)
				y[k] = after[a] - before[a]
			}
			if f, _ := statistics.Dominant(y); f > 0 {
				all = append(all, Drive{"body " + b.Name, b.Key, a, f / dt, false})
			}
		case frequency > 0 && math.Abs(axis[a]) < 1 && !d.isRound(i):
			all = append(all, Drive{"body " + b.Name, b.Key, a, frequency, false})
		}
	}
	return all
}

// turning is the frequency of a motion's spin, 0 where none is clear, and its angle, in radians. Where that is the integral of
// a formula, the angle is asked for at times that increase.
func (d *drives) turning(m *casefile.Motion) (frequency float64, angle func(t float64) float64) {
	_, dt := d.record()
	switch {
	case m.Angle != nil:
		frequency, _ = d.dominant(m.Angle.Constant(), func(t float64) float64 { return (m.Angle.At(t+dt) - m.Angle.At(t)) / dt })
		return frequency, m.Angle.At
	case m.Spin != nil && m.Spin.Constant():
		return 0, func(t float64) float64 { return m.Spin.Value * t }
	case m.Spin != nil:
		frequency, _ = d.dominant(false, m.Spin.At)
		n, _ := d.record()
		sums := make([]float64, n+2)
		for k := range sums[1:] {
			sums[k+1] = sums[k] + m.Spin.At((float64(k)+0.5)*dt)*dt
		}
		return frequency, func(t float64) float64 { return sums[min(len(sums)-1, int(math.Round(t/dt)))] }
	}
	return m.Frequency, func(t float64) float64 {
		return m.Swing * math.Pi / 180 * math.Sin(2*math.Pi*m.Frequency*t+m.SwingPhase)
	}
}

// isRound tells whether all markers of body i are as far from its centre, to a tenth.
func (d *drives) isRound(i int) bool {
	near, far := math.Inf(1), 0.
	for _, x := range d.Bodies[i].Markers.X {
		away := x.Sub(d.Bodies[i].Shape.Center()).Norm()
		near, far = math.Min(near, away), math.Max(far, away)
	}
	return near > 0.9*far
}

// ofSprings are those of a free body on springs: √(k/m − (c/2m)²)/2π along each axis, where damping does not stop it; m is
// the body's mass and that of the fluid that moves along, as for a circle or a sphere: one of its volumes in the plane, half in space.
func (d *drives) ofSprings(i int) (all []Drive) {
	b, m := &d.Case.Bodies[i], &d.Case.Bodies[i].Motion
	dim := d.Case.Domain.Dim
	added := 1.
	if dim == 3 {
		added = 0.5
	}
	mass := (m.Density + added) * d.Bodies[i].Shape.Enclosed() / math.Pow(d.Case.Reference.Resolution, float64(dim)) // ρf L^d
	for a := range dim {
		if f := eigenfrequency(m.Spring[a], m.Damper[a], mass); f > 0 && !m.Fix[a] {
			all = append(all, Drive{"body " + b.Name + " on its spring", b.Key, a, f, true})
		}
	}
	inertia, free := m.Inertia, !m.Fix[5]
	if s, ok := d.Bodies[i].Shape.(interface{ Inertia() geometry.Mat }); ok && inertia == 0 && dim == 2 { // about z, of density 1
		inertia = m.Density * s.Inertia()[2][2] / math.Pow(d.Case.Reference.Resolution, 4)
	}
	if f := eigenfrequency(m.SpringRotation, m.DamperRotation, inertia); f > 0 && free && dim == 2 {
		all = append(all, Drive{fmt.Sprintf("body %s on its spring", b.Name), b.Key, -1, f, true})
	}
	return all
}

// eigenfrequency is that of a mass on a spring with a damper; 0 where it does not swing.
func eigenfrequency(spring, damper, mass float64) float64 {
	if !(spring > 0 && mass > 0) {
		return 0
	}
	return math.Sqrt(math.Max(0, spring/mass-damper*damper/(4*mass*mass))) / (2 * math.Pi)
}

// Swiftest is the highest frequency, in U/L, of what makes layers at the walls of body i: its own motion, and the
// flow's; 0: none.
func (p *Problem) Swiftest(i int) (frequency float64) {
	for _, d := range p.Drives() {
		if d.layer && (d.key == "" || d.key == p.Case.Bodies[i].Key) {
			frequency = math.Max(frequency, d.Frequency)
		}
	}
	return frequency
}

// Length is that of a vector.
func Length(v [3]float64) float64 { return math.Hypot(math.Hypot(v[0], v[1]), v[2]) }

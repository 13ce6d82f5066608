package setup

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic/beam"
	"lbmib/ib/elastic/plate"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
)

// softStart lets a body's surface move with the initial flow at first and come
// smoothly to the body's own velocity, so that it makes little sound. The surface of one that bends, whose own velocity is found in every
// step, moves so much faster than it does; nothing holds back one that nothing holds: it is released at once, as bodies that move freely are.
func (p *Problem) softStart(b *rigid.Body) {
	if isReleased(b) {
		return
	}
	flow := p.Initial()
	b.Moves = p.Units.ToLatticeTime(p.Case.Run.SoftStart)
	if p.Case.Run.SoftStart == casefile.AutoSoftStart {
		b.Moves = p.softSteps(b, flow)
	}
	if b.Moves == 0 {
		return
	}
	b.Velocity = func(x geometry.Vec, t float64) [3]float64 {
		_, u := flow(x)
		s := (1 + math.Cos(math.Pi*t/b.Moves)) / 2
		if b.Structure != nil { // which begins at rest
			for a := range u {
				u[a] *= s
			}
			return u
		}
		state := b.State()
		own := state.VelocityAt(x)
		for a := range u {
			u[a] = own[a] + (u[a]-own[a])*s
		}
		return u
	}
}

// isReleased tells whether nothing but the fluid moves a body: what moves freely, and what bends and is held by nothing else.
func isReleased(b *rigid.Body) bool {
	switch s := b.Structure.(type) {
	case *flexible.Filament:
		c, of := s.Config(), s.PulledBodies()
		return (c.First.Kind == beam.Free || of[0] != nil) && (c.Last.Kind == beam.Free || of[1] != nil)
	case *flexible.Sheet:
		return s.Config().Edges == [4]plate.EdgeKind{}
	}
	return b.Free != nil
}

// What a soft start is found by: a surface that differs by no more than startsAtRest, in U, from
// the flow there makes no bang worth the name; and it is over when the body's own velocity
// has changed by startsOver of the difference at first, or it would be that of another motion.
const (
	startsAtRest = 0.01
	startsOver   = 0.5
	startLooks   = 512 // times in a start at which it is looked at
)

// softSteps is how many steps a start takes where the case does not say.
func (p *Problem) softSteps(b *rigid.Body, flow func([3]float64) (float64, [3]float64)) float64 {
	longest := p.Units.ToLatticeTime(casefile.LongestSoftStart)
	jump, at := p.jump(b, flow)
	if jump <= startsAtRest*p.Units.ToLatticeVelocity(1) {
		return 0
	}
	if b.Motion == nil {
		return longest
	}
	start := stateAt(b, 0)
	first := ownVelocity(b, &start, at)
	for i := 1; i <= startLooks; i++ {
		t := longest * float64(i) / startLooks
		if s := stateAt(b, t); ownVelocity(b, &s, at).Sub(first).Norm() > startsOver*jump {
			return t
		}
	}
	return longest
}

// StartLimit is the longest start, in L/U, in which the motion of body i is still its own: what the case takes by itself
// or, of a motion that begins as the flow does, until it has changed by half of its greatest speed. +Inf of bodies
// that are fixed or free.
func (p *Problem) StartLimit(i int) float64 {
	b := p.Bodies[i]
	if b.Motion == nil || b.IsMovedByFluid() {
		return math.Inf(1)
	}
	if steps := p.softSteps(b, p.Initial()); steps > 0 {
		if steps >= p.Units.ToLatticeTime(casefile.LongestSoftStart) { // a motion that is steady for so long
			return math.Inf(1)
		}
		return steps * p.Units.Dt
	}
	fastest, _ := p.FastestOf(i)
	_, at := p.jump(b, p.Initial())
	start := stateAt(b, 0)
	first := ownVelocity(b, &start, at)
	for k := 1; k <= startLooks; k++ {
		t := math.Min(b.Moves, float64(p.Steps)) * float64(k) / startLooks
		if s := stateAt(b, t); ownVelocity(b, &s, at).Sub(first).Norm() > startsOver*fastest {
			return t * p.Units.Dt
		}
	}
	return math.Inf(1)
}

// jump is the greatest difference between the velocity of a body's surface and that of the
// initial flow, and the marker where it is. A flow of a file is not known before the run:
// bodies are taken to differ from it by U.
func (p *Problem) jump(b *rigid.Body, flow func([3]float64) (float64, [3]float64)) (jump float64, at int) {
	if p.Case.Domain.Initial.Type == "file" {
		return p.Units.ToLatticeVelocity(1), 0
	}
	start := stateAt(b, 0)
	for k, x := range b.Markers.X {
		_, u := flow(x)
		if d := ownVelocity(b, &start, k).Sub(geometry.Vec(u)).Norm(); d > jump {
			jump, at = d, k
		}
	}
	return jump, at
}

// Jump is the greatest difference, in U, between the velocity that the surface of body i, which moves freely, has at the start and that of the initial flow there.
func (p *Problem) Jump(i int) float64 {
	b := p.Bodies[i]
	start, most := kinematics.State{Position: b.Shape.Center(), Rotation: geometry.Identity()}, 0.
	if f := b.Free; f.Release == 0 {
		start.Velocity, start.Spin = f.Velocity, f.Spin
	}
	for k, x := range b.Markers.X {
		_, u := p.Initial()(x)
		most = math.Max(most, ownVelocity(b, &start, k).Sub(geometry.Vec(u)).Norm())
	}
	return p.Units.FromLatticeVelocity(most)
}

// stateAt is that of a body which has not been started, at time t.
func stateAt(b *rigid.Body, t float64) kinematics.State {
	if b.Motion == nil {
		return kinematics.State{Position: b.Shape.Center(), Rotation: geometry.Identity()}
	}
	return b.Motion.At(t)
}

// ownVelocity is that of a marker, given where it was drawn, in a state.
func ownVelocity(b *rigid.Body, s *kinematics.State, k int) geometry.Vec {
	return s.VelocityAt(s.ToSpace(b.Markers.X[k].Sub(b.Shape.Center())))
}

// SoftStartOf is the duration of a body's start, in L/U; NaN of bodies that move freely.
func (p *Problem) SoftStartOf(b *rigid.Body) finite.Number {
	if isReleased(b) {
		return finite.Number(math.NaN())
	}
	return finite.Number(b.Moves * p.Units.Dt)
}

// SoftStartText tells it; empty where there is nothing to tell.
func SoftStartText(n finite.Number) string {
	switch {
	case !finite.Is(float64(n)):
		return ""
	case n == 0:
		return "at once"
	}
	return fmt.Sprintf("within %.3g L/U, from the initial flow", float64(n))
}

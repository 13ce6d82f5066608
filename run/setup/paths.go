package setup

import (
	"math"
	"slices"
	"strings"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/parallel"
)

// Bounds on following paths: work is the most that markers and pairs of bodies are
// looked at, some tenths of a second; of a body's markers so many are followed; and
// so many times what they find is held against what a run would refuse.
const (
	pathWork     = 5_000_000
	pathMarkers  = 500
	pathAttempts = 8
)

// FollowPaths refuses prescribed motions that at some time of the run take a body
// out of the domain, out of the finest level, into another body that does not move
// freely, or into a solid: what would stop the run then. Bodies must have been put
// into the fluid.
//
// Bodies are followed in strides of about half a node, longer ones where that is
// too much work. What is refused, a run refuses too; what comes and goes between
// two strides is left to the run.
func (p *Problem) FollowPaths() error {
	if !slices.ContainsFunc(p.Bodies, func(b *rigid.Body) bool { return b.Motion != nil }) {
		return nil
	}
	f := p.newFollower()
	p.FindEnds()
	end, attempts := p.Followed, 0
	strides := math.Max(1, math.Min(math.Ceil(end*f.fastest()/0.5), pathWork/f.work())) // of what stands, too
	before := 0.
	first := 1.
	if len(p.Boxes) > 0 { // where bodies begin is looked at elsewhere, but not whether the finest level has it
		first = 0
	}
	for k := first; k <= strides && attempts < pathAttempts; k++ {
		t := math.Floor(end * k / strides)
		if i := f.astray(t); i >= 0 {
			attempts++
			from, to := before, t // the first step at which it is
			for to-from > 1 {
				if middle := math.Floor((from + to) / 2); f.astray(middle) >= 0 {
					to = middle
				} else {
					from = middle
				}
			}
			i = f.astray(to)
			key := p.Case.Bodies[i].Key + ".motion"
			if err := f.place(to); err != nil {
				text := strings.Replace(err.Error(), `": its markers need`, `" leaves the domain: its markers need`, 1)
				return p.Case.Errorf(key, "at t = %.4g L/U %s", to*p.Units.Dt, text)
			}
			if node, ok := f.inFinest(&f.traced[i]); !ok {
				at, dim := p.Place([3]float64{float64(node[0]), float64(node[1]), float64(node[2])}), p.Flow.Lattice.Dim
				return p.Case.Errorf(key, "at t = %.4g L/U body %q leaves the finest level: its markers need node %v, at %.4g L, which no box of it has: give the box of [[refine]] a wider margin, or around = %[2]q, which follows the path, or change the motion",
					to*p.Units.Dt, p.Bodies[i].Name, node[:dim], at[:dim])
			}
		}
		before = t
	}
	return nil
}

// follower looks at where prescribed motions take bodies.
type follower struct {
	*Problem
	moving []int // bodies that are followed
	traced []traced
	delta  ib.Delta[float64]
}

// traced is a body with some of its markers.
type traced struct {
	*rigid.Body
	drawn  []geometry.Vec // relative to the centre, before any rotation
	reach  float64        // of all markers from the centre
	skip   bool           // moves freely: where to is not known
	state  kinematics.State
	points []geometry.Vec // where drawn is in that state
}

func (p *Problem) newFollower() *follower {
	f := &follower{Problem: p}
	f.delta, _ = ib.NewDelta[float64](p.Coupling.Delta) // known: bodies were coupled by it
	for i, b := range p.Bodies {
		s := b.State()
		c := traced{Body: b, skip: b.IsMovedByFluid(), state: s}
		back, every := s.Rotation.Transpose(), 1+b.Markers.Len()/pathMarkers
		for k, x := range b.Markers.X {
			c.reach = math.Max(c.reach, x.Sub(s.Position).Norm())
			if k%every == 0 {
				c.drawn, c.points = append(c.drawn, back.Apply(x.Sub(s.Position))), append(c.points, x)
			}
		}
		if b.Motion != nil {
			f.moving = append(f.moving, i)
		}
		f.traced = append(f.traced, c)
	}
	return f
}

// work is what looking at one time takes.
func (f *follower) work() (n float64) {
	for _, i := range f.moving {
		n += float64(len(f.traced[i].drawn) + len(f.traced))
	}
	return n
}

// fastest is the largest speed of a followed marker, in nodes per step.
func (f *follower) fastest() (speed float64) {
	for _, i := range f.moving {
		v, _ := f.FastestOf(i)
		speed = math.Max(speed, v)
	}
	return speed
}

// astray is the first followed body that cannot be where it is at a step; −1: none.
func (f *follower) astray(t float64) int {
	for _, i := range f.moving {
		b := &f.traced[i]
		b.state = b.Motion.At(t)
		for k, r := range b.drawn {
			b.points[k] = b.state.Position.Add(b.state.Rotation.Apply(r))
		}
	}
	for _, i := range f.moving {
		b := &f.traced[i]
		if f.outside(b) || f.inSolid(b) {
			return i
		}
		if _, ok := f.inFinest(b); !ok {
			return i
		}
		for j := range f.traced {
			if o := &f.traced[j]; i != j && !o.skip && f.near(b, o) && (f.cuts(b, o) || f.cuts(o, b)) {
				return i
			}
		}
	}
	return -1
}

// outside tells whether markers need nodes that the domain does not have. Behind
// walls and planes of symmetry none are needed, but markers must not be there.
func (f *follower) outside(b *traced) bool {
	for a := range f.Flow.Lattice.Dim {
		if f.Flow.Periodic(a) {
			continue
		}
		least, most := math.Inf(1), math.Inf(-1)
		for _, x := range b.points {
			least, most = math.Min(least, x[a]), math.Max(most, x[a])
		}
		for side, beyond := range [2]float64{-0.5 - least, most - float64(f.Flow.Size[a]) + 0.5} {
			lacks := f.delta.First(least) < 0
			if side == 1 {
				lacks = f.delta.First(most)+f.delta.Support() > f.Flow.Size[a]
			}
			if lacks && (!f.Flow.Faces[2*a+side].Kind.IsWall() || beyond > 0) {
				return true
			}
		}
	}
	return false
}

// inSolid tells whether a marker needs a solid node.
func (f *follower) inSolid(b *traced) bool {
	if !f.Flow.HasWalls() {
		return false
	}
	dim, n := f.Flow.Lattice.Dim, f.delta.Support()
	for _, x := range b.points {
		var first, count [3]int
		count[2] = 1
		for a := range dim {
			first[a], count[a] = f.delta.First(x[a]), n
		}
		for k := range count[0] * count[1] * count[2] {
			q := [3]int{first[0] + k%n, first[1] + k/n%n, first[2] + k/(n*n)}
			if q, ok := f.wrapped(q); ok && f.Flow.Wall(q) {
				return true
			}
		}
	}
	return false
}

// inFinest tells whether the finest level has the nodes that markers need, or one that it has not.
func (f *follower) inFinest(b *traced) (node [3]int, ok bool) {
	if len(f.Boxes) == 0 {
		return node, true
	}
	for _, x := range b.points {
		if node, ok = f.hasSupport(x, float64(f.delta.Support())/2); !ok {
			return node, false
		}
	}
	return node, true
}

// near tells whether the spheres around two bodies meet.
func (f *follower) near(b, o *traced) bool {
	return f.image(b.state.Position, o.state.Position).Sub(o.state.Position).Norm() <= b.reach+o.reach
}

// cuts tells whether some markers of a body, but not all, are inside another.
func (f *follower) cuts(b, o *traced) bool {
	if o.Shape.Open() {
		return false
	}
	back, center, inside := o.state.Rotation.Transpose(), o.Shape.Center(), 0
	for _, x := range b.points {
		if o.Shape.Contains(back.Apply(f.image(x, o.state.Position).Sub(o.state.Position)).Add(center)) {
			inside++
		}
	}
	return inside > 0 && inside < len(b.points)
}

// place puts copies of all bodies that do not move freely into the fluid, where they
// are at a step: the error is the run's.
func (f *follower) place(t float64) error {
	var there []*rigid.Body
	for i := range f.traced {
		if f.traced[i].skip {
			continue
		}
		b := *f.traced[i].Body
		b.Markers.X, b.Markers.Normal = slices.Clone(b.Markers.X), slices.Clone(b.Markers.Normal)
		if b.Motion != nil {
			b.Motion = later{b.Motion, t}
		}
		there = append(there, &b)
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	if f.Precision().Single {
		return hybrid.CheckPlaces[float32](f.Coupling, &f.Flow, there, pool)
	}
	return hybrid.CheckPlaces[float64](f.Coupling, &f.Flow, there, pool)
}

// later is a motion that begins at a time of another.
type later struct {
	rigid.Motion
	begin float64
}

func (m later) At(t float64) kinematics.State { return m.Motion.At(m.begin + t) }

package ellipsoid

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// Config is ellipsoids in a box of nodes 0 … Size−1 along each axis, whose faces lie half a node beyond.
type Config struct {
	Size     [3]int
	Periodic [3]bool
	Faces    [6]bool // faces that repel, −x +x −y +y −z +z, as walls do
	Walls    []Wall  // others

	Shape     Shape
	Mass      float64
	Inertia   geometry.Vec // principal moments, about the axes of Particles.Axes; 0: of a homogeneous ellipsoid
	Repulsion Repulsion
	Friction  Friction
	Force     geometry.Vec // constant, on each
}

// Friction is γT and γR of drag and torque along the body's own axes. Theirs have no directions.
type Friction struct{ Translation, Rotation geometry.Vec }

// Stokes is the friction of a sphere of a radius in a fluid of dynamic viscosity eta: 6πηa and 8πηa³, alike in all directions.
func Stokes(radius, eta float64) Friction {
	t, r := 6*math.Pi*eta*radius, 8*math.Pi*eta*radius*radius*radius
	return Friction{geometry.Vec{t, t, t}, geometry.Vec{r, r, r}}
}

// System is ellipsoids and what acts on them. Its results are the same bits for any number of workers. Calls come from one
// goroutine.
type System struct {
	Particles

	// What the fluid does where they are, which Kick reads: smeared velocity and spin (half of the curl of the velocity).
	Flow, Spin []geometry.Vec

	// What Kick tells: drag and torque that the fluid gets of each in the step. They are part of the state where Response is not 0.
	Push, Twist []geometry.Vec

	// Response is by how much half of a drag, and of a torque, changes the velocity and the spin that act on it: see Kick.
	Response struct{ Translation, Rotation float64 }

	cfg     Config
	loops   parallel.Loops
	law     gayBerne
	wall    wallLaw
	walls   []Wall
	inverse geometry.Vec // 1/I
	lists   *lists

	mine          []bool         // that Own tells; nil: all
	force, torque []geometry.Vec // of pairs, walls and Config.Force
	energy        []float64      // of pairs: of each, half of all its pairs'; and of walls
	wantEnergy    bool
	step          struct {
		length float64 // of a kick, steps
		drag   bool
	}
	act, kick, drift func(worker int)
	bad              []int // of each worker: the first particle that is not finite any more; −1: none
}

// New is of n particles, which the caller places before the first step.
func New(cfg Config, n int, loops parallel.Loops) (*System, error) {
	s := &System{cfg: cfg, loops: loops, Particles: NewParticles(n)}
	var err error
	if s.law, err = newGayBerne(cfg.Shape, cfg.Repulsion); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if cfg.Inertia == (geometry.Vec{}) {
		s.cfg.Inertia = cfg.Shape.Inertia(cfg.Mass)
	}
	for a, i := range s.cfg.Inertia {
		s.inverse[a] = 1 / i
	}
	s.wall = newWallLaw(cfg.Shape, &s.law)
	s.walls = s.allWalls()
	for _, v := range []*[]geometry.Vec{&s.Flow, &s.Spin, &s.Push, &s.Twist, &s.force, &s.torque} {
		*v = make([]geometry.Vec, n)
	}
	s.energy = make([]float64, n)
	s.Share(loops)
	return s, nil
}

// Share has the workers of loops share the work from now on.
func (s *System) Share(loops parallel.Loops) {
	n, workers := s.Len(), loops.Workers()
	s.loops, s.bad = loops, make([]int, workers)
	s.lists = newLists(&s.Particles, newBox(s.cfg.Size, s.cfg.Periodic), s.law.reach, loops)
	share := func(do func(w, lo, hi int)) func(int) {
		return func(w int) {
			lo, hi := parallel.Share(n, w, workers)
			do(w, lo, hi)
		}
	}
	s.act = share(s.actShare)
	s.kick = share(func(_, lo, hi int) { s.kickShare(lo, hi) })
	s.drift = share(s.driftShare)
}

// Own has forces found of those particles alone that mine tells, and Kick change no others; who changes it in between keeps to particles near the region that was
// told of, or less than Skin from it. Lists of neighbours are made of these.
func (s *System) Own(mine []bool, near func(x *geometry.Vec) bool) {
	s.mine, s.lists.near, s.lists.made = mine, near, false
}

// Skin is how far particles move, in nodes, before lists of neighbours are made anew.
func (s *System) Skin() float64 { return math.Sqrt(s.lists.half2) }

// check refuses what cannot be moved.
func (s *System) check() error {
	c := &s.cfg
	if !(c.Mass > 0) || math.IsInf(c.Mass, 0) {
		return fmt.Errorf("ellipsoid: the mass is %g, must be positive and finite", c.Mass)
	}
	for a, i := range c.Inertia {
		if c.Inertia != (geometry.Vec{}) && (!(i > 0) || math.IsInf(i, 0)) {
			return fmt.Errorf("ellipsoid: the moments of inertia are %v, all must be positive and finite", c.Inertia)
		}
		for _, f := range []float64{c.Friction.Translation[a], c.Friction.Rotation[a]} {
			if !(f >= 0) || math.IsInf(f, 0) {
				return fmt.Errorf("ellipsoid: a coefficient of friction is %g, must be finite and not negative", f)
			}
		}
		if math.IsNaN(c.Force[a]) || math.IsInf(c.Force[a], 0) {
			return fmt.Errorf("ellipsoid: the force on each is %v, must be finite", c.Force)
		}
	}
	least := LeastPeriod(c.Shape)
	for a, n := range c.Size {
		if n < 1 || c.Periodic[a] && float64(n) < least {
			return fmt.Errorf("ellipsoid: the box has %d nodes along %s, where it is periodic, must have at least %.4g, or particles meet two images of one another: use smaller ellipsoids or a larger box",
				n, "xyz"[a:a+1], least)
		}
	}
	return nil
}

// LeastPeriod is the least size of a periodic box, in nodes, in which particles meet but one image of each other.
func LeastPeriod(s Shape) float64 {
	return 2 * (1 + skin) * ((cutoff-1)*2*s.Equatorial + 2*max(s.Equatorial, s.Polar))
}

// allWalls are faces and other walls.
func (s *System) allWalls() (all []Wall) {
	for f, repels := range s.cfg.Faces {
		a := f / 2
		if !repels || s.cfg.Periodic[a] {
			continue
		}
		var point, normal geometry.Vec
		point[a], normal[a] = -0.5, 1
		if f%2 == 1 {
			point[a], normal[a] = float64(s.cfg.Size[a])-0.5, -1
		}
		all = append(all, Plane(point, normal))
	}
	return append(all, s.cfg.Walls...)
}

// Config is what the system was made of.
func (s *System) Config() Config { return s.cfg }

// Moved tells that particles are elsewhere by other ways than Drift.
func (s *System) Moved() { s.lists.made = false }

// Forces finds the forces and torques of pairs and walls where the particles are.
func (s *System) Forces() {
	s.lists.update(s.loops)
	s.loops.Run(s.Len(), s.act)
}

// Potential is the energy of pairs and walls, where Forces was called last; it calls it again.
func (s *System) Potential() (sum float64) {
	mine, near := s.mine, s.lists.near // it is that of all
	if mine != nil {
		s.Own(nil, nil)
	}
	s.wantEnergy = true
	s.Forces()
	s.wantEnergy = false
	if mine != nil {
		s.Own(mine, near)
	}
	for _, e := range s.energy {
		sum += e
	}
	return sum
}

// actShare finds the forces on slots lo ≤ k < hi.
func (s *System) actShare(worker, lo, hi int) {
	l := s.lists
	own := &l.shares[worker]
	for k := lo; k < hi; k++ {
		if s.mine != nil && !s.mine[l.slot[k]] {
			continue
		}
		me := &l.places[k]
		f, t := s.cfg.Force, geometry.Vec{}
		energy := 0.
		if near := own.near[own.from[k-lo]:own.from[k-lo+1]]; s.law.strength > 0 && len(near) > 0 {
			energy = s.pairs(me, near, own, &f, &t) / 2
		}
		for _, wall := range s.walls {
			if d, n := wall(me.x); d < s.wall.reach {
				e, push, turn := s.wall.act(d, n, me.axis)
				f, t, energy = f.Add(push), t.Add(turn), energy+e
			}
		}
		i := l.slot[k]
		s.force[i], s.torque[i] = f, t
		if s.wantEnergy {
			s.energy[i] = energy
		}
	}
}

// pairs adds what neighbours do to one, and returns the energy.
func (s *System) pairs(me *place, near []int32, own *listShare, force, torque *geometry.Vec) (energy float64) {
	if len(own.hits) < len(near) {
		own.hits, own.pairs = make([]int32, 2*len(near)), make([]pairAt, 2*len(near))
	}
	count := s.law.contacts(own.hits, &s.lists.box, s.lists.places, me, near)
	pairs, ux, uy, uz := own.pairs[:count], me.axis[0], me.axis[1], me.axis[2]
	for n, j := range own.hits[:count] {
		o := &s.lists.places[j]
		d := s.lists.box.apart(&me.x, &o.x)
		s.law.set(&pairs[n], d[0], d[1], d[2], ux, uy, uz, o.axis[0], o.axis[1], o.axis[2])
	}
	fx, fy, fz, tx, ty, tz := force[0], force[1], force[2], torque[0], torque[1], torque[2]
	for n, j := range own.hits[:count] {
		o := &s.lists.places[j]
		e, px, py, pz, qx, qy, qz := s.law.pair(&pairs[n], ux, uy, uz, o.axis[0], o.axis[1], o.axis[2])
		fx, fy, fz, tx, ty, tz = fx+px, fy+py, fz+pz, tx+qx, ty+qy, tz+qz
		energy += e
	}
	force[0], force[1], force[2], torque[0], torque[1], torque[2] = fx, fy, fz, tx, ty, tz
	return energy
}

// Kick makes velocities and angular momenta those of half a step later, with the drag of Flow and Spin at the mean of both ends,
// and tells Push and Twist:
//
//	V₊ = V + (F + D)/M,  D = γ (Ũ − (V + V₊)/2 + h (D₋ − D))
//
// Flow is that of the step before, in which half of the drag D₋ of that step has acted; with the response h of the fluid half of this step's has
// instead. So large frictions do not make fluid and particles swing against each other from step to step, and where D does not change there
// is no h.
func (s *System) Kick() { s.kickBy(1, true) }

// KickBy is Kick over a part of a step, with no fluid: by half a step from where places and velocities belong to one time, and
// back, to begin and to measure.
func (s *System) KickBy(h float64) { s.kickBy(h, false) }

func (s *System) kickBy(h float64, drag bool) {
	s.step.length, s.step.drag = h, drag
	s.loops.Run(s.Len(), s.kick)
}

func (s *System) kickShare(lo, hi int) {
	h, mass := s.step.length, 1/s.cfg.Mass
	if !s.step.drag {
		for i := lo; i < hi; i++ {
			s.V[i] = s.V[i].Add(s.force[i].Scale(h * mass))
			s.L[i] = s.L[i].Add(s.torque[i].Scale(h))
		}
		return
	}
	own, spins := s.Response.Translation, s.Response.Rotation
	var slow, turn geometry.Vec // γ/(1 + γ/2M + γh): the drag per slip
	for a := range slow {
		t, r := s.cfg.Friction.Translation[a], s.cfg.Friction.Rotation[a]
		slow[a], turn[a] = t/(1+t*mass/2+t*own), r/(1+r*s.inverse[a]/2+r*spins)
	}
	alike := slow[0] == slow[1] && slow[1] == slow[2]
	for i := lo; i < hi; i++ {
		if s.mine != nil && !s.mine[i] {
			continue
		}
		f, t, axes := &s.force[i], &s.torque[i], &s.Axes[i]
		v, l, flow, spin, push, twist := &s.V[i], &s.L[i], &s.Flow[i], &s.Spin[i], &s.Push[i], &s.Twist[i]
		slip := geometry.Vec{ // of the velocity half a step on, without drag
			flow[0] - own*push[0] - v[0] - mass/2*f[0],
			flow[1] - own*push[1] - v[1] - mass/2*f[1],
			flow[2] - own*push[2] - v[2] - mass/2*f[2],
		}
		drag := geometry.Vec{slow[0] * slip[0], slow[0] * slip[1], slow[0] * slip[2]}
		if !alike {
			drag = along(axes, &slip, &slow)
		}
		half := geometry.Vec{l[0] + t[0]/2, l[1] + t[1]/2, l[2] + t[2]/2}
		turns := along(axes, &half, &s.inverse)
		slip = geometry.Vec{spin[0] - spins*twist[0] - turns[0], spin[1] - spins*twist[1] - turns[1], spin[2] - spins*twist[2] - turns[2]}
		torque := along(axes, &slip, &turn)
		for a := range v {
			v[a] += mass * (f[a] + drag[a])
			l[a] += t[a] + torque[a]
			push[a], twist[a] = -drag[a], -torque[a]
		}
	}
}

// along is a vector in space, its components along the axes times factors.
func along(axes *Axes, v, factor *geometry.Vec) geometry.Vec {
	a, b, c := factor[0]*axes[0].Dot(*v), factor[1]*axes[1].Dot(*v), factor[2]*axes[2].Dot(*v)
	return geometry.Vec{
		a*axes[0][0] + b*axes[1][0] + c*axes[2][0],
		a*axes[0][1] + b*axes[1][1] + c*axes[2][1],
		a*axes[0][2] + b*axes[1][2] + c*axes[2][2],
	}
}

// Drift moves particles by a step. Its error names one that is not finite any more, or that has moved by more than a node.
func (s *System) Drift() error {
	s.loops.Run(s.Len(), s.drift)
	for _, i := range s.bad {
		if i >= 0 {
			return fmt.Errorf("ellipsoid %d moves by %.3g, %.3g, %.3g nodes in a step, from %.6g, %.6g, %.6g, must be less than a node: the flow has diverged, or the repulsion (%g) is too stiff for this time step",
				i, s.V[i][0], s.V[i][1], s.V[i][2], s.X[i][0], s.X[i][1], s.X[i][2], s.cfg.Repulsion.Strength)
		}
	}
	return nil
}

func (s *System) driftShare(worker, lo, hi int) {
	s.bad[worker] = -1
	b := &s.lists.box
	for i := lo; i < hi; i++ {
		v := &s.V[i]
		if !(v[0]*v[0]+v[1]*v[1]+v[2]*v[2] < 1 && s.L[i].Dot(s.L[i]) < math.MaxFloat64) {
			if s.bad[worker] < 0 {
				s.bad[worker] = i
			}
			continue
		}
		x := &s.X[i]
		x[0], x[1], x[2] = x[0]+v[0], x[1]+v[1], x[2]+v[2]
		b.wrap(x, &s.Turns[i])
		rotateFree(&s.Axes[i], &s.L[i], &s.inverse, 1)
	}
}

// Spins is the angular velocity of particle i.
func (s *System) Spins(i int) geometry.Vec { return along(&s.Axes[i], &s.L[i], &s.inverse) }

// Kinetic is the energy of motion, of velocities and angular momenta as they are.
func (s *System) Kinetic() (sum float64) {
	for i, v := range s.V {
		sum += s.cfg.Mass*v.Dot(v)/2 + s.Spins(i).Dot(s.L[i])/2
	}
	return sum
}

// Momentum is Σ MV, and moment Σ (X × MV + L), of places that are not brought back into the box.
func (s *System) Momentum() (momentum, moment geometry.Vec) {
	for i, v := range s.V {
		p, x := v.Scale(s.cfg.Mass), s.X[i]
		for a := range x {
			x[a] += float64(s.Turns[i][a]) * s.lists.box.size[a]
		}
		momentum, moment = momentum.Add(p), moment.Add(x.Cross(p)).Add(s.L[i])
	}
	return momentum, moment
}

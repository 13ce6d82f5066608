package check

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/finite"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// Flows that shed, and in which nothing but rounding errors begins it.
const (
	// Reynolds numbers by the width of a bluff body from which on its wake sheds beyond doubt. Cylinders do from 47 on between sides far away, and
	// from 51, 69, 95 and 124 in channels of which they block 0.1, 0.2, 0.3 and 0.5 (Sahin & Owens, Phys. Fluids 16 (2004) 1305); spheres from 275 on
	// (Natarajan & Acrivos, J. Fluid Mech. 254 (1993) 323).
	cylindersShed, spheresShed = 60., 300.
	// By how many times of it the Reynolds number is raised by a blockage of 1.
	shedBlocked = 3.
	// Longer bodies, by their width, are streamlined and shed from higher Reynolds numbers on.
	bluff = 1.25
	// Mirror images differ by less than this: in nodes, and of the velocity U.
	mirrored = 1e-6
)

// slowSheddingOf judges the flow past a single fixed body that will shed, but begins to from rounding errors alone, since everything in the case is its own mirror
// image; nil of others. Its value is the Reynolds number by the body's width. A symmetric state grows unstable by e^0.14 in an L/U at Re = 100: from the rounding
// of doubles that takes some 250 L/U.
func slowSheddingOf(p *setup.Problem, i int) *Judged {
	c, dim := p.Case, p.Flow.Lattice.Dim
	switch {
	case len(p.Bodies) != 1 || len(p.Drawn) > 0 || len(c.Suspensions) > 0 || len(c.Solids) > 0 || c.Domain.Vessel != nil || c.Domain.Initial.Type == "file":
		return nil
	case c.Bodies[i].Motion.Type != "fixed" || c.Bodies[i].Fluid == "inside" || c.Bodies[i].Shape.Thin() || c.Fluid.LES > 0 || c.Fluid.Rheology.Type != "":
		return nil
	}
	stream, axis := setup.StreamOf(c)
	across, needed := liftAxes(p, i, axis), cylindersShed
	if len(across) == 0 || p.Flow.Periodic(axis) { // of an array each is in the wake of the one before
		return nil
	}
	if dim == 3 && len(across) == 2 {
		needed = spheresShed
	}
	lo, hi := p.Bodies[i].Shape.Bounds()
	width, blocked := 0., 0.
	for _, a := range across {
		if !isMirrored(p, i, a) {
			return nil
		}
		width = math.Max(width, hi[a]-lo[a])
		blocked = math.Max(blocked, (hi[a]-lo[a])/float64(p.Flow.Size[a]))
	}
	re := math.Abs(stream) * p.Units.FromLatticeLength(width) / c.Reference.Viscosity
	if hi[axis]-lo[axis] > bluff*width || !(re > needed*(1+shedBlocked*blocked)) {
		return nil
	}
	return &Judged{finite.Number(re), Caution, fmt.Sprintf(
		"above %.3g, where such wakes shed, but the whole case is mirror-symmetric, so that only rounding errors start it: for some 200 L/U the flow looks steady, with a different drag; %s",
		needed, BeginShedding(p))}
}

// SlowShedding tells of a body whose lift is nothing at the end of a run that the flow would shed if it went on; empty of others.
func SlowShedding(p *setup.Problem, i int) string {
	j := slowSheddingOf(p, i)
	if j == nil {
		return ""
	}
	return fmt.Sprintf("at Re = %.3g by its width such a wake sheds vortices, but the whole case is mirror-symmetric and shedding has not started yet: this is the symmetric state, whose drag differs from that of the shedding flow; %s",
		float64(j.Value), BeginShedding(p))
}

// BeginShedding is what makes a flow shed soon: a perturbation that the case file offers.
func BeginShedding(p *setup.Problem) string {
	v := p.Case.Domain.Initial.Velocity
	text := fmt.Sprintf("%.3g, %.3g", v[0], v[1])
	if p.Flow.Lattice.Dim == 3 {
		text += fmt.Sprintf(", %.3g", v[2])
	}
	const moved = "place the body some hundredths of an L off the middle"
	stream, axis := setup.StreamOf(p.Case)
	if stream == 0 || axis != 0 || len(p.Bodies) > 0 && !slices.Contains(liftAxes(p, 0, axis), 1) { // shear is of the velocity along x over y
		return moved
	}
	return fmt.Sprintf(`begin with a little shear, domain.initial = { type = "shear", velocity = [%s], amplitude = 0.05 }, or %s`, text, moved)
}

// liftAxes are those across the stream along which a wake swings: of what is drawn along an axis, with nothing that sticks to its ends, the third one; none where that is
// not known.
func liftAxes(p *setup.Problem, i, axis int) (all []int) {
	dim := p.Flow.Lattice.Dim
	lo, hi := p.Bodies[i].Shape.Bounds()
	for a := range dim {
		if a == axis {
			continue
		}
		if dim == 3 && p.Case.Bodies[i].Shape.Extruded() && hi[a]-lo[a] > float64(p.Flow.Size[a])-2 { // from face to face
			if k := p.Flow.Faces[2*a].Kind; k != lbm.Periodic && !k.IsMirror() {
				return nil
			}
			continue
		}
		all = append(all, a)
	}
	return all
}

// isMirrored tells whether the flow past body i is mirror-symmetric along an axis, about the middle of the domain: faces, forces, the state at the
// start and the body.
func isMirrored(p *setup.Problem, i, axis int) bool {
	last := float64(p.Flow.Size[axis] - 1) // nodes are at 0 … last, so that the image of one is one
	image := func(x [3]float64) [3]float64 {
		x[axis] = last - x[axis]
		return x
	}
	return p.Flow.Force[axis] == 0 && p.Case.Domain.Force[axis].Constant() && (p.Case.Domain.Flow == nil || p.Case.Domain.Flow.Axis != axis) &&
		facesMirrored(p, axis, image) && startMirrored(p, axis, image) && bodyMirrored(p.Bodies[i].Shape, axis, image) && markersMirrored(p.Bodies[i].Markers.X, image)
}

// lookedAt are so many points along each axis at which images are compared.
const lookedAt = 17

// points are spread over a box.
func points(lo, hi [3]float64, dim int, at func(x [3]float64) bool) bool {
	n := [3]int{lookedAt, lookedAt, 1}
	if dim == 3 {
		n[2] = lookedAt
	}
	for k := range n[0] * n[1] * n[2] {
		index := [3]int{k % n[0], k / n[0] % n[1], k / (n[0] * n[1])}
		x := lo
		for a := range dim {
			x[a] += (hi[a] - lo[a]) * (float64(index[a]) + 0.5) / lookedAt
		}
		if !at(x) {
			return false
		}
	}
	return true
}

// reflected tells whether velocities, of the lattice, are the images of each other along an axis.
func reflected(p *setup.Problem, u, v [3]float64, axis int) bool {
	v[axis] = -v[axis]
	for a := range u {
		if !(math.Abs(u[a]-v[a]) <= mirrored*p.Case.Reference.Velocity) {
			return false
		}
	}
	return true
}

func facesMirrored(p *setup.Problem, axis int, image func(x [3]float64) [3]float64) bool {
	low, high := &p.Case.Domain.Boundary[2*axis], &p.Case.Domain.Boundary[2*axis+1]
	if low.Type != high.Type || low.Density != high.Density || low.Ramp != high.Ramp || low.Period != high.Period || low.Table != nil || high.Table != nil ||
		!low.Factor.Constant() || !high.Factor.Constant() || low.Factor.Value != high.Factor.Value {
		return false
	}
	var hi [3]float64
	for a := range p.Flow.Lattice.Dim {
		hi[a] = float64(p.Flow.Size[a] - 1)
	}
	for i := range 2 * p.Flow.Lattice.Dim {
		at, opposite := p.Flow.Faces[i].Velocity, p.Flow.Faces[i].Velocity
		if i/2 == axis {
			opposite = p.Flow.Faces[i^1].Velocity
		}
		if at == nil || opposite == nil {
			continue
		}
		onFace := func(x [3]float64) [3]float64 {
			if x[i/2] = 0; i%2 == 1 {
				x[i/2] = hi[i/2]
			}
			return x
		}
		if !points([3]float64{}, hi, p.Flow.Lattice.Dim, func(x [3]float64) bool {
			x = onFace(x)
			return reflected(p, at(x), opposite(image(x)), axis)
		}) {
			return false
		}
	}
	return true
}

func startMirrored(p *setup.Problem, axis int, image func(x [3]float64) [3]float64) bool {
	var hi [3]float64
	for a := range p.Flow.Lattice.Dim {
		hi[a] = float64(p.Flow.Size[a] - 1)
	}
	return points([3]float64{}, hi, p.Flow.Lattice.Dim, func(x [3]float64) bool {
		_, u := p.Initial()(x)
		_, v := p.Initial()(image(x))
		return reflected(p, u, v, axis)
	})
}

func bodyMirrored(s geometry.Shape, axis int, image func(x [3]float64) [3]float64) bool {
	lo, hi := s.Bounds()
	if other := image(lo); math.Abs(other[axis]-hi[axis]) > mirrored {
		return false
	}
	return points(lo, hi, s.Dim(), func(x [3]float64) bool { return s.Contains(x) == s.Contains(image(x)) })
}

// markersMirrored tells whether the image of every marker is a marker: those of spheres lie on a spiral, and their forces begin a wake.
func markersMirrored(x []geometry.Vec, image func(x [3]float64) [3]float64) bool {
	order := func(a, b geometry.Vec) int {
		for k := range a {
			if d := a[k] - b[k]; math.Abs(d) > mirrored {
				return int(math.Copysign(1, d))
			}
		}
		return 0
	}
	there, images := slices.Clone(x), make([]geometry.Vec, len(x))
	for k := range x {
		images[k] = image(x[k])
	}
	slices.SortFunc(there, order)
	slices.SortFunc(images, order)
	for k := range there {
		if order(there[k], images[k]) != 0 {
			return false
		}
	}
	return true
}

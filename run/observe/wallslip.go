package observe

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/lbm"
)

// The wall is looked at from outside, without asking what velocity the markers were given or
// felt: the velocity relative to the body is taken at places along a marker's normal beyond the
// markers' supports, and followed to the wall by u + γd + cd² + bd³ at a distance d, with the slope
// γ = f_t/(ρν) of the force along the wall, which momentum's balance ties to the flow outside. With no slip, and the flow
// resolved, u is zero.
const (
	WallPlaces  = 3   // along a normal, a node from each other
	wallMarkers = 256 // of a body that are looked at, at most
	WallBodies  = 64  // that are looked at, at most
	wallNearest = 0.8 // no marker is nearer to a place than this, over its distance from its own wall
	wallLeast   = 8   // markers that must be looked at
)

// wallSlipMost is the velocity at the wall, in U, from which on a run tells that the wall is not
// where it is drawn. Cylinders whose layer has 2 nodes or more have less than 0.01, of 1 node, where
// drag is 11 % low, 0.06; spheres of 1.5 nodes 0.08. With twice the correction it is 0.13 at two nodes, without it −0.27, and −0.10 at four (docs/method.md, 3).
const wallSlipMost = 0.1

// WallSlipText is what to tell of it; empty where it is small. canCorrect tells whether the correction of the
// wall, which is not in use, would make it better.
func WallSlipText(slip float64, canCorrect bool) string {
	if !(math.Abs(slip) > wallSlipMost) {
		return ""
	}
	remedy := "raise reference.resolution"
	if canCorrect {
		remedy = "take ib.correction = \"slip\", or " + remedy
	}
	return fmt.Sprintf("the flow outside leads to %.2g U at the wall, more than %g either way: it is felt %s its markers, or its boundary layer is not resolved: %s",
		slip, wallSlipMost, map[bool]string{true: "behind", false: "in front of"}[slip > 0], remedy)
}

// WallSlip is that of body i.
func (r *State[T]) WallSlip(i int) float64 {
	b := r.Bodies[i]
	rays := r.wallRays(i)
	if len(rays) < wallLeast || float64(r.Step) < b.Moves { // the wall does not have the body's velocity yet
		return math.NaN()
	}
	points := make([][3]float64, 0, len(rays)*WallPlaces)
	for k := range rays {
		for j := range WallPlaces {
			points = append(points, rays[k].place(j))
		}
	}
	u := make([]geometry.Vec, len(points))
	r.Sample(points, func(k int, _ float64, v [3]float64) { u[k] = v })
	state, traction := b.State(), r.Sim.Traction(i)
	var sum, area float64
	for k := range rays {
		ray := &rays[k]
		var slope geometry.Vec
		for a, f := range traction {
			slope[a] = float64(f[ray.marker]) / r.Flow.Collision.Viscosity()
		}
		sum += ray.area * ray.Slip(state.VelocityAt(ray.at), slope, u[k*WallPlaces:][:WallPlaces])
		area += ray.area
	}
	return r.Units.FromLatticeVelocity(sum / area)
}

// WallRay is a marker from which the flow is looked at.
type WallRay struct {
	marker      int          // of the body
	at, Out     geometry.Vec // its place, and the normal to the side of the flow
	First, area float64      // distance of the first place from it, and what it stands for
}

// place is the k-th place along the ray.
func (w *WallRay) place(k int) geometry.Vec { return w.at.Add(w.Out.Scale(w.First + float64(k))) }

// along is the part of a vector along the wall.
func (w *WallRay) along(v geometry.Vec) geometry.Vec { return v.Sub(w.Out.Scale(v.Dot(w.Out))) }

// Slip is the velocity along the wall that follows from its slope there and the velocities u at the places,
// in the direction that it has at the first of them; wall is the wall's own.
func (w *WallRay) Slip(wall, slope geometry.Vec, u []geometry.Vec) float64 {
	x, y, z := w.First, w.First+1, w.First+2
	weights := [WallPlaces]float64{y * y * z * z, -2 * x * x * z * z, x * x * y * y} // Σ w d² = Σ w d³ = 0
	all := weights[0] + weights[1] + weights[2]
	var at geometry.Vec
	for k, v := range u {
		v = w.along(v.Sub(wall).Sub(slope.Scale(w.First + float64(k))))
		at = at.Add(v.Scale(weights[k] / all))
	}
	near := w.along(u[0].Sub(wall))
	if speed := near.Norm(); speed > 0 {
		return at.Dot(near) / speed
	}
	return 0
}

// wallRays are the rays of body i: of its markers with a normal, as many as are looked at, those
// whose places are in the fluid and near no other wall.
func (r *State[T]) wallRays(i int) (rays []WallRay) {
	b, side := r.Bodies[i], 1.
	if r.Flow.Collision.Smagorinsky != 0 { // the stress has another viscosity
		return nil
	}
	switch r.Case.Bodies[i].Fluid {
	case "inside":
		side = -1
	case "both": // a side is told by neither normal nor flow
		return nil
	}
	delta, err := ib.NewDelta[T](r.Coupling.Delta)
	if err != nil {
		return nil
	}
	near := r.around(i, float64(delta.Support())*2+WallPlaces)
	stride := (b.Markers.Len() + wallMarkers - 1) / wallMarkers
	for k := 0; k < b.Markers.Len(); k += stride {
		out := b.Markers.Normal[k].Scale(side)
		if out.Norm() == 0 { // it stands for two sides
			continue
		}
		reach := float64(delta.Support()) / 2 // of a support, along each axis
		ray := WallRay{marker: k, at: b.Markers.X[k], Out: out, area: b.Markers.Area[k], First: reach * (math.Abs(out[0]) + math.Abs(out[1]) + math.Abs(out[2]))}
		if r.isFree(&ray, near) {
			rays = append(rays, ray)
		}
	}
	return rays
}

// around are the bodies of which something may be within a distance of body i, itself among them.
func (r *State[T]) around(i int, distance float64) (near []*rigid.Body) {
	reach := func(b *rigid.Body) float64 {
		lo, hi := b.Shape.Bounds()
		return hi.Sub(lo).Norm() // of any turn, about a centre that is within
	}
	center, own := r.Bodies[i].State().Position, reach(r.Bodies[i])
	for _, o := range r.Bodies {
		if r.Apart(center, o.State().Position).Norm() <= own+reach(o)+distance {
			near = append(near, o)
		}
	}
	return near
}

// isFree tells whether the places of a ray are in the fluid and near no wall but their own, given the bodies around.
func (r *State[T]) isFree(ray *WallRay, near []*rigid.Body) bool {
	for k := range WallPlaces {
		x, from := ray.place(k), wallNearest*(ray.First+float64(k))
		for a := range r.Flow.Lattice.Dim {
			n := r.Flow.Size[a]
			if r.Flow.Faces[2*a].Kind != lbm.Periodic && (x[a] < 0 || x[a] > float64(n-1)) {
				return false
			}
		}
		for _, o := range near {
			if r.comesNear(o, x, from) {
				return false
			}
		}
	}
	for k := range WallPlaces {
		if r.Flow.HasWalls() && r.besideSolid(ray.place(k)) {
			return false
		}
	}
	return true
}

// comesNear tells whether a marker of a body is nearer to a point than a distance.
func (r *State[T]) comesNear(b *rigid.Body, x geometry.Vec, distance float64) bool {
	for _, m := range b.Markers.X {
		if d := r.Apart(m, x); d.Dot(d) < distance*distance {
			return true
		}
	}
	return false
}

// besideSolid tells whether one of the nodes around a point is a wall.
func (r *State[T]) besideSolid(x geometry.Vec) bool {
	var lo, hi [3]int
	hi[2] = 1
	for a := range r.Flow.Lattice.Dim {
		lo[a] = int(math.Floor(x[a]))
		hi[a] = lo[a] + 2
	}
	return slices.Contains(r.SolidIn(lo, hi), true)
}

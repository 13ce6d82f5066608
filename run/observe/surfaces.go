package observe

import (
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/io/casefile"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// surfacesSeries lists the files of elastic bodies' surfaces and lines, which are beside those of the whole domain.
const surfacesSeries = "cells.vtkhdf.series"

// HasSurfaces tells whether there are elastic bodies.
func HasSurfaces(p *setup.Problem) bool {
	return len(p.Coupling.Cells) > 0 || slices.ContainsFunc(p.Bodies, func(b *rigid.Body) bool { return b.Structure != nil })
}

// SurfacesOf are the surfaces and lines of all elastic bodies as they are, in L, not cut at periodic faces, with the
// number of the body, surfaces first, and on their vertices and nodes the velocity in U, the tension in ρU²L, of lines in ρU²L^(d−1),
// and the curvature in 1/L, of surfaces in space the mean one; nil without such bodies.
// With waiting, cells that wait to enter are points, so that the arrays are always as long.
func SurfacesOf[T lbm.Float](r *State[T], waiting bool) *vtkhdf.Poly {
	if !HasSurfaces(r.Problem) {
		return nil
	}
	r.Sim.Flush()
	var poly vtkhdf.Poly
	var id, velocity, tension, curvature []float32
	add := func(number int, places, velocities []geometry.Vec) {
		for _, x := range places {
			poly.Points = append(poly.Points, r.Place(x))
			id = append(id, float32(number))
		}
		for _, u := range velocities {
			for _, v := range u {
				velocity = append(velocity, float32(r.Units.FromLatticeVelocity(v)))
			}
		}
	}
	addState := func(quantity casefile.Quantity) func(tensions, curvatures []float64) {
		return func(tensions, curvatures []float64) {
			for i := range tensions {
				tension = append(tension, float32(r.Units.FromLattice(quantity, tensions[i])))
				curvature = append(curvature, float32(r.Units.FromLattice(casefile.Curvature, curvatures[i])))
			}
		}
	}
	for i, c := range r.Sim.Cells {
		if c.Away() && !waiting {
			continue
		}
		first := len(poly.Points)
		if c.Ring != nil {
			line := make([]int, c.Ring.Vertices()+1) // the last is the first again
			for k := range c.Ring.Vertices() {
				line[k] = first + k
			}
			line[c.Ring.Vertices()] = first
			poly.Lines = append(poly.Lines, line)
			addState(casefile.Force)(c.Ring.AtVertices(c.Points()))
		} else {
			addState(casefile.Tension)(c.Membrane.AtVertices(c.Points()))
			mesh := c.Membrane.Mesh()
			for k := range mesh.Triangles() {
				t := mesh.Triangle(k)
				poly.Triangles = append(poly.Triangles, [3]int{first + t[0], first + t[1], first + t[2]})
			}
		}
		places := c.Points()
		if c.Away() {
			places = slices.Repeat([]geometry.Vec{c.Center}, len(places))
		}
		add(i, places, c.Velocities())
	}
	number := len(r.Sim.Cells)
	for _, b := range r.Bodies {
		if f, ok := b.Structure.(*flexible.Filament); ok {
			line := make([]int, f.Line.Len())
			for k := range line {
				line[k] = len(poly.Points) + k
			}
			poly.Lines = append(poly.Lines, line)
			add(number, f.Line.X(), f.Line.U())
			addState(casefile.Force)(f.Line.AtNodes())
			number++
		}
		if s, ok := b.Structure.(*flexible.Sheet); ok {
			first, n := len(poly.Points), s.Plate.Nodes()
			for k := range s.Plate.Len() - n[0] {
				if (k+1)%n[0] != 0 {
					a, up := first+k, first+k+n[0]
					poly.Triangles = append(poly.Triangles, [3]int{a, a + 1, up + 1}, [3]int{a, up + 1, up})
				}
			}
			add(number, s.Plate.X(), s.Plate.U())
			addState(casefile.Tension)(s.Plate.AtNodes())
			number++
		}
	}
	poly.Arrays = []vtkhdf.Array{{Name: "body", Components: 1, Data: id}, {Name: "velocity", Components: 3, Data: velocity},
		{Name: "tension", Components: 1, Data: tension}, {Name: "curvature", Components: 1, Data: curvature}}
	return &poly
}

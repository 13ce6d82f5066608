package observe

import (
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
)

// surfacesSeries lists the files of elastic bodies' surfaces, which are beside those of the whole domain.
const surfacesSeries = "cells.vtkhdf.series"

// surfacesOf are the surfaces of all elastic bodies as they are, in L, not cut at periodic faces, with the
// number of the body and the velocity in U on their vertices; nil without such bodies.
func surfacesOf[T lbm.Float](r *State[T]) *vtkhdf.Poly {
	if len(r.Sim.Cells) == 0 {
		return nil
	}
	r.Sim.Flush()
	var poly vtkhdf.Poly
	var id, velocity []float32
	for i, c := range r.Sim.Cells {
		first, mesh := len(poly.Points), c.Membrane.Mesh()
		for k := range mesh.Triangles() {
			t := mesh.Triangle(k)
			poly.Triangles = append(poly.Triangles, [3]int{first + t[0], first + t[1], first + t[2]})
		}
		for _, x := range c.Points() {
			poly.Points = append(poly.Points, r.Place(x))
			id = append(id, float32(i))
		}
		for _, u := range c.Velocities() {
			for _, v := range u {
				velocity = append(velocity, float32(r.Units.FromLatticeVelocity(v)))
			}
		}
	}
	poly.Arrays = []vtkhdf.Array{{Name: "body", Components: 1, Data: id}, {Name: "velocity", Components: 3, Data: velocity}}
	return &poly
}

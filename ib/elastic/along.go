package elastic

import (
	"math"

	"lbmib/ib/elastic/internal/simd/layout"
)

// Along stores in t the force per area that acts along the surface of the cells of a block at x, at their vertices, of forces f on these: the part of the
// force on a vertex across the normal there (of the triangles around it, by area) over its area, a third of these triangles. It is smoothed by a mean over
// the neighbours of each vertex, twice as often as rounds tells: explicit steps in which vertices move by a multiple of it are unstable otherwise, see Rounds.
// Blocks are as Forces has them, and so is s, in which the first call allocates, and which is then ready for Slide.
func (m *Membrane) Along(s *Scratch, x, f, t []float64, rounds, used int) {
	for _, b := range [][]float64{x, f, t} {
		m.mesh.mustBlock(b)
	}
	if len(s.normal) != len(x) {
		s.normal = make([]float64, len(x))
		for i := range s.along {
			s.along[i] = make([]float64, len(x)+vertexLen) // zeros are the last
		}
	}
	s.block.Used = used
	m.surface(s, x) // N, areas
	clear(s.normal)
	m.addNormals(s, s.normal)
	if m.kernels == nil {
		m.alongInGo(s, f, t, rounds)
		return
	}
	b, k, vertices := &s.block, m.kernels, len(m.mesh.points)
	over := func(kernel func(*layout.Block), count int) {
		b.Count = count
		kernel(b)
	}
	b.X, b.U, b.F = &f[0], &s.along[0][0], &s.normal[0]
	over(k.Tractions, vertices)
	b.Fan = &m.mesh.fans[0]
	for range rounds {
		b.U, b.F = &s.along[0][0], &s.along[1][0]
		over(k.Means, len(m.mesh.fans))
		b.U, b.F = b.F, b.U
		over(k.Means, len(m.mesh.fans))
	}
	b.X, b.U, b.F = &t[0], &s.along[0][0], &s.normal[0]
	over(k.AcrossNormals, vertices)
}

// Normals stores the unit normals at the vertices of the cells of a block at x in normal, a block, and the areas around them, Lanes for every vertex, in area.
func (m *Membrane) Normals(s *Scratch, x []float64, used int, normal, area []float64) {
	m.mesh.mustBlock(x)
	m.mesh.mustBlock(normal)
	s.block.Used = used
	m.surface(s, x)
	clear(normal)
	m.addNormals(s, normal)
	for v := range area[:len(area)/Lanes] {
		n, of := corner(normal, int32(vertexLen*v)), area[Lanes*v:][:Lanes]
		copy(of, s.vertex[vertexLen*v:])
		for l := range Lanes {
			inverse := 1 / math.Sqrt(n[l]*n[l]+n[Lanes+l]*n[Lanes+l]+n[2*Lanes+l]*n[2*Lanes+l])
			n[l], n[Lanes+l], n[2*Lanes+l] = n[l]*inverse, n[Lanes+l]*inverse, n[2*Lanes+l]*inverse
		}
	}
}

// addNormals adds N of triangles, which surface has found, to their corners.
func (m *Membrane) addNormals(s *Scratch, to []float64) {
	if m.kernels != nil {
		s.block.F, s.block.Count = &to[0], len(m.mesh.triangles)
		m.kernels.Normals(&s.block)
		return
	}
	for k, o := range m.triangles[:len(m.mesh.triangles)] {
		n := s.facetAt(int32(facetLen * k))
		for _, c := range o.Corner {
			at := corner(to, c)
			for i := range at {
				at[i] += n[i]
			}
		}
	}
}

// Slide adds per times the tractions t that Along has found last to the velocities u of vertices, and takes from these, evenly along the normals, what
// makes the volume enclosed grow: a fluid has no flux through a closed surface, what is interpolated has some.
func (m *Membrane) Slide(s *Scratch, u, t []float64, per float64) {
	m.mesh.mustBlock(u)
	m.mesh.mustBlock(t)
	b := &s.block
	b.Flux, b.Growth = lanes{}, lanes{}
	if m.kernels == nil {
		m.slideInGo(s, u, t, per)
		return
	}
	layout.Fill(&b.Slip, per)
	vertices := len(m.mesh.points)
	b.X, b.U, b.F, b.Count = &u[0], &t[0], &s.normal[0], vertices
	m.kernels.Slides(b)
	for l := range Lanes {
		b.Flux[l] /= b.Growth[l]
	}
	b.Count = vertices
	m.kernels.Encloses(b)
}

func (m *Membrane) slideInGo(s *Scratch, u, t []float64, per float64) {
	flux, all := &s.block.Flux, &s.block.Growth
	for v := int32(0); int(v) < len(u); v += vertexLen {
		n, growth, to, by := corner(s.normal, v), row(s.vertex, v+Lanes), corner(u, v), corner(t, v)
		for i := range to {
			to[i] += per * by[i]
		}
		for l := range Lanes {
			flux[l] += growth[l] * (n[l]*to[l] + n[Lanes+l]*to[Lanes+l] + n[2*Lanes+l]*to[2*Lanes+l])
			all[l] += growth[l]
		}
	}
	for l := range Lanes {
		flux[l] /= all[l]
	}
	for k, n := range s.normal {
		u[k] -= flux[k%Lanes] * n
	}
}

func (m *Membrane) alongInGo(s *Scratch, f, t []float64, rounds int) {
	across := func(v int32, of, on []float64, share *lanes) {
		n, a, to := corner(s.normal, v), corner(of, v), corner(on, v)
		for l := range Lanes {
			x, y, z := n[l], n[Lanes+l], n[2*Lanes+l]
			along := a[l]*x + a[Lanes+l]*y + a[2*Lanes+l]*z
			to[l], to[Lanes+l], to[2*Lanes+l] = (a[l]-along*x)*share[l], (a[Lanes+l]-along*y)*share[l], (a[2*Lanes+l]-along*z)*share[l]
		}
	}
	one := lanes{1, 1, 1, 1, 1, 1, 1, 1}
	for v := int32(0); int(v) < len(t); v += vertexLen {
		n, area, length, share := corner(s.normal, v), row(s.vertex, v), row(s.vertex, v+Lanes), lanes{}
		for l := range Lanes {
			length[l] = math.Sqrt(n[l]*n[l] + n[Lanes+l]*n[Lanes+l] + n[2*Lanes+l]*n[2*Lanes+l])
			inverse := 1 / length[l]
			n[l], n[Lanes+l], n[2*Lanes+l] = n[l]*inverse, n[Lanes+l]*inverse, n[2*Lanes+l]*inverse
			share[l] = 1 / area[l]
		}
		across(v, f, s.along[0], &share)
	}
	for k := range 2 * rounds {
		m.means(s.along[k%2], s.along[1-k%2])
	}
	for v := int32(0); int(v) < len(t); v += vertexLen {
		across(v, s.along[0], t, &one)
	}
}

// means stores in to the means of from over the neighbours of vertices.
func (m *Membrane) means(from, to []float64) {
	for i := range m.mesh.fans {
		f := &m.mesh.fans[i]
		onto, on := corner(to, f.Onto), corner(to, f.Of)
		for k := range on {
			sum := 0.
			for _, v := range f.Around {
				sum += from[int(v)+k]
			}
			on[k] = onto[k] + f.Share*sum
		}
	}
}

// mostRounds bounds how often a traction is smoothed.
const mostRounds = 12

// Rounds is how often a traction f is smoothed that moves vertices by e f/(ρν): so often that explicit steps are stable where K Δt/(ρνΔx), K the largest eigenvalue of
// −∂F/∂X, is most; or as often as is worth it, and up to which K Δt/(ρνΔx). The area of a vertex and e are in nodes. Waves along a membrane that leave the neighbours of a
// vertex γ of it in the mean are stiff as (1 − γ)/1.5 K and are smoothed to γ^2r: they may take a quarter of what a step of second order bears, as the fluid's own answer takes
// some. Spheres of radius 5 in shear, with roma3 and K Δt/(ρνΔx) = 12, went wrong with a half of the rounds, with vertices of 1.3 and 0.5 nodes².
func Rounds(area, e, most float64) (rounds int, stiffness float64) {
	for rounds = 1; ; rounds++ {
		p := float64(2 * rounds)
		stiffest := math.Pow(p/(p+1), p) / (p + 1) / 1.5
		if stiffness = area / (4 * e * stiffest); stiffness >= most || rounds == mostRounds {
			return rounds, stiffness
		}
	}
}

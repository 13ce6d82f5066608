package elastic

import (
	"math"
	"unsafe"
)

// chunkTriangles is how many triangles go through the stages of Forces together: so
// few that what passes between stages stays in the first cache (23 KB).
const chunkTriangles = 16

// lanes is a number of every cell of a block, rows one of every triangle of a chunk.
type (
	lanes = [Lanes]float64
	rows  = [chunkTriangles]lanes
)

// chunk is what stages of Forces hand on. The force on corner i of a triangle with
// sides e1 and e2 from its first corner and N = e1 × e2 is
//
//	f1 = −(s11 e1 + s12 e2) + (b1 + p) N
//	f2 = −(s12 e1 + s22 e2) + (b2 + p) N
//	f0 = (s11 + s12) e1 + (s12 + s22) e2 + (p − b1 − b2) N
//
// s = 2 ∂E/∂g holds all that depends on the shape of the triangle alone, b what turns it
// about its sides (bending), p the pressure: without net force and torque, whatever s
// is, and for such b as prepare of a bending model gives.
type chunk struct {
	first         int // triangle
	e1, e2        [3]rows
	g11, g12, g22 rows
	i1, i2        rows
	w1, w2        rows
	s11, s12, s22 rows
	tension       rows // isotropic, force per length: its s is tension·A g⁻¹, added by scatter
	b1, b2        rows
}

// Scratch is what Forces and the measures of a Membrane work in; one for each worker.
type Scratch struct {
	chunk   chunk
	normal  []float64 // N of triangles: component a of triangle k from ((k/16·3+a)·16+k%16)·8
	inverse []float64 // 1/|N| of triangle k from 8k
	vertex  []float64 // of vertex v from 16v: a third of the area around it, then a sum over its edges
	edge    []float64 // of edge e from 8e: what the bending model keeps
	own     []float64 // what else the bending model keeps
	area    lanes     // A
	volume  lanes     // V
	around  lanes     // tension of the area penalty
	across  lanes     // a sixth of the pressure of the volume penalty
}

// NewScratch is scratch for one worker.
func (m *Membrane) NewScratch() *Scratch {
	s := &Scratch{
		normal:  make([]float64, 3*Lanes*len(m.corners)),
		inverse: make([]float64, Lanes*len(m.corners)),
		vertex:  make([]float64, 2*Lanes*len(m.mesh.points)),
		edge:    make([]float64, Lanes*len(m.mesh.edges)),
	}
	if m.bending != nil {
		s.own = make([]float64, m.bending.room(m))
	}
	return s
}

// flat are the numbers of rows, one after the other.
func flat(r *rows) []float64 { return unsafe.Slice(&r[0][0], chunkTriangles*Lanes) }

// row is the numbers of all lanes from number k on.
func row(x []float64, k int32) *lanes { return (*lanes)(x[k:]) }

// corner is the numbers of a vertex, x of all lanes first.
func corner(x []float64, k int32) *[vertexLen]float64 { return (*[vertexLen]float64)(x[k:]) }

// normalAt is where the numbers of triangle k begin in normal; components are nextComponent apart.
func normalAt(k int32) int32 {
	return (k/chunkTriangles*3*chunkTriangles + k%chunkTriangles) * Lanes
}

const nextComponent = chunkTriangles * Lanes

// surface stores N and 1/|N| of all triangles, the areas around vertices, and A and V
// of all lanes; the sums over edges at vertices become 0.
func (m *Membrane) surface(s *Scratch, x []float64) {
	clear(s.vertex)
	s.area, s.volume = lanes{}, lanes{}
	origin := *corner(x, 0)
	for k, o := range m.corners[:len(m.mesh.triangles)] {
		p0, p1, p2 := corner(x, o[0]), corner(x, o[1]), corner(x, o[2])
		at := normalAt(int32(k))
		nx, ny, nz := row(s.normal, at), row(s.normal, at+nextComponent), row(s.normal, at+2*nextComponent)
		inverse := row(s.inverse, int32(Lanes*k))
		a0, a1, a2 := row(s.vertex, o[0]/3*2), row(s.vertex, o[1]/3*2), row(s.vertex, o[2]/3*2)
		for l := range Lanes {
			x0, y0, z0 := p0[l], p0[Lanes+l], p0[2*Lanes+l]
			ax, ay, az := p1[l]-x0, p1[Lanes+l]-y0, p1[2*Lanes+l]-z0
			bx, by, bz := p2[l]-x0, p2[Lanes+l]-y0, p2[2*Lanes+l]-z0
			x, y, z := ay*bz-az*by, az*bx-ax*bz, ax*by-ay*bx
			nx[l], ny[l], nz[l] = x, y, z
			twice := math.Sqrt(x*x + y*y + z*z)
			inverse[l] = 1 / twice
			third := twice * (1. / 6)
			a0[l] += third
			a1[l] += third
			a2[l] += third
			s.area[l] += twice
			s.volume[l] += (x0-origin[l])*x + (y0-origin[Lanes+l])*y + (z0-origin[2*Lanes+l])*z
		}
	}
	for l := range Lanes {
		s.area[l] /= 2
		s.volume[l] /= 6
	}
}

// gather stores the sides of a chunk's triangles, their metric and invariants.
func (m *Membrane) gather(s *Scratch, x []float64) {
	c := &s.chunk
	corners := (*[chunkTriangles][3]int32)(m.corners[c.first:])
	references := (*[chunkTriangles]reference)(m.reference[c.first:])
	normal := s.normal[3*Lanes*c.first:]
	for t := range chunkTriangles {
		p0, p1, p2 := corner(x, corners[t][0]), corner(x, corners[t][1]), corner(x, corners[t][2])
		nx, ny, nz := row(normal, int32(Lanes*t)), row(normal, int32(Lanes*t+nextComponent)), row(normal, int32(Lanes*t+2*nextComponent))
		r := references[t]
		for l := range Lanes {
			ax, ay, az := p1[l]-p0[l], p1[Lanes+l]-p0[Lanes+l], p1[2*Lanes+l]-p0[2*Lanes+l]
			bx, by, bz := p2[l]-p0[l], p2[Lanes+l]-p0[Lanes+l], p2[2*Lanes+l]-p0[2*Lanes+l]
			g11, g12, g22 := ax*ax+ay*ay+az*az, ax*bx+ay*by+az*bz, bx*bx+by*by+bz*bz
			det := nx[l]*nx[l] + ny[l]*ny[l] + nz[l]*nz[l]
			c.e1[0][t][l], c.e1[1][t][l], c.e1[2][t][l] = ax, ay, az
			c.e2[0][t][l], c.e2[1][t][l], c.e2[2][t][l] = bx, by, bz
			c.g11[t][l], c.g12[t][l], c.g22[t][l] = g11, g12, g22
			c.i1[t][l] = r.a11*g11 + 2*r.a12*g12 + r.a22*g22 - 2
			c.i2[t][l] = det*r.inverse - 1
		}
	}
}

// stress stores s = 2 ∂W/∂g times the area free of stress, and begins the isotropic
// tension with that of the area penalty and b with none.
func (m *Membrane) stress(s *Scratch) {
	c := &s.chunk
	references := (*[chunkTriangles]reference)(m.reference[c.first:])
	around := s.around
	for t := range chunkTriangles {
		r := references[t]
		for l := range Lanes {
			w1, w2 := r.twice*c.w1[t][l], r.twice*r.inverse*c.w2[t][l] // twice·½·2 = 2 A0
			c.s11[t][l] = w1*r.a11 + w2*c.g22[t][l]
			c.s12[t][l] = w1*r.a12 - w2*c.g12[t][l]
			c.s22[t][l] = w1*r.a22 + w2*c.g11[t][l]
			c.tension[t][l] = around[l]
			c.b1[t][l], c.b2[t][l] = 0, 0
		}
	}
}

// scatter adds the forces of a chunk's triangles to their vertices.
func (m *Membrane) scatter(s *Scratch, f []float64) {
	c := &s.chunk
	across := s.across
	normal, inverse := s.normal[3*Lanes*c.first:], s.inverse[Lanes*c.first:]
	for t, o := range m.corners[c.first:min(c.first+chunkTriangles, len(m.mesh.triangles))] {
		t &= chunkTriangles - 1
		f0, f1, f2 := corner(f, o[0]), corner(f, o[1]), corner(f, o[2])
		nx, ny, nz := row(normal, int32(Lanes*t)), row(normal, int32(Lanes*t+nextComponent)), row(normal, int32(Lanes*t+2*nextComponent))
		i := row(inverse, int32(Lanes*t))
		for l := range Lanes {
			h := 0.5 * c.tension[t][l] * i[l] // A g⁻¹ = adj g/(2|N|)
			s11 := c.s11[t][l] + h*c.g22[t][l]
			s12 := c.s12[t][l] - h*c.g12[t][l]
			s22 := c.s22[t][l] + h*c.g11[t][l]
			b1, b2, p := c.b1[t][l], c.b2[t][l], across[l]
			q0, q1, q2 := p-b1-b2, p+b1, p+b2
			r1, r2 := s11+s12, s12+s22

			a, b, n := c.e1[0][t][l], c.e2[0][t][l], nx[l]
			f0[l] += r1*a + r2*b + q0*n
			f1[l] += q1*n - s11*a - s12*b
			f2[l] += q2*n - s12*a - s22*b
			a, b, n = c.e1[1][t][l], c.e2[1][t][l], ny[l]
			f0[Lanes+l] += r1*a + r2*b + q0*n
			f1[Lanes+l] += q1*n - s11*a - s12*b
			f2[Lanes+l] += q2*n - s12*a - s22*b
			a, b, n = c.e1[2][t][l], c.e2[2][t][l], nz[l]
			f0[2*Lanes+l] += r1*a + r2*b + q0*n
			f1[2*Lanes+l] += q1*n - s11*a - s12*b
			f2[2*Lanes+l] += q2*n - s12*a - s22*b
		}
	}
}

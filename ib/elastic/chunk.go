package elastic

import (
	"math"
	"unsafe"

	"lbmib/ib/elastic/internal/simd/layout"
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
	membrane *Membrane // whose numbers block has
	chunk    chunk
	block    layout.Block
	fused    func(*layout.Block) // the kernel of triangles' forces; nil: the stages of chunk
	facet    []float64           // N of triangle k from 32k, and 1/|N|
	vertex   []float64           // of vertex v from 24v: a third of the area around it, then a sum over its edges or triangles
	edge     []float64           // of edge e from 8e: what the bending model keeps
	own      []float64           // what else it keeps, of vertex v from 24v

	normal []float64    // of Along, of vertex v from 24v
	along  [2][]float64 // of Along: tractions, and what they are smoothed to
}

// NewScratch is scratch for one worker.
func (m *Membrane) NewScratch() *Scratch {
	s := &Scratch{
		facet:  make([]float64, facetLen*len(m.triangles)),
		vertex: make([]float64, m.mesh.BlockLen()),
		edge:   make([]float64, Lanes*len(m.mesh.edges)),
	}
	if m.bending != nil {
		s.own = make([]float64, m.bending.room(m))
	}
	s.block.Used = Lanes
	m.bind(s)
	return s
}

// flat are the numbers of rows, one after the other.
func flat(r *rows) []float64 { return unsafe.Slice(&r[0][0], chunkTriangles*Lanes) }

// row is the numbers of all lanes from number k on.
func row(x []float64, k int32) *lanes { return (*lanes)(x[k:]) }

// corner is the numbers of a vertex, x of all lanes first.
func corner(x []float64, k int32) *[vertexLen]float64 { return (*[vertexLen]float64)(x[k:]) }

// facet is N of a triangle, x of all lanes first, and 1/|N|.
type facet = [facetLen]float64

const facetLen = layout.FacetLen

// facetAt is the facet that begins at number k.
func (s *Scratch) facetAt(k int32) *facet { return (*facet)(s.facet[k:]) }

// surface stores N and 1/|N| of all triangles, the areas around vertices, and A and V
// of all lanes; the sums over edges at vertices become 0.
func (m *Membrane) surface(s *Scratch, x []float64) {
	m.bind(s)
	clear(s.vertex)
	b := &s.block
	b.Area, b.Volume = lanes{}, lanes{}
	if m.kernels != nil {
		b.X = &x[0]
		b.Count = len(m.mesh.triangles)
		m.kernels.Surface(b)
	} else {
		m.surfaceInGo(s, x)
	}
	for l := range Lanes {
		b.Area[l] /= 2
		b.Volume[l] /= 6
	}
}

func (m *Membrane) surfaceInGo(s *Scratch, x []float64) {
	b := &s.block
	origin := *corner(x, 0)
	for k, t := range m.triangles[:len(m.mesh.triangles)] {
		o := &t.Corner
		p0, p1, p2 := corner(x, o[0]), corner(x, o[1]), corner(x, o[2])
		n := s.facetAt(int32(facetLen * k))
		a0, a1, a2 := row(s.vertex, o[0]), row(s.vertex, o[1]), row(s.vertex, o[2])
		for l := range Lanes {
			x0, y0, z0 := p0[l], p0[Lanes+l], p0[2*Lanes+l]
			ax, ay, az := p1[l]-x0, p1[Lanes+l]-y0, p1[2*Lanes+l]-z0
			bx, by, bz := p2[l]-x0, p2[Lanes+l]-y0, p2[2*Lanes+l]-z0
			x, y, z := ay*bz-az*by, az*bx-ax*bz, ax*by-ay*bx
			n[l], n[Lanes+l], n[2*Lanes+l] = x, y, z
			twice := math.Sqrt(x*x + y*y + z*z)
			n[3*Lanes+l] = 1 / twice
			third := twice * (1. / 6)
			a0[l] += third
			a1[l] += third
			a2[l] += third
			b.Area[l] += twice
			b.Volume[l] += (x0-origin[l])*x + (y0-origin[Lanes+l])*y + (z0-origin[2*Lanes+l])*z
		}
	}
}

// gather stores the sides of a chunk's triangles, their metric and invariants.
func (m *Membrane) gather(s *Scratch, x []float64) {
	c := &s.chunk
	triangles := (*[chunkTriangles]layout.Triangle)(m.triangles[c.first:])
	facets := s.facet[facetLen*c.first:]
	for t := range chunkTriangles {
		r := &triangles[t]
		p0, p1, p2 := corner(x, r.Corner[0]), corner(x, r.Corner[1]), corner(x, r.Corner[2])
		n := (*facet)(facets[facetLen*t:])
		a11, a12, a22, inverse := r.A11, r.A12, r.A22, r.Inverse
		for l := range Lanes {
			ax, ay, az := p1[l]-p0[l], p1[Lanes+l]-p0[Lanes+l], p1[2*Lanes+l]-p0[2*Lanes+l]
			bx, by, bz := p2[l]-p0[l], p2[Lanes+l]-p0[Lanes+l], p2[2*Lanes+l]-p0[2*Lanes+l]
			g11, g12, g22 := ax*ax+ay*ay+az*az, ax*bx+ay*by+az*bz, bx*bx+by*by+bz*bz
			nx, ny, nz := n[l], n[Lanes+l], n[2*Lanes+l]
			det := nx*nx + ny*ny + nz*nz
			c.e1[0][t][l], c.e1[1][t][l], c.e1[2][t][l] = ax, ay, az
			c.e2[0][t][l], c.e2[1][t][l], c.e2[2][t][l] = bx, by, bz
			c.g11[t][l], c.g12[t][l], c.g22[t][l] = g11, g12, g22
			c.i1[t][l] = a11*g11 + 2*a12*g12 + a22*g22 - 2
			c.i2[t][l] = det*inverse - 1
		}
	}
}

// stress stores s = 2 ∂W/∂g times the area free of stress, and begins the isotropic
// tension with that of the area penalty and b with none.
func (m *Membrane) stress(s *Scratch) {
	c := &s.chunk
	triangles := (*[chunkTriangles]layout.Triangle)(m.triangles[c.first:])
	around := s.block.Around
	for t := range chunkTriangles {
		r := &triangles[t]
		a11, a12, a22, twice, inverse := r.A11, r.A12, r.A22, r.Twice, r.Inverse
		for l := range Lanes {
			w1, w2 := twice*c.w1[t][l], twice*inverse*c.w2[t][l] // twice·½·2 = 2 A0
			c.s11[t][l] = w1*a11 + w2*c.g22[t][l]
			c.s12[t][l] = w1*a12 - w2*c.g12[t][l]
			c.s22[t][l] = w1*a22 + w2*c.g11[t][l]
			c.tension[t][l] = around[l]
			c.b1[t][l], c.b2[t][l] = 0, 0
		}
	}
}

// scatter adds the forces of a chunk's triangles to their vertices.
func (m *Membrane) scatter(s *Scratch, f []float64) {
	c := &s.chunk
	across := s.block.Across
	facets := s.facet[facetLen*c.first:]
	last := min(c.first+chunkTriangles, len(m.mesh.triangles))
	for t := range m.triangles[c.first:last] {
		o := &m.triangles[c.first+t].Corner
		t &= chunkTriangles - 1
		f0, f1, f2 := corner(f, o[0]), corner(f, o[1]), corner(f, o[2])
		n := (*facet)(facets[facetLen*t:])
		for l := range Lanes {
			h := 0.5 * c.tension[t][l] * n[3*Lanes+l] // A g⁻¹ = adj g/(2|N|)
			s11 := c.s11[t][l] + h*c.g22[t][l]
			s12 := c.s12[t][l] - h*c.g12[t][l]
			s22 := c.s22[t][l] + h*c.g11[t][l]
			b1, b2, p := c.b1[t][l], c.b2[t][l], across[l]
			q0, q1, q2 := p-b1-b2, p+b1, p+b2
			r1, r2 := s11+s12, s12+s22

			a, b, n0 := c.e1[0][t][l], c.e2[0][t][l], n[l]
			f0[l] += r1*a + r2*b + q0*n0
			f1[l] += q1*n0 - s11*a - s12*b
			f2[l] += q2*n0 - s12*a - s22*b
			a, b, n0 = c.e1[1][t][l], c.e2[1][t][l], n[Lanes+l]
			f0[Lanes+l] += r1*a + r2*b + q0*n0
			f1[Lanes+l] += q1*n0 - s11*a - s12*b
			f2[Lanes+l] += q2*n0 - s12*a - s22*b
			a, b, n0 = c.e1[2][t][l], c.e2[2][t][l], n[2*Lanes+l]
			f0[2*Lanes+l] += r1*a + r2*b + q0*n0
			f1[2*Lanes+l] += q1*n0 - s11*a - s12*b
			f2[2*Lanes+l] += q2*n0 - s12*a - s22*b
		}
	}
}

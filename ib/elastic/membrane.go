package elastic

import (
	"lbmib/ib/elastic/internal/simd"
	"lbmib/ib/elastic/internal/simd/layout"
)

// Membrane is a mesh made of a material: what all cells of a kind share. It never
// changes and serves any number of workers, each with its own Scratch.
type Membrane struct {
	mesh         *Mesh
	material     Material
	law          Law
	bending      bending           // nil: none
	triangles    []layout.Triangle // padded to whole chunks by copies of the last
	hinges       []layout.Hinge    // of edges
	area, volume float64           // A0, V0
	kernels      *simd.Kernels     // nil: plain Go
}

// NewMembrane is a mesh of a material; Material.Check and the models tell what is refused.
func NewMembrane(mesh *Mesh, material Material) (*Membrane, error) {
	law, err := NewLaw(material)
	if err != nil {
		return nil, err
	}
	material = material.withDefaults()
	m := &Membrane{mesh: mesh, material: material, law: law}
	m.area, m.volume = material.AreaRatio*mesh.Area(), material.VolumeRatio*mesh.Volume()
	for k := range (len(mesh.triangles) + chunkTriangles - 1) / chunkTriangles * chunkTriangles {
		k = min(k, len(mesh.triangles)-1)
		m.triangles = append(m.triangles, m.triangle(k))
	}
	for _, e := range mesh.edges {
		m.hinges = append(m.hinges, newHinge(e))
	}
	if material.Bending > 0 {
		m.bending = newBending(m)
	}
	m.kernels = kernelsOf(KernelNames()[0])
	return m, nil
}

// triangle is a triangle's places, and as it is free of stress: with g_ij that of G_ij as
// deformed I1 = G⁻¹:g − 2 and I2 = det g/det G − 1.
func (m *Membrane) triangle(k int) (t layout.Triangle) {
	for i := range 3 {
		t.Corner[i], t.Side[i] = vertexLen*m.mesh.triangles[k][i], Lanes*m.mesh.sides[k][i]
	}
	a, b, c := m.mesh.corners(k)
	e1, e2 := b.Sub(a).Scale(1/m.material.Prestress), c.Sub(a).Scale(1/m.material.Prestress)
	g11, g12, g22 := e1.Dot(e1), e1.Dot(e2), e2.Dot(e2)
	n := e1.Cross(e2)
	det := n.Dot(n)
	t.A11, t.A12, t.A22 = g22/det, -g12/det, g11/det
	t.Inverse, t.Twice = 1/det, n.Norm()
	return t
}

// Mesh is the membrane's mesh.
func (m *Membrane) Mesh() *Mesh { return m.mesh }

// Material is the membrane's material, with defaults filled in.
func (m *Membrane) Material() Material { return m.material }

// Forces stores in f the forces −∂E/∂X on the vertices of the cells of a block at x,
// less ∂Φ/∂U of the viscous dissipation potential Φ where the vertices move with u. A
// membrane without viscosity does not read u, which may be nil. Blocks are those of
// Lanes, their cells in the first used of them: what is in the others is not needed, and
// no forces are promised there. s is one worker's, and nothing is allocated. A triangle
// without area makes forces of its lane that are not finite: Inspect tells where.
func (m *Membrane) Forces(s *Scratch, x, u, f []float64, used int) {
	m.mesh.mustBlock(x)
	m.mesh.mustBlock(f)
	if m.Viscous() {
		m.mesh.mustBlock(u)
		s.block.U = &u[0]
	}
	clear(f)
	s.block.F, s.block.Used = &f[0], used
	m.surface(s, x) // N, A, V
	m.penalties(s)
	if m.bending != nil {
		m.bending.prepare(m, s, x, f)
	}
	if s.fused != nil {
		s.block.Count = len(m.mesh.triangles)
		s.fused(&s.block)
		return
	}
	m.triangleForces(s, x, u, f)
}

// Viscous tells whether Forces reads velocities.
func (m *Membrane) Viscous() bool {
	return m.material.ShearViscosity != 0 || m.material.AreaViscosity != 0
}

// triangleForces adds those of the law, the penalties, viscosity and what bending has left to do.
func (m *Membrane) triangleForces(s *Scratch, x, u, f []float64) {
	c := &s.chunk
	for c.first = 0; c.first < len(m.triangles); c.first += chunkTriangles {
		m.gather(s, x) // e1, e2, g, I1, I2
		m.law.Derivatives(flat(&c.w1), flat(&c.w2), flat(&c.i1), flat(&c.i2))
		m.stress(s)
		if m.bending != nil {
			m.bending.add(m, s)
		}
		if m.Viscous() {
			m.viscous(s, u)
		}
		m.scatter(s, f)
	}
}

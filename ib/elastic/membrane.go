package elastic

// Membrane is a mesh made of a material: what all cells of a kind share. It never
// changes and serves any number of workers, each with its own Scratch.
type Membrane struct {
	mesh         *Mesh
	material     Material
	law          Law
	bending      bending     // nil: none
	reference    []reference // of triangles, padded to whole chunks by copies of the last
	corners      [][3]int32  // likewise: where the numbers of a triangle's vertices begin in a block
	sides        [][3]int32  // likewise: its edges
	hinges       []hinge     // of edges
	area, volume float64     // A0, V0
}

// reference is a triangle free of stress: e1, e2 are the sides from its first corner,
// G_ij = e_i·e_j there, g_ij as deformed. I1 = G⁻¹:g − 2, I2 = det g/det G − 1.
type reference struct {
	a11, a12, a22 float64 // G⁻¹
	inverse       float64 // 1/det G
	twice         float64 // two areas
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
		t := mesh.triangles[k]
		m.reference = append(m.reference, m.referenceOf(k))
		m.corners = append(m.corners, [3]int32{vertexLen * t[0], vertexLen * t[1], vertexLen * t[2]})
		m.sides = append(m.sides, mesh.sides[k])
	}
	for _, e := range mesh.edges {
		m.hinges = append(m.hinges, newHinge(e))
	}
	if material.Bending > 0 {
		m.bending = newBending(m)
	}
	return m, nil
}

func (m *Membrane) referenceOf(k int) reference {
	a, b, c := m.mesh.corners(k)
	e1, e2 := b.Sub(a).Scale(1/m.material.Prestress), c.Sub(a).Scale(1/m.material.Prestress)
	g11, g12, g22 := e1.Dot(e1), e1.Dot(e2), e2.Dot(e2)
	n := e1.Cross(e2)
	det := n.Dot(n)
	return reference{g22 / det, -g12 / det, g11 / det, 1 / det, n.Norm()}
}

// Mesh is the membrane's mesh.
func (m *Membrane) Mesh() *Mesh { return m.mesh }

// Material is the membrane's material, with defaults filled in.
func (m *Membrane) Material() Material { return m.material }

// Forces stores in f the forces −∂E/∂X on the vertices of the cells of a block at x,
// less ∂Φ/∂U of the viscous dissipation potential Φ where the vertices move with u. A
// membrane without viscosity does not read u, which may be nil. Blocks are those of
// Lanes; s is one worker's, and nothing is allocated. A triangle without area makes
// forces of its lane that are not finite: Inspect tells where.
func (m *Membrane) Forces(s *Scratch, x, u, f []float64) {
	m.mesh.mustBlock(x)
	m.mesh.mustBlock(f)
	viscous := m.material.ShearViscosity != 0 || m.material.AreaViscosity != 0
	if viscous {
		m.mesh.mustBlock(u)
	}
	clear(f)
	m.surface(s, x) // N, A, V
	m.penalties(s)
	if m.bending != nil {
		m.bending.prepare(m, s, x, f)
	}
	c := &s.chunk
	for c.first = 0; c.first < len(m.corners); c.first += chunkTriangles {
		m.gather(s, x) // e1, e2, g, I1, I2
		m.law.Derivatives(flat(&c.w1), flat(&c.w2), flat(&c.i1), flat(&c.i2))
		m.stress(s)
		if m.bending != nil {
			m.bending.add(m, s)
		}
		if viscous {
			m.viscous(s, u)
		}
		m.scatter(s, f)
	}
}

package elastic

import "fmt"

// Tables are what Forces works with, for those who find the same forces elsewhere (on a device). Triangles, edges and
// vertices are numbered as by the mesh.
type Tables struct {
	Corner, Side [][3]int32   // of a triangle: its vertices, and the edge opposite each
	Edge         [][4]int32   // a, b, left, right: triangle left passes it from vertex a to b, right from b to a
	Ring         []int32      // where the part of Around begins that is of a vertex, and the end
	Around       []int32      // of the triangles around it, in their order: 3·triangle + corner
	Rest         [][6]float64 // of a triangle free of stress: G⁻¹ (11, 12, 22), 1/det G, 2A0; and the 2A below which it has collapsed
	H0           []float64    // of a vertex: the mean curvature free of bending

	Law           [5]float64 // ∂W/∂I1 = Law[0] + Law[1] I1, ∂W/∂I2 = Law[2] + Law[3] I2 + Law[4]/(I2+1)²
	Shear, Spread float64    // viscosities μ_s and μ_d − μ_s
	Bending       float64    // κ of Jülicher's energy
	Area, Volume  float64    // A0 and V0 of the penalties
}

// Tables are those of the membrane. Its error is a model that they cannot express.
func (m *Membrane) Tables() (*Tables, error) {
	law, ok := m.law.(rational)
	if !ok {
		return nil, fmt.Errorf("elastic: membrane: law %s is no rational function of the invariants: use one of %v", m.material.Law, LawNames())
	}
	b, ok := m.bending.(*juelicher)
	if m.bending != nil && !ok {
		return nil, fmt.Errorf("elastic: membrane: the bending model %s is none of forces by vertex: use %s", m.material.BendingModel, bendingModels[0].name)
	}
	mesh, p := m.mesh, m.material.Prestress
	t := &Tables{
		Corner: mesh.triangles, Side: mesh.sides, Law: law.coefficients(), Area: m.area, Volume: m.volume,
		Shear: m.material.ShearViscosity, Spread: m.material.AreaViscosity - m.material.ShearViscosity, H0: make([]float64, len(mesh.points)),
	}
	if b != nil {
		t.Bending, t.H0 = b.kappa, b.h0
	}
	for _, e := range mesh.edges {
		t.Edge = append(t.Edge, [4]int32{e.a, e.b, e.left, e.right})
	}
	around := make([][]int32, len(mesh.points))
	for k, corners := range mesh.triangles {
		r := &m.triangles[k]
		t.Rest = append(t.Rest, [6]float64{r.A11, r.A12, r.A22, r.Inverse, r.Twice, leastArea * r.Twice * p * p})
		for i, v := range corners {
			around[v] = append(around[v], int32(3*k+i))
		}
	}
	for _, of := range around {
		t.Ring, t.Around = append(t.Ring, int32(len(t.Around))), append(t.Around, of...)
	}
	t.Ring = append(t.Ring, int32(len(t.Around)))
	return t, nil
}

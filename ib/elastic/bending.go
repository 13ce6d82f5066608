package elastic

import (
	"fmt"
	"strings"

	"lbmib/ib/elastic/internal/simd"
)

// bending is a model of the bending energy, bound to a membrane.
type bending interface {
	// prepare works out what add needs from the block x, and adds forces that a chunk
	// cannot express to f.
	prepare(m *Membrane, s *Scratch, x, f []float64)
	// add puts the model's forces into the chunk of s.
	add(m *Membrane, s *Scratch)
	// fused is what kernels in assembly do for it beside the triangles' forces, after prepare,
	// and its stiffness.
	fused() (kind simd.Bending, stiffness float64)
	// room is how many numbers of own the model keeps in Scratch.
	room(m *Membrane) int
	// energy is that of every lane, after surface.
	energy(m *Membrane, s *Scratch, x []float64) lanes
}

// bendingModels are the table of all, the default first. A new one is its file and a line here.
var bendingModels = []struct {
	name    string
	curved  bool // knows a spontaneous curvature
	prepare func(*Membrane) bending
}{
	{"juelicher", true, newJuelicher},
	{"cotangent", false, newCotangent},
	{"dihedral", true, newDihedral},
}

// BendingNames are the names of bending models, the default first.
func BendingNames() (names []string) {
	for _, b := range bendingModels {
		names = append(names, b.name)
	}
	return names
}

func checkBending(m Material) error {
	for _, b := range bendingModels {
		if b.name != m.BendingModel {
			continue
		}
		if !b.curved && (m.Curvature != 0 || m.CurvedReference) {
			return fmt.Errorf("elastic: material: bending model %s knows no spontaneous curvature: use %s", b.name, bendingModels[0].name)
		}
		return nil
	}
	return fmt.Errorf("elastic: material: bending model %q is unknown: use one of %s", m.BendingModel, strings.Join(BendingNames(), ", "))
}

func newBending(m *Membrane) bending {
	for _, b := range bendingModels {
		if b.name == m.material.BendingModel {
			return b.prepare(m)
		}
	}
	panic("elastic: an unknown bending model was not refused")
}

// flex adds the energy Σ_e c_e l_e δθ_e of angles that change to b of a chunk's triangle,
// c0, c1 and c2 those of the edges opposite its corners. The angle of an edge changes by
// −Σ_i u_i E_i·E_e/(2A l_e) on either side, u_i the displacements of a triangle's corners
// along its normal and E_i its sides, each opposite corner i and all one way round. So
// corner i has the force N/|N|² Σ_e c_e E_i·E_e.
func flex(g11, g12, g22, inverse, c0, c1, c2 float64) (b1, b2 float64) {
	over := inverse * inverse
	return over * (g22*(c1-c0) + g12*(c0-c2)), over * (g11*(c2-c0) + g12*(c0-c1))
}

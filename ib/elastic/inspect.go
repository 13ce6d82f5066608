package elastic

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// leastArea is the part of its area in the mesh below which a triangle has collapsed: laws
// and meshes of the literature keep far above it, and forces that pass it grow without bound.
const leastArea = 0.05

// FaultKind is what is wrong with a cell.
type FaultKind int

// Kinds of faults.
const (
	NotFinite FaultKind = iota // a coordinate is no number
	Collapsed                  // a triangle has lost 95 % of its area
	Inverted                   // a triangle's normal is against the sum of its neighbours' unit normals
)

// Fault is a cell that is no membrane any more, and where.
type Fault struct {
	Kind     FaultKind
	Lane     int
	Triangle int          // of the mesh
	Where    geometry.Vec // the triangle's first corner
	Value    float64      // Collapsed: area over the mesh's; Inverted: cosine between its normal and its neighbours'
}

// Error says where, what and what to do; the cell is the caller's to name.
func (f Fault) Error() string {
	at := fmt.Sprintf("elastic: triangle %d at (%.4g, %.4g, %.4g)", f.Triangle, f.Where[0], f.Where[1], f.Where[2])
	const remedy = "use a smaller time step or velocity, a softer or a finer membrane, or more bending stiffness"
	switch f.Kind {
	case NotFinite:
		return fmt.Sprintf("%s has a coordinate that is not finite: %s", at, remedy)
	case Collapsed:
		return fmt.Sprintf("%s has shrunk to %.3g of its area, must keep %g: %s", at, f.Value, leastArea, remedy)
	}
	return fmt.Sprintf("%s is inverted, its normal makes %.0f° with its neighbours', must be below 90°: %s", at, math.Acos(max(f.Value, -1))*180/math.Pi, remedy)
}

// Inspect looks for a fault in the first so many lanes of a block at x; found is false
// where all is well. Of several it returns the first triangle's of the first lane.
func (m *Membrane) Inspect(s *Scratch, x []float64, used int) (fault Fault, found bool) {
	m.mesh.mustBlock(x)
	s.block.Used = used
	m.surface(s, x)
	doubtful := m.doubtful(s)
	for l := range min(used, Lanes) {
		if !doubtful[l] {
			continue
		}
		for k := range m.mesh.triangles {
			if f, bad := m.inspect(s, x, l, k); bad {
				return f, true
			}
		}
	}
	return Fault{}, false
}

// doubtful tells, after surface, in which lanes a triangle may have a fault: none has where
// all are large enough and no two neighbours' normals make more than 90°, as then the cosines
// between a normal and its neighbours', which inspect sums, are positive.
func (m *Membrane) doubtful(s *Scratch) (found [Lanes]bool) {
	p := m.material.Prestress
	for k := range m.mesh.triangles {
		most := (1 - 1e-12) / (leastArea * m.triangles[k].Twice * p * p) // less roundings
		inverse := row(s.facet, int32(facetLen*k+3*Lanes))
		for l, i := range inverse {
			if !(i > 0 && i < most) {
				found[l] = true
			}
		}
	}
	for k := range m.hinges {
		left, right := s.facetAt(m.hinges[k].Left), s.facetAt(m.hinges[k].Right)
		for l := range Lanes {
			if !(left[l]*right[l]+left[Lanes+l]*right[Lanes+l]+left[2*Lanes+l]*right[2*Lanes+l] > 0) {
				found[l] = true
			}
		}
	}
	return found
}

// inspect looks at a triangle in a lane, after surface.
func (m *Membrane) inspect(s *Scratch, x []float64, lane, k int) (f Fault, bad bool) {
	f = Fault{Lane: lane, Triangle: k, Where: Vertex(x, lane, int(m.mesh.triangles[k][0]))}
	inverse := s.facet[facetLen*k+3*Lanes+lane]
	if math.IsNaN(inverse) || inverse == 0 {
		f.Kind = NotFinite
		return f, true
	}
	p := m.material.Prestress
	if f.Value = 1 / (inverse * m.triangles[k].Twice * p * p); f.Value < leastArea {
		f.Kind = Collapsed
		return f, true
	}
	own, around := s.unitNormal(k, lane), geometry.Vec{}
	for _, e := range m.mesh.sides[k] {
		edge := m.mesh.edges[e]
		around = around.Add(s.unitNormal(int(edge.left+edge.right)-k, lane))
	}
	f.Kind, f.Value = Inverted, own.Dot(around)/around.Norm()
	// Neighbours that are none themselves are found in their own turn.
	return f, f.Value < 0 && finite.Is(f.Value)
}

// unitNormal is that of a triangle in a lane, after surface.
func (s *Scratch) unitNormal(k, lane int) (n geometry.Vec) {
	f := s.facetAt(int32(facetLen * k))
	for a := range 3 {
		n[a] = f[a*Lanes+lane] * f[3*Lanes+lane]
	}
	return n
}

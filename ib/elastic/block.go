package elastic

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib/elastic/internal/simd/layout"
)

// Lanes is the number of cells in a block: component a of vertex v of the cell in lane l
// is number (3v+a)·Lanes+l of the block's positions, velocities and forces. A lane's
// results depend on that lane alone. Lanes without a cell may hold anything.
const Lanes = layout.Lanes

// vertexLen is how many numbers of a block are a vertex's.
const vertexLen = layout.VertexLen

// BlockLen is the length of a block's positions: 24 for every vertex.
func (m *Mesh) BlockLen() int { return vertexLen * len(m.points) }

// Place puts the mesh into a lane of a block x, turned about its centre of volume and
// with this at center.
func (m *Mesh) Place(x []float64, lane int, center geometry.Vec, turn geometry.Mat) {
	m.mustBlock(x)
	own := m.Center()
	for v, p := range m.points {
		SetVertex(x, lane, v, center.Add(turn.Apply(p.Sub(own))))
	}
}

// Vertex is vertex v of a lane of a block: its position, velocity or force.
func Vertex(x []float64, lane, v int) geometry.Vec {
	at := x[vertexLen*v+lane : vertexLen*(v+1)]
	return geometry.Vec{at[0], at[Lanes], at[2*Lanes]}
}

// Row is vertex v of all lanes of a block: Lanes coordinates along x, as many along y, and along z.
func Row(x []float64, v int) []float64 { return x[vertexLen*v:][:vertexLen] }

// SetVertex stores vertex v of a lane of a block.
func SetVertex(x []float64, lane, v int, p geometry.Vec) {
	at := x[vertexLen*v+lane : vertexLen*(v+1)]
	at[0], at[Lanes], at[2*Lanes] = p[0], p[1], p[2]
}

// FillUnused copies lane 0 of a block into all lanes from used on, so that measures of all lanes are finite.
func FillUnused(x []float64, used int) {
	for k := 0; k < len(x); k += Lanes {
		for l := max(used, 1); l < Lanes; l++ {
			x[k+l] = x[k]
		}
	}
}

// block has the mesh in all lanes, as it is.
func (m *Mesh) block() []float64 {
	x := make([]float64, m.BlockLen())
	for v, p := range m.points {
		SetVertex(x, 0, v, p)
	}
	FillUnused(x, 1)
	return x
}

// mustBlock panics on a block of another mesh.
func (m *Mesh) mustBlock(x []float64) {
	if len(x) != m.BlockLen() {
		panic(fmt.Sprintf("elastic: a block has %d numbers, a mesh of %d vertices has %d", len(x), len(m.points), m.BlockLen()))
	}
}

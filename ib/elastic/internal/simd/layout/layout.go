// Package layout is what kernels of membranes read and write: the numbers of a block of
// cells, lane = cell, and the tables of a mesh. The generator of the kernels takes the
// offsets of fields from it.
package layout

// Numbers of a block: all lanes of one number lie beside each other.
const (
	Lanes     = 8         // cells of a block
	VertexLen = 3 * Lanes // of a vertex: x, y, z; in Block.Vertex a third of the area around it and a sum over its edges or triangles
	FacetLen  = 4 * Lanes // of a triangle in Block.Facet: N = e1 × e2 in x, y, z, and 1/|N|

	// TangentLen is of a triangle in Block.Tangent: P and Q of ds = 2 A0 ∂²W/∂I1² dI1 G⁻¹ + P (adj g:dg) adj g + Q adj dg, and s11, s12, s22.
	TangentLen = 5 * Lanes
)

// Numbers is a number of every cell of a block.
type Numbers = [Lanes]float64

// Triangle is where the numbers of a triangle's corners and sides begin, and the triangle
// free of stress: with e1 and e2 the sides from its first corner and G_ij = e_i·e_j,
type Triangle struct {
	Corner        [3]int32 // VertexLen times the vertex
	Side          [3]int32 // Lanes times the edge opposite each corner
	A11, A12, A22 float64  // G⁻¹
	Inverse       float64  // 1/det G
	Twice         float64  // two areas
}

// Hinge is an edge as two triangles' common side: left passes it from A to B, right from B to A.
type Hinge struct {
	A, B        int32 // VertexLen times the vertex
	Left, Right int32 // FacetLen times the triangle
	Sin, Cos    float64
	// Sin and Cos are of the angle at which springs (Kantor & Nelson) are at rest.
}

// Fan is some neighbours of a vertex. Places are VertexLen times vertices; one beyond the last is that of zeros.
type Fan struct {
	Of     int32
	Onto   int32         // Of where another fan of the vertex came before, otherwise that of zeros
	Around [FanLen]int32 // fewer are followed by that of zeros
	Share  float64       // one over the number of all neighbours of the vertex
}

// FanLen is the neighbours of most vertices.
const FanLen = 6

// Block is what a kernel works on. Kernels change Count.
type Block struct {
	Triangle *Triangle
	Hinge    *Hinge
	Fan      *Fan
	H0       *float64 // of vertices
	X, U, F  *float64 // positions, velocities, forces: VertexLen of every vertex
	Facet    *float64 // FacetLen of every triangle
	Vertex   *float64 // VertexLen of every vertex, the last Lanes of them unused
	Edge     *float64 // Lanes of every edge: what the bending model keeps
	Tangent  *float64 // TangentLen of every triangle
	Own      *float64 // VertexLen of every vertex: what else the bending model keeps

	Count int // triangles, edges, fans or vertices, as the kernel goes over them; more than 0
	Used  int // cells; kernels may leave lanes beyond them out

	// The same in all lanes are the numbers of the material: its law
	//
	//	∂W/∂I1 = Law[0] + Law[1] I1,   ∂W/∂I2 = Law[2] + Law[3] I2 + Law[4]/(I2+1)²
	//
	// the viscosities μ_s and μ_d − μ_s, and the stiffness of the bending model.
	Law           [5]Numbers
	Shear, Spread Numbers
	Bending       Numbers

	Area, Volume Numbers // 2A and 6V while a kernel sums them
	Around       Numbers // tension of the area penalty
	Across       Numbers // a sixth of the pressure of the volume penalty
	Thrice       Numbers // half of it

	Slip         Numbers // velocity for each traction along the membrane
	Flux, Growth Numbers // sums of what velocities, and a unit of them everywhere, make six times the volume grow by
}

// Fill sets all lanes.
func Fill(n *Numbers, value float64) {
	for l := range n {
		n[l] = value
	}
}

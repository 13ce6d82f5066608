// Package simd has the kernels of membranes in assembly, for AVX-512, eight cells in a
// register, and AVX2, four. gen writes them; package elastic has the same in Go, and says
// what they compute.
package simd

import "lbmib/ib/elastic/internal/simd/layout"

//go:generate go run ./gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg simd

// Block is what all kernels work on.
type Block = layout.Block

// Bending is what a bending model leaves for Forces to do.
type Bending int

// The models.
const (
	NoBending Bending = iota // none, or nothing
	Juelicher
	Dihedral
	bendings
)

// Kernels are all for one instruction set. They go over b.Count triangles, hinges, fans or
// vertices, and check nothing. Lanes beyond b.Used may be left as they are.
type Kernels struct {
	Name string // avx512, avx2

	Surface           func(b *Block) // triangles: Facet, areas in Vertex, Area, Volume
	JuelicherEdges    func(b *Block) // hinges: Edge, sums in Vertex
	JuelicherVertices func(b *Block)
	DihedralEdges     func(b *Block) // hinges: Edge

	CotangentCurvature func(b *Block) // triangles: sums in Own and Vertex
	CotangentVertices  func(b *Block)
	CotangentForces    func(b *Block) // triangles: F

	Stiffness func(b *Block) // triangles: sums in F

	Normals       func(b *Block) // triangles: sums in F
	Tractions     func(b *Block)
	Means         func(b *Block) // fans
	AcrossNormals func(b *Block)
	Slides        func(b *Block)
	Encloses      func(b *Block)

	forces [bendings][2]func(b *Block)
}

// Forces is the kernel that adds the forces of triangles to F, with viscosity or without.
func (k *Kernels) Forces(b Bending, viscous bool) func(b *Block) {
	if viscous {
		return k.forces[b][1]
	}
	return k.forces[b][0]
}

package elastic_test

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib/elastic"
)

// Two red cells in a block, one of them stretched along x: it pulls back.
func Example() {
	mesh, err := elastic.NewRedCell(8, geometry.Vec{}, 7.82)
	if err != nil {
		panic(err)
	}
	cells, err := elastic.NewMembrane(mesh, elastic.Material{Shear: 5, Area: 50, Bending: 0.2, CurvedReference: true})
	if err != nil {
		panic(err)
	}
	x, f := make([]float64, mesh.BlockLen()), make([]float64, mesh.BlockLen())
	mesh.Place(x, 0, geometry.Vec{10, 0, 0}, geometry.Identity())
	mesh.Place(x, 1, geometry.Vec{20, 0, 0}, geometry.Rotation(geometry.Vec{1}, 1))
	elastic.FillUnused(x, 2)
	for v := range mesh.Vertices() {
		p := elastic.Vertex(x, 1, v)
		p[0] += 0.1 * (p[0] - 20)
		elastic.SetVertex(x, 1, v, p)
	}
	s := cells.NewScratch() // one for each worker
	cells.Forces(s, x, nil, f, elastic.Lanes)
	virial := 0.
	for v := range mesh.Vertices() {
		virial += elastic.Vertex(f, 1, v)[0] * elastic.Vertex(x, 1, v)[0]
	}
	fmt.Printf("%d vertices, volume %.0f, then %.0f: Σ f x = %.0f\n", mesh.Vertices(), mesh.Measure(x, 0).Volume, mesh.Measure(x, 1).Volume, virial)
	// Output:
	// 642 vertices, volume 93, then 102: Σ f x = -6086
}

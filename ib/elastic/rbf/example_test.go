package rbf_test

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib/elastic/rbf"
)

// A capsule that is stretched pulls itself together: its forces take work to go on.
func Example() {
	sphere, err := rbf.NewSphere(216, 864, 1)
	if err != nil {
		panic(err)
	}
	m, err := rbf.NewMembrane(sphere, rbf.Material{Shear: 1, Area: 100})
	if err != nil {
		panic(err)
	}
	x := make([]geometry.Vec, sphere.Data())
	sphere.Place(x, geometry.Vec{}, geometry.Identity())
	for i, p := range x { // the test of Kassen et al.: 1.1 along z, 1/1.1 along y
		x[i] = geometry.Vec{p[0], p[1] / 1.1, p[2] * 1.1}
	}
	scratch := m.NewScratch(1)
	y, f := make([]geometry.Vec, sphere.Samples()), make([]geometry.Vec, sphere.Samples())
	m.Forces(scratch, x, nil, y, f)
	var along, across float64 // Σ f·y by axes: the force's virial
	for i := range f {
		along += f[i][2] * y[i][2]
		across += f[i][1] * y[i][1]
	}
	fmt.Println("pulls in along z:", along < 0)
	fmt.Println("pushes out along y:", across > 0)
	// Output:
	// pulls in along z: true
	// pushes out along y: true
}

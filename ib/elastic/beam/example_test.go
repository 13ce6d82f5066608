package beam_test

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib/elastic/beam"
)

// A filament of 33 nodes hangs from its first one in a fluid at rest.
func ExampleLine_Step() {
	const n, mass, g = 33, 1.5, 1e-4
	x := make([]geometry.Vec, n)
	for i := range x {
		x[i] = geometry.Vec{100, 200 - float64(i)}
	}
	line, err := beam.New(beam.Config{
		Dim: 2, X: x, Mass: mass, Inextensible: true, Bending: 1e-3,
		Gravity: geometry.Vec{0, -g}, First: beam.End{Kind: beam.Hinged}, Step: 1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	velocity, reaction := make([]geometry.Vec, n), make([]float64, n) // of the fluid at the nodes
	for i := range reaction {
		reaction[i] = 2
	}
	force := make([]geometry.Vec, n) // on the fluid
	for range 100 {
		if err := line.Step(beam.Fluid{Velocity: velocity, Reaction: reaction}, nil, force); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("tension at the top: %.4f of the weight below it\n", line.Tension()[0]/(mass*g*31.5))
	// Output: tension at the top: 1.0000 of the weight below it
}

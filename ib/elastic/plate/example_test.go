package plate_test

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib/elastic/plate"
)

// A flag of 11×11 nodes whose left edge is held is pushed by a fluid that moves across it.
func ExampleSheet_Step() {
	c := plate.Config{
		Nodes: [2]int{11, 11}, Spacing: [2]float64{1, 1}, Mass: 5, Stretching: 10, Shear: 4, Bending: 0.01, Poisson: 0.3, Step: 1,
		Edges: [4]plate.EdgeKind{plate.Left: plate.Hinged},
	}
	s, err := plate.New(c)
	if err != nil {
		panic(err)
	}
	fluid := plate.Fluid{Velocity: make([]geometry.Vec, s.Len()), Reaction: make([]float64, s.Len())}
	for k := range fluid.Velocity {
		fluid.Velocity[k], fluid.Reaction[k] = geometry.Vec{0, 0, 0.01}, 2
	}
	for range 100 {
		if err := s.Step(fluid, nil, nil); err != nil {
			panic(err)
		}
	}
	tip, _ := s.Middle(plate.Right)
	fmt.Printf("the tip has moved by %.2f\n", tip[2])
	// Output: the tip has moved by 0.98
}

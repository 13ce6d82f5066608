package observe

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// TestLayersFreeOfCells: of a ball 8 nodes wide in the middle of a duct 20 × 40 it is a mean of what is left to either side of it, 6 and 16 nodes
// beside its middle; where one end is a mirror, the other end's alone; in a round tube, that to the circle as large as its section.
func TestLayersFreeOfCells(t *testing.T) {
	mesh, err := elastic.NewSphere(8, geometry.Vec{}, 8)
	if err != nil {
		t.Fatal(err)
	}
	membrane, err := elastic.NewMembrane(mesh, elastic.Material{Law: "neo-hookean", Shear: 1})
	if err != nil {
		t.Fatal(err)
	}
	cell, err := flexible.NewCell("ball", membrane, geometry.Vec{5, 9.5, 19.5}, geometry.Identity())
	if err != nil {
		t.Fatal(err)
	}
	high := 0. // of the ball above its middle, a mean over the nodes that its mesh reaches
	for x := -3.; x <= 3; x++ {
		high += math.Sqrt(16-x*x) / 7
	}
	for _, of := range []struct {
		name    string
		conduit setup.Conduit
		want    float64
	}{
		{"duct", setup.Conduit{Ends: [2][2]float64{{-0.5, 19.5}, {-0.5, 39.5}}, Walls: [2][2]bool{{true, true}, {true, true}}, Area: 800, Spread: 1.3}, 15 - high},
		{"mirror", setup.Conduit{Ends: [2][2]float64{{-0.5, 49.5}, {-0.5, 39.5}}, Walls: [2][2]bool{{true, false}, {}}, Area: 2000, Spread: 1.3}, 10 - high},
		{"tube", setup.Conduit{Ends: [2][2]float64{{-0.5, 19.5}, {9.5, 29.5}}, Walls: [2][2]bool{{true, true}, {true, true}}, Area: math.Pi * 9.6 * 9.6, Spread: 1.002}, 9.6 - high},
	} {
		of.conduit.Sides, of.conduit.Center = [2]int{1, 2}, geometry.Vec{0, 9.5, 19.5}
		state := NewState[float64](&setup.Problem{Conduit: &of.conduit})
		state.Sim = &hybrid.Simulation[float64]{Cells: []*flexible.Cell{cell}}
		r := &SuspendedCells[float64]{State: &state}
		r.Flow = lbm.Config{Size: [3]int{11, 20, 40}}
		if got := r.layer(); math.Abs(got-of.want) > 0.2 {
			t.Errorf("%s: %g nodes, should be %g", of.name, got, of.want)
		}
	}
}

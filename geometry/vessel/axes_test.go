package vessel_test

import (
	"fmt"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/vessel"
	"lbmib/geometry/vessel/models"
)

// TestATubeWhoseAxisGoesByNodesIsFilled: rows of nodes pass the middles of its ports, where many triangles meet, to within rounding.
func TestATubeWhoseAxisGoesByNodesIsFilled(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	for _, along := range []geometry.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		for _, n := range []int{12, 14, 16, 18, 20, 24, 32} {
			for _, length := range []float64{1, 1.5, 2, 3} {
				m := models.Tube(along, length, 256)
				h := 1 / float64(n)
				v, err := vessel.New(m.Points, m.Triangles, m.Ports, h)
				if err != nil {
					t.Fatal(err)
				}
				size, low := [3]int{n + 5, n + 5, n + 5}, geometry.Vec{}
				for a := range low {
					low[a] = -h * float64(n+4) / 2
					if along[a] == 1 {
						size[a], low[a] = int(length*float64(n))+20, -10*h
					}
				}
				if _, err := v.Fill(low, size); err != nil {
					t.Error(fmt.Errorf("along %v, %d nodes across, %g long: %w", along, n, length, err))
				}
			}
		}
	}
}

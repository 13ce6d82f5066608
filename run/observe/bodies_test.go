package observe

import (
	"math"
	"testing"

	"lbmib/geometry"
)

func TestRotationVectorsAreAxisTimesAngle(t *testing.T) {
	for _, want := range [][3]float64{{}, {0, 0, 1}, {0.3, -0.2, 0.9}, {0, math.Pi - 1e-9, 0}, {-2, 1, 1.5}, {1e-9, 0, 0}} {
		got := rotationVector(rotationOf(want))
		for a := range got {
			if math.Abs(got[a]-want[a]) > 1e-12 {
				t.Errorf("%v comes back as %v", want, got)
				break
			}
		}
	}
}

// rotationOf is the rotation about v by its length.
func rotationOf(v [3]float64) geometry.Mat {
	axis := geometry.Vec(v)
	angle := axis.Norm()
	if angle == 0 {
		return geometry.Identity()
	}
	return geometry.Rotation(axis.Scale(1/angle), angle)
}

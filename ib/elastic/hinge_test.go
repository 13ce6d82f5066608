package elastic

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// A hinge bent by any angle, either way: its angle to six roundings of 1.1e-16, an edge of length 2 and
// normals of any size.
func TestHingesKnowTheirAngle(t *testing.T) {
	h := hinge{a: 0, b: vertexLen, left: 0, right: Lanes, inverse: [2]int32{0, Lanes}}
	s := &Scratch{normal: make([]float64, normalAt(chunkTriangles)), inverse: make([]float64, 2*Lanes)}
	x := make([]float64, 2*vertexLen)
	set := func(at int32, n geometry.Vec) {
		for a := range 3 {
			s.normal[at+int32(a)*nextComponent] = n[a]
		}
		s.inverse[at] = 1 / n.Norm()
	}
	SetVertex(x, 0, 1, geometry.Vec{0, 2, 0})
	var theta, length, inverse lanes
	for k := -1799; k < 1800; k++ {
		want := float64(k) * math.Pi / 1800
		sin, cos := math.Sincos(want)
		set(h.left, geometry.Vec{0, 0, 0.3})
		set(h.right, geometry.Vec{sin, 0, cos}.Scale(1e-3)) // a roof's ridge along y
		h.bend(s, x, &theta, &length, &inverse)
		if math.Abs(theta[0]-want) > 7e-16*math.Abs(want) || length[0] != 2 || inverse[0] != 0.5 {
			t.Errorf("angle %.17g of length %g, want %.17g of 2", theta[0], length[0], want)
		}
	}
}

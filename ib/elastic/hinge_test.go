package elastic

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/ib/elastic/internal/simd/layout"
)

// A hinge bent by any angle, either way: its angle to six roundings of 1.1e-16, an edge of length 2 and
// normals of any size.
func TestHingesKnowTheirAngle(t *testing.T) {
	h := layout.Hinge{A: 0, B: vertexLen, Left: 0, Right: facetLen}
	s := &Scratch{facet: make([]float64, 2*facetLen)}
	x := make([]float64, 2*vertexLen)
	set := func(at int32, n geometry.Vec) {
		for a := range 3 {
			s.facet[int(at)+a*Lanes] = n[a]
		}
		s.facet[at+3*Lanes] = 1 / n.Norm()
	}
	SetVertex(x, 0, 1, geometry.Vec{0, 2, 0})
	var bent turn
	var theta lanes
	for k := -1799; k < 1800; k++ {
		want := float64(k) * math.Pi / 1800
		sin, cos := math.Sincos(want)
		set(h.Left, geometry.Vec{0, 0, 0.3})
		set(h.Right, geometry.Vec{sin, 0, cos}.Scale(1e-3)) // a roof's ridge along y
		s.turn(&h, x, &bent)
		bent.angle(&theta)
		if math.Abs(theta[0]-want) > 7e-16*math.Abs(want) || bent.length[0] != 2 || bent.inverse[0] != 0.5 {
			t.Errorf("angle %.17g of length %g, want %.17g of 2", theta[0], bent.length[0], want)
		}
	}
}

package elastic

import (
	"math"

	"lbmib/ib/elastic/internal/simd/layout"
)

func newHinge(e edge) layout.Hinge {
	return layout.Hinge{A: vertexLen * e.a, B: vertexLen * e.b, Left: facetLen * e.left, Right: facetLen * e.right}
}

// turn is, in every lane, the sine and cosine of the angle θ between the normals of a
// hinge's triangles, θ positive where the surface is convex, and the length of the edge
// and its inverse: sin θ = (n1×n2)·e/l, cos θ = n1·n2.
type turn struct{ sin, cos, length, inverse lanes }

func (s *Scratch) turn(h *layout.Hinge, x []float64, to *turn) {
	pa, pb := corner(x, h.A), corner(x, h.B)
	left, right := s.facetAt(h.Left), s.facetAt(h.Right)
	for l := range Lanes {
		ex, ey, ez := pb[l]-pa[l], pb[Lanes+l]-pa[Lanes+l], pb[2*Lanes+l]-pa[2*Lanes+l]
		ax, ay, az := left[l], left[Lanes+l], left[2*Lanes+l]
		bx, by, bz := right[l], right[Lanes+l], right[2*Lanes+l]
		square := ex*ex + ey*ey + ez*ez
		short, unit := 1/math.Sqrt(square), left[3*Lanes+l]*right[3*Lanes+l]
		to.sin[l] = (ex*(ay*bz-az*by) + ey*(az*bx-ax*bz) + ez*(ax*by-ay*bx)) * (short * unit)
		to.cos[l] = (ax*bx + ay*by + az*bz) * unit
		to.length[l], to.inverse[l] = square*short, short
	}
}

// angle stores θ, −π to π. Half the angle between the normals and the nearest multiple of
// π/2 has the tangent min(|s|,|c|)/(1 + max(|s|,|c|)) ≤ √2−1 of their sine and cosine:
// one polynomial serves all angles.
func (t *turn) angle(theta *lanes) {
	for l := range Lanes {
		sin, cos := t.sin[l], t.cos[l]
		least, most := math.Abs(sin), math.Abs(cos)
		steep := least > most
		if steep {
			least, most = most, least
		}
		tan := least / (1 + most)
		// arctan(tan)/tan, 0 ≤ tan ≤ √2−1: minimax in u = tan², relative error 3.4e-17, summed
		// by Estrin's scheme, as each step of Horner's would wait for the one before.
		u := tan * tan
		u2 := u * u
		u4 := u2 * u2
		low := (-0.33333333333328617 + u*0.19999999998889239) + u2*(-0.14285714183511316+u*0.11111106276133608)
		high := (-0.090907751501558370 + u*0.076899809126164406) + u2*(-0.066404581633607652+u*0.056894577984461201)
		top := -0.043510871743516768 + u*0.021170692825017133
		p := 1 + u*(low+u4*(high+u4*top)) // 1: 0.99999999999999996686
		angle := 2 * tan * p
		if steep {
			angle = math.Pi/2 - angle
		}
		if cos < 0 {
			angle = math.Pi - angle
		}
		theta[l] = math.Copysign(angle, sin)
	}
}

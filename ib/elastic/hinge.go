package elastic

import "math"

// hinge is an edge as two triangles' common side.
type hinge struct {
	a, b        int32    // where its vertices begin in a block
	left, right int32    // where the normals of its triangles begin in Scratch.normal
	inverse     [2]int32 // and their lengths in Scratch.inverse
}

func newHinge(e edge) hinge {
	return hinge{vertexLen * e.a, vertexLen * e.b, normalAt(e.left), normalAt(e.right), [2]int32{Lanes * e.left, Lanes * e.right}}
}

// bend stores the angle θ between the normals of an edge's triangles in every lane, −π
// to π and positive where the surface is convex, and the length of the edge and its
// inverse.
//
// With s = (n1×n2)·e/l = sin θ and c = n1·n2 = cos θ, half the angle between the normals
// and the nearest multiple of π/2 has the tangent min(|s|,|c|)/(1 + max(|s|,|c|)) ≤ √2−1:
// one polynomial serves all angles.
func (h *hinge) bend(s *Scratch, x []float64, theta, length, inverse *lanes) {
	pa, pb := corner(x, h.a), corner(x, h.b)
	lx, ly, lz := row(s.normal, h.left), row(s.normal, h.left+nextComponent), row(s.normal, h.left+2*nextComponent)
	rx, ry, rz := row(s.normal, h.right), row(s.normal, h.right+nextComponent), row(s.normal, h.right+2*nextComponent)
	li, ri := row(s.inverse, h.inverse[0]), row(s.inverse, h.inverse[1])
	for l := range Lanes {
		ex, ey, ez := pb[l]-pa[l], pb[Lanes+l]-pa[Lanes+l], pb[2*Lanes+l]-pa[2*Lanes+l]
		ax, ay, az := lx[l], ly[l], lz[l]
		bx, by, bz := rx[l], ry[l], rz[l]
		square := ex*ex + ey*ey + ez*ez
		short, unit := 1/math.Sqrt(square), li[l]*ri[l]
		sin := (ex*(ay*bz-az*by) + ey*(az*bx-ax*bz) + ez*(ax*by-ay*bx)) * (short * unit)
		cos := (ax*bx + ay*by + az*bz) * unit
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
		length[l], inverse[l] = square*short, short
	}
}

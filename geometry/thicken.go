package geometry

import (
	"errors"
	"fmt"
	"math"
)

// mostMiter bounds how much farther than half a thickness corners of a fold go, so that the sides of the fold are that thick.
const mostMiter = 2

// Thicken is the closed shell around an open mesh whose two sides are a thickness apart: half of it before and behind the sheet, along the normals at its points (weighted by angles,
// Bærentzen & Aanæs, IEEE Trans. Vis. Comput. Graph. 11 (2005) 243), with a strip as wide along each rim. Closed meshes, edges of more than two triangles, neighbours
// that face opposite sides, and sheets so curved, folded or near themselves that the shell would cross itself, are refused with the place.
func Thicken(s Shape, thickness float64) (Mesh, error) {
	fail := func(format string, args ...any) (Mesh, error) {
		return Mesh{}, fmt.Errorf("geometry: thickness: "+format, args...)
	}
	points, sheet, ok := Triangles(s)
	if !ok {
		return fail("the %T is no mesh", s)
	}
	if !(thickness > 0) || math.IsInf(thickness, 0) {
		return fail("it is %v, must be positive and finite", thickness)
	}
	triangles := make([][3]int32, len(sheet))
	for k, t := range sheet {
		triangles[k] = [3]int32{int32(t[0]), int32(t[1]), int32(t[2])}
	}
	rims := 0
	passed := map[[2]int32]bool{} // as triangles pass them
	for _, e := range edgesOf(points, triangles) {
		at := points[e.a].Add(points[e.b]).Scale(0.5)
		switch {
		case e.forth+e.back > 2:
			return fail("an edge at %v has %d triangles, at most 2 can be: give a sheet without branches", at, e.forth+e.back)
		case e.forth == 2 || e.back == 2:
			return fail("two neighbouring triangles face opposite sides at %v: make the normals consistent in the program that it comes from", at)
		case e.forth+e.back == 1:
			rims++
		}
		if e.forth > 0 {
			passed[[2]int32{e.a, e.b}] = true
		}
		if e.back > 0 {
			passed[[2]int32{e.b, e.a}] = true
		}
	}
	if rims == 0 {
		return fail("the surface is closed, and has an inside: leave thickness out")
	}
	toward := offsets(points, triangles)
	n := len(points)
	shell := make([]Vec, 2*n)
	for k, x := range points {
		shell[k], shell[n+k] = x.Add(toward[k].Scale(thickness/2)), x.Sub(toward[k].Scale(thickness/2))
	}
	var all [][3]int
	for _, t := range sheet {
		all = append(all, t, [3]int{n + t[0], n + t[2], n + t[1]})
	}
	for _, t := range sheet {
		for i := range 3 {
			if a, b := t[i], t[(i+1)%3]; !passed[[2]int32{int32(b), int32(a)}] {
				all = append(all, [3]int{b, a, n + a}, [3]int{b, n + a, n + b})
			}
		}
	}
	if at, crosses := crossesItself(points, shell, sheet, all); crosses {
		return fail("the shell, %.4g thick, would cross itself at %v: the sheet is more curved than half of that, folded, or nearer than that to itself; make it thinner", thickness, at)
	}
	made, report, err := NewMesh(shell, all)
	if err == nil && !report.Watertight {
		err = errors.New("geometry: thickness: the shell is not closed: its triangles are smaller than the file tells; coarsen it")
	}
	return made, err
}

// offsets are the ways from the points of a sheet to those of a side one away from it.
func offsets(points []Vec, triangles [][3]int32) []Vec {
	toward := make([]Vec, len(points))
	angles := make([]float64, len(points))
	each := func(do func(i int32, angle float64, normal Vec)) {
		for _, t := range triangles {
			normal := normalOf(points[t[0]], points[t[1]], points[t[2]])
			for i := range 3 {
				d, e := points[t[(i+1)%3]].Sub(points[t[i]]), points[t[(i+2)%3]].Sub(points[t[i]])
				do(t[i], math.Atan2(d.Cross(e).Norm(), d.Dot(e)), normal)
			}
		}
	}
	each(func(i int32, angle float64, normal Vec) {
		toward[i], angles[i] = toward[i].Add(normal.Scale(angle)), angles[i]+angle
	})
	along := make([]float64, len(points)) // of the normal at each point, in the mean of those of its triangles
	for i, v := range toward {
		toward[i] = unit(v, Vec{})
	}
	each(func(i int32, angle float64, normal Vec) { along[i] += angle / angles[i] * normal.Dot(toward[i]) })
	for i := range toward {
		toward[i] = toward[i].Scale(min(1/along[i], mostMiter))
	}
	return toward
}

// crossesItself is a place where a shell around a sheet crosses itself: where a triangle has turned over, or an edge goes through a triangle that it has no point in common with.
func crossesItself(points, shell []Vec, sheet, all [][3]int) (at Vec, crosses bool) {
	n := len(points)
	for _, t := range sheet {
		normal := normalOf(points[t[0]], points[t[1]], points[t[2]])
		for side := range 2 {
			a, b, c := shell[side*n+t[0]], shell[side*n+t[1]], shell[side*n+t[2]]
			if !(b.Sub(a).Cross(c.Sub(a)).Dot(normal) > 0) {
				return a.Add(b).Add(c).Scale(1. / 3), true
			}
		}
	}
	triangles := make([][3]int32, len(all))
	for k, t := range all {
		triangles[k] = [3]int32{int32(t[0]), int32(t[1]), int32(t[2])}
	}
	m := newMeshForm(shell, triangles)
	touches := 1e-9 * m.reach()
	for _, e := range m.edges() {
		p := shell[e.a]
		d := shell[e.b].Sub(p)
		lo, hi := boxOf(p, shell[e.b])
		near := func(l, h *Vec) bool {
			for a := range 3 {
				if h[a] < lo[a] || l[a] > hi[a] {
					return false
				}
			}
			return true
		}
		m.tree().visit(0, 0, len(triangles), near, func(k int) {
			t := triangles[k]
			for _, i := range t {
				if crosses || i == e.a || i == e.b {
					return
				}
			}
			a, b, c := m.corners(k)
			normal := m.normal(k)
			from, to := p.Sub(a).Dot(normal), p.Add(d).Sub(a).Dot(normal)
			if min(from, to) > -touches || max(from, to) < touches { // beside it, or in its plane
				return
			}
			if s, hit := hits(p, d, a, b, c); hit && s <= 1 {
				at, crosses = p.Add(d.Scale(s)), true
			}
		})
		if crosses {
			return at, true
		}
	}
	return at, false
}

package geometry

import "math"

// weldShare is the distance, as a part of the mesh's size, within which corners are one: seams of
// a surface that is closed by sin 2π differ by 1e-16 of it.
const weldShare = 1e-8

// weld gives corners at one place, to weldShare, one number, in the order in which they come. Triangles
// of which that leaves less than three corners are left out; facets are the numbers of the others.
func weld(corners []Vec) (points []Vec, triangles [][3]int32, facets []int) {
	lo, hi := boxOf(corners...)
	w := welder{within: weldShare * hi.Sub(lo).Norm(), exact: make(map[Vec]int32, len(corners)/6), cells: make(map[[3]int64]int32, len(corners)/6)}
	triangles = make([][3]int32, 0, len(corners)/3)
	for k := 0; k < len(corners); k += 3 {
		var t [3]int32
		for i := range t {
			t[i] = w.number(corners[k+i].Add(Vec{})) // −0 is 0
		}
		if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
			triangles, facets = append(triangles, t), append(facets, k/3)
		}
	}
	return w.points, triangles, facets
}

// welder numbers points. Those of a cell, much larger than within, are a list.
type welder struct {
	within float64
	points []Vec
	exact  map[Vec]int32      // what is numbered already, bit for bit
	cells  map[[3]int64]int32 // the last point of a cell, plus one
	next   []int32            // the one before it, plus one; 0: none
}

// number is that of the point near p, or a new one.
func (w *welder) number(p Vec) int32 {
	if i, known := w.exact[p]; known {
		return i
	}
	i := w.near(p)
	if i < 0 {
		i = int32(len(w.points))
		c := w.cell(p)
		w.points, w.next = append(w.points, p), append(w.next, w.cells[c])
		w.cells[c] = i + 1
	}
	w.exact[p] = i
	return i
}

// near is the number of the first point within reach of p; −1: there is none.
func (w *welder) near(p Vec) int32 {
	d := Vec{w.within, w.within, w.within}
	lo, hi := w.cell(p.Sub(d)), w.cell(p.Add(d))
	found := int32(-1)
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for z := lo[2]; z <= hi[2]; z++ {
				for k := w.cells[[3]int64{x, y, z}]; k > 0; k = w.next[k-1] {
					if w.points[k-1].Sub(p).Norm() <= w.within && (found < 0 || k-1 < found) {
						found = k - 1
					}
				}
			}
		}
	}
	return found
}

func (w *welder) cell(p Vec) (c [3]int64) {
	for a := range c {
		c[a] = int64(math.Floor(p[a] / (32 * w.within)))
	}
	return c
}

package casefile

import (
	"fmt"
	"math"
)

// readArray returns the copies of a body, x fastest; without the key, itself.
func readArray(t *table, b Body, sound bool) []Body {
	if !t.has("array") {
		return []Body{b}
	}
	a := t.table("array")
	t.drop("array") // the copies are bodies
	count, n := copies(a)
	step := a.requiredVector("step", spec{quantity: Length, remedy: "give the distance of copies along each axis in L, for instance [2.0, 2.0]"})
	if !sound || !t.r.clean(a.path) {
		return []Body{b}
	}
	if !b.Shape.placed() && n > 1 {
		t.fail("array", "needs a shape that can be moved, but an STL file gives the place: add center to it")
		return []Body{b}
	}
	checkSteps(a, b.Shape, count, step)
	if !t.r.clean(a.path) {
		return []Body{b}
	}
	copies := make([]Body, 0, n)
	for k := range count[2] {
		for j := range count[1] {
			for i := range count[0] {
				by := [3]float64{float64(i) * step[0], float64(j) * step[1], float64(k) * step[2]}
				copies = append(copies, b.copied(len(copies), by))
			}
		}
	}
	return copies
}

// copies reads the number of copies along each axis, and multiplies them.
func copies(t *table) (count [3]int, n int) {
	const remedy = "give the copies along each axis, for instance count = [4, 3]"
	whole := bound{func(x float64) bool { return x >= 1 && x == math.Trunc(x) }, "must be a whole number from 1"}
	count, n = [3]int{1, 1, 1}, 1
	for i, c := range t.requiredVector("count", spec{Number, whole, remedy}) {
		count[i] = int(min(max(c, 1), maxBodies+1))
		n = min(n*count[i], maxBodies+1)
	}
	if n > maxBodies {
		t.fail("count", "makes more than %d copies, the most that a case may have: lower it", maxBodies)
	}
	return count, n
}

// checkSteps refuses copies that overlap along an axis.
func checkSteps(a *table, s Shape, count [3]int, step [3]float64) {
	lo, hi, known := s.bounds(a.r.c.Reference.Resolution)
	for i := range a.r.c.Domain.Dim {
		extent := hi[i] - lo[i]
		switch {
		case count[i] == 1:
		case step[i] == 0:
			a.fail("step", "is 0 along %c, where count is %d: the copies must lie apart; enlarge it", "xyz"[i], count[i])
		case known && math.Abs(step[i]) < extent*(1-1e-9): // touching is no overlap
			a.fail("step", "%v along %c must be at least the shape's extent there, %s: copies would overlap; enlarge it",
				step[i], "xyz"[i], formatNumber(extent))
		}
	}
}

// copied is copy number n of the body, moved.
func (b Body) copied(n int, by [3]float64) Body {
	b.Name = fmt.Sprintf("%s-%d", b.Name, n)
	b.Shape = b.Shape.moved(by)
	if p := b.Motion.Pivot; p != nil {
		q := plus(*p, by)
		b.Motion.Pivot = &q
	}
	return b
}

package observe

import (
	"lbmib/geometry"
)

// tangles looks for lines in the plane that have come to cross themselves or each other, which no line does that the fluid keeps apart: it
// tells of each pair once.
type tangles struct {
	next float64 // time of the next look, L/U
	told map[[2]int]bool
}

// tangleEvery is the time between looks, in L/U: lines that have crossed stay so, and a look compares all segments.
const tangleEvery = 1.

// look tells of lines that cross.
func (r *Filaments[T]) lookForTangles() {
	if r.Flow.Lattice.Dim != 2 || r.hooks.Crossed == nil || r.Time() < r.tangles.next {
		return
	}
	r.tangles.next = r.Time() + tangleEvery
	for i := range r.of {
		for j := i; j < len(r.of); j++ {
			key := [2]int{i, j}
			if r.tangles.told[key] {
				continue
			}
			if at, crossed := geometry.Crossing(r.of[i].Line.X(), r.of[j].Line.X()); crossed {
				if r.tangles.told == nil {
					r.tangles.told = map[[2]int]bool{}
				}
				r.tangles.told[key] = true
				r.hooks.Crossed(r.of[i].body, r.of[j].body, r.Time(), r.Place(at))
			}
		}
	}
}

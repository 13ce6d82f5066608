package runner

import (
	"hash/maphash"
	"math"
	"slices"

	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/lbm"
)

// condition is that of the weights of a body's markers.
type condition struct {
	value float64
	exact bool
	err   error
	known bool
}

// conditions are those found so far, by where the markers lie between the nodes:
// copies that are whole nodes apart have the same.
type conditions map[uint64]condition

// mostConditions bounds the bodies whose weights are solved alone, a tenth of a
// millisecond each. A run solves for all; what it would refuse is found by one of the
// first or, of bodies near others, by solving for these together.
const mostConditions = 1000

var conditionSeed = maphash.MakeSeed()

func (c conditions) of(b *hybrid.Body, find func() condition) condition {
	const digits = 1e7 // positions differ by rounding
	var h maphash.Hash
	h.SetSeed(conditionSeed)
	for _, x := range b.Markers.X {
		for a := range x {
			maphash.WriteComparable(&h, math.Round((x[a]-math.Floor(b.Markers.X[0][a]+0.5/digits))*digits))
		}
	}
	key := h.Sum64()
	found, ok := c[key]
	if !ok && len(c) < mostConditions {
		found = find()
		c[key] = found
	}
	return found
}

// closeBodies are those whose markers' supports may share nodes with another's, or with
// its image behind a periodic face.
func (p *problem) closeBodies() (near []*hybrid.Body) {
	type box struct{ lo, hi [3]float64 }
	boxes, order := make([]box, len(p.bodies)), make([]int, len(p.bodies))
	shares := make([]bool, len(p.bodies))
	dim := p.flow.Lattice.Dim
	for i, b := range p.bodies {
		order[i] = i
		for a := range dim {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, x := range b.Markers.X {
				lo, hi = math.Min(lo, x[a]), math.Max(hi, x[a])
			}
			lo, hi = lo-ib.MaxSupport, hi+ib.MaxSupport // half of it on either side would do
			boxes[i].lo[a], boxes[i].hi[a] = lo, hi
			shares[i] = shares[i] || p.flow.Faces[2*a].Kind == lbm.Periodic && (lo < 0 || hi > float64(p.flow.Size[a]))
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case boxes[i].lo[0] < boxes[j].lo[0]:
			return -1
		case boxes[i].lo[0] > boxes[j].lo[0]:
			return 1
		}
		return i - j
	})
	for k, i := range order {
		for _, j := range order[k+1:] {
			if boxes[j].lo[0] > boxes[i].hi[0] {
				break
			}
			apart := false
			for a := range dim {
				apart = apart || boxes[i].lo[a] > boxes[j].hi[a] || boxes[j].lo[a] > boxes[i].hi[a]
			}
			if !apart {
				shares[i], shares[j] = true, true
			}
		}
	}
	for i, b := range p.bodies {
		if shares[i] {
			near = append(near, b)
		}
	}
	if len(near) == 1 && len(p.bodies) == 1 {
		return nil
	}
	return near
}

// markerWeights is the condition number of the weights of one body on a grid of
// its own, and whether they are exact (ib.ForcingWeights). A body that reaches
// across a periodic face is whole there.
func markerWeights[T lbm.Float](name string, b *hybrid.Body) (c condition) {
	delta, err := ib.NewDelta[T](name)
	if err != nil {
		return condition{err: err}
	}
	g := ib.Grid{Dim: b.Shape.Dim(), Size: [3]int{1, 1, 1}}
	for a := range g.Dim {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, x := range b.Markers.X { // a moving body need not begin where it was drawn
			lo, hi = math.Min(lo, x[a]), math.Max(hi, x[a])
		}
		first := math.Floor(lo) - ib.MaxSupport
		g.Offset[a] = first
		g.Size[a] = int(math.Ceil(hi)-first) + ib.MaxSupport + 1
	}
	_, c.value, c.exact, c.err = ib.ForcingWeights[T](g, delta, b.Markers.X)
	c.known = true
	return c
}

// judgedWeights judges weights by their condition number. Those that are not exact
// have none; with an automatic spacing nothing better is to be had.
func judgedWeights(condition float64, exact, given bool) *Judged {
	if exact {
		j := judged(condition, conditionLimits)
		return j
	}
	j := &Judged{Value: Number(math.NaN()), Verdict: OK, Reason: "relaxed: some markers are too close or too unevenly spaced for exact weights, and slip takes some steps to decay"}
	if given {
		j.Verdict, j.Reason = Caution, j.Reason+"; use spacing = \"auto\", or multidirect forcing"
	}
	return j
}

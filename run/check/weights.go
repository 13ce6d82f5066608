package check

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/finite"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// condition is that of the weights of a body's markers.
type condition struct {
	value float64
	exact bool
	row   bool // not exact, but in rows along the grid
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

func (c conditions) of(b *rigid.Body, find func() condition) condition {
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

// weighedTogether bounds the bodies that are weighed together: those that are nearest to
// others, which are the worst.
const weighedTogether = 500

// closeBodies are those whose markers' supports may share nodes with another's, or with
// its image behind a periodic face: at most weighedTogether of them.
func closeBodies(p *setup.Problem) (near []*rigid.Body) {
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil {
		return nil // placing them tells
	}
	f := closeness{p: p, reach: float64(delta.Support()+1) / 2} // places between nodes are rounded
	f.measure()
	f.compare()
	var chosen []int
	for i, gap := range f.gap {
		if gap <= 0 {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) > weighedTogether {
		slices.SortStableFunc(chosen, func(i, j int) int { return cmp.Compare(f.gap[i], f.gap[j]) })
		chosen = chosen[:weighedTogether]
		slices.Sort(chosen)
	}
	for _, i := range chosen {
		near = append(near, p.Bodies[i])
	}
	if len(near) == 1 && len(p.Bodies) == 1 {
		return nil
	}
	return near
}

// closeness is how near bodies are to each other, by the boxes around their supports.
type closeness struct {
	p      *setup.Problem
	reach  float64 // of a support, on either side of a marker
	lo, hi []geometry.Vec
	gap    []float64 // of each body's box to the nearest other, in nodes; ≤ 0: they may share nodes
}

// measure finds the boxes; one across a periodic face shares nodes with what is behind it.
func (f *closeness) measure() {
	n := len(f.p.Bodies)
	f.lo, f.hi, f.gap = make([]geometry.Vec, n), make([]geometry.Vec, n), make([]float64, n)
	for i, b := range f.p.Bodies {
		f.gap[i] = math.Inf(1)
		for a := range f.p.Flow.Lattice.Dim {
			lo, hi := math.Inf(1), math.Inf(-1)
			for k := range b.Markers.X {
				lo, hi = min(lo, b.Markers.X[k][a]), max(hi, b.Markers.X[k][a])
			}
			lo, hi = lo-f.reach, hi+f.reach
			f.lo[i][a], f.hi[i][a] = lo, hi
			if f.p.Flow.Periodic(a) && (lo < 0 || hi > float64(f.p.Flow.Size[a])) {
				f.gap[i] = 0
			}
		}
	}
}

// compare finds the gaps of boxes that overlap, along x from left to right.
func (f *closeness) compare() {
	order := make([]int, len(f.gap))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(f.lo[i][0], f.lo[j][0]) })
	for k, i := range order {
		for _, j := range order[k+1:] {
			if f.lo[j][0] > f.hi[i][0] {
				break
			}
			gap := math.Inf(-1)
			for a := range f.p.Flow.Lattice.Dim {
				gap = max(gap, f.lo[i][a]-f.hi[j][a], f.lo[j][a]-f.hi[i][a])
			}
			f.gap[i], f.gap[j] = min(f.gap[i], gap), min(f.gap[j], gap)
		}
	}
}

// markerWeights is the condition number of the weights of one body on a grid of
// its own, and whether they are exact (ib.ForcingWeights). A body that reaches
// across a periodic face is whole there.
func markerWeights[T lbm.Float](name string, b *rigid.Body) (c condition) {
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
	c.row = !c.exact && c.err == nil && b.Shape.Open() && apart(b.Markers.X, rowSpacing*ib.SafeSpacing(delta, g.Dim))
	return c
}

// rowSpacing is how near, in automatic spacings, markers of an open shape may be without being too close: the spacing is
// rounded, so that a whole number of them fits.
const rowSpacing = 0.9

// apart tells whether all points are farther than least from each other.
func apart(x []geometry.Vec, least float64) bool {
	sorted := slices.Clone(x)
	slices.SortFunc(sorted, func(a, b geometry.Vec) int { return cmp.Compare(a[0], b[0]) })
	for k, a := range sorted {
		for _, b := range sorted[k+1:] {
			if b[0]-a[0] >= least {
				break
			}
			if b.Sub(a).Norm() < least {
				return false
			}
		}
	}
	return true
}

// rowReason is what to think of weights of straight rows of markers along the grid, a node apart: the even–odd property of deltas
// makes a slip that alternates from marker to marker spread to nothing (ib.ForcingWeights).
const rowReason = "markers stand in rows along the grid, where the delta does not see slip that alternates from marker to marker: weights are uniform, and uniform slip vanishes at once, at the ends within some steps"

// judgedWeights judges weights by their condition number. Those that are not exact
// have none; with an automatic spacing nothing better is to be had.
func judgedWeights(c condition, given bool) *Judged {
	if c.exact {
		return judged(c.value, conditionLimits)
	}
	if c.row {
		return &Judged{Value: finite.Number(math.NaN()), Verdict: OK, Reason: rowReason}
	}
	j := &Judged{Value: finite.Number(math.NaN()), Verdict: OK, Reason: "relaxed: some markers are too close or too unevenly spaced for exact weights, and slip takes some steps to decay"}
	if given {
		j.Verdict, j.Reason = Caution, j.Reason+"; use spacing = \"auto\", or multidirect forcing"
	}
	return j
}

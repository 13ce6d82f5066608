package transfer

import (
	"context"
	"fmt"
)

// KassenOnDevice is Table 1 of the paper with a device's numbers: what lies in its memory
// is interpolated and spread there, and points hardly move from call to call.
func (b *Bench) KassenOnDevice(ctx context.Context, s Shorter) (Table, error) {
	points := orUsual(s.Points, kassenPoints)
	t := Table{Name: "kassen-device", Title: "Kassen et al., Table 1: unstructured points, on the device", Source: kassenSource + ", Table 1, " + kassenGPU}
	var grids []string
	refinements := kassenRefinements
	if s.Steps == 1 { // as short as can be
		refinements = refinements[:1]
	}
	for _, n := range refinements {
		grids = append(grids, fmt.Sprint(n))
	}
	algorithms := s.Algorithms
	if len(algorithms) == 0 {
		algorithms = each("sort-reduce", "buffered", "buffered-otf", "atomic")
	}
	specs, err := Selection{Grid: grids, Points: each(points), Order: each(kept), Algorithm: algorithms, Backend: each("cuda"), Kernel: b.Kernel}.Plan()
	if err != nil {
		return t, err
	}
	rows, err := b.Run(ctx, specs)
	for i := range rows {
		r := tableRow(&rows[i])
		r.Number, r.PaperDevice = kassenNumber(r.Op, r.Algorithm), kassenGPU
		if r.Op == interpolate { // the same, whatever spreads
			r.Number = 3
		}
		r.PaperSeconds = kassenSeconds(kassenGPU, r.Op, r.Number, r.Refinement)
		r.PaperSpeedup = kassenSpeedup(kassenGPU, r.Op, r.Number, r.Refinement)
		t.Rows = append(t.Rows, r)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%d random points (published: %d), cosine4, three staggered components, f64", points, kassenPoints),
		"a call has all three components and begins with telling where the points are; speed-ups are over this machine's serial strategy on one thread")
	if err == nil {
		t.sections = wide(t.Rows, refinements, true)
	}
	return t, err
}

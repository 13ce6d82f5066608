package transfer

import (
	"fmt"

	"lbmib/cuda/transfer"
	"lbmib/validation/ib/published"
)

// KassenRefinements are the grids of the paper's Table 1, in nodes along an axis, or as
// few as can be.
func KassenRefinements(s Shorter) []int {
	if s.Steps == 1 {
		return published.KassenRefinements[:1]
	}
	return published.KassenRefinements
}

// KassenOnDevice are the rows of the paper's Table 1 at one refinement on a device, by all of its
// strategies, those that the table has and those of the paper's note and of others: what lies in
// its memory is interpolated and spread there, and points hardly move from call to call.
func KassenOnDevice(refinement int, s Shorter) ([]Spec, error) {
	algorithms := s.Algorithms
	if len(algorithms) == 0 {
		algorithms = transfer.Names()[1:] // auto is one of the others
	}
	return Selection{
		Grid: each(fmt.Sprint(refinement)), Points: each(orUsual(s.Points, published.KassenPoints)), Order: each(kept), Algorithm: algorithms, Backend: each("cuda"),
	}.Plan()
}

// KassenDeviceTable is Table 1 with a device's numbers: of all rows that were measured.
func KassenDeviceTable(rows []Row, s Shorter) Table {
	t := Table{Name: "kassen-device", Title: "Kassen et al., Table 1: unstructured points, on the device", Source: published.KassenSource + ", Table 1, " + published.KassenGPU}
	for i := range rows {
		r := tableRow(&rows[i])
		r.Number, r.PaperDevice = published.KassenNumber(r.Op, r.Algorithm), published.KassenGPU
		if r.Op == interpolate { // the same, whatever spreads
			r.Number = 3
		}
		r.PaperSeconds = published.KassenSeconds(published.KassenGPU, r.Op, r.Number, r.Refinement)
		r.PaperSpeedup = published.KassenSpeedup(published.KassenGPU, r.Op, r.Number, r.Refinement)
		t.Rows = append(t.Rows, r)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%d random points (published: %d), cosine4, three staggered components, f64", orUsual(s.Points, published.KassenPoints), published.KassenPoints),
		"a call has all three components and begins with telling where the points are; speed-ups are over this machine's serial strategy on one thread")
	t.subtables = wide(t.Rows, KassenRefinements(s), true)
	return t
}

package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lbmib/internal/finite"
)

// SheetSummary is where a sheet is at the end: see sheets.csv.
type SheetSummary struct {
	Tip         []finite.Number `json:"tip" si:"length"`              // L
	TipVelocity []finite.Number `json:"tip_velocity" si:"velocity"`   // U
	Curvature   finite.Number   `json:"curvature_max" si:"curvature"` // 1/L
	Tension     finite.Number   `json:"tension_max" si:"tension"`     // ρU²L
	Strain      finite.Number   `json:"strain_max"`
	Energy      finite.Number   `json:"energy" si:"energy"` // ρU²L³
	SI          InSI            `json:"si,omitempty"`
}

// sheetStates fills in the sheets.
func (r *results[T]) sheetStates(s *Summary) {
	if r.out.Sheets == nil {
		return
	}
	s.Sheets = map[string]SheetSummary{}
	for i := range r.out.Sheets.Len() {
		of := r.out.Sheets.Of(i)
		s.Sheets[r.out.Sheets.Name(i)] = SheetSummary{
			Tip: numbers(of.Tip[:]), TipVelocity: numbers(of.TipVelocity[:]),
			Curvature: finite.Number(of.Curvature), Tension: finite.Number(of.Tension), Strain: finite.Number(of.Strain),
			Energy: finite.Number(of.Energy.Stretching + of.Energy.Bending + of.Energy.Kinetic),
		}
	}
}

// writeSheets prints the sheets, the first of many.
func (s *Summary) writeSheets(b *strings.Builder) {
	names := slices.Sorted(maps.Keys(s.Sheets))
	for _, name := range names[:min(len(names), mostTold)] {
		f := s.Sheets[name]
		wrapped(b, "  ", fmt.Sprintf("%s: tip at %s L, moving with %s U; curvature up to %.3g/L, strain %.2g %%",
			name, list(f.Tip), list(f.TipVelocity), float64(f.Curvature), 100*float64(f.Strain)))
	}
	if more := len(names) - mostTold; more > 0 {
		fmt.Fprintf(b, "  … and %d more sheets: see summary.json\n", more)
	}
}

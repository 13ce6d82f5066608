package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lbmib/internal/finite"
)

// FilamentSummary is where a line that bends is at the end: see filaments.csv.
type FilamentSummary struct {
	Tip         []finite.Number `json:"tip" si:"length"`              // L
	TipVelocity []finite.Number `json:"tip_velocity" si:"velocity"`   // U
	Curvature   finite.Number   `json:"curvature_max" si:"curvature"` // 1/L
	Tension     finite.Number   `json:"tension_max" si:"force"`       // ρU²L^(d−1)
	Strain      finite.Number   `json:"strain_max"`
	Energy      finite.Number   `json:"energy" si:"energy"` // ρU²L^d
	SI          InSI            `json:"si,omitempty"`
}

// filamentStates fills in the lines that bend.
func (r *results[T]) filamentStates(s *Summary) {
	if r.out.Filaments == nil {
		return
	}
	s.Filaments = map[string]FilamentSummary{}
	dim := r.Flow.Lattice.Dim
	for i := range r.out.Filaments.Len() {
		of := r.out.Filaments.Of(i)
		s.Filaments[r.out.Filaments.Name(i)] = FilamentSummary{
			Tip: numbers(of.Tip[:dim]), TipVelocity: numbers(of.TipVelocity[:dim]),
			Curvature: finite.Number(of.Curvature), Tension: finite.Number(of.Tension), Strain: finite.Number(of.Strain),
			Energy: finite.Number(of.Energy.Stretching + of.Energy.Bending + of.Energy.Kinetic),
		}
	}
}

// writeFilaments prints the lines that bend, the first of many.
func (s *Summary) writeFilaments(b *strings.Builder) {
	names := slices.Sorted(maps.Keys(s.Filaments))
	for _, name := range names[:min(len(names), mostTold)] {
		f := s.Filaments[name]
		wrapped(b, "  ", fmt.Sprintf("%s: tip at %s L, moving with %s U; curvature up to %.3g/L, strain %.2g %%",
			name, list(f.Tip), list(f.TipVelocity), float64(f.Curvature), 100*float64(f.Strain)))
	}
	if more := len(names) - mostTold; more > 0 {
		fmt.Fprintf(b, "  … and %d more lines: see summary.json\n", more)
	}
}

// crossed warns of lines that have passed through themselves or each other.
func (r *run[T]) crossed(body, other int, time float64, at [3]float64) {
	whom := "itself"
	if other != body {
		whom = fmt.Sprintf("body %q", r.Case.Bodies[other].Name)
	}
	remedy := "raise ib.contact.stiffness or ib.contact.distance, which keep lines away from others"
	switch {
	case other == body:
		remedy = "nothing keeps a line from itself: make it stiffer, or take what it does from then on for what it is"
	case r.Case.IB.Contact.Distance == 0:
		remedy = "give ib.contact.distance, for instance 2, which keeps lines away from others"
	}
	r.checks.warn("body %q crosses %s at t = %.4g L/U, x = %.4g, y = %.4g L, which no line in a plane can: %s", r.Case.Bodies[body].Name, whom, time, at[0], at[1], remedy)
}

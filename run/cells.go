package run

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lbmib/internal/finite"
)

// CellSummary is what has become of an elastic body at the end: see cells.csv.
type CellSummary struct {
	Position    []finite.Number `json:"position"`     // of the centre of volume, L
	Velocity    []finite.Number `json:"velocity"`     // U
	Deformation finite.Number   `json:"deformation"`  // Taylor's D
	Inclination finite.Number   `json:"inclination"`  // of the longest axis in the x–y plane, radians
	Tread       finite.Number   `json:"tread"`        // radians by which the membrane has turned there
	AreaDrift   finite.Number   `json:"area_drift"`   // A/A0 − 1, of a ring that of its length
	VolumeDrift finite.Number   `json:"volume_drift"` // V/V0 − 1, of a ring that of the area which it encloses
	Energy      finite.Number   `json:"energy"`       // ρU²L^d
	Extent      []finite.Number `json:"extent"`       // along the axes, L
}

// cellStates fills in the elastic bodies.
func (r *results[T]) cellStates(s *Summary) {
	if r.out.Cells == nil {
		return
	}
	s.Cells = map[string]CellSummary{}
	r.Sim.Flush()
	dim := r.Flow.Lattice.Dim
	for i, c := range r.Sim.Cells {
		of := r.out.Cells.Of(i)
		s.Cells[c.Name] = CellSummary{
			Position: numbers(of.Position[:dim]), Velocity: numbers(of.Velocity[:dim]),
			Deformation: finite.Number(of.Deformation), Inclination: finite.Number(of.Inclination), Tread: finite.Number(of.Tread),
			AreaDrift: finite.Number(of.AreaDrift), VolumeDrift: finite.Number(of.VolumeDrift), Energy: finite.Number(of.Energy.Total()),
			Extent: numbers(of.Extent[:dim]),
		}
	}
}

// writeCells prints the elastic bodies, the first of many.
func (s *Summary) writeCells(b *strings.Builder) {
	names := slices.Sorted(maps.Keys(s.Cells))
	for _, name := range names[:min(len(names), mostTold)] {
		c := s.Cells[name]
		kept := [2]string{"area", "volume"}
		if len(c.Position) == 2 { // a ring
			kept = [2]string{"length", "area"}
		}
		wrapped(b, "  ", fmt.Sprintf("%s: D %.4f, inclination %.1f°, membrane turned by %.3f rad, at %s L, moving with %s U; %s %+.2g %%, %s %+.2g %%",
			name, float64(c.Deformation), float64(c.Inclination)*180/math.Pi, float64(c.Tread), list(c.Position), list(c.Velocity), kept[0], 100*float64(c.AreaDrift), kept[1], 100*float64(c.VolumeDrift)))
	}
	if more := len(names) - mostTold; more > 0 {
		fmt.Fprintf(b, "  … and %d more elastic bodies: see summary.json\n", more)
	}
}

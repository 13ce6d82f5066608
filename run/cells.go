package run

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/statistics"
	"lbmib/io/table"
)

// CellSummary is what has become of an elastic body at the end: see cells.csv.
type CellSummary struct {
	Position    []finite.Number `json:"position" si:"length"`   // of the centre of volume, L
	Velocity    []finite.Number `json:"velocity" si:"velocity"` // U
	Deformation finite.Number   `json:"deformation"`            // Taylor's D
	Inclination finite.Number   `json:"inclination"`            // of the longest axis in the x–y plane, radians
	Tread       finite.Number   `json:"tread"`                  // radians by which the membrane has turned there
	AreaDrift   finite.Number   `json:"area_drift"`             // A/A0 − 1, of a ring that of its length
	VolumeDrift finite.Number   `json:"volume_drift"`           // V/V0 − 1, of a ring that of the area which it encloses
	Energy      finite.Number   `json:"energy" si:"energy"`     // ρU²L^d
	Extent      []finite.Number `json:"extent" si:"length"`     // along the axes, L

	TreadFrequency finite.Number `json:"tread_frequency" si:"frequency"` // turns of the membrane there per L/U, over the last half of the run; null of suspended cells
	SI             InSI          `json:"si,omitempty"`
}

// cellStates fills in the elastic bodies.
func (r *results[T]) cellStates(s *Summary) error {
	if r.out.Cells == nil {
		return nil
	}
	var rows *table.Table
	if len(r.Case.Suspensions) == 0 {
		var err error
		if rows, err = table.Read(r.Dir.File("cells.csv")); err != nil {
			return err
		}
	}
	s.Cells = map[string]CellSummary{}
	r.Sim.Flush()
	dim := r.Flow.Lattice.Dim
	for i, c := range r.Sim.Cells {
		if c.Away() {
			continue
		}
		of := r.out.Cells.Of(i)
		frequency, err := treadFrequency(rows, c.Name)
		if err != nil {
			return err
		}
		s.Cells[c.Name] = CellSummary{
			Position: numbers(of.Position[:dim]), Velocity: numbers(of.Velocity[:dim]),
			Deformation: finite.Number(of.Deformation), Inclination: finite.Number(of.Inclination), Tread: finite.Number(of.Tread),
			AreaDrift: finite.Number(of.AreaDrift), VolumeDrift: finite.Number(of.VolumeDrift), Energy: finite.Number(of.Energy.Total()),
			Extent: numbers(of.Extent[:dim]), TreadFrequency: finite.Number(frequency),
		}
	}
	return nil
}

// treadFrequency is how often a membrane turns in a time unit, by the straight line through the last half of its rows; NaN without a table or with less than three.
func treadFrequency(t *table.Table, body string) (float64, error) {
	if t == nil {
		return math.NaN(), nil
	}
	rows, err := t.Where("body", body)
	if err != nil {
		return 0, err
	}
	time, err := t.Float("t", rows)
	if err != nil {
		return 0, err
	}
	tread, err := t.Float("tread", rows)
	if err != nil {
		return 0, err
	}
	if len(time) < 3 {
		return math.NaN(), nil
	}
	half := (time[0] + time[len(time)-1]) / 2
	first := slices.IndexFunc(time, func(at float64) bool { return at >= half })
	return statistics.Slope(time[first:], tread[first:]) / (2 * math.Pi), nil
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
		turned := ""
		if finite.Is(float64(c.Tread)) {
			turned = fmt.Sprintf(", membrane turned by %.3f rad", float64(c.Tread))
		}
		wrapped(b, "  ", fmt.Sprintf("%s: D %.4f, inclination %.1f°%s, at %s L, moving with %s U; %s %+.2g %%, %s %+.2g %%",
			name, float64(c.Deformation), float64(c.Inclination)*180/math.Pi, turned, list(c.Position), list(c.Velocity), kept[0], 100*float64(c.AreaDrift), kept[1], 100*float64(c.VolumeDrift)))
	}
	if more := len(names) - mostTold; more > 0 {
		fmt.Fprintf(b, "  … and %d more elastic bodies: see summary.json\n", more)
	}
}

package run

import (
	"fmt"
	"math"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/statistics"
	"lbmib/io/table"
	"lbmib/run/drawing"
	"lbmib/run/setup"
)

// SuspensionSummary is what a suspension of elastic cells did: means over a window, which is found from the flow rate where there is one and else from the cells' velocity.
type SuspensionSummary struct {
	Cells      int             `json:"cells"`
	Hematocrit finite.Number   `json:"hematocrit_mean"`             // of the fluid's volume
	Velocity   []finite.Number `json:"velocity_mean" si:"velocity"` // of the cells, U

	// In a tube or channel along which a constant force drives them; null elsewhere.
	Discharge    finite.Number `json:"discharge_hematocrit_mean"`
	Ratio        finite.Number `json:"fahraeus_ratio_mean"`           // tube over discharge haematocrit
	FlowRate     finite.Number `json:"flow_rate_mean" si:"flow rate"` // UL²
	Viscosity    finite.Number `json:"relative_viscosity_mean"`       // apparent, over that of the suspending fluid
	ViscosityDev finite.Number `json:"relative_viscosity_amplitude"`
	Layer        finite.Number `json:"cell_free_layer_mean" si:"length"` // L

	// By Pries et al. (1992) at that discharge haematocrit; null but in round tubes whose diameter is known in SI.
	PriesViscosity finite.Number `json:"pries_relative_viscosity"`
	PriesRatio     finite.Number `json:"pries_fahraeus_ratio"`

	AreaDrift   finite.Number    `json:"area_drift_max"`      // largest of any cell in the window
	VolumeDrift finite.Number    `json:"volume_drift_max"`    // likewise
	Gap         finite.Number    `json:"gap_min" si:"length"` // L, likewise
	Window      [2]finite.Number `json:"window" si:"time"`    // L/U
	Converged   bool             `json:"converged"`
	SI          InSI             `json:"si,omitempty"`
}

// suspensionStatistics fills in elastic cells.
func (r *results[T]) suspensionStatistics(s *Summary) error {
	if r.out.Suspended == nil {
		return nil
	}
	t, err := table.Read(r.Dir.File("suspension.csv"))
	if err != nil || t.Rows() == 0 {
		return err
	}
	x := samples{table: t}
	if x.t, err = t.Float("t", nil); err != nil {
		return err
	}
	by := "vx"
	if r.Conduit != nil {
		by = "flow_rate"
	}
	if r.Coupling.Feed != nil { // there may be no cell, and no velocity of them
		by = "hematocrit"
	}
	a, err := x.window(r.Case.Output.Statistics.From, by)
	if err != nil {
		return err
	}
	over := func(column string) statistics.Spread { return x.over(column, &a) }
	mean := func(column string) finite.Number { return finite.Number(over(column).Mean) }
	viscosity := over("relative_viscosity")
	out := &SuspensionSummary{
		Cells: r.out.Suspended.Of().Cells, Hematocrit: mean("hematocrit"), Velocity: []finite.Number{mean("vx"), mean("vy"), mean("vz")},
		Discharge: mean("discharge_hematocrit"), Ratio: mean("fahraeus_ratio"), FlowRate: mean("flow_rate"),
		Viscosity: finite.Number(viscosity.Mean), ViscosityDev: finite.Number(viscosity.Amplitude), Layer: mean("cell_free_layer"),
		PriesViscosity: finite.Number(math.NaN()), PriesRatio: finite.Number(math.NaN()),
		AreaDrift: finite.Number(over("area_drift_max").Most), VolumeDrift: finite.Number(over("volume_drift_max").Most), Gap: finite.Number(over("gap_min").Least),
		Window: [2]finite.Number{finite.Number(a.From), finite.Number(a.To)}, Converged: a.Converged,
	}
	if r.Conduit != nil && r.Conduit.Round() && r.Case.Reference.Length > 0 {
		d := 2 * r.Conduit.Radius() / r.Case.Reference.Resolution * r.Case.Reference.Length * 1e6
		out.PriesViscosity = finite.Number(setup.BloodViscosity(d, float64(out.Discharge)))
		out.PriesRatio = finite.Number(setup.FahraeusRatio(d, float64(out.Discharge)))
	}
	s.Suspension = out
	return nil
}

// writeSuspension prints it.
func (s *Summary) writeSuspension(b *strings.Builder) {
	v := s.Suspension
	if v == nil {
		return
	}
	text := fmt.Sprintf("suspension: %d cells, haematocrit %.4g", v.Cells, float64(v.Hematocrit))
	if finite.Is(float64(v.Viscosity)) {
		text += fmt.Sprintf(", of what flows %.4g (Fåhræus ratio %.3g); viscosity %.4g times that of the fluid alone; layer free of cells %.3g L",
			float64(v.Discharge), float64(v.Ratio), float64(v.Viscosity), float64(v.Layer))
		if si := siText(s.units, casefile.Length, 1, v.Layer); si != "" {
			text += " = " + si
		}
	} else {
		text += fmt.Sprintf(", mean velocity %s U", list(v.Velocity))
	}
	if finite.Is(float64(v.PriesViscosity)) {
		text += fmt.Sprintf("; blood in glass tubes has %.3g and %.3g (Pries et al. 1992)", float64(v.PriesRatio), float64(v.PriesViscosity))
	}
	text += fmt.Sprintf("; over %.4g–%.4g L/U", float64(v.Window[0]), float64(v.Window[1]))
	if !v.Converged {
		text += ", not converged"
	}
	wrapped(b, "  ", text)
}

// suspensionPictures draw what a suspension did, and its profiles.
func (r *results[T]) suspensionPictures() error {
	if len(r.Case.Suspensions) == 0 {
		return nil
	}
	t, err := table.Read(r.Dir.File("suspension.csv"))
	if err == nil {
		_, err = drawing.Suspension(t, r.Dir.File("plots", drawing.SuspensionPicture), r.Case.Title)
	}
	if err != nil || r.Case.Output.Suspension.Profile == "" {
		return err
	}
	if t, err = table.Read(r.Dir.File("suspension_profile.csv")); err != nil {
		return err
	}
	_, err = drawing.SuspensionProfile(t, r.Dir.File("plots", drawing.ProfilePicture), r.Case.Title)
	return err
}

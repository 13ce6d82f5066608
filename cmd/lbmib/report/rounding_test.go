package report

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is nothing but rounding in the precision of the run is told as 0, in SI, too, and what is not stays: 1.4e-6 U of f32 at a lattice
// velocity of 0.05, and of f64.
func TestRoundingIsZeroInTheReport(t *testing.T) {
	text := `{"status": "done", "mach_max": 0.05, "density_deviation": 2e-8, "pressure": {"end_min": -3e-6, "end_min_place": [1, 2], "end_max": 0.5, "end_max_place": [3, 4.5]},
		"sections": {"across": {"flow_rate_mean": 1.4e-6, "pressure_mean": -3e-6, "velocity_mean": [0.5, -1.4e-6], "window": [1, 2]}},
		"bodies": {"disc": {"cd_mean": 2.1, "cl_mean": -1.4e-6, "slip_max": 1.4e-6, "force_mean": [2.1, -1.4e-6], "velocity_mean": [0, -1.4e-6],
			"si": {"force_mean_N_per_m": [0.00105, -7e-10], "velocity_mean_m_per_s": [0, -1.4e-9]}}}}`
	tell := func(precision string) (words string) {
		var s Summary
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		d := &Directory{Record: Record{Summary: &s}}
		d.Manifest.Precision = precision
		d.Manifest.Case.Domain.Size = []float64{8, 8}
		d.Manifest.Case.Reference = map[string]float64{"resolution": 10, "velocity": 0.05, "viscosity": 0.1, "length": 1e-3, "speed": 1e-3, "density": 1000}
		for _, row := range d.samples() {
			words += strings.Join([]string{row.FlowRate, row.Velocity, row.Pressure}, " ")
		}
		for _, row := range d.results().Rows {
			words += " " + strings.Join(row.Values, " ")
		}
		for _, f := range d.facts() {
			words += " " + f.Value + " " + f.Note
		}
		return words
	}
	single, double := tell("f32"), tell("f64")
	if strings.Contains(single, "·10⁻") || !strings.Contains(single, "density constant but for rounding") || !strings.Contains(single, "0 UL = 0 m²/s") || !strings.Contains(single, "0 to 0.5 ρU²") {
		t.Errorf("f32: %s", single)
	}
	if !strings.Contains(double, "1.4·10⁻⁶") || !strings.Contains(double, "−1.4·10⁻⁹") || strings.Contains(double, "but for rounding") {
		t.Errorf("f64: %s", double)
	}
}

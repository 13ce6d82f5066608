package report

import (
	"encoding/json"
	"slices"
	"testing"
)

// What the report tells of bodies that swing is in a table of theirs, what it tells of ports beside their pressure.
func TestOscillationsAndPressureDropsInTheReport(t *testing.T) {
	var s Summary
	text := `{"status": "done", "sections": {"high": {"flow_rate_mean": -1, "flow_rate_interval": 0.0123, "pressure_mean": 0.25, "pressure_drop_mean": null}, "low": {"flow_rate_mean": -1, "flow_rate_interval": 1e-5, "pressure_mean": 0, "pressure_interval": null, "pressure_drop_mean": 0.25}},
		"ports": {"in": {"flow_rate_mean": 2, "pressure_mean": 1.5, "pressure_interval": 0.02, "pressure_drop_mean": null, "window": [1, 2]}, "out": {"flow_rate_mean": -2, "pressure_mean": 0.5, "pressure_drop_mean": 1.0}},
		"bodies": {"rod": {"cd_mean": 0.1, "oscillation": {"kc": 5, "drag_coefficient": null, "added_mass_coefficient": 1.4523, "damping": 2.16, "added_mass": 0.0491, "si": {"damping_N_m_s": 3.5, "added_mass_kg_m2": 0.25}, "periods": 4, "window": [10, 30], "note": "run longer"}}}}`
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	d := &Directory{Record: Record{Summary: &s}}
	d.Manifest.Case.Domain.Size = []float64{8, 8, 8}
	rows := d.samples()
	for i, want := range [][2]string{{"−1 ± 0.012 UL²", "0.25 ρU²"}, {"−1 UL²", "0 ρU², 0.25 ρU² below the first section's"}, {"2 UL²", "1.5 ± 0.02 ρU²"}, {"−2 UL²", "0.5 ρU², 1 ρU² below the inlet's"}} {
		if len(rows) != 4 || rows[i].FlowRate != want[0] || rows[i].Pressure != want[1] {
			t.Errorf("row %d is not %q: %+v", i, want, rows)
		}
	}
	told := map[string]string{}
	r := d.results()
	for _, row := range r.Rows {
		told[row.Name] = row.Values[0]
	}
	for name, want := range map[string]string{"Keulegan–Carpenter number": "5.0000", "rotary damping": "3.5", "added moment of inertia": "0.25", "added mass coefficient": "1.4523", "periods of the fits": "4", "window of the fits": "10\u202f–\u202f30"} {
		if told[name] != want {
			t.Errorf("%s is %q, want %q", name, told[name], want)
		}
	}
	if _, some := told["Morison's drag coefficient"]; some || !slices.Contains(r.Notes, "rod, oscillation: run longer.") {
		t.Errorf("%v, notes %q", told, r.Notes)
	}
}

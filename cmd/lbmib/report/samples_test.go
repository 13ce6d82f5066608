package report

import (
	"encoding/json"
	"slices"
	"testing"
)

// What the report tells of bodies that swing is in a table of theirs, what it tells of ports beside their pressure.
func TestOscillationsAndPressureDropsInTheReport(t *testing.T) {
	var s Summary
	text := `{"status": "done", "ports": {"in": {"flow_rate_mean": 2, "pressure_mean": 1.5, "pressure_drop_mean": null, "window": [1, 2]}, "out": {"flow_rate_mean": -2, "pressure_mean": 0.5, "pressure_drop_mean": 1.0}},
		"bodies": {"rod": {"cd_mean": 0.1, "oscillation": {"kc": 5, "drag_coefficient": null, "added_mass_coefficient": 1.4523, "damping": 2.16, "added_mass": 0.0491, "si": {"damping_N_m_s": 3.5, "added_mass_kg_m2": 0.25}, "periods": 4, "window": [10, 30], "note": "run longer"}}}}`
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	d := &Directory{Record: Record{Summary: &s}}
	d.Manifest.Case.Domain.Size = []float64{8, 8, 8}
	rows := d.samples()
	if len(rows) != 2 || rows[0].Pressure != "1.5 ρU²" || rows[1].Pressure != "0.5 ρU², 1 ρU² below the inlet's" {
		t.Errorf("%+v", rows)
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

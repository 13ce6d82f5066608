package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// What is told of a body in L, U and L/U is told in SI beside, with its unit: here L is 1 mm and U is 2 mm/s.
func TestWhereABodyEndsIsToldInSI(t *testing.T) {
	text := `{"status": "done", "bodies": {"disc": {"position": [3, 4.5], "velocity": [0.25, -0.5], "recirculation_length": 1.5, "motion_window": [2, 8],
		"si": {"position_m": [0.003, 0.0045], "velocity_m_per_s": [5e-4, -1e-3], "recirculation_length_m": 0.0015, "motion_window_s": [1, 4]}}}}`
	var s Summary
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	d := &Directory{Record: Record{Summary: &s}}
	d.Manifest.Precision = "f64"
	d.Manifest.Case.Domain.Size = []float64{8, 8}
	d.Manifest.Case.Reference = map[string]float64{"resolution": 10, "velocity": 0.05, "viscosity": 0.1, "length": 1e-3, "speed": 2e-3}
	var told []string
	for _, row := range d.results().Rows {
		told = append(told, row.Name+" "+row.Meaning+": "+strings.Join(row.Values, " ")+" "+row.Unit)
	}
	for _, row := range []string{
		"position at the end: 3, 4.5 L", "velocity at the end: 0.25, −0.5 U", "recirculation behind the body, mean: 1.5000 L", "window of motion of these: 2\u202f–\u202f8 L/U",
		"position at the end: 0.003, 0.0045 m", "velocity at the end: 0.0005, −0.001 m/s", "recirculation behind the body, mean: 0.0015 m", "window of motion of these: 1, 4 s",
	} {
		if !slices.Contains(told, row) {
			t.Errorf("%q is missing in\n%s", row, strings.Join(told, "\n"))
		}
	}
}

package report

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestElasticBodiesInTheReport: a row for each of the first, in the order of their numbers, numbers that are missing as such; and a suspension beside what was measured.
func TestElasticBodiesInTheReport(t *testing.T) {
	var s Summary
	cells := `{"cell-10": {"position": [1, 2, 3], "deformation": 0.25, "inclination": 0.5235987755982988, "area_drift": 0.01, "volume_drift": null}`
	for _, n := range strings.Fields("2 0 1 3 4 5 6 7 8 9 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25") {
		cells += `, "cell-` + n + `": {}`
	}
	text := `{"status": "done", "cells": ` + cells + `}, "suspension": {"cells": 26, "hematocrit_mean": 0.2, "relative_viscosity_mean": 1.5, "pries_relative_viscosity": 1.25, "window": [1, 2], "converged": false}}`
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	d := &Record{Summary: &s}
	rows, more := d.cells()
	if len(rows) != mostColumns || more != 26-mostColumns || rows[2].Name != "cell-2" || rows[10].Name != "cell-10" {
		t.Fatalf("%d rows, %d more: %v", len(rows), more, rows)
	}
	if r := rows[10]; r.Position != "(1, 2, 3)" || r.Deformation != "0.25" || r.Inclination != "30" || r.AreaDrift != "1" || r.VolumeDrift != "–" || r.Frequency != "–" {
		t.Errorf("%+v", r)
	}
	facts := d.suspended()
	found := false
	for _, f := range facts {
		found = found || f.Name == "relative viscosity" && f.Value == "1.5" && strings.Contains(f.Note, "1.25 (Pries")
	}
	if !found || !strings.Contains(facts[len(facts)-1].Note, "not converged") {
		t.Errorf("%+v", facts)
	}
	s.Status = "diverged"
	if rows, _ := d.cells(); rows != nil || d.suspended() != nil {
		t.Error("numbers of a flow that diverged are shown")
	}
}

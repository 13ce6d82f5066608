package main

import (
	"encoding/json"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench/cells"
	"lbmib/run/exit"
)

func TestBenchCellsMeasuresASmallBox(t *testing.T) {
	o := lbmib(t, t.TempDir(), "bench", "cells", "--cells", "1,2", "--vertices", "162", "--diameter", "8", "--kernel", "go", "--threads", "1", "--seconds", "0.005", "--json")
	o.want(t, exit.Done, "[2/2] 2 cells of 162 vertices")
	var d cells.Document
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("not one JSON document: %v\n%s", err, o.stdout)
	}
	if len(d.Rows) != 2 {
		t.Fatalf("%d rows, want 2", len(d.Rows))
	}
	for _, r := range d.Rows {
		if r.Status != "ok" || !(r.WithMS > 0) || r.Kernel != "go" || r.Vertices != 162 || len(r.Checks) != 2 {
			t.Errorf("%+v", r)
		}
	}
}

func TestBenchCellsRefusesBadFlagsBeforeMeasuring(t *testing.T) {
	for flags, says := range map[string]string{
		"--cells 0":            "--cells 0 must be between 1",
		"--cells 1000000":      "choose fewer --cells",
		"--haematocrit 1.2":    "--haematocrit 1.2",
		"--law rubber":         "--law rubber is unknown",
		"--repeats 2":          "at least 5",
		"--report /dev/null/x": "--report: ",
	} {
		o := lbmib(t, t.TempDir(), append([]string{"bench", "cells"}, strings.Fields(flags)...)...)
		o.want(t, exit.BadCase, says)
	}
}
